"""What a test asserts: every ``assert``, ``self.assert...``, ``assert_close`` and ``pytest.raises`` of a function.

::

    assert run() == 3                  subject ``run()``, equal to ``3``
    self.assertEqual(run(), 3)         the same
    torch.testing.assert_close(a, b)   subject ``a``, equal to ``b``
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import own_statements
from review_bot.analysis.python.statements import Function, last_name
from review_bot.records import NamedTuple

_EQUAL = frozenset(
    {"assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertAlmostEqual"}
    | {"assert_close", "assert_allclose", "assert_array_equal", "assert_equal", "assert_almost_equal"}
)
_CLOSE = frozenset({"allclose", "equal", "isclose", "array_equal"})


class Assertion(NamedTuple):
    """One assertion. ``equal`` holds the two sides where it asks for equality or closeness."""

    statement: ast.stmt
    asked: ast.expr
    equal: tuple[ast.expr, ast.expr] | None


def assertions(function: Function) -> Iterator[Assertion]:
    """Yield the assertions of a function, outermost block first."""
    for statement in own_statements(function):
        if isinstance(statement, ast.Assert):
            yield Assertion(statement, statement.test, _sides(statement.test))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            name = last_name(call.func)
            if name.startswith(("assert_", "assert")) and name != "assert_":
                truth = name in {"assertTrue", "assertFalse"} and len(call.args) >= 1
                asked = call.args[0] if truth else call
                equal = _sides(call.args[0]) if name == "assertTrue" and call.args else None
                if name in _EQUAL and len(call.args) >= 2:
                    equal = call.args[0], call.args[1]
                yield Assertion(statement, asked, equal)


def _sides(asked: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(asked, ast.Compare) and len(asked.ops) == 1 and isinstance(asked.ops[0], ast.Eq):
        return asked.left, asked.comparators[0]
    if isinstance(asked, ast.Call) and last_name(asked.func) in _CLOSE and len(asked.args) >= 2:
        return asked.args[0], asked.args[1]
    return None
