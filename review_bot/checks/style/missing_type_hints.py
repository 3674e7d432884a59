"""A public signature with a parameter or a return value of unknown type."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import (
    Definition,
    Function,
    decorator_names,
    definitions,
    is_overload,
    positional_parameters,
)
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import all_of


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each public function or method (with ``__init__``) that lacks a type hint. Raises CannotParse.

    One that lacked the same at the base is left out: the change only wraps or moves it.
    """
    old = source.known_old_tree
    before = set() if old is None else {(name, lacking) for name, lacking, _ in _found(old)}
    for name, lacking, node in _found(source.tree):
        if (name, lacking) not in before:
            yield hit_on(source, node, values={"name": name, "lacking": lacking})


def _found(tree: ast.Module) -> Iterator[tuple[str, str, Function]]:
    """Yield the public functions of a file that lack hints, by dotted name, with what each lacks."""
    for each in definitions(tree.body):
        if not isinstance(each.node, ast.ClassDef) and _is_public(each):
            lacking = _lacking(each.node, is_method=each.owner is not None)
            if lacking:
                yield each.name, lacking, each.node


def _is_public(definition: Definition) -> bool:
    if is_overload(definition.node):
        return False
    if definition.public:
        return "override" not in decorator_names(definition.node)
    return definition.node.name == "__init__" and not any(part[:1] == "_" for part in definition.name.split(".")[:-1])


def _lacking(function: Function, *, is_method: bool) -> str:
    arguments = function.args
    plain = positional_parameters(function)
    if is_method and "staticmethod" not in decorator_names(function):
        plain = plain[1:]
    names = [each.arg for each in [*plain, *arguments.kwonlyargs] if each.annotation is None]
    for star, each in (("*", arguments.vararg), ("**", arguments.kwarg)):
        if each is not None and each.annotation is None:
            names.append(star + each.arg)
    places = [f"`{name}`" for name in names]
    if function.returns is None and function.name != "__init__":
        places.append("the return value")
    return all_of(places)


CHECK = file_check(examine, CheckTraits(literals=("def",), reads_old=True))
