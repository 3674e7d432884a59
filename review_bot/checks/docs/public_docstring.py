"""A public class or function of some length that does not say what it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Definition, decorator_names, definitions, is_overload, last_name
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options

_HOOKS = frozenset(
    {"forward", "load_weights", "get_input_embeddings", "compute_logits", "get_multimodal_embeddings"}
    | {"embed_multimodal", "main", "setup", "run", "setUp", "tearDown"}
)
"""Names whose meaning their framework gives."""


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each mostly new definition longer than ``min_lines`` without a docstring. Raises CannotParse."""
    found = list(definitions(source.tree.body))
    documented = {
        (each.owner.name, each.node.name)
        for each in found
        if each.owner is not None and ast.get_docstring(each.node, clean=False)
    }
    for each in found:
        node = each.node
        if (
            not each.public
            or is_overload(node)
            or last_line(node) - node.lineno < options["min_lines"]
            or ast.get_docstring(node, clean=False) is not None
            or not source.mostly_added(*span_of(node))
        ):
            continue
        if isinstance(node, ast.ClassDef) or not _speaks_elsewhere(each, documented):
            kind = "class" if isinstance(node, ast.ClassDef) else "function" if each.owner is None else "method"
            yield hit_on(source, node, values={"name": each.name, "kind": kind})


def _speaks_elsewhere(definition: Definition, documented: set[tuple[str, str]]) -> bool:
    """Return whether a method is documented by its framework, its decorator or a base class in this file."""
    node, owner = definition.node, definition.owner
    if owner is None:
        return node.name == "main"
    return (
        node.name in _HOOKS
        or not decorator_names(node).isdisjoint({"override", "setter", "deleter"})
        or any((last_name(base), node.name) in documented for base in owner.bases)
    )


CHECK = file_check(examine, CheckTraits(literals=("def", "class")))
