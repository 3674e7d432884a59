"""What a call of a function gives, by the form of its returns."""

import ast

import pytest

from review_bot.analysis.python.return_shapes import shape_of


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return 1, 2", ("tuple", 2)),
        ("if a: return 1, 2\n    return b, c", ("tuple", 2)),
        ("if a: return 1, 2\n    return b", None),
        ("if a: return 1, 2\n    return 1, 2, 3", None),
        ("return 1, *b", None),
        ("return", ("none", 0)),
        ("pass", ("none", 0)),
        ("return g()", ("value", 0)),
        ("yield 1", ("generator", 0)),
        ("def g(): return 1, 2\n    return g", ("value", 0)),
    ],
)
def test_the_shape_is_what_all_returns_share(body, expected):
    function = ast.parse(f"def f(a, b, c):\n    {body}").body[0]
    assert isinstance(function, ast.FunctionDef)
    found = shape_of(function)
    assert (found and (found.kind, found.size)) == expected


def test_an_asynchronous_function_gives_a_coroutine():
    function = ast.parse("async def f(): return 1, 2").body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    found = shape_of(function)
    assert found is not None
    assert found.kind == "coroutine"
