"""A value that the next assignment replaces, and the fix where both are the same line."""

from __future__ import annotations

import pytest

from review_bot.findings import Suggestion
from tests.rule_cases import findings_of

RULE = "errors/overwritten-unread"


@pytest.mark.parametrize("value", ["x.size", "x + 1", "-x.size * 2 if x else 0", "x.low < 3 and x.high"])
def test_a_line_that_repeats_the_one_above_it_can_be_deleted(value: str) -> None:
    [found] = findings_of(RULE, f"def f(x):\n    width = {value}\n    width = {value}\n    return width\n")
    assert (found.line, found.suggestion) == (3, Suggestion(3, 3, ""))


@pytest.mark.parametrize(
    "lines",
    [
        "width = x.size\n    width = x.size + 1",
        "width = x.size\n    log(x)\n    width = x.size",
        "width = x.size\n\n    width = x.size",
        "width = x.size  # in pixels\n    width = x.size  # in pixels",
        "width = f(x) + 1\n    width = f(x) + 1",
        "width = [each for each in x]\n    width = [each for each in x]",
        "width = x.size + (\n        1)\n    width = x.size + (\n        1)",
    ],
)
def test_what_differs_or_may_have_effects_is_left_to_the_author(lines: str) -> None:
    [found] = findings_of(RULE, f"def f(x):\n    {lines}\n    return width\n")
    assert found.suggestion is None
