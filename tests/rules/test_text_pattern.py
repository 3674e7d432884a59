"""Lines that a regular expression matches, found in one search."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.rules.text_pattern import matching_lines, search

LINES = st.lists(st.text(alphabet="ab(. \t", max_size=8), max_size=12)


@pytest.mark.parametrize("pattern", [r"a", r"^a", r"b$", r"\ba\b", r"a\(|b\.", r"^(a|b) *b"])
@given(lines=LINES)
def test_the_lines_are_those_that_match_each_by_itself(pattern, lines):
    expected = [number for number, line in enumerate(lines) if search(pattern, line)]
    assert matching_lines(pattern, "\n".join(lines)) == expected
    assert expected == [number for number, line in enumerate(lines) if re.search(pattern, line)]


def test_a_match_over_a_line_end_counts_for_its_first_line():
    lines = ["x =", " 1", "x = 1"]
    assert matching_lines(r"x\s*=\s*1", "\n".join(lines)) == [0, 2]
