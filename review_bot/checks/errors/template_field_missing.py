"""A template of another line or file that is formatted without one of its fields.

::

    PROMPT = "Answer in at most {max_length} words: {question}"

    PROMPT.format(question=question)        KeyError: 'max_length'

Linters see this only where the text and the call are one expression.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.module_tree import ModuleTree, module_tree, places_of
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.format_fields import field_names
from review_bot.analysis.python.statements import assignments_of, caught_lines, last_name, targets_of
from review_bot.analysis.python.syntax import (
    attribute_of_self,
    class_at,
    from_imports,
    joined_text,
    span_at,
    unpacks,
)
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit, Span, hit_over

_EXPECTED = frozenset({"KeyError", "IndexError", "LookupError", "ValueError"})
_SHOWN = 3
_KEEPING = frozenset({"dedent", "lstrip", "rstrip", "strip"})


class _Template(NamedTuple):
    """A text, with its file and line; or where it is imported from."""

    name: str
    text: str | None
    path: str
    line: int
    module: str = ""
    level: int = 0


class _Call(NamedTuple):
    """A call of ``format``: where it is, its template, what it passes, and whether the template is only a default."""

    span: Span
    template: _Template
    places: int
    names: tuple[str, ...]
    as_default: bool


def gather(source: SourceFile) -> tuple[_Call, ...] | None:
    """Return the added calls that format a template with a name. Raises CannotParse."""
    calls = [
        each
        for each in source.nodes(ast.Call)
        if isinstance(each.func, ast.Attribute) and each.func.attr == "format" and not unpacks(each)
        if not set(lines_of(each)).isdisjoint(source.added)
    ]
    if not calls:
        return None
    expected = caught_lines(source.nodes(ast.Try), _EXPECTED)
    templates = _templates(source)
    fields = _fields(source)
    found = []
    for call in calls:
        value = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        as_default = False
        if attribute_of_self(value):
            value = fields.get((class_at(call.lineno, source.tree), attribute_of_self(value)), value)
            as_default = isinstance(value, ast.BoolOp)
            value = value.values[-1] if isinstance(value, ast.BoolOp) else value
        template = templates.get(value.id) if isinstance(value, ast.Name) else None
        if template is not None and call.lineno not in expected:
            names = tuple(each.arg for each in call.keywords if each.arg)
            found.append(_Call(span_at(source, call), template, len(call.args), names, as_default))
    return tuple(found) or None


def _templates(source: SourceFile) -> dict[str, _Template]:
    """Return the names that a file binds once, to a text or by an import that may bring one."""
    counts = binding_counts(source.tree)
    found = {
        name: _Template(original, None, "", 0, module, level)
        for name, (original, module, level) in from_imports(source.tree).items()
    }
    found.update(_texts(source.tree, source.path))
    return {name: each for name, each in found.items() if counts[name] == 1}


def _texts(tree: ast.AST, path: str) -> Iterator[tuple[str, _Template]]:
    for each in assignments_of(tree):
        target = targets_of(each)[0]
        text = _text(each.value)
        if isinstance(target, ast.Name) and text is not None:
            yield target.id, _Template(target.id, text, path, each.lineno)


def _text(value: ast.expr | None) -> str | None:
    while isinstance(value, ast.Call) and last_name(value.func) in _KEEPING and not value.keywords:
        is_method = isinstance(value.func, ast.Attribute) and last_name(value.func) != "dedent"
        value = (
            value.func.value if is_method and isinstance(value.func, ast.Attribute) else next(iter(value.args), None)
        )
    return joined_text(value)


def _fields(source: SourceFile) -> dict[tuple[str, str], ast.expr]:
    """Return what each attribute of ``self`` that a class assigns once is given: a name, or one as a default."""
    found: dict[tuple[str, str], list[ast.expr]] = {}
    for each in source.nodes(ast.Assign):
        for target in each.targets:
            if attribute_of_self(target):
                key = class_at(each.lineno, source.tree), attribute_of_self(target)
                found.setdefault(key, []).append(each.value)
    return {
        key: values[0]
        for key, values in found.items()
        if len(values) == 1 and isinstance(values[0], ast.BoolOp) and isinstance(values[0].op, ast.Or)
    }


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call that lacks a field of its template."""
    tree = module_tree(codebase.head)
    for path, call in each_fact(facts):
        template = _found(call.template, path, codebase, tree)
        missing = None if template is None else _missing(template.text or "", call)
        if template is not None and missing:
            which = "The default template" if call.as_default else "The template"
            values = {"which": which, "template": template.name, "missing": missing}
            related = (Related(template.path, template.line, "the template"),)
            yield hit_over(call.span, path=path, values=values, related=related)


def _found(template: _Template, path: str, codebase: Codebase, tree: ModuleTree) -> _Template | None:
    if template.text is not None:
        return template
    files = {file for place in places_of(template.module, template.level, path, tree) for file in tree.at(place).files}
    if len(files) != 1:
        return None
    file = files.pop()
    module = codebase.head.tree(file)
    if module is None or binding_counts(module)[template.name] != 1:
        return None
    return dict(_texts(module, file)).get(template.name)


def _missing(text: str, call: _Call) -> str | None:
    """Return what a call does not pass to a template, in words; None if it passes all."""
    try:
        names = list(field_names(text))
    except ValueError:
        return None
    numbers = [int(each) for each in names if each.isdigit()] + list(range(names.count("")))
    if numbers and max(numbers) >= call.places:
        return f"{max(numbers) + 1} values, and this call passes {call.places}: it raises IndexError"
    lacking = [each for each in dict.fromkeys(names) if each and not each.isdigit() and each not in call.names]
    if not lacking:
        return None
    listed = ", ".join(f"`{each}`" for each in lacking[:_SHOWN]) + (" and more" if len(lacking) > _SHOWN else "")
    return f"{listed}, which this call does not pass: it raises KeyError"


CHECK = change_check(gather, relate, CheckTraits(literals=("format",)))
