"""The defaults that a file declares: of fields, of parameters, of options, and of keys that are looked up."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from review_bot.analysis.facts.fact import facts_of_file
from review_bot.analysis.python.option_destination import used_default
from review_bot.analysis.python.stated_defaults import Known, literal
from review_bot.analysis.python.statements import (
    Function,
    all_parameters,
    defaults_of,
    definitions_of,
    functions_of,
    last_name,
)
from review_bot.analysis.python.syntax import dotted, keyword, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_OPTIONS = frozenset({"add_argument", "option"})
_FIELDS = frozenset({"field", "Option", "Argument", "Query", "Body"})


class Declared(NamedTuple):
    """A name and the line of its default (1-based). ``known`` is None where the default is no literal."""

    name: str
    line: int
    known: Known | None


class Declaring(NamedTuple):
    """A class, a function, the keys that a function looks up, or the options of a script; ``-`` in names is ``_``.

    ``name`` is that of the class or function; it is empty for a script.
    """

    name: str
    line: int
    declared: tuple[Declared, ...]


def field_defaults(owner: ast.ClassDef) -> dict[str, ast.expr]:
    """Return the defaults of the annotated fields of a class; those of ``field(default=...)`` and alike too."""
    found: dict[str, ast.expr] = {}
    for each in owner.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value is not None:
            value: ast.expr | None = each.value
            if isinstance(value, ast.Call) and _makes_field(last_name(value.func)):
                first = value.args[0] if value.args and last_name(value.func) == "Field" else None
                value = keyword(value, "default") or first
            if value is not None:
                found[each.target.id] = value
    return found


def _makes_field(name: str) -> bool:
    return name in _FIELDS or name.endswith("Field")


@facts_of_file
def declared_defaults(tree: ast.Module) -> Iterator[Declaring]:
    """Yield what declares the defaults of two names or more."""
    values = _Values(tree)
    for node in definitions_of(tree):
        found = _of_class(node, values) if isinstance(node, ast.ClassDef) else _of_function(node, values)
        if len(found) > 1:
            yield Declaring(node.name, node.lineno, tuple(found))
    for function in functions_of(tree):
        looked_up = _once(_looked_up(function, values))
        if len(looked_up) > 1:
            yield Declaring(function.name, function.lineno, looked_up)
    options = _once(_options(tree, values))
    if len(options) > 1:
        yield Declaring("", options[0].line, options)


@facts_of_file
def variable_defaults(tree: ast.Module) -> Iterator[Declared]:
    """Yield what ``os.getenv`` and ``os.environ.get`` are given for a missing variable."""
    values = _Values(tree)
    for call in nodes_of(tree, ast.Call):
        name = text_of(call.args[0]) if len(call.args) > 1 else None
        if name is not None and (dotted(call.func) or "").endswith(("environ.get", "getenv")):
            yield Declared(name, call.args[1].lineno, values.of(call.args[1]))


class _Values:
    """The literals that expressions are, those of constants of the file too, which are bound once."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @cached_property
    def _constants(self) -> dict[str, ast.expr]:
        stored = Counter(each.id for each in nodes_of(self._tree, ast.Name) if not isinstance(each.ctx, ast.Load))
        found: dict[str, ast.expr] = {}
        for each in self._tree.body:
            target = each.targets[0] if isinstance(each, ast.Assign) else getattr(each, "target", None)
            if (
                isinstance(each, (ast.Assign, ast.AnnAssign))
                and isinstance(target, ast.Name)
                and stored[target.id] == 1
            ):
                found |= {target.id: each.value} if each.value is not None else {}
        return found

    def of(self, node: ast.expr | None) -> Known | None:
        """Return the value of an expression; None if it is no literal, or if there is none."""
        return literal(self._constants.get(node.id) if isinstance(node, ast.Name) else node)


def _of_class(owner: ast.ClassDef, values: _Values) -> list[Declared]:
    defaults = field_defaults(owner)
    names = {
        each.target.id: each
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    return [_declared(name, defaults.get(name), each.lineno, values) for name, each in names.items()]


def _of_function(function: Function, values: _Values) -> list[Declared]:
    defaults = {each.arg: default for each, default in defaults_of(function)}
    return [_declared(each.arg, defaults.get(each.arg), each.lineno, values) for each in all_parameters(function)]


def _declared(name: str, default: ast.expr | None, line: int, values: _Values) -> Declared:
    return Declared(name, line if default is None else default.lineno, values.of(default))


def _looked_up(function: Function, values: _Values) -> Iterator[Declared]:
    """Yield the keys that a function itself gets from mappings, with what it takes where they are missing."""
    for call in nodes_of(function, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "get" and call.args:
            key = text_of(call.args[0])
            if key is not None:
                yield Declared(key, call.lineno, values.of(call.args[-1]) if call.args[1:] else Known(None))


def _options(tree: ast.Module, values: _Values) -> Iterator[Declared]:
    """Yield the options that a file declares."""
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) not in _OPTIONS:
            continue
        name = next((text for each in call.args if (text := text_of(each) or "").startswith("--")), "")
        if name:
            default = keyword(call, "default")
            is_off = text_of(keyword(call, "action")) == "store_true"
            known = Known(False if is_off else None) if default is None else values.of(used_default(call))
            line = call.lineno if default is None else default.lineno
            yield Declared(name[2:].replace("-", "_"), line, known)


def _once(found: Iterator[Declared]) -> tuple[Declared, ...]:
    """Return each name once; its default is unknown if it is declared with several."""
    kept: dict[str, Declared] = {}
    for each in found:
        same = kept.setdefault(each.name, each)
        if same.known != each.known:
            kept[each.name] = same._replace(known=None)
    return tuple(kept.values())
