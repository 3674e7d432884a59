"""Work that is handed to a pool and whose future is dropped, so that its exception is never raised.

::

    executor.submit(self.save, path)        a hit, unless ``save`` catches what it raises
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, assigned_values, is_string, last_name
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_POOLS = frozenset({"ThreadPoolExecutor", "ProcessPoolExecutor"})
_HANDS_OVER = {"submit": "the future", "map": "the iterator of results"}
"""Methods of an executor, and what they return: the one place where an exception of the work is raised again."""
_OF_MAP = "Iterate over what `map` returns, for example with `list(...)`."
_CATCHING = frozenset({"BaseException", "Exception"})
_LOOPS_AND_BLOCKS = (ast.With, ast.AsyncWith, ast.While, ast.For, ast.AsyncFor, ast.If)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call whose work may raise. Raises CannotParse."""
    names = imported_names(source.tree)
    if not any(each.partition(".")[0] == "concurrent" for each in names.values()):
        return
    defined: dict[str, list[Function]] = {}
    for function in source.functions:
        defined.setdefault(function.name, []).append(function)
    pools, waited = _pools(source.tree, names)
    for statement in source.nodes(ast.Expr):
        call = statement.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        owner = dotted(call.func.value)
        if call.func.attr not in _HANDS_OVER or owner is None or owner not in pools | waited:
            continue
        name = dotted(call.args[0])
        work = defined.get(last_name(call.args[0]), [])
        if name is None or len(work) > 1 or (not work and owner not in waited):
            continue
        if not work or not _is_harmless(work[0]):
            hit = hit_at(source, statement, values={"name": name, "what": _HANDS_OVER[call.func.attr]})
            yield hit._replace(instead=_OF_MAP) if call.func.attr == "map" else hit


def _pools(tree: ast.Module, names: Mapping[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names and attributes that hold an executor, and those of a ``with`` that waits for its work."""
    assigned = [(target, value) for target, value in assigned_values(tree) if value is not None]
    blocks = [
        (item.optional_vars, item.context_expr)
        for item in nodes_of(tree, ast.withitem)
        if item.optional_vars is not None
    ]
    kept, waited = (
        frozenset(name for target, value in pairs if _makes_pool(value, names) and (name := dotted(target)) is not None)
        for pairs in (assigned, blocks)
    )
    return kept, waited


def _makes_pool(value: ast.expr, names: Mapping[str, str]) -> bool:
    made = full_name(value.func, names) if isinstance(value, ast.Call) else None
    return made is not None and made.startswith("concurrent.futures") and made.rpartition(".")[2] in _POOLS


def _is_harmless(function: Function) -> bool:
    """Return whether a function catches what it does, or does nothing that is likely to raise."""
    body = [each for each in function.body if not is_string(each)]
    return any(map(_catches, body)) or not any(isinstance(each, ast.Call) for one in body for each in walk(one))


def _catches(statement: ast.stmt) -> bool:
    """Return whether a statement is a ``try`` that catches everything, or a loop or block around one."""
    if isinstance(statement, ast.Try):
        kinds = [each.type for each in statement.handlers]
        return any(kind is None or last_name(kind) in _CATCHING for kind in kinds)
    return isinstance(statement, _LOOPS_AND_BLOCKS) and any(map(_catches, statement.body))


CHECK = file_check(examine, CheckTraits(literals=("submit futures", "map futures")))
