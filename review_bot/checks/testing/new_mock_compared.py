"""A test that compares with a mock that it makes there and then: no other object equals it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_MOCKS = frozenset({"AsyncMock", "MagicMock", "Mock", "NonCallableMagicMock", "NonCallableMock"})
_EQUAL = frozenset({"assertDictEqual", "assertEqual", "assertListEqual", "assertSequenceEqual", "assertTupleEqual"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each new mock on one side of an equality that is asserted. Raises CannotParse."""
    names = imported_names(source.tree)
    for test in source.nodes(ast.Assert):
        if isinstance(test.test, ast.Compare) and all(isinstance(each, ast.Eq) for each in test.test.ops):
            yield from _made([test.test.left, *test.test.comparators], names, source)
    for call in source.nodes(ast.Call):
        if last_name(call.func) in _EQUAL:
            yield from _made(call.args[:2], names, source)


def _made(sides: list[ast.expr], names: dict[str, str], source: SourceFile) -> Iterator[Hit]:
    waiting = list(sides)
    while waiting:
        value = waiting.pop()
        if isinstance(value, ast.Dict):
            waiting += value.values
        elif isinstance(value, (ast.List, ast.Tuple)):
            waiting += value.elts
        elif isinstance(value, ast.Call) and not (value.args or value.keywords):
            module, _, kind = (full_name(value.func, names) or "").rpartition(".")
            if kind in _MOCKS and module in {"mock", "unittest.mock"}:
                yield hit_at(source, value, values={"mock": ast.unparse(value)})


CHECK = file_check(examine, CheckTraits(literals=("Mock",)))
