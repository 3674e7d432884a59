"""A parameter that every call loses: the function assigns its name before anything reads what was passed.

Silent where something else decides the signature: a decorator, a base class, code that takes the function as a value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import READS_BY_TEXT
from review_bot.analysis.python.statements import Function, last_name, named_parameters, positional_parameters
from review_bot.analysis.python.syntax import dotted, hit_at, names_in, owners_of
from review_bot.analysis.python.unread_parameters import (
    PLAIN_BASES,
    SAID,
    is_copied,
    is_decorated,
    parameters,
    used_as_values,
)
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_OWN_SIGNATURE = frozenset({"__call__", "__init__"})
"""Methods whose parameters each class decides by itself."""
_SAID_HERE = LazyRegex(
    r"(?i)\b(?:overrid|overwrit|forc(?:e|ing)|always|only|fixed|hard.?cod|support|todo|fixme|hack|remove|for now)"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the assignment that replaces each such parameter. Raises CannotParse."""
    if is_copied(source.path):
        return
    values: frozenset[str] | None = None
    for function in source.touched_functions:
        if is_decorated(function):
            continue
        owner = owners_of(source.tree).get(function)
        if not _decides(function, owner):
            continue
        for name, statement in _overwritten(function):
            values = used_as_values(source.tree) if values is None else values
            if function.name in values or _is_said(source, function, name, statement):
                continue
            if _is_same_from_elsewhere(name, statement.value) or _is_layer(function, statement.value):
                continue
            called = owner.name if owner is not None and function.name == "__init__" else function.name
            related = (Related(source.path, _line(function, name), f"the parameter `{name}`"),)
            yield hit_at(source, statement, values={"name": name, "function": called}, related=related)


def _decides(function: Function, owner: ast.ClassDef | None) -> bool:
    """Return whether a function has parameters of its own choice."""
    if owner is None:
        first = positional_parameters(function)[:1]
        return not first or first[0].arg not in {"self", "cls"}  # otherwise it replaces a method
    return function.name in _OWN_SIGNATURE or all(dotted(base) in PLAIN_BASES for base in owner.bases)


def _overwritten(function: Function) -> Iterator[tuple[str, ast.Assign]]:
    """Yield each parameter that a statement of the function itself assigns before anything mentions it."""
    waiting = parameters(function)
    for statement in function.body:
        if not waiting:
            return
        mentioned = names_in(statement)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            read = names_in(statement.value)
            if isinstance(target, ast.Name) and target.id in waiting and target.id not in read:
                yield target.id, statement
        if not mentioned.isdisjoint(READS_BY_TEXT):
            return
        waiting -= mentioned


def _is_same_from_elsewhere(name: str, value: ast.expr) -> bool:
    """Return whether a value is held elsewhere under a similar name: ``group = self.device_group``."""
    holder = value
    while isinstance(holder, (ast.Attribute, ast.Subscript)):
        key = holder.slice if isinstance(holder, ast.Subscript) else None
        written = key.value if isinstance(key, ast.Constant) else last_name(holder)
        if isinstance(written, str) and not set(name.split("_")).isdisjoint(written.split("_")):
            return True
        holder = holder.value
    return False


def _is_layer(function: Function, value: ast.expr) -> bool:
    """Return whether a layer takes what its siblings need, and goes on from another parameter."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not value.args:
        value = value.func.value
    return function.name == "forward" and isinstance(value, ast.Name)


def _is_said(source: SourceFile, function: Function, name: str, statement: ast.stmt) -> bool:
    """Return whether the code says that what is passed does not count."""
    near = source.lines_of_authors[max(0, statement.lineno - 3) : statement.end_lineno]
    if any(_SAID_HERE.search(line.partition("#")[2]) or SAID.search(line) for line in near):
        return True
    first, last = function.lineno - 1, last_line(function.body[0])
    said = source.lines_of_authors[first:last]  # the signature and the docstring
    return any(name in line and SAID.search(" ".join(said[at : at + 2])) for at, line in enumerate(said))


def _line(function: Function, name: str) -> int:
    return next(each.lineno for each in named_parameters(function) if each.arg == name)


CHECK = file_check(examine, CheckTraits(literals=("def =",)))
