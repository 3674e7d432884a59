"""Findings come in one order, whichever report lists them."""

import re

from review_bot.findings import Examination, order
from review_bot.reports import annotations, brief, concise, terminal
from tests.reviews import RUN_PY, finding, review_of

GRAVE = finding(line=14, end_line=14, severity="error")
SURE = finding(line=12, end_line=12)
FURTHER_DOWN = finding(line=13, end_line=13, rule="api/first")
UNSURE = finding(line=8, end_line=8, confidence="medium")
LIGHT = finding(line=7, end_line=7, severity="info")
ORDERED = [GRAVE, SURE, FURTHER_DOWN, UNSURE, LIGHT]


def test_the_gravest_and_surest_come_first_then_what_is_read_first():
    by_line = sorted(ORDERED, key=lambda each: each.last_line)
    assert sorted(by_line, key=order) == ORDERED
    review = review_of([RUN_PY], Examination(tuple(by_line)))
    lines = [each.last_line for each in ORDERED]
    for text in (annotations.render(review), brief.render(review), terminal.render(review)):
        found = [int(number) for number in re.findall(r"engine/run\.py(?::|,line=)(\d+)", text)]
        assert found == lines
    assert [int(line.split(":")[1]) for line in concise.render(review).splitlines()] == sorted(lines)
