"""Comments that silence findings: where they count, what they must say, and what is said of those that do not count."""

from __future__ import annotations

from typing import Any

import pytest

from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.rules.examples import make_case
from tests.engine.cases import review, rulebook_of, seen

OK = "# review-bot: ignore[own/bad-call] measured, see #12"


def silenced(code: str, path: str = "m.py", **options: Any) -> tuple[list[tuple[int | None, int | None]], list[Any]]:
    """Return (line of the finding, line of the comment) of each silenced finding, and what stands."""
    result = review({path: code}, **options)
    return [(entry.finding.line, entry.line) for entry in result.suppressed], seen(result)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (f"bad(1)  {OK}\n", (1, 1)),
        (f"{OK}\nbad(1)\n", (2, 1)),
        (f"x = bad(\n    1,  {OK}\n)\n", (1, 2)),
        (f"x = bad(\n    1,\n)  {OK}\n", (1, 3)),
        (f"x = (\n    1,\n    bad(2),\n)  {OK}\n", (3, 4)),
        (f"x = [\n    # words\n    {OK}\n    bad(2),\n]\n", (4, 3)),
        (f"if (\n    a\n    and bad(1)\n):  {OK}\n    pass\n", (3, 4)),
        (f"def f(a=bad(1)):  {OK}\n    pass\n", (1, 1)),
        (f"@cache\n@other(bad(1))\ndef f(\n    a,\n):  {OK}\n    pass\n", (2, 5)),
        (f"{OK}\n@cache\n@other(bad(1))\ndef f(): pass\n", (3, 1)),
        (f"class C(bad(1)):\n    {OK.replace('bad-call', 'word')} TODO\n    x = 1\n", None),
        (f"{OK}\n# review-bot: ignore[own/def] two of them\nbad(1)\n", (3, 1)),
        (f"bad(1)\r\n{OK}\r\nbad(2)\r\n", (3, 2)),
        (f"try:\n    x\nexcept bad(1):  {OK}\n    pass\n", (3, 3)),
        (f"def broken(:\n  x\nbad(1)  {OK}\n", (3, 3)),
        ("bad(1)  # type: ignore  # review-bot: ignore[own/bad-call] reason\n", (1, 1)),
        ("bad(1)  #review-bot:ignore[own/bad-call]reason\n", (1, 1)),
        ("bad(1)  # review-bot: ignore[own/def, own/bad-call] reason\n", (1, 1)),
        ("if x:\n    pass\nelif bad(1):  # review-bot: ignore[own/bad-call] reason\n    pass\n", (3, 3)),
    ],
)
def test_where_a_comment_counts(code, lines):
    assert [entry for entry in silenced(code)[0] if entry == lines] == ([lines] if lines else [])


@pytest.mark.parametrize(
    "code",
    [
        f"x = 1  {OK}\nbad(1)\n",  # it belongs to the statement before
        f"{OK}\n\nbad(1)\n",  # an empty line between
        f"def f():\n    bad(1)\n    x = 1  {OK}\n",
        f"def f():  {OK}\n    bad(1)\n",  # the head of a function is not its body
        f"with a:\n    bad(1)\n{OK}\n",
        f'bad("""\n{OK}\n""")\n',  # a string is no comment
        f"bad('{OK}')\n",
        "bad(1)  # as in `review-bot: ignore[own/bad-call] reason`\n",
    ],
)
def test_where_a_comment_does_not_count(code):
    gone, stand = silenced(code)
    assert not gone
    assert "own/bad-call" in [rule for rule, _ in stand]


@pytest.mark.parametrize(
    ("comment", "problem", "words"),
    [
        ("review-bot: ignore", "malformed", "write `review-bot: ignore[rule-id] reason`"),
        ("review-bot: ignore own/bad-call", "malformed", "write `review-bot:"),
        ("review-bot: ignore[] reason", "malformed", "write `review-bot:"),
        ("review-bot: ignore[own/bad-call]", "malformed", "a reason is required"),
        ("review-bot: ignore[own/bad-call] !?", "malformed", "a reason is required"),
        ("review-bot: ignore[own/bad-call] until 2030-01-01", "malformed", "a reason is required"),
        ("review-bot: ignore[own/bad-call] for now until 2030-13-01", "malformed", "2030-13-01 is not a date"),
        ("review-bot: ignore[own/bad-call] for now until 1.2.2030", "malformed", "1.2.2030 is not a date"),
        ("review-bot: ignore[own/bed-call] reason", "unknown", "there is no rule own/bed-call"),
        ("review-bot: ignore[own/bad-call] reason until 2026-01-31", "expired", "it expired on 2026-01-31, and the base is from 2026-02-01"),
        ("review-bot: ignore[own/bad-call] reason, Until: 2026-01-31", "expired", "it expired on 2026-01-31"),
        ("review-bot: ignore[own/bad-call] until 2099-01-01 or until 2026-01-31", "expired", "it expired on 2026-01-31"),
        ("review-bot: ignore[own/bad-call] reason until ٢٠٢٥-01-31", "malformed", "is not a date"),
        ("review-bot: ignore[own/def] reason", "unused", "own/def"),
    ],
)  # fmt: skip
def test_a_comment_that_does_not_count_is_a_finding(comment, problem, words):
    result = review({"m.py": f"bad(1)  # {comment}\n"}, base_date="2026-02-01")

    assert seen(result) == [("own/bad-call", 1), (f"suppression/{problem}", 1)]
    finding = result.findings[1]
    assert words in finding.message
    assert finding.url.endswith(f"/docs/suppressions.md#{problem}")
    assert not result.suppressed


@pytest.mark.parametrize("date", ["2026-02-01", "2026-02-02", "2031-12-31"])
def test_a_date_that_has_not_passed_at_the_base_counts(date):
    code = f"bad(1)  # review-bot: ignore[own/bad-call] slow disk until {date}\n"
    assert silenced(code, base_date="2026-02-01") == ([(1, 1)], [])
    assert silenced(code, base_date=None) == ([(1, 1)], [])


def test_each_rule_of_a_comment_is_judged_by_itself():
    gone, stand = silenced("bad(1)  # review-bot: ignore[own/bad-call, own/typo, own/mirror] reason\n")
    assert gone == [(1, 1)]
    assert stand == [("suppression/unknown", 1), ("suppression/unused", 1)]


def test_what_may_not_be_silenced_stays_and_the_comment_is_named():
    result = review({"m.py": "key = 'sk-123'  # review-bot: ignore[own/secret] it is a sample\n"})
    assert seen(result) == [("own/secret", 1), ("suppression/malformed", 1)]
    assert "cannot be silenced" in result.findings[1].message


def test_a_comment_over_code_that_the_change_did_not_touch_is_in_use():
    base = {"m.py": "x = 1\nbad(x)\n"}
    assert seen(review({"m.py": f"x = 1\n{OK}\nbad(x)\n"}, base)) == []
    assert seen(review({"m.py": f"x = 1\n{OK}\ngood(x)\n"}, base)) == [("suppression/unused", 2)]


def test_old_comments_are_nobody_s_finding():
    base = {"m.py": "y = 1  # review-bot: ignore[own/typo] words\nz = 1\n"}
    assert seen(review({"m.py": base["m.py"] + "w = 1\n"}, base)) == []


def test_a_comment_is_not_called_unused_when_its_rule_could_not_look():
    rules = "id: own/broken\ncheck: {name: errors/constant-condition}\nlanguage: python\n"
    result = review({"m.py": "if 1:  # review-bot: ignore[own/broken] reason\n  x = (\n"}, rules=rules)
    assert seen(result) == []
    assert [entry.path for entry in result.unreviewed] == ["m.py"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.js", "// review-bot: ignore[own/word] reason\nx = 'TODO'\n"),
        ("a.js", "x = 'TODO' /* review-bot: ignore[own/word] reason */\n"),
        ("a.css", "/*\n * review-bot: ignore[own/word] reason\n */\na { content: 'TODO' }\n".replace("*/\na", "*/ a")),
        ("a.html", "<!-- review-bot: ignore[own/word] reason -->\n<p>TODO</p>\n"),
        ("a.yaml", "a:\n  # review-bot: ignore[own/word] reason\n  b: TODO\n"),
        ("a.sh", "echo TODO # review-bot: ignore[own/word] reason\n"),
        ("a.lua", "print('TODO') -- review-bot: ignore[own/word] reason\n"),
        ("a.rs", "fn f() { g(TODO); } // review-bot: ignore[own/word] reason\n"),
        ("a.toml", "key = 'TODO'  # review-bot: ignore[own/word] reason\n"),
        ("Dockerfile", "# review-bot: ignore[own/word] reason\nRUN TODO\n"),
        ("a.ini", "; review-bot: ignore[own/word] reason\nkey = TODO\n"),
        ("a.md", "<!-- review-bot: ignore[own/word] reason -->\nTODO\n"),
    ],
)
def test_other_languages_have_other_comments(path, code):
    gone, stand = silenced(code, path)
    assert len(gone) == 1, stand
    assert stand == []


def test_strings_and_prose_of_other_languages_are_no_comments():
    for path, code in {
        "a.js": "x = '// review-bot: ignore[own/word] reason'; y = 'TODO'\n",
        "a.yaml": "a: 'TODO # review-bot: ignore[own/word] reason'\n",
        "a.md": "# review-bot: ignore[own/word] reason\nTODO\n",
        "a.rst": "# review-bot: ignore[own/word] reason\nTODO\n",
    }.items():
        assert silenced(code, path) == ([], [("own/word", code[: code.index("TODO")].count("\n") + 1)]), path


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("mirrored(1)  # noqa\n", 1),
        ("mirrored(1)  # NOQA: S110\n", 1),
        ("mirrored(\n    1,\n)  # noqa:F401,E722\n", 3),
        ("mirrored(1)  # noqa: S\n", None),
        ("mirrored(1)  # noqa: S1\n", 1),
        ("mirrored(1)  # noqa: F401\n", None),
        ("mirrored(1)  # noqa: because\n", None),
        ("mirrored('# noqa')\n", None),
        ("bad(1)  # noqa\n", None),
        ("mirrored(1)  # noqaS110\n", None),
    ],
)
def test_noqa_silences_mirror_rules_only(code, line):
    result = review({"m.py": code})
    assert [(entry.by, entry.line) for entry in result.suppressed] == ([("noqa", line)] if line else [])


def test_noqa_never_silences_an_error():
    rules = "id: own/mirror\nlanguage: python\nseverity: error\nrule: {pattern: mirrored($$$A)}\nmetadata: {mirrors: [S110]}\n"
    assert seen(review({"m.py": "mirrored(1)  # noqa\n"}, rules=rules)) == [("own/mirror", 1)]


def test_a_blanket_noqa_does_not_silence_what_is_said_of_itself():
    rules = "id: own/blanket\nlanguage: python\nrule: {pattern: mirrored($$$A)}\nmetadata: {mirrors: [PGH004]}\n"
    for code, expected in (
        ("# noqa", [("own/blanket", 1)]),
        ("# noqa: PGH004", []),
        ("# noqa: S110", [("own/blanket", 1)]),
    ):
        assert seen(review({"m.py": f"mirrored(1)  {code}\n"}, rules=rules)) == expected


def test_equal_comments_have_fingerprints_of_their_own():
    code = "x = 1  # review-bot: ignore[own/def] reason\n" * 3
    prints = [finding.fingerprint for finding in review({"m.py": code}).findings]
    assert len(set(prints)) == 3


def test_a_check_that_knows_only_lines_is_silenced_in_the_whole_statement():
    rules = "id: own/condition\nlanguage: python\ncheck: {name: errors/constant-condition}\n"
    code = """\
def plan(requests):
    for request in requests:
        is_image = (
            True
        )  # review-bot: ignore[own/condition] for the debugger
        if not is_image:
            skip(request)
            continue
        take(request)
"""
    result = review({"m.py": code}, rules=rules)
    assert seen(result) == []
    assert [entry.line for entry in result.suppressed] == [5]


def test_in_strict_mode_no_new_statement_and_no_new_comment_counts():
    book = rulebook_of()._replace(suppressions="base")
    base = {"m.py": f"{OK}\ngood(1)\n"}
    strict = review({"m.py": f"{OK}\nbad(1)\nbad(2)  {OK}\n"}, base, rulebook=book)
    assert strict.suppressed == (), "of line 2 the base has the comment, and not the statement"
    assert seen(strict) == [("own/bad-call", 2), ("own/bad-call", 3), ("suppression/new", 3)]
    assert {finding.placement for finding in strict.findings if finding.rule == "suppression/new"} == {"summary"}


def test_from_a_fork_an_added_comment_is_a_request_and_the_finding_stays_open():
    book = rulebook_of()._replace(suppressions="requested")
    base = {"m.py": f"{OK}\ngood(1)\n"}
    fork = review({"m.py": f"{OK}\nbad(1)\nbad(2)  {OK}\nmirrored(3)  # noqa: S110\n"}, base, rulebook=book)
    assert fork.suppressed == ()
    assert seen(fork) == [("own/bad-call", 2), ("own/bad-call", 3), ("suppression/requested", 3), ("own/mirror", 4)]
    (request,) = [finding for finding in fork.findings if finding.rule == "suppression/requested"]
    assert (request.severity, request.placement) == ("info", "summary")
    assert request.message == (
        "This suppression of own/bad-call is requested: it comes from a fork, and it counts once a maintainer has "
        "approved exactly this commit."
    )


def test_what_is_wrong_with_a_requested_comment_is_said_first():
    book = rulebook_of()._replace(suppressions="requested")
    result = review({"m.py": "bad(1)  # review-bot: ignore[own/nothing] reason\n"}, rulebook=book)
    assert seen(result) == [("own/bad-call", 1), ("suppression/unknown", 1)]


def test_a_problem_in_a_file_whose_diff_is_not_shown_is_told_in_the_summary():
    book = rulebook_of()
    case = make_case(book.rules[0], {"base": {}, "head": {"m.py": "bad(1)  # review-bot: ignore[own/bad-call]\n"}})
    for shown, placement in ((True, "inline"), (False, "summary")):
        change = case.pull_request._replace(files=(case.pull_request.files[0]._replace(shown=shown),))
        result = examine(
            ExaminationRequest(change, make_plan(change, book), Texts(case.new, case.old), case.repository, book)
        )
        (problem,) = [finding for finding in result.findings if finding.rule == "suppression/malformed"]
        assert problem.placement == placement
