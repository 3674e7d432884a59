"""A diff applied to the old text, or undone on the new one, gives the other side; where it does not fit, it says so."""

from __future__ import annotations

import pytest

from review_bot.changes import patching
from review_bot.changes.pull_request import Hunk
from review_bot.errors import DiffError

END = patching.NO_NEWLINE


def hunk(old_start, new_start, *lines):
    old = sum(line[:1] in {" ", "-"} for line in lines)
    new = sum(line[:1] in {" ", "+"} for line in lines)
    return Hunk(old_start, old, new_start, new, lines)


CASES = [
    ("a\nb\nc\n", "a\nB\nc\n", [hunk(1, 1, " a", "-b", "+B", " c")]),
    ("a\nb\n", "a\nx\nb\n", [hunk(1, 2, "+x")]),
    ("a\nx\nb\n", "a\nb\n", [hunk(2, 1, "-x")]),
    ("", "a\n", [hunk(0, 1, "+a")]),
    ("a\n", "", [hunk(1, 0, "-a")]),
    ("a\n", "a", [hunk(1, 1, "-a", "+a", END)]),
    ("a", "a\n", [hunk(1, 1, "-a", END, "+a")]),
    ("a", "b", [hunk(1, 1, "-a", END, "+b", END)]),
    ("a", "x\na", [hunk(1, 1, "+x", " a", END)]),
    ("1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n", [hunk(0, 1, "+0"), hunk(5, 5, "-5")]),
    ("a\r\nb\x0cc\u2028d\n", "a\r\nb\x0cc\u2028e\n", [hunk(2, 2, "-b\x0cc\u2028d", "+b\x0cc\u2028e")]),
]


@pytest.mark.parametrize(("old", "new", "hunks"), CASES)
def test_a_diff_leads_from_each_side_to_the_other(old, new, hunks):
    assert patching.apply(old, hunks) == new
    assert patching.undo(new, hunks) == old
    assert patching.misfit(new, hunks) is None


@pytest.mark.parametrize(
    ("old", "hunks", "reason"),
    [
        ("a\nb\n", [hunk(1, 1, " a", "-c")], "line 2 of the text differs from the diff"),
        ("a\n", [hunk(1, 1, " a", " b")], "line 2 of the text differs from the diff"),
        ("a", [hunk(1, 1, "-a", "+b")], "line 1 of the text differs from the diff"),
        ("a\n", [hunk(5, 5, "-b")], "the hunk at line 5 lies outside the text, which has 1 lines"),
        ("a\nb\n", [hunk(2, 2, "-b"), hunk(1, 1, "-a")], "the hunk at line 1 lies outside the text, which has 2 lines"),
        (
            "a\nb\n",
            [hunk(1, 1, "-a", "+x", END)],
            "the diff gives line 1 no line end, but it is not the last line",
        ),
    ],
)
def test_a_diff_that_does_not_fit_is_refused(old, hunks, reason):
    with pytest.raises(DiffError, match=reason):
        patching.apply(old, hunks)


@pytest.mark.parametrize(
    ("new", "hunks", "line"),
    [
        ("a\nX\nc\n", [hunk(1, 1, " a", "+b", " c")], 2),
        ("a\n", [hunk(1, 1, " a", "+b")], 2),
        ("a\nb\n", [hunk(1, 1, " a"), hunk(2, 2, "+c")], 2),
        ("a", [hunk(1, 1, "+a")], 1),
        ("a\n", [hunk(1, 1, "+a", END)], 1),
    ],
)
def test_the_first_line_that_differs_is_named(new, hunks, line):
    assert patching.misfit(new, hunks) == line


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("\n", ["\n"]),
        ("a\n\nb", ["a\n", "\n", "b"]),
        ("a\rb\x85c\u2028d\n", ["a\rb\x85c\u2028d\n"]),
    ],
)
def test_lines_end_at_the_newline_alone(text, lines):
    assert patching.split_lines(text) == lines
