"""Context managers written as generators that restore nothing if the ``with`` block raises.

What follows the ``yield`` restores something if it stores where the code before the ``yield`` stored, calls a function
that was called there, or releases: ``close``, ``release``, ``remove``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, all_parameters, inner_blocks, last_name, statements
from review_bot.analysis.python.syntax import dotted, hit_on, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DECORATORS = frozenset({"contextmanager", "asynccontextmanager"})
_RELEASES = LazyRegex(r"^_?(close|release|remove|restore|unpatch|terminate|unlock|unlink|detach|delattr|stop)(_|$)")
_APPLICATION = LazyRegex(r"^(?:FastAPI|FastMCP|Litestar|MCPServer|Quart|Server|Starlette)$")
_NO_STATE = LazyRegex(
    r"^(print|debug|info|warning|error|log|record|append|synchronize|barrier|empty_cache|collect|time|perf_counter|wait"
    r"|wait_\w+|monotonic|get|getattr|hasattr|isinstance|len|range|zip|items|keys|values|list|dict|set|str|update|end|start|add"
    r"|flush|write|remote|is_\w+|get_\w+)$"
)
"""Calls that occur before and after a ``yield`` and restore nothing."""

_COLLECTIVES = frozenset(
    {"distribute_tensor", "full_tensor", "redistribute", "all_gather", "all_reduce", "reduce_scatter", "broadcast"}
)


class _Parts(NamedTuple):
    """The code of a context manager around its ``yield``, which is the statement ``middle``."""

    before: tuple[ast.stmt, ...]
    middle: ast.stmt
    after: tuple[ast.stmt, ...]


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the ``yield`` of each such function. Raises CannotParse."""
    for function in source.functions:
        if not any(last_name(each) in _DECORATORS for each in function.decorator_list) or _is_lifespan(function):
            continue
        parts = _around_yield(function)
        undo = None if parts is None or _puts_in_place(parts) else _restores(parts)
        if parts is not None and undo is not None:
            values = {"name": function.name, "undo": ast.unparse(undo).partition("\n")[0], "line": str(undo.lineno)}
            related = (Related(source.path, undo.lineno, "is skipped if the block raises"),)
            yield hit_on(source, parts.middle, values=values, related=related)


def _is_lifespan(function: Function) -> bool:
    """Return whether a function brackets the life of an application, whose requests raise nothing into it."""
    of_application = (
        each.arg == "app" or _APPLICATION.search(last_name(each.annotation)) for each in all_parameters(function)[:1]
    )
    return "lifespan" in function.name or any(of_application)


def _around_yield(function: Function) -> _Parts | None:
    """Return the parts of a function with one ``yield`` that no ``try`` surrounds.

    Besides it, a branch may yield and return at once: ``if not enabled: yield; return``.
    """
    early = {id(each) for each in _early_yields(function.body)}
    yields = [each for each in own_nodes(function.body) if isinstance(each, ast.Yield) and id(each) not in early]
    if len(yields) != 1:
        return None
    before: list[ast.stmt] = []
    after: list[ast.stmt] = []
    body = function.body
    while True:
        number = next((n for n, each in enumerate(body) if _holds(each, yields[0])), None)
        if number is None:
            return None
        before, after = [*before, *body[:number]], [*body[number + 1 :], *after]
        middle = body[number]
        if isinstance(middle, (ast.Expr, ast.Assign)):
            return _Parts(tuple(before), middle, tuple(after))
        if isinstance(middle, (ast.With, ast.AsyncWith)):
            body = middle.body
        elif isinstance(middle, ast.If):
            body = middle.body if any(_holds(each, yields[0]) for each in middle.body) else middle.orelse
        else:
            return None


def _early_yields(body: list[ast.stmt]) -> Iterator[ast.Yield]:
    """Yield the expressions after which a branch of a block returns, without anything to undo."""
    for branch in (each for each in body if isinstance(each, ast.If)):
        for block in (branch.body, branch.orelse):
            match block:
                case [ast.Expr(ast.Yield() as first), ast.Return(value=None)]:
                    yield first


def _holds(statement: ast.stmt, node: ast.AST) -> bool:
    return any(each is node for each in own_nodes([statement]))


def _puts_in_place(parts: _Parts) -> bool:
    """Return whether what follows moves a file to its place, which must not happen after an exception."""
    calls = (each.value for each in statements([*parts.after], into_definitions=False) if isinstance(each, ast.Expr))
    return any(isinstance(each, ast.Call) and last_name(each.func) in {"move", "rename", "replace"} for each in calls)


def _restores(parts: _Parts) -> ast.stmt | None:
    """Return the first statement after the ``yield`` that takes back what one before it did, or releases something."""
    before = statements([*parts.before], into_definitions=False)
    earlier = {each for statement in before if not any(inner_blocks(statement)) for each in _effects(statement)}
    for statement in statements([*parts.after], into_definitions=False):
        if any(inner_blocks(statement)) or _waits_for_others(statement):
            continue
        if any(each in earlier or each.startswith("!") for each in _effects(statement)):
            return statement
    return None


def _waits_for_others(statement: ast.stmt) -> bool:
    """Return whether all processes must take part, so that one that failed must not run it alone."""
    return any(isinstance(node, ast.Call) and last_name(node.func) in _COLLECTIVES for node in own_nodes([statement]))


def _effects(statement: ast.stmt) -> Iterator[str]:
    """Yield what a simple statement stores, and the functions that it is a call of; ``!`` for a release."""
    for node in own_nodes([statement]):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(statement, ast.Expr):
            name = last_name(node.func)
            if _RELEASES.match(name) and isinstance(node.func, ast.Attribute):
                yield f"!{name}"
            elif name and not _NO_STATE.match(name) and not name[0].isupper():
                yield f"{dotted(node.func) or name}()"


CHECK = file_check(examine, CheckTraits(literals=("contextmanager",)))
