"""Names of attributes that code puts together while it runs, and which names these may be.

::

    getattr(args, f"size_{split}")             ``size_`` and anything behind it
    getattr(args, "size_%s" % split)           the same
    getattr(args, "size_{}".format(split))     the same
    name = split + "_size"                     anything before ``_size``
    hasattr(args, name)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.analysis.python.syntax import dotted, text_of
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.text.lazy_regex import LazyRegex

Form: TypeAlias = "tuple[str | None, ...]"
"""The parts of a text in order: what is written out, and None for what is filled in."""

LOOK_UP = ("getattr", "hasattr", "attrgetter", "__getattribute__")
"""Functions that read an attribute whose name they are given."""

_FIELD = LazyRegex(r"%%|\{\{|\}\}|%(?:\(\w{1,60}\))?[-#0 +]{0,5}\d{0,5}(?:\.\d{1,5})?[a-zA-Z]|\{[^{}]{0,60}\}")
_ESCAPED = {"%%": "%", "{{": "{", "}}": "}"}


@kept_on_node
def composed_names(tree: ast.Module) -> frozenset[Form]:
    """Return the forms of the names that a file puts together to look attributes up, but not those of modules."""
    asked = list(_asked_for(tree))
    variables = {each.id for each in asked if isinstance(each, ast.Name)}
    found = [*asked, *(_values_of(variables, tree) if variables else ())]
    forms = (_form(each) for each in found)
    return frozenset(form for form in forms if None in form and any(form))


def may_give(form: Form, name: str) -> bool:
    """Return whether a text of some form may be a name: ``("size_", None)`` may be ``size_valid``."""
    first, last, place = form[0] or "", form[-1] or "", 0
    if len(form) == 1:
        return form[0] in {None, name}
    if not name.startswith(first) or not name[len(first) :].endswith(last):
        return False
    inner, rest = form[1:-1], name[len(first) : len(name) - len(last)]
    for part in filter(None, inner):
        place = rest.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return None in form or place == len(rest)


def reads_by_composed_name(tree: ast.Module, name: str) -> bool:
    """Return whether a file may read an attribute under a name that it puts together."""
    return any(may_give(form, name) for form in composed_names(tree))


def _asked_for(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what names the attributes that calls look up."""
    modules = {alias.asname or alias.name for each in nodes_of(tree, ast.Import) for alias in each.names}
    for call in nodes_of(tree, ast.Call):
        name = last_name(call.func)
        if name not in LOOK_UP or not call.args:
            continue
        if name == "attrgetter":
            yield from call.args
        elif name == "__getattribute__":
            yield call.args[-1]
        elif len(call.args) > 1 and dotted(call.args[0]) not in modules:
            yield call.args[1]


def _values_of(variables: set[str], tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what a file gives some variables, in loops too."""
    for target, value in assigned_values(tree):
        if value is not None and isinstance(target, ast.Name) and target.id in variables:
            yield value
    loops: list[ast.For | ast.comprehension] = [*nodes_of(tree, ast.For), *nodes_of(tree, ast.comprehension)]
    for loop in loops:
        if isinstance(loop.target, ast.Name) and loop.target.id in variables:
            match loop.iter:
                case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                    yield from parts
                case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.SetComp(elt=part):
                    yield part


def _form(node: ast.expr) -> Form:
    """Return the form of a text; that of any other expression is one part that is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.JoinedStr(values=values):
            return tuple(text_of(each) for each in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return (*_form(left), *_form(right))
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return _filled(text)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return _filled(text)
    return (None,)


def _filled(template: str) -> Form:
    parts: list[str | None] = []
    at = 0
    for field in _FIELD.finditer(template):
        parts += [template[at : field.start()], _ESCAPED.get(field.group())]
        at = field.end()
    return (*parts, template[at:])
