"""Conditions with very many ways through them, and statements of very many cases, are followed in linear time."""

from __future__ import annotations

import ast

import pytest

from review_bot.flow.interpreter import follow
from tests.growth import SUPERLINEAR, growth

SHORT = 8
"""Parts of the small condition: with two ways through each, 64 parts would have more than a machine can hold."""

CONDITIONS = {
    "or": ("if {}:\n        return a0.c\n    return a1.c", " or ", "(a{0} is None and b{0} is not None)"),
    "and": ("if {}:\n        return a0.c\n    return a1.c", " and ", "(a{0} is None or b{0} is not None)"),
    "value": ("return {}", " or ", "(a{0} is None and b{0} is not None)"),
    "assert": ("assert {}\n    return a0.c", " and ", "(a{0} is None or b{0})"),
    "if of a comprehension": ("return [x for x in y {}]", " ", "if (a{0} is None or b{0} is not None)"),
    "while": ("while {}:\n        a0.c", " or ", "(a{0} and b{0} is not None)"),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_of_many_parts_needs_linear_time(name: str) -> None:
    form, between, part = CONDITIONS[name]

    def examine(parts: int) -> None:
        condition = between.join(part.format(number) for number in range(parts))
        function = ast.parse(f"def f(self, y):\n    {form.format(condition)}\n").body[0]
        assert isinstance(function, ast.FunctionDef)
        follow(function)

    assert growth(examine, SHORT) < SUPERLINEAR


def test_a_match_of_many_cases_needs_linear_time() -> None:
    def examine(cases: int) -> None:
        text = "".join(f"        case {number} if m:\n            x = {number}\n" for number in range(cases))
        function = ast.parse(f"def f(m):\n    match m:\n{text}    return x\n").body[0]
        assert isinstance(function, ast.FunctionDef)
        follow(function)

    assert growth(examine, 500) < SUPERLINEAR
