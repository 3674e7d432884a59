"""A public function with several parameters and a docstring that says nothing of most of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, decorator_names, definitions, is_function, named_parameters
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

FEWEST = 4
"""Parameters, ``self`` and ``cls`` aside, from which a docstring should describe them."""

_SECTION = LazyRegex(
    r"(?mi)^[^\S\n]*(?:args|arguments|parameters|params|keyword args|inputs?)[^\S\n]*(?::[^\S\n]*)?$|:param\b|@param\b"
)
_WORD = LazyRegex(r"\w+")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such function. Raises CannotParse."""
    for definition in definitions(source.tree.body):
        node = definition.node
        if not is_function(node) or not definition.public or _is_special(node):
            continue
        names = _parameters(node)
        docstring = ast.get_docstring(node, clean=False)
        if len(names) < FEWEST or not docstring or _SECTION.search(docstring):
            continue
        mentioned = set(_WORD.findall(docstring))
        silent = [name for name in names if name not in mentioned]
        if 2 * len(silent) > len(names):
            yield hit_on(
                source, node, values={"name": definition.name, "count": str(len(silent)), "all": str(len(names))}
            )


def _is_special(function: Function) -> bool:
    """Return whether it overrides or overloads: then another docstring is about its parameters."""
    return not decorator_names(function).isdisjoint({"override", "overload"})


def _parameters(function: Function) -> list[str]:
    names = [each.arg for each in named_parameters(function)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


CHECK = file_check(examine, CheckTraits(literals=("def",)))
