"""Which files have rules for their language, and what the headline says of it."""

from __future__ import annotations

import pytest

from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.configuration import rule_registry
from review_bot.engine.reach import language_name, reach_of
from review_bot.findings import Examination, Failure, LeftOut, NoText, NotRun
from review_bot.reports import catalog, wording
from review_bot.reports.content.set_aside import set_aside
from review_bot.review.reach import FileWithoutRules, LanguageReach, Reach
from tests.engine.cases import rulebook_of
from tests.reviews import RUN_PY, SWALLOWED, changed, clean, review_of

RULES = rulebook_of(
    "id: own/py\nlanguage: python\nrule: {pattern: f($A)}\n---\n"
    "id: own/library\ntext: {regex: x}\nmetadata: {scope: library}\n---\n"
    "id: own/tests\ntext: {regex: x}\nmetadata: {scope: tests}\n---\n"
    "id: own/docker\ntext: {regex: x}\nfiles: ['**/Dockerfile']\n---\n"
    "id: own/any\ntext: {regex: x}\n"
).rules
LANGUAGES = (LanguageReach("Python", 5, 184), LanguageReach("YAML", 1, 19))


def file(path, kind="text"):
    return changed(path, "@@ -0,0 +1 @@\n+x\n", status="added")._replace(kind=kind)


def reach(*paths, rules=RULES, **seen):
    return reach_of(PullRequest(tuple(map(file, paths))), Examination(**seen), rules)


def test_a_rule_counts_for_a_language_if_it_ran_on_one_of_its_files():
    assert reach("a.py", "b.py").languages == (LanguageReach("Python", 2, 3),)
    assert reach("a.py", "test_b.py").languages == (LanguageReach("Python", 2, 4),)


def test_files_in_languages_without_rules_are_listed_by_path():
    assert reach("b.ts", "a.go", "a.py", "c/NOTES").without_rules == (
        FileWithoutRules("a.go", "Go"),
        FileWithoutRules("b.ts", "TypeScript"),
        FileWithoutRules("c/NOTES", "other"),
    )


def test_data_formats_are_not_files_without_rules():
    found = reach("a.py", "data/b.json", "c.csv", "notes.txt", "poetry.lock", "CMakeLists.txt", "d.ts")

    assert [each.path for each in found.without_rules] == ["CMakeLists.txt", "d.ts"]
    assert found.data_files == ("c.csv", "data/b.json", "notes.txt", "poetry.lock")


def test_the_headline_says_what_ran_on_data_files_alone():
    review = clean()._replace(reach=Reach(data_files=("a.json", "b.csv")))

    assert wording.reach(review) == "no language-specific rule ran on 2 data files; a person has to judge the rest"


def test_a_path_pattern_makes_a_rule_one_for_a_file():
    assert reach("Dockerfile") == Reach((LanguageReach("Dockerfile", 1, 2),))


@pytest.mark.parametrize("path", ["Dockerfile", "a/Dockerfile.cuda", "docker/base.Dockerfile", "x/Containerfile"])
def test_a_dockerfile_is_called_one(path):
    assert language_name(path) == "Dockerfile"
    review = clean()._replace(reach=Reach((LanguageReach("Dockerfile", 2, 9),)))
    assert wording.reach(review) == "9 rules ran on 2 Dockerfiles; a person has to judge the rest"


def test_files_of_a_language_that_has_rules_are_not_called_without_rules():
    without = (FileWithoutRules("a.h", "C++"), FileWithoutRules("b.h", "C++"), FileWithoutRules("c.go", "Go"))
    review = clean()._replace(reach=Reach((LanguageReach("C++", 21, 14),), without))
    assert wording.reach(review) == (
        "14 rules ran on 21 C++ files; no language-specific rule ran on 2 more C++ files and 1 Go file; "
        "a person has to judge the rest"
    )


def test_what_is_not_named_in_the_headline_are_languages():
    seven = ("C", "C++", "Go", "PHP", "Ruby", "Rust", "Swift")
    ran = clean()._replace(reach=Reach(tuple(LanguageReach(each, 2, 9) for each in seven)))
    assert wording.rules_by_language(ran).endswith(", 9 on 2 PHP files and 3 more languages")
    lacking = clean()._replace(reach=Reach((), without(*seven)))
    assert "1 Go file, 1 PHP file and 3 more languages; " in wording.reach(lacking)


def test_rules_that_did_not_run_do_not_count():
    assert reach("a.py", not_run=(NotRun("own/py", "x"),)).languages == (LanguageReach("Python", 1, 2),)
    assert reach("a.py", failures=(Failure("own/py", None, "x"),)).languages == (LanguageReach("Python", 1, 2),)
    stopped = tuple(NotRun(name, "x") for name in ("own/py", "own/library"))
    assert reach("a.py", not_run=stopped).without_rules == (FileWithoutRules("a.py", "Python"),)


def test_only_the_chosen_paths_count():
    change = PullRequest((file("a.ts"), file("src/a.py"), file("src2/b.py"), file("web/c.go")))
    assert reach_of(change, Examination(), RULES, ("src", "web/c.go")) == Reach(
        (LanguageReach("Python", 1, 3),), (FileWithoutRules("web/c.go", "Go"),)
    )


@pytest.mark.parametrize(
    "seen",
    [
        {"ignored": ("a.ts",)},
        {"left_out": (LeftOut("a.ts", "vendored"),)},
        {"no_text": (NoText("a.ts", "binary"),)},
        {"unreviewed": (Unreviewed("a.ts", "not UTF-8 text"),)},
    ],
)
def test_what_is_listed_elsewhere_is_in_neither_list(seen):
    assert reach("a.ts", **seen) == Reach()


@pytest.mark.parametrize(
    ("path", "language"),
    [("a.py", "Python"), ("a.tsx", "TypeScript"), ("a.cu", "C++"), ("a.rs", "Rust"), ("a.cs", "C#"), ("a", "other")],
)
def test_languages_are_named_as_people_write_them(path, language):
    assert language_name(path) == language


def test_the_built_in_rules_leave_go_and_typescript_without_rules():
    found = reach("a.go", "b.ts", "c.py", "d.json", "e.rs", rules=rule_registry.builtin_rulebook().rules)
    assert [each.path for each in found.without_rules] == ["a.go", "b.ts", "e.rs"]
    assert [each.language for each in found.languages] == ["Python"]
    assert found.languages[0].rules > 150


def without(*languages):
    return tuple(FileWithoutRules(f"{number}.x", language) for number, language in enumerate(languages))


@pytest.mark.parametrize(
    ("languages", "lacking", "sentence"),
    [
        (
            LANGUAGES[:1],
            ("TypeScript", "TypeScript"),
            "184 rules ran on 5 Python files; no language-specific rule ran on 2 TypeScript files",
        ),
        (LANGUAGES, (), "184 rules ran on 5 Python files and 19 on 1 YAML file"),
        ((), ("Go",), "No language-specific rule ran on 1 Go file"),
        (
            (),
            ("other", "Go", "Rust", "Rust"),
            "No language-specific rule ran on 2 Rust files, 1 Go file and 1 other file",
        ),
        (
            (LanguageReach("other", 4, 18),),
            ("other",),
            "18 rules ran on 4 other files; no language-specific rule ran on 1 other file",
        ),
        ((LanguageReach("Python", 1, 1),), (), "1 rule ran on 1 Python file"),
    ],
)
def test_the_headline_without_findings(languages, lacking, sentence):
    review = clean()._replace(reach=Reach(languages, without(*lacking)))
    assert wording.verdict(review) == f"No findings. {sentence}; a person has to judge the rest"


def test_the_headline_with_findings_counts_the_files_without_rules_alone():
    review = review_of([RUN_PY], Examination((SWALLOWED,)))._replace(reach=Reach(LANGUAGES, without("Go")))
    assert (
        wording.verdict(review)
        == "Comments: 1 finding to fix. No language-specific rule ran on 1 Go file; a person has to judge the rest"
    )


@pytest.mark.parametrize("name", ["terminal", "json", "markdown", "sarif", "html"])
@pytest.mark.parametrize("findings", [(), (SWALLOWED,)])
def test_every_report_lists_the_files_without_rules(name, findings):
    review = review_of([RUN_PY, file("web/app.ts")], Examination(findings))
    text = catalog.render(
        name, review._replace(reach=Reach(LANGUAGES, (FileWithoutRules("web/app.ts", "TypeScript"),)))
    )
    assert "web/app.ts" in text
    assert "TypeScript" in text


@pytest.mark.parametrize("name", ["terminal", "markdown", "html"])
def test_every_headline_with_files_without_rules_alone_begins_with_a_capital(name):
    review = review_of([file("web/c.go")], Examination())._replace(reach=Reach((), without("Go")))
    assert "No language-specific rule ran on 1 Go file" in " ".join(catalog.render(name, review).split())


def test_no_claim_about_rules_for_any_text_where_they_are_not_selected():
    rules = tuple(rule for rule in RULES if rule.id != "own/any")
    review = clean()._replace(reach=reach("a.py", "b.sh", rules=rules))
    assert wording.reach(review) == (
        "2 rules ran on 1 Python file; no language-specific rule ran on 1 shell file; a person has to judge the rest"
    )
    assert [each.heading for each in set_aside(review)] == ["1 file checked by no language-specific rule"]
