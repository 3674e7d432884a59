"""Random latents drawn past the generator that the caller passed for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.python.flow import parameters
from review_bot.checks.python.statements import last_name
from review_bot.checks.python.syntax import full_name, hit_at, imported_names, keyword, own_nodes, unpacks
from review_bot.rules.rule import Hit, Options

LITERALS = ("randn", "normal(")
READS_OLD = False

_DRAWS = {"torch.randn", "torch.normal"}
"""``torch.randn_like`` is left out: until lately it took no generator."""

_NAMES = ("generator", "generators")


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each draw without a generator in a function that has one as a parameter. Raises CannotParse."""
    del options
    names = imported_names(source.tree)
    for function in source.functions:
        generator = next((name for name in parameters(function) if name in _NAMES), None)
        if generator is None:
            continue
        nodes = list(own_nodes(function.body))
        without = set(_where_there_is_none(nodes, generator))
        for node in nodes:
            if not isinstance(node, ast.Call) or node in without or unpacks(node):
                continue
            called = full_name(node.func, names) or ""
            if called not in _DRAWS and last_name(node.func) != "randn_tensor":
                continue
            given = keyword(node, "generator")
            if given is None and not any(_mentions(argument, generator) for argument in node.args):
                values = {"call": ast.unparse(node.func), "generator": generator}
                yield hit_at(source, node, values=values)


def _where_there_is_none(nodes: list[ast.AST], generator: str) -> Iterator[ast.AST]:
    """Yield what stands below a condition that names the generator: there may be none to pass."""
    for node in nodes:
        if isinstance(node, ast.If) and _mentions(node.test, generator):
            yield from own_nodes([*node.body, *node.orelse])
        elif isinstance(node, ast.IfExp) and _mentions(node.test, generator):
            yield from own_nodes([node.body, node.orelse])


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
