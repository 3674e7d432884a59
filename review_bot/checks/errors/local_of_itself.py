"""A local name that gets its first value from itself: ``count += 1`` of a name that the function never set before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_MAY_NOT_RUN = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr,
)  # fmt: skip
_Assigned = ast.Assign | ast.AugAssign


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first read of each such name in a function. Raises CannotParse."""
    for function in source.functions:
        candidates: dict[str, list[ast.Name]] = {}
        stores: dict[str, int] = {}
        other: set[str] = _bound_by_head(function)
        for node in own_nodes(function.body):
            if isinstance(node, (ast.Assign, ast.AugAssign)):
                for name, read in _of_itself(node):
                    candidates.setdefault(name, []).append(read)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                stores[node.id] = stores.get(node.id, 0) + 1
            other.update(_bound_otherwise(node))
        for name, reads in candidates.items():
            if stores.get(name) == len(reads) and name not in other:
                yield hit_at(
                    source, reads[0], values={"name": name, "function": function.name, "hint": _hint(source, name)}
                )


def _of_itself(node: _Assigned) -> Iterator[tuple[str, ast.Name]]:
    """Yield the plain names that a statement binds and certainly reads before it does."""
    if isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            yield node.target.id, node.target
        return
    parts = list(own_nodes([node.value]))
    if any(isinstance(part, _MAY_NOT_RUN) for part in parts):
        return
    read = {part.id: part for part in parts if isinstance(part, ast.Name)}
    for target in node.targets:
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(part, ast.Name) and part.id in read:
                yield part.id, read[part.id]


def _bound_by_head(function: Function) -> set[str]:
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return {each.arg for each in (*every, function.args.vararg, function.args.kwarg) if each is not None}


def _bound_otherwise(node: ast.AST) -> Iterator[str]:
    """Yield the names that anything but a plain assignment binds, or that belong to a scope outside."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
        if node.name == "*":
            yield node.name
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        for each in ast.walk(node):
            if isinstance(each, ast.Nonlocal):
                yield from each.names
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _hint(source: SourceFile, name: str) -> str:
    for statement in source.tree.body:
        for node in ast.walk(statement) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else ():
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                return f"Declare `global {name}`"
    return f"Give `{name}` a value first"


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("def",)))
