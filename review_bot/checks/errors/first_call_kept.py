"""Arguments of a call that an object keeps from its first call on.

::

    def forward(self, tokens, voice="ethan"):
        if not hasattr(self, "voice"):
            self.voice = voice              the voice of every later call is ignored

Only arguments that are plain options, by annotation or default: a tensor, a device or a client may be kept on purpose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.uses import is_set_elsewhere, uses_of
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import (
    Function,
    assigned_values,
    defaults_of,
    is_function,
    named_parameters,
    targets_of,
)
from review_bot.analysis.python.syntax import attribute_of_self, classes, is_literal, is_name, span_at, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit, Span, hit_over

_PER_CALL = frozenset({
    "__call__", "call", "chat", "decode", "encode", "execute", "forward", "generate", "handle", "infer", "postprocess",
    "predict", "preprocess", "process", "run", "sample", "step", "stream", "synthesize",
})  # fmt: skip
"""Verbs, the first word of a method's name, of what runs once for each request or step."""
_OPTIONS = frozenset({"bool", "float", "int", "str"})
_ENVIRONMENT = frozenset({"device", "dtype", "dim", "length", "rank", "shape", "size"})
"""Words of names whose values are the same in every call."""


class Kept(NamedTuple):
    """An assignment that only the first call makes, with the line that reads the attribute."""

    owner: str
    method: str
    name: str
    parameter: str
    reader: int
    span: Span


def gather(source: SourceFile) -> tuple[Kept, ...] | None:
    """Return such assignments on added lines, if nothing else in the class sets the attribute. Raises CannotParse."""
    found = (
        _kept(owner, method, each, source)
        for owner in classes(source.tree)
        for method in owner.body
        if is_function(method) and _runs_per_call(method)
        for each in nodes_of(method, ast.If)
    )
    return tuple(each for each in found if each is not None) or None


def _runs_per_call(method: Function) -> bool:
    return method.name in _PER_CALL or words_in(method.name)[:1] in [[verb] for verb in _PER_CALL]


def _kept(owner: ast.ClassDef, method: Function, branch: ast.If, source: SourceFile) -> Kept | None:
    """Return what a condition lets the first call alone assign."""
    name = _asked_for(branch.test)
    if not name or branch.orelse or name in _of_class(owner):
        return None
    mentions = [each for each in nodes_of(owner, ast.Attribute) if each.attr == name]
    for statement in branch.body:
        if not (isinstance(statement, ast.Assign) and attribute_of_self(target := statement.targets[0]) == name):
            continue
        value = statement.value
        if not isinstance(value, ast.Name) or value.id not in _options(method):
            continue
        begun = _set_to_none(owner)
        if any(not isinstance(each.ctx, ast.Load) and each is not target and each not in begun for each in mentions):
            continue
        asked = set(nodes_of(branch.test, ast.Attribute))
        read = [
            each.lineno
            for each in mentions
            if isinstance(each.ctx, ast.Load) and attribute_of_self(each) and each not in asked
        ]
        added = source.any_added(branch.lineno, statement.lineno)
        if read and added and not _compares(method, name, value.id):
            return Kept(owner.name, method.name, name, value.id, read[0], span_at(source, statement))
    return None


def _of_class(owner: ast.ClassDef) -> set[str]:
    """Return the names that the body of a class assigns or declares, so that its objects have them from the start."""
    return {each.id for statement in owner.body for each in targets_of(statement) if isinstance(each, ast.Name)}


def _set_to_none(owner: ast.ClassDef) -> set[ast.expr]:
    """Return the targets to which ``__init__`` gives None."""
    start = [each for each in owner.body if is_function(each) and each.name == "__init__"]
    return {
        target
        for method in start
        for target, value in assigned_values(method)
        if value is not None and is_literal(value, None)
    }


def _asked_for(test: ast.expr) -> str:
    """Return the attribute of ``self`` that a condition finds unset or None; empty for any other condition."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, name])):
            return (text_of(name) or "") if is_name(owner, "self") else ""
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]) if is_literal(right, None):
            return attribute_of_self(left)
    return ""


def _options(method: Function) -> set[str]:
    """Return the parameters that take a number, a text or a truth value, and that the method does not assign."""
    given = [(each.arg, value) for each, value in defaults_of(method) if isinstance(value, ast.Constant)]
    plain = {name for name, value in given if value.value is not None}
    plain |= {each.arg for each in named_parameters(method) if each.annotation and _is_option(each.annotation)}
    plain -= {each.id for each in nodes_of(method, ast.Name) if not isinstance(each.ctx, ast.Load)}
    return {each for each in plain if _ENVIRONMENT.isdisjoint(words_in(each))}


def _is_option(annotation: ast.expr) -> bool:
    parts = nodes_of(annotation, ast.Name)
    return bool(parts) and all(part.id in _OPTIONS | {"Optional", "Union"} for part in parts)


def _compares(method: Function, name: str, parameter: str) -> bool:
    """Return whether a method compares what was kept with the argument: other values may then be an error."""
    return any(
        any(attribute_of_self(each) == name for each in nodes_of(compare, ast.Attribute))
        and any(each.id == parameter for each in nodes_of(compare, ast.Name))
        for compare in nodes_of(method, ast.Compare)
    )


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield those whose attribute no other class and no other code sets or deletes."""
    for path, each in each_fact(facts):
        if not _is_set_again(codebase, each) and not is_set_elsewhere(codebase.head, each.name):
            values = {
                "name": each.name,
                "parameter": each.parameter,
                "method": each.method,
                "reader": str(each.reader),
            }
            yield hit_over(each.span, values=values, path=path, statement=f"{each.owner}.{each.name}")


def _is_set_again(codebase: Codebase, kept: Kept) -> bool:
    """Return whether a class above or below sets the attribute, code elsewhere deletes it, or not all is known."""
    found = uses_of(codebase.head, kept.name)
    if any(each.use.access == "delete" and not each.use.owner for each in found.places):
        return True
    others = {each.use.owner for each in found.places if each.use.access != "read"} - {"", kept.owner}
    below = {each.definition.name for each in subclasses(codebase.head, kept.owner)}
    above = (each.definition.name for other in others for each in subclasses(codebase.head, other))
    return not found.complete or not below.isdisjoint(others) or kept.owner in above


CHECK = change_check(gather, relate, CheckTraits(literals=("hasattr", "is None")))
