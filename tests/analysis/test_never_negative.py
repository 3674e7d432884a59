"""Local variables that are never below zero, and what their comparisons with numbers are."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

import pytest

from review_bot.analysis.python.never_negative import NotNegative, never_negative


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 0", True),
        ("x = len(a)", True),
        ("x = max(0, a - b)", True),
        ("x = 0\n    if a >= b:\n        x = a - b", True),
        ("x = 0\n    if b < a and ready:\n        x = a - b", True),
        ("x = 0\n    if a >= b or ready:\n        x = a - b", False),
        ("x = 0\n    if a >= b:\n        x = b - a", False),
        ("x = 0\n    x -= 1", False),
        ("x = -1", False),
        ("x = a", False),
        ("for x in a: pass", False),
        ("x, y = 0, 0", False),
        ("x = True", False),
        ("global x\n    x = 0", False),
        ("x = 0\n    try: a()\n    except ValueError as x: pass", False),
        ("x = 0\n    match a:\n        case [x]: pass", False),
        ("x = 0\n    from a import b as x", False),
    ],
)
def test_what_a_function_binds(body: str, expected: bool) -> None:
    tree = ast.parse(f"def f(a, b, ready):\n    {body}\n    return x >= 0\n")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ("x" in never_negative(function)) is expected


def test_a_parameter_may_be_anything() -> None:
    function = ast.parse("def f(x):\n    x = 0\n    return x >= 0\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert never_negative(function) == {}


COMPARISONS = (operator.ge, operator.gt, operator.le, operator.lt, operator.eq, operator.ne)


@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("other", [-2, -1, 0, 1, 2])
def test_a_comparison_is_known_where_it_is_the_same_for_all(compare: Callable[[object, int], bool], other: int) -> None:
    answers = {compare(number, other) for number in range(5)}
    if len(answers) == 1:
        assert {compare(NotNegative(), other)} == answers
    else:
        with pytest.raises(TypeError):
            compare(NotNegative(), other)


@pytest.mark.parametrize("other", [0.0, "a", None])
def test_nothing_is_known_beside_what_is_no_whole_number(other: object) -> None:
    with pytest.raises(TypeError):
        assert NotNegative() >= other
