"""Random latents drawn past the generator that the caller passed for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name, own_parameters
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, names_in, own_nodes, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DRAWS = {"torch.randn", "torch.normal"}
"""``torch.randn_like`` is left out: until lately it took no generator."""

_NAMES = ("generator", "generators")

_FOR_SHOW = LazyRegex(r"dummy|profil|warm|example|test|fake|init")
"""Words in the names of functions whose values do not reach a result."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each draw that passes by the function's generator, and each ``randn_tensor`` that gets none.

    Raises CannotParse.
    """
    names = imported_names(source.tree)
    for function in source.functions:
        generator = next((name for name in own_parameters(function) if name in _NAMES), "")
        nodes = list(own_nodes(function.body))
        without = set(_where_there_is_none(nodes, generator))
        for node in nodes:
            if not isinstance(node, ast.Call) or node in without or unpacks(node):
                continue
            takes_one = last_name(node.func) == "randn_tensor"
            if not takes_one and (not generator or full_name(node.func, names) not in _DRAWS):
                continue
            if keyword(node, "generator") is not None or (takes_one and len(node.args) > 1):
                continue
            if generator and not any(generator in names_in(argument) for argument in node.args):
                what = f"without `{generator}`, which this function takes as a parameter"
            elif not generator and not _FOR_SHOW.search(function.name):
                what = "without a generator"
            else:
                continue
            yield hit_at(source, node, values={"call": ast.unparse(node.func), "what": what})


def _where_there_is_none(nodes: list[ast.AST], generator: str) -> Iterator[ast.AST]:
    """Yield what is below a condition that names the generator: there may be none to pass."""
    for node in nodes:
        if isinstance(node, ast.If) and generator in names_in(node.test):
            yield from own_nodes([*node.body, *node.orelse])
        elif isinstance(node, ast.IfExp) and generator in names_in(node.test):
            yield from own_nodes([node.body, node.orelse])


CHECK = file_check(examine, CheckTraits(literals=("randn", "normal")))
