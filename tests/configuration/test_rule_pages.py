"""The page of a rule: what was measured, and when to ignore the rule."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from review_bot.configuration import rule_registry
from review_bot.configuration.rule_pages import digest, explanation, page
from review_bot.configuration.rule_trial import examine_case
from review_bot.errors import RuleError
from review_bot.rules.examples import make_case
from review_bot.rules.precision import Precision


def built_in(rule_id):
    return next(each for each in rule_registry.builtin_pages() if each.rule.id == rule_id)


def section(text, title):
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0].strip()


def test_a_page_tells_what_was_measured():
    entry = built_in("errors/bare-except")._replace(measured=Precision(20, 19, 18, 3, gone=1))
    assert section(page(entry), "Measured") == (
        "20 hits judged in 3 repositories (two annotators each), 19 true, 18 useful: 90 % useful, and with 95 % certainty "
        "at least 70 %. 1 more is no longer reported and not counted. How findings are judged: docs/evidence.md."
    )


def test_a_rule_without_judged_findings_says_so():
    entry = built_in("errors/bare-except")._replace(measured=Precision(waiting=3))
    assert section(page(entry), "Measured").startswith("No finding of this rule in a real pull request has been judged")


def test_the_rules_own_exceptions_come_first():
    entry = built_in("errors/bare-except")
    own = entry._replace(documentation={**entry.documentation, "exceptions": "At the top of a program."})
    assert section(page(own), "When to ignore it") == "At the top of a program."


def test_a_page_says_when_the_severity_is_lower():
    entry = built_in("errors/undefined-name")
    said = "A finding is a `warning` where something else may define the name"
    facts, _, what = page(entry).partition("\n## What it reports\n")
    assert (said in facts, said in what) == (True, False)
    assert f"Severity: {said}" in " ".join(digest(entry).split())
    assert "Severity: " not in digest(built_in("errors/bare-except"))


def test_without_exceptions_they_follow_from_scope_paths_and_examples():
    entry = built_in("errors/swallowed-exception")
    entry = entry._replace(documentation={**entry.documentation, "exceptions": "", "provable": False})
    said = section(page(entry), "When to ignore it")
    assert said.startswith("Not reported: tests, examples, benchmarks, scripts and tools; files that match ")
    assert "the examples under *Fine*. The rule reads only the text" in said


def test_a_page_of_a_repositorys_own_rule_measures_nothing():
    [own] = rule_registry.own_pages(
        [("own.yml", "id: ours\nlanguage: python\nrule: {pattern: print($A)}\nmessage: No.\n")]
    )
    assert "## Measured" not in page(own)


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        ("severity: warning\nlanguage: python\nrule: {pattern: print($A)}\n", "comments on the line"),
        (
            "severity: info\nlanguage: python\nrule: {pattern: print($A)}\n",
            "in the summary; on the line with `comment-on: info`",
        ),
        ("severity: hint\nlanguage: python\nrule: {pattern: print($A)}\n", "in the summary only"),
        (
            "severity: info\nlanguage: python\nrule: {pattern: print($A)}\nmetadata: {show: count}\n",
            "counted in the summary",
        ),
        ("severity: warning\npull_request: {when: {changed: [a]}}\n", "in the summary only"),
        ("severity: info\ntext: {where: title, regex: a}\n", "in the summary only"),
    ],
)
def test_a_digest_says_where_findings_appear_without_a_configuration(rule, where):
    [own] = rule_registry.own_pages([("own.yml", f"id: ours\nmessage: No.\n{rule}")])
    assert digest(own).splitlines()[1].endswith(f" · {where}")


@pytest.mark.parametrize(
    ("scope", "where"),
    [("library", "and tools) that matches `engine/**`"), ("tests", "Where: Python tests that match `engine/**`")],
)
def test_a_digest_says_which_files_a_rule_reads(scope, where):
    rule = "id: ours\nseverity: info\nmessage: No.\nlanguage: python\nrule: {pattern: print($A)}\nfiles: [engine/**]\n"
    [own] = rule_registry.own_pages([("own.yml", f"{rule}metadata: {{scope: {scope}}}\n")])
    assert where in " ".join(digest(own).split())


def test_a_title_is_never_a_message_with_places_to_fill_in():
    text = "id: ours\nmessage: '{{ added }} lines.'\npull_request: {when: {changed: [a]}}\n"
    [own] = rule_registry.own_pages([("own.yml", text)])
    assert own.rule.title == "ours"


def test_the_example_of_a_digest_is_the_change_and_then_what_did_not_change():
    entry = built_in("errors/bare-except")
    base = {"a.py": "x = 1\n", "b.py": "f(1)\n", "c.py": "y = 1\n"}
    example = {"base": base, "head": {"a.py": "x = 2\n", "c.py": None, "d.py": "z = 1\n"}}
    text = digest(entry._replace(documentation={**entry.documentation, "bad": [example]}))
    assert [line.strip() for line in text.partition("Reported:\n")[2].partition("\n\n")[0].split("\n")] == [
        "Changed, `a.py`:",
        "-x = 1",
        "+x = 2",
        "`c.py` is deleted",
        "New, `d.py`:",
        "z = 1",
        "Unchanged, `b.py`:",
        "f(1)",
    ]


def test_a_page_offers_noqa_only_where_it_suppresses():
    assert "`# noqa: E722` also suppresses it" in page(built_in("errors/bare-except"))
    deleted = page(built_in("errors/variable-left-unread"))
    assert "no comment can suppress it" in deleted
    assert "noqa" not in deleted


def rules_with(folder: Path, figures: str | None = None):
    family = folder / "rules" / "style"
    family.mkdir(parents=True)
    source = Path(rule_registry.SOURCE) / "style" / "conflict-marker.yaml"
    if not source.is_file():
        pytest.skip("the rule files are not here")
    (family / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    if figures is not None:
        path = folder / "rules" / rule_registry.PRECISION
        path.parent.mkdir()
        path.write_text(figures, encoding="utf-8")
    return folder / "rules"


def test_figures_are_compiled_with_the_rules_and_change_no_digest(tmp_path):
    bare, _, without = map(json.loads, rule_registry.compile_rules(rules_with(tmp_path / "one")).splitlines())
    figures = json.dumps({"style/conflict-marker": {"judged": 2, "true": 2, "useful": 1, "waiting": 1}})
    blob, _, pages = map(json.loads, rule_registry.compile_rules(rules_with(tmp_path / "two", figures)).splitlines())
    assert pages["measured"] == {"style/conflict-marker": list(Precision(2, 2, 1, waiting=1))}
    assert (without["measured"], bare["digest"]) == ({}, blob["digest"])


@pytest.mark.parametrize(
    "figures", ["{", "[]", '{"style/conflict-marker": {"judgd": 1}}', '{"style/conflict-marker": 1}']
)
def test_wrong_figures_stop_the_build_with_their_place(tmp_path, figures):
    with pytest.raises(RuleError, match=r"evidence/precision.json: the figures cannot be read .*rule_lab docs"):
        rule_registry.compile_rules(rules_with(tmp_path, figures))


QUOTING = "id: ours\nlanguage: python\nrule: {pattern: print($A)}\nmessage: '`$A` is printed.'\n"


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        ("", "`[A]` is printed."),
        ("metadata: {examples: {bad: ['log(1)']}}\n", "`[A]` is printed."),
        ("metadata: {examples: {bad: [{none: 1}]}}\n", "`[A]` is printed."),
        (
            "metadata: {examples: {bad: ['print(one)', 'print(two)']}}\n",
            "`one` is printed. Names and values are those of the first example.",
        ),
    ],
)
def test_what_a_pattern_quotes_is_shown_as_in_the_first_example(examples, said):
    [own] = rule_registry.own_pages([("own.yml", QUOTING + examples)])
    assert section(page(own), "What it reports").splitlines()[0] == said
    assert f"Reports: {said}" in digest(own, 100)
    assert not explanation(own).reports  # which is asked about another finding


def test_what_a_pattern_of_removed_code_quotes_is_shown_likewise():
    text = "id: ours\nremoved: {language: python, rule: {pattern: check($A)}}\nmessage: '`$A` is not checked.'\n"
    example = 'metadata: {examples: {bad: [{base: {a.py: "check(one)\\n"}, head: {a.py: ""}}]}}\n'
    [own] = rule_registry.own_pages([("own.yml", text + example)])
    assert section(page(own), "What it reports").startswith("`one` is not checked. Names and values are those of the")


def test_no_page_shows_the_variables_of_a_pattern():
    quoting = [entry for entry in rule_registry.builtin_pages() if re.search(r"\$[A-Z_]", entry.rule.message)]
    assert len(quoting) > 50
    said = {entry.rule.id: section(page(entry), "What it reports") for entry in quoting}
    assert {name: text for name, text in said.items() if re.search(r"\$[A-Z_]|\[[A-Z_]+\]", text)} == {}


@pytest.mark.parametrize(
    ("rule_id", "where"),
    [
        ("errors/bare-except", "where the first line of a match was added."),
        (
            "precision/softmax-on-half",
            "where the first line of a match was added, or where there was no such match before the change.",
        ),
        ("api/call-misfit", "all Python files, where the change causes it."),
    ],
)
def test_a_page_says_on_which_lines_a_finding_can_be(rule_id, where):
    said = section(page(built_in(rule_id)), "What it reports").splitlines()[-1]
    assert said.endswith(where)


def test_what_a_check_fills_in_is_shown_in_brackets():
    text = page(built_in("api/min-python"))
    assert "`[manifest]` declares support for Python [promised]" in text
    assert section(text, "Instead") == (
        "Raise the minimum Python version in `[manifest]`, or write this so that Python [promised] can run it."
    )


@pytest.mark.parametrize("entry", rule_registry.builtin_pages(), ids=lambda entry: entry.rule.id)
def test_a_comment_is_offered_where_a_finding_is_on_a_line_of_the_new_text(entry):
    cases = [make_case(entry.rule, example) for example in entry.documentation["bad"]]
    found = [finding for case in cases for finding in examine_case(entry.rule, case)[0]]
    on_lines = {finding.line is not None and finding.side == "RIGHT" for finding in found}
    assert on_lines == {entry.rule.on_lines}
    offered = "Write a comment on the line or above it" in page(entry)
    assert offered == bool(explanation(entry).suppression) == (entry.rule.on_lines and entry.rule.suppressible)
