"""A function that is annotated to return a value, does its work, and returns none on any path.

::

    def collect(self, requests) -> dict[str, Tensor]:
        for each in requests:
            self._collect(each)

It is reported where the change wrote the annotation or removed the last ``return`` with a value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.completion import failing_functions, fails
from review_bot.analysis.python.conditions import constants_of, truth
from review_bot.analysis.python.function_pairs import names_at_base
from review_bot.analysis.python.statements import Function, last_name, statements
from review_bot.analysis.python.syntax import hit_on, own_nodes
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_MAY_BE_NONE = LazyRegex(
    r"\b(?:None|NoneType|Optional|Any|object|NoReturn|Never|Generator|\w*Iterator|\w*Iterable|Awaitable|Coroutine|Self)\b"
)
_RAISES = LazyRegex(r"(?i)raise|fail|error|abort|exit|exec|unsupported|not_implemented|fatal|never")
_PLAIN = frozenset({
    "cached_property", "classmethod", "cache", "enable_grad", "final", "inference_mode", "lru_cache", "no_grad",
    "override", "property", "staticmethod", "torch_compile", "wraps",
})  # fmt: skip
"""Decorators that leave to the function what it returns."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the annotation of each such function. Raises CannotParse."""
    before: frozenset[str] | None = None
    for function in source.functions:
        annotation = function.returns
        # One line more: what the change deleted may have been the last line of the function.
        if (
            annotation is None
            or function.name == "__init__"
            or not source.touches(function.lineno, last_line(function) + 1)
        ):
            continue
        if not _lacks_result(function, source.tree):
            continue
        if annotation.lineno not in source.added:
            before = names_at_base(source, _lacks_result) if before is None else before
            if function.name in before:
                continue
        yield hit_on(source, annotation, values={"function": function.name, "annotation": ast.unparse(annotation)})


def _lacks_result(function: Function, tree: ast.Module) -> bool:
    if function.returns is None or not all(last_name(each) in _PLAIN for each in function.decorator_list):
        return False
    if not _works(function.body) or _MAY_BE_NONE.search(ast.unparse(function.returns)):
        return False
    for node in own_nodes(function.body):
        if isinstance(node, (ast.Yield, ast.YieldFrom)) or (isinstance(node, ast.Return) and node.value is not None):
            return False
    constants = {**constants_of(tree), **failing_functions(tree)}
    return not fails(function.body, constants) and not _ends_elsewhere(function.body[-1])


def _works(body: list[ast.stmt]) -> bool:
    """Return whether a block does more than check its input and raise, as the method of a base class may."""
    no_work = (ast.Pass, ast.Raise, ast.Return, ast.Assert, ast.If, ast.Import, ast.ImportFrom)
    return any(
        not isinstance(each, no_work) and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in statements(body, into_definitions=False)
    )


def _ends_elsewhere(statement: ast.stmt) -> bool:
    """Return whether a last statement never ends, or calls what its name says to raise or to leave the program."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return _RAISES.search(last_name(statement.value.func)) is not None
    return isinstance(statement, ast.While) and truth(statement.test, {}) is True


CHECK = file_check(examine, CheckTraits(literals=("def >",)))
