"""A parameter compared with a text that its ``Literal`` annotation leaves out.

::

    def resize(image, mode: Literal["side", "area"]):
        if mode == "square": ...          either no caller may pass it, or the annotation is incomplete

A function that also asks what the parameter is *not* handles values outside the annotation on purpose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import Function, all_parameters
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, is_literal, source_text, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LITERAL = frozenset({"typing.Literal", "typing_extensions.Literal"})
_ADDING_NONE = frozenset({"typing.Optional", "typing.Union", "typing.Annotated"})
_LONGEST = 80


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such comparison of each parameter. Raises CannotParse."""
    imported = imported_names(source.tree)
    aliases = {
        each.targets[0].id: each.value
        for each in source.tree.body
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and len(each.targets) == 1
    }
    for function in source.touched_functions:
        counts = binding_counts(function)
        for parameter in all_parameters(function):
            texts = _texts(parameter.annotation, imported, aliases)
            if not texts or counts[parameter.arg] > 1:
                continue
            found = next(_left_out(function, parameter.arg, texts), None)
            if found is not None and parameter.annotation is not None:
                test, text = found
                annotation = " ".join(source_text(source, parameter.annotation).split())[:_LONGEST]
                yield hit_at(
                    source,
                    test,
                    values={"name": parameter.arg, "annotation": annotation, "text": text},
                    related=(Related(source.path, parameter.lineno, "the annotation"),),
                )


def _texts(
    annotation: ast.expr | None, imported: Mapping[str, str], aliases: Mapping[str, ast.expr]
) -> frozenset[str] | None:
    """Return the texts that an annotation allows, with no others; None if it is not that narrow."""
    if isinstance(annotation, ast.Name) and annotation.id in aliases:
        return _texts(aliases[annotation.id], imported, {})
    if is_literal(annotation, None):
        return frozenset()
    parts: list[ast.expr]
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        parts = [annotation.left, annotation.right]
    elif isinstance(annotation, ast.Subscript):
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        name = full_name(annotation.value, imported)
        if name in _LITERAL:
            texts = frozenset(text for each in parts if (text := text_of(each)) is not None)
            return texts if all(isinstance(each, ast.Constant) for each in parts) else None
        if name not in _ADDING_NONE:
            return None
        parts = parts[:1] if name == "typing.Annotated" else parts
    else:
        return None
    allowed = [_texts(each, imported, aliases) for each in parts]
    return None if None in allowed else frozenset[str]().union(*(each for each in allowed if each is not None))


def _left_out(function: Function, name: str, texts: frozenset[str]) -> Iterator[tuple[ast.Compare, str]]:
    tests = [each for each in nodes_of(function, ast.Compare) if len(each.ops) == 1]
    tests = [each for each in tests if isinstance(each.left, ast.Name) and each.left.id == name]
    if any(isinstance(each.ops[0], ast.NotIn) for each in tests):
        return
    rejecting = {id(each.test) for each in nodes_of(function, ast.If) if isinstance(each.body[-1], ast.Raise)}
    for test in tests:
        if id(test) in rejecting:
            continue
        choices = test.comparators[0]
        several = choices.elts if isinstance(choices, (ast.List, ast.Tuple, ast.Set)) else []
        for each in [choices] if isinstance(test.ops[0], (ast.Eq, ast.NotEq)) else several:
            text = text_of(each)
            if text is not None and text not in texts:
                yield test, text


CHECK = file_check(examine, CheckTraits(literals=("Literal",)))
