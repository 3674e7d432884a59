"""A suggestion is offered only if it leaves a file that parses, in which the rule no longer sees the place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes import line_edits
from review_bot.engine import suggestions
from review_bot.findings import LONGEST_SUGGESTION, Suggestion
from tests.engine.cases import review, rulebook_of

RULE = "id: own/bad\nlanguage: LANGUAGE\nrule: {pattern: bad($A)}\nfix: FIX\n"


def suggested(code, fix, path="m.py", language="python", base=None):
    rules = RULE.replace("LANGUAGE", language).replace("FIX", f"'{fix}'")
    found = review({path: code}, base and {path: base}, rulebook=rulebook_of(rules)).findings
    return [(finding.line, finding.suggestion) for finding in found]


@pytest.mark.parametrize(
    ("fix", "offered"),
    [
        ("good($A)", True),
        ("good($A", False),  # does not parse
        ("bad($A)", False),  # changes nothing
        ("good(bad($A))", False),  # the rule sees it again
        ("bad(2)", False),  # another one in its place
    ],
)
def test_python(fix, offered):
    ((line, suggestion),) = suggested("x = bad(1)\ny = 2\n", fix)
    assert line == 1
    assert (suggestion is not None) == offered


def test_one_of_two_on_a_line_does_not_mend_the_line():
    assert suggested("x = bad(1) + bad(2)\n", "good($A)") == [(1, None)]


def test_equal_statements_are_told_apart():
    assert suggested("bad(1)\nbad(1)\n", "good($A)") == [
        (1, Suggestion(1, 1, "good(1)")),
        (2, Suggestion(2, 2, "good(1)")),
    ]


def test_several_lines_with_another_finding_inside():
    code = "x = bad(\n    bad(1)\n)\n"
    assert [line for line, _ in suggested(code, "good($A)")] == [1, 2]
    assert suggested(code, "good($A)")[1][1] == Suggestion(2, 2, "    good(1)")


def test_a_file_that_does_not_parse_gets_none():
    assert suggested("x = bad(1)\ndef\n", "good($A)") == [(1, None)]


def test_what_only_the_python_of_the_bot_can_tell():
    assert suggested("async def f():\n    bad(1)\n", "return = $A")[0][1] is None
    assert suggested("x = bad(1)\n", "(yield = $A)")[0][1] is None


@pytest.mark.parametrize(("fix", "offered"), [("good($A)", True), ("good($A", False), ("bad(bad($A))", False)])
def test_other_languages(fix, offered):
    ((_, suggestion),) = suggested("const x = bad(1);\n", fix, "m.js", "javascript")
    assert (suggestion is not None) == offered


def test_an_error_that_was_there_before_is_no_new_one():
    code = "int x = bad(1);\n#define A(\nint ) ) y;\n"
    ((_, suggestion),) = suggested(code, "good($A)", "m.cpp", "cpp")
    assert suggestion == Suggestion(1, 1, "int x = good(1);")


def test_carriage_returns_fences_and_length():
    assert suggested("x = bad(1)\r\n", "good($A)") == [(1, None)]
    assert suggested("x = bad('```')\n", "good($A)") == [(1, None)]
    long = "x = bad([\n" + "    1,\n" * LONGEST_SUGGESTION + "])\n"
    assert suggested(long, "good($A)") == [(1, None)]


def test_no_more_than_some_are_tried_in_one_file():
    code = "".join(f"x = bad({n})\n" for n in range(suggestions.MOST_TRIED + 5))
    offered = [suggestion for _, suggestion in suggested(code, "good($A)") if suggestion]
    assert len(offered) == suggestions.MOST_TRIED


LINES = st.sampled_from(
    ["x = bad(1)", "bad(2)", "bad(bad(3))", "good(4)", "if bad(5): pass", "y = bad(6) + bad(7)", "bad("]
)
FIXES = st.sampled_from(["good($A)", "$A", "bad($A)", "good(", "bad(9)", "good(bad($A))", ""])


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=8), FIXES)
def test_whatever_is_offered_can_be_applied(lines, fix):
    code = "\n".join(lines) + "\n"
    rules = RULE.replace("LANGUAGE", "python").replace("FIX", f"'{fix}'")
    book = rulebook_of(rules)
    before = review({"m.py": code}, rulebook=book).findings
    for finding in before:
        if finding.suggestion is None:
            continue
        text = line_edits.apply(code, [finding.suggestion])
        compile(text, "m.py", "exec")
        after = review({"m.py": text}, rulebook=book).findings
        assert len(after) < len(before)
        first, replacement = finding.suggestion.start_line, finding.suggestion.replacement
        last = first + replacement.count("\n") if replacement else first - 1
        assert finding.fingerprint[:16] not in [f.fingerprint[:16] for f in after if first <= (f.line or 0) <= last]


def test_of_a_long_file_fewer_are_tried_so_that_its_review_keeps_its_time():
    line = f"x = bad(1)  # {'a' * 100}\n"
    offered = [each for _, each in suggested(line * 2_000, "good($A)") if each is not None]
    assert len(offered) == suggestions.MOST_CHARACTERS // len(line * 2_000) == 4
