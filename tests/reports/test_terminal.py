"""What a person reads before pushing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Examination, Failure, NoText, Suggestion, Suppressed
from review_bot.reports import terminal
from review_bot.text.console import Terminal, cells
from tests.reviews import ALL, DEREFERENCE, MASK_PY, RUN_PY, SWALLOWED, changed, finding, hints, review_of

ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")


def report(*findings, files=(RUN_PY,), **screen):
    return terminal.render(review_of(files, Examination(findings=findings)), Terminal(**screen))


def test_the_place_stands_alone_at_the_start_of_its_line():
    assert "engine/run.py:12:9" in report(SWALLOWED).split("\n")


def test_the_snippet_marks_the_lines_and_shows_their_neighbours():
    text = report(SWALLOWED)
    assert "  >  12 | except Exception:\n  >  13 |     pass\n     14 | if True:\n" in text
    assert "     11 |     return self.model(batch)\n" in text


def test_a_part_of_a_line_is_underlined_in_cells():
    body = '@@ -0,0 +1 @@\n+\tname = "编码", bad_call()\n'
    text = report(finding(path="a.py", line=1, end_line=1, column=15, end_column=23), files=[changed("a.py", body)])
    code, marks = re.findall(r"^.*\| (.*)$", text, re.MULTILINE)[:2]
    assert cells(code[: code.index("bad_call")]) == marks.index("^")
    assert marks.count("^") == len("bad_call")


def test_a_long_line_is_cut_so_that_what_is_meant_is_seen():
    line = "value = " + "x" * 300 + " + bad_call() + " + "y" * 300
    start = line.index("bad_call") + 1
    text = report(
        finding(path="a.py", line=1, end_line=1, column=start, end_column=start + 8),
        files=[changed("a.py", f"@@ -0,0 +1 @@\n+{line}\n")],
    )
    code, marks = re.findall(r"^.*\| (.*)$", text, re.MULTILINE)[:2]
    assert code[marks.index("^") : marks.rindex("^") + 1] == "bad_call"
    assert len(code) <= 80


def test_a_minified_file_does_not_flood_the_screen():
    text = report(
        finding(path="a.js", line=1, end_line=1, column=1, end_column=200_000),
        files=[changed("a.js", f"@@ -0,0 +1 @@\n+{'ab ' * 100_000}\n")],
    )
    assert len(text) < 2_000


def test_a_suggestion_is_a_small_diff_without_the_lines_that_stay():
    text = report(
        finding(line=14, end_line=15, suggestion=Suggestion(14, 15, "        if batch:\n            return None"))
    )
    assert "  Suggestion:\n    - if True:\n    + if batch:\n          return None\n" in text


def test_a_suggestion_that_deletes_lines():
    text = report(finding(line=12, end_line=13, suggestion=Suggestion(12, 13, "")))
    assert "  Suggestion:\n    - except Exception:\n    -     pass\n" in text
    assert "    +" not in text


@pytest.mark.parametrize(
    ("line", "suggestion", "heading"),
    [
        (12, Suggestion(14, 14, ""), "Suggestion, on line 14:"),
        (12, Suggestion(13, 14, ""), "Suggestion, on lines 13 to 14:"),
        (14, Suggestion(12, 13, ""), "Suggestion, on lines 12 to 13:"),
        (13, Suggestion(12, 14, ""), "Suggestion:"),
    ],
)
def test_a_suggestion_for_other_lines_names_them(line, suggestion, heading):
    assert f"  {heading}\n    - " in report(finding(line=line, end_line=line, suggestion=suggestion))


def test_gravest_first_then_by_path_and_line():
    findings = [
        finding("a/three", severity="info", path="a.py", line=1),
        finding("a/two", severity="warning", path="b.py", line=9),
        finding("a/two", severity="warning", path="b.py", line=2),
        finding("a/one", severity="error", path="z.py", line=1),
    ]
    places = re.findall(r"^[abz]\.py:\d+", report(*findings), re.MULTILINE)
    assert places == ["z.py:1", "b.py:2", "b.py:9", "a.py:1"]


def test_many_hints_of_a_rule_are_told_once():
    text = report(*hints(186, 12))
    assert text.count("types/missing-annotation") == 1
    assert "hint  types/missing-annotation  186 in 12 files" in text
    assert re.search(r"and \d+ more\n", text)


@pytest.mark.parametrize("placement", ["inline", "summary"])
@pytest.mark.parametrize("severity", ["warning", "hint"])
def test_every_finding_has_its_code_and_its_fix(severity, placement):
    text = report(SWALLOWED._replace(severity=severity, placement=placement))
    assert f"{severity}  errors/swallowed-exception\nengine/run.py:12:9\n" in text
    assert "  >  12 | except Exception:\n" in text
    assert "  Instead: " in text


def test_everything_lists_each_finding_by_itself():
    minor = finding("docs/public-docstring", severity="hint", line=11, end_line=11)._replace(counted=True)
    review = review_of((RUN_PY,), Examination(findings=(*hints(9, 3), minor)))
    assert "Minor findings (--all lists them): " in terminal.render(review)
    text = terminal.render(review, everything=True)
    assert "Minor findings" not in text
    assert text.count("hint  types/missing-annotation\n") == 9
    assert "hint  docs/public-docstring\nengine/run.py:11" in text


def test_what_to_do_instead_is_said_once():
    text = report(SWALLOWED, SWALLOWED._replace(line=9, end_line=9))
    assert text.count("Instead:") == 1


def test_more_than_three_of_a_rule_in_a_file_are_told_as_one():
    text = report(*(finding(line=8 + number, end_line=8 + number) for number in range(4)))
    assert "Also at engine/run.py:9" in text
    assert text.count("warning  errors/swallowed-exception") == 1


def test_the_last_lines_are_verdict_reasons_counts_and_gate():
    tail = terminal.render(ALL["mixed"]).split("\n\n")[-1]
    assert tail == (
        "Changes required: 1 error: style/conflict-marker\n"
        "  1 error, 3 warnings, 186 hints; about 1 h 40 min to fix, plus 47 min for the\n"
        "  rest\n"
        "  4 files, +11 -2, against origin/main (merge base aaaaaaaaaaaa); review effort:\n"
        "  2 of 5\n"
        "  Start with: Conflict marker (5 min); Exception swallowed (15 min); Condition\n"
        "    that is always true (20 min)\n"
        "  Gate: fails (fail-on: error). Policy: built-in (no .github/review-bot.yml)\n"
        "  More: review-bot explain PATH:LINE (with the same arguments), review-bot rules\n"
        "    show RULE\n"
    )


def test_what_is_missing_and_what_is_set_aside_is_named():
    text = terminal.render(ALL["incomplete"])
    assert "data/table.csv: UTF-16 text is not supported; save it as UTF-8" in text
    assert "rule errors/constant-condition: failed on engine/run.py: ValueError: boom" in text
    assert "1 file not reviewed, allowed by the configuration: vendor/blob.js (it is not UTF-8 text)" in " ".join(
        text.split()
    )
    text = terminal.render(ALL["mixed"])
    for said in (
        "1 finding on moved lines",
        "2 findings suppressed: engine/run.py:30:5 errors/swallowed-exception (comment:",
        "1 rule not run: imports/missing-module (needs the tree of the repository, but",
        "1 file without text: logo.png (binary)",
        "1 file ignored by the configuration: gen/api.py",
    ):
        assert said in text


def test_places_of_a_row_fit_and_the_rest_is_counted():
    paths = [f"engine/{'deep/' * (number % 3)}file_with_a_rather_long_name.py" for number in range(9)]
    for width in range(60, 120, 7):
        text = report(*(hint._replace(path=path) for hint, path in zip(hints(9, 9), paths, strict=True)), width=width)
        assert re.search(r"and [1-9] more\n", text)
        assert not [line for line in text.split("\n") if cells(line) > width]


def test_an_empty_change_is_one_sentence():
    assert terminal.render(ALL["empty"], Terminal(width=100)) == (
        "Nothing to review: the change against origin/main (merge base aaaaaaaaaaaa) is empty.\n"
    )


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [60, 80, 160])
def test_colour_adds_nothing_but_colour(name, width):
    plain = terminal.render(ALL[name], Terminal(width=width))
    coloured = terminal.render(ALL[name], Terminal(width=width, colour=True, links=True))
    assert [line.rstrip() for line in ESCAPES.sub("", coloured).split("\n")] == [
        line.rstrip() for line in plain.split("\n")
    ]


@pytest.mark.parametrize("name", ["clean", "empty", "mixed", "incomplete", "crowded"])
@pytest.mark.parametrize("width", [60, 80, 160])
def test_lines_fit_the_width(name, width):
    lines = terminal.render(ALL[name], Terminal(width=width)).split("\n")
    assert [line for line in lines if cells(line) > width] == []


def test_the_rule_links_to_its_page_where_the_terminal_shows_links():
    text = report(SWALLOWED, colour=True, links=True)
    assert "\x1b]8;;https://example.org/rules/errors/swallowed-exception.md\x1b\\" in text
    assert "\x1b]8" not in report(SWALLOWED, colour=True)
    assert "\x1b]8" not in report(SWALLOWED._replace(url="javascript:alert(1)"), colour=True, links=True)


def test_hostile_text_moves_no_cursor_and_turns_no_line():
    text = ESCAPES.sub("", terminal.render(ALL["hostile"], Terminal(colour=True, links=True)))
    assert not set("\x1b\r\x7f\x85\u202e\u2028\udcff") & set(text)
    assert "\\u202e\\u001b[31m" in text


@given(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.integers(1, 70),
    st.integers(0, 70),
    st.integers(40, 120),
)
def test_any_line_can_be_shown(line, column, size, width):
    line = line.replace("\n", " ")
    file = changed("a.py", "@@ -0,0 +1 @@\n+x\n")
    file = file._replace(hunks=(file.hunks[0]._replace(lines=("+" + line,)),))
    text = report(
        finding(path="a.py", line=1, end_line=1, column=column, end_column=column + size), files=[file], width=width
    )
    assert all(cells(row) <= width for row in text.split("\n"))


def test_a_line_with_a_credential_is_never_shown():
    body = "@@ -0,0 +1,3 @@\n+start()\n+key = 'a-made-up-credential'\n+finish()\n"
    secret = finding("security/hardcoded-secret", path="a.py", line=2, end_line=2, column=8, end_column=28)
    beside = finding(path="a.py", line=1, end_line=1, column=1, end_column=6)

    text = report(secret, beside, files=[changed("a.py", body)])

    assert "made-up" not in text
    assert "      2 | (not shown: this line holds a credential)" in text
    assert "      3 | finish()" in text

    accepted = Examination(findings=(beside,), suppressed=(Suppressed(secret, "baseline", "known", None),))
    assert "made-up" not in terminal.render(review_of([changed("a.py", body)], accepted))


def test_a_name_with_a_line_end_is_the_same_name_wherever_it_stands():
    name, shown = "a\nb.py", "a\\u000ab.py"
    seen = Examination(
        unreviewed=(Unreviewed(name, "too large"),), no_text=(NoText(name, "binary"),), ignored=(name,),
        failures=(Failure("x/y", name, "broke"),),
    )  # fmt: skip
    text = terminal.render(review_of([RUN_PY], seen))

    assert f"{shown}: too large" in text
    assert f"rule x/y: failed on {shown}: broke" in text
    assert f"{shown} (binary)" in text
    assert f"ignored by the configuration: {shown}" in text
    assert "a b.py" not in text


def test_steps_come_in_their_order_before_other_places():
    lines = report(DEREFERENCE, files=[MASK_PY]).split("\n")
    at = lines.index("  Steps that lead here:")
    assert lines[at + 1 : at + 4] == [
        "    1. engine/mask.py:2  `mask` is tested for None",
        "    2. engine/mask.py:3  `query is None` is false",
        "  See engine/run.py:16 (the same use)",
    ]


def test_many_steps_are_counted():
    step = DEREFERENCE.related[0]
    text = report(DEREFERENCE._replace(related=(step,) * 11), files=[MASK_PY])
    assert text.count("is tested for None") == 8
    assert "    and 3 more\n" in text


def test_findings_are_in_the_order_of_their_severity_wherever_they_are_shown():
    found = (
        SWALLOWED._replace(severity="info"),
        SWALLOWED._replace(rule="a/row", placement="summary", severity="warning"),
        SWALLOWED._replace(rule="a/last", severity="hint"),
    )
    text = terminal.render(review_of([RUN_PY], Examination(findings=found)))
    headings = re.findall(r"^(?:error|warning|info|hint)  \S+", text, re.MULTILINE)
    assert headings == ["warning  a/row", "info  errors/swallowed-exception", "hint  a/last"]
