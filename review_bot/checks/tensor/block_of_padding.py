"""A size that is padded to a multiple of a block, by a whole block where it is a multiple already."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import hit_at, reads_same
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PADDING = LazyRegex(r"(?i)pad")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each number of padded values that is never 0. Raises CannotParse."""
    for function in source.functions:
        for statement, value in _paddings(function):
            rest = value.right
            if isinstance(rest, ast.BinOp) and not any(_is_examined(n, statement, value) for n in ast.walk(function)):
                written = {"size": rest.left, "block": rest.right}
                yield hit_at(source, value, values={name: ast.unparse(part) for name, part in written.items()})


def _paddings(function: Function) -> Iterator[tuple[ast.AST, ast.BinOp]]:
    """Yield what a function pads by: the statement or call, and the expression in the form ``B - X % B``."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(_PADDING.search(ast.unparse(target)) for target in node.targets):
            values: Sequence[ast.expr] = (node.value,)
        elif isinstance(node, ast.Call) and last_name(node.func) == "pad":
            values = [part for argument in node.args[1:] for part in getattr(argument, "elts", [argument])]
        else:
            continue
        yield from ((node, value) for value in values if isinstance(value, ast.BinOp) and _is_distance(value))


def _is_distance(value: ast.BinOp) -> bool:
    """Return whether a value is the distance to the next multiple: ``B - X % B``."""
    rest = value.right
    return (
        isinstance(value.op, ast.Sub)
        and isinstance(rest, ast.BinOp)
        and isinstance(rest.op, ast.Mod)
        and reads_same(value.left, rest.right)
    )


def _is_examined(node: ast.AST, statement: ast.AST, value: ast.BinOp) -> bool:
    """Return whether a part of the function deals with the case that nothing is missing.

    It tests a remainder, or tests what is padded by, or takes the remainder of that.
    """
    names = {ast.unparse(target) for target in getattr(statement, "targets", ())}
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        return any(isinstance(part, ast.Mod) or _is_one_of(part, names) for part in ast.walk(node.test))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return any(part is value or _is_one_of(part, names) for part in ast.walk(node.left))
    return False


def _is_one_of(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in names


CHECK = file_check(examine, CheckTraits(literals=("pad",)))
