"""Lines that a regular expression matches, found in one search."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.rules.text_pattern import matching_lines, search, search_lines

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


PARTS = st.sampled_from(["<x>", "<" + "x" * 3000 + ">", "<y>", "é" * 700, " ", "<" + "y" * 5000 + ">"])


@given(parts=st.lists(PARTS, max_size=12))
def test_matches_on_one_line_that_are_no_exception_are_found_wherever_they_begin(parts):
    line = "".join(parts)
    expected = next((found.span() for found in re.finditer("<[xy]+>", line) if "x" not in found[0]), None)
    spans = [(start, end) for _, start, end in search_lines("<[xy]+>", [(1, line)], line, {"match": "x"})]
    assert spans == ([] if expected is None else [expected])
