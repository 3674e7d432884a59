"""A list, dict or set as a parameter's default that the function changes, or keeps in an attribute."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.python.statements import Function
from review_bot.rules.rule import Hit, Options

LITERALS = ("=[", "= [", "={", "= {", "=list(", "= list(", "=dict(", "= dict(", "=set(", "= set(")
READS_OLD = False

_CHANGING = frozenset(
    {
        *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove"),
        *("reverse", "setdefault", "sort", "update"),
    }
)


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each such parameter, with what is done to it. Raises CannotParse."""
    del options
    for function in source.functions:
        defaults = {argument.arg: argument for argument, default in _defaults(function) if _is_mutable(default)}
        if not defaults:
            continue
        for name, (what, line) in _uses(function, frozenset(defaults)).items():
            argument = defaults[name]
            yield Hit(
                argument.lineno,
                column=source.column(argument.lineno, argument.col_offset),
                values={"name": name, "what": what, "line": str(line)},
            )


def _defaults(function: Function) -> Iterator[tuple[ast.arg, ast.expr]]:
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    yield from zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True)
    yield from ((arg, default) for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default)


def _is_mutable(default: ast.expr) -> bool:
    if isinstance(default, ast.Call):
        return isinstance(default.func, ast.Name) and default.func.id in {"list", "dict", "set"}
    return isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp))


def _uses(function: Function, names: frozenset[str]) -> dict[str, tuple[str, int]]:
    """Return what is done to parameters, by name: the first change of the object, or where it is kept.

    A name that is bound anew anywhere in the function is left out: it may be another object by then.
    """
    found: dict[str, tuple[str, int]] = {}
    bound: set[str] = set()

    def note(node: ast.expr, what: str, line: int) -> None:
        if isinstance(node, ast.Name) and node.id in names:
            found.setdefault(node.id, (what, line))

    for node in (inner for statement in function.body for inner in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            bound.add(node.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            note(node.value, "changed", node.lineno)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            note(node.func.value, "changed", node.lineno)
        elif isinstance(node, ast.Assign) and any(isinstance(target, ast.Attribute) for target in node.targets):
            note(node.value, "kept", node.lineno)
    return {name: use for name, use in found.items() if name not in bound}
