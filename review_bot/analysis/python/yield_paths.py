"""The paths through a generator function that surely do not yield once, as ``contextlib.contextmanager`` needs it to.

::

    if off: return                none: the branch returns before the first ``yield``
    yield a                       the next one is the second on each path
    if off: yield                 the branch goes on to the next ``yield``
    try: yield a
    except E: yield b             second: only the first one can have raised ``E``
    for x in y: yield x           nothing is known of what follows

A path counts that takes one branch at most, since two may exclude each other, and only if the branch is written out:
without ``else``, a condition may hold always. A call whose result is dropped may never return, so that a branch with
one is not followed.

Source: https://docs.python.org/3/library/contextlib.html#contextlib.contextmanager: the function "must return a
generator-iterator which, when iterated over, must yield exactly one value"
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import Function, is_definition, is_stub, last_name
from review_bot.analysis.python.syntax import own_nodes
from review_bot.records import NamedTuple

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_UNFOLLOWED = (*LOOPS, ast.Match)
_NO_GENERATORS = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.DictComp)
_CHOOSING = (ast.IfExp, ast.BoolOp)
_GOES_ON = frozenset({"print", "debug", "info", "warning", "exception"})
"""Functions that return."""


NOWHERE = -1


class YieldFault(NamedTuple):
    """A place at which a path is known to be wrong. ``yields``: how many times it has yielded by then, 0 or 2.

    NOWHERE: the function holds no ``yield`` and returns no generator of another one.
    """

    line: int
    yields: int


class _Path(NamedTuple):
    """``chosen``: it took a branch, and ``inside``: it is still in it. ``written``: it fell through no condition."""

    yields: int = 0
    chosen: bool = False
    inside: bool = False
    written: bool = True


def yield_faults(function: Function) -> Iterator[YieldFault]:
    """Yield the faults of a generator function in the order of the text."""
    faults: dict[YieldFault, None] = {}
    kinds = {each.__class__ for each in own_nodes(function.body)}
    if ast.Yield in kinds and ast.YieldFrom not in kinds:
        ends = _follow(function.body, [_Path()], faults)
        if any(each.yields == 0 and each.written for each in ends):
            faults[YieldFault(function.body[-1].lineno, 0)] = None
    elif not kinds & {ast.Yield, ast.YieldFrom} and not is_stub(function) and not fails(function.body):
        returns = [each.value for each in own_nodes(function.body) if isinstance(each, ast.Return)]
        if all(each is None or isinstance(each, _NO_GENERATORS) for each in returns):
            faults[YieldFault(function.lineno, NOWHERE)] = None
    yield from sorted(faults)


def _follow(body: list[ast.stmt], paths: list[_Path], faults: dict[YieldFault, None]) -> list[_Path]:
    """Return the known paths that leave a block at its end."""
    for statement in body:
        if not paths:
            break
        if _matters(statement):
            paths = list(dict.fromkeys(after for each in paths for after in _step(statement, each, faults)))
        elif fails([statement]):
            paths = []
        elif _may_end(statement):
            paths = [each for each in paths if not each.inside]
    return paths


def _matters(statement: ast.stmt) -> bool:
    """Return whether a statement yields or leaves the function or a loop somewhere."""
    return any(isinstance(each, (ast.Yield, *_LEAVING)) for each in own_nodes([statement]))


def _may_end(statement: ast.stmt) -> bool:
    """Return whether a statement calls what may raise whatever it is given, such as ``pytest.skip()``."""
    return not is_definition(statement) and any(
        isinstance(each, ast.Expr) and not (isinstance(each.value, ast.Constant) or last_name(each.value) in _GOES_ON)
        for each in own_nodes([statement])
    )


def _step(statement: ast.stmt, path: _Path, faults: dict[YieldFault, None]) -> list[_Path]:
    if isinstance(statement, ast.If):
        return _branch(statement, path, faults)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        inside = any(isinstance(each, ast.Yield) for item in statement.items for each in own_nodes([item]))
        return [] if inside else _follow(statement.body, [path], faults)
    if isinstance(statement, (ast.Try, ast.TryStar)):
        return _try(statement, path, faults)
    nodes = list(own_nodes([statement]))
    written = [each for each in nodes if isinstance(each, ast.Yield)]
    if isinstance(statement, _UNFOLLOWED) or (written and any(isinstance(each, _CHOOSING) for each in nodes)):
        return []
    if written and path.yields + len(written) > 1:
        faults[YieldFault(written[-1].lineno, 2)] = None
        return []
    path = path._replace(yields=path.yields + len(written))
    if isinstance(statement, ast.Return) and path.yields == 0 and path.written:
        faults[YieldFault(statement.lineno, 0)] = None
    return [] if isinstance(statement, _LEAVING) else [path]


def _branch(statement: ast.If, path: _Path, faults: dict[YieldFault, None]) -> list[_Path]:
    """Return the paths behind a condition with its ``elif``; one that took a branch before is given up."""
    if path.chosen:
        return []
    chosen: list[list[ast.stmt]] = [statement.body]
    while len(rest := statement.orelse) == 1 and isinstance(rest[0], ast.If):
        statement = rest[0]
        chosen.append(statement.body)
    ends = [_choose(each, path, faults) for each in ([*chosen, rest] if rest else chosen)]
    found = [after for each in ends for after in each]
    return found if rest else [*found, path._replace(chosen=bool(found), written=False)]


def _choose(body: list[ast.stmt], path: _Path, faults: dict[YieldFault, None]) -> list[_Path]:
    """Return the paths behind a block that a condition or an error leads to: the author expects that it runs."""
    ends = _follow(body, [path._replace(chosen=True, inside=True, written=True)], faults)
    return [each._replace(inside=False, written=path.written and each.written) for each in ends]


def _try(statement: ast.Try | ast.TryStar, path: _Path, faults: dict[YieldFault, None]) -> list[_Path]:
    if any(map(_matters, statement.finalbody)):
        return []
    tried = _follow(statement.orelse, _follow(statement.body, [path], faults), faults)
    only = statement.body[0].value if isinstance(statement.body[0], ast.Expr) and len(statement.body) == 1 else None
    if isinstance(only, ast.Yield) and isinstance(only.value, (ast.Name, ast.Constant, type(None))):
        path = path._replace(yields=path.yields + 1)  # nothing else in the body can raise
    elif any(isinstance(each, ast.Yield) for each in own_nodes(statement.body)):
        return tried
    handlers = [] if path.chosen else statement.handlers
    return [*tried, *(after for each in handlers for after in _choose(each.body, path, faults))]
