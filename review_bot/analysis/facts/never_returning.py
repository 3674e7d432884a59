"""The functions of the tree that end each call in an exception or the end of the program.

::

    def fail(text): raise ValueError(text)              never returns
    def stop(text): log(text);  errors.fail(text)       nor does this, if ``errors.fail`` is such a function

Methods are left out: a class below may replace them.
"""

from __future__ import annotations

import ast
from typing import NoReturn

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.completion import failing_functions, fails
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import dotted, is_generator, own_nodes
from review_bot.changes.codebase import Snapshot, query

DEPTH = 3
"""Functions that are followed from one to the next."""


class NeverReturning:
    """Finds the functions on one side of a change that never return."""

    def __init__(self, side: Snapshot) -> None:
        self._targets: CallTargets = call_targets(side)

    def all_named(self, path: str, name: str, first: int, last: int) -> bool:
        """Return whether there are calls of a last name on some lines (1-based), and none of them returns."""
        file = self._targets.file(path)
        calls = [] if file is None else list(file.calls(frozenset({name})))
        there = [each for each in calls if first <= each.node.lineno <= last]
        return bool(there) and file is not None and all(self._ends(file, each, DEPTH) for each in there)

    def _ends(self, file: CodeFile, call: Call, depth: int) -> bool:
        symbol = self._targets.target(file, call)
        return symbol is not None and depth > 0 and self._never_returns(symbol, depth)

    def _never_returns(self, symbol: Symbol, depth: int) -> bool:
        file, function = self._targets.file(symbol.path), self._targets.function_of(symbol)
        if file is None or not isinstance(function, ast.FunctionDef) or function not in file.tree.body:
            return False
        if function.decorator_list or is_generator(function):
            return False
        constants = {**constants_of(file.tree), **failing_functions(file.tree)}
        if fails(function.body, constants):
            return True
        called = {
            f"{dotted(each.func)}()": NoReturn
            for each in _statement_calls(function)
            if self._ends(file, Call(each, (function,)), depth - 1)
        }
        return bool(called) and fails(function.body, {**constants, **called})


def _statement_calls(function: Function) -> list[ast.Call]:
    """Return the calls that are statements of their own in a function, of what has a name."""
    statements = (each for each in own_nodes(function.body) if isinstance(each, ast.Expr))
    calls = (each.value for each in statements if isinstance(each.value, ast.Call))
    return [each for each in calls if dotted(each.func)]


@query
def never_returning(side: Snapshot) -> NeverReturning:
    """Return the one finder of a side, which keeps the files that it has read."""
    return NeverReturning(side)
