"""The names that a function of the tree may set on an object that it gets, also through those that it hands it on to.

::

    def prepare(layer, size):           prepare(self, 3):  {"size", "mask"}
        layer.size = size
        layer.register_buffer("mask", None)
    def restore(layer, state):          restore(self, {}):  not all are shown
        layer.__dict__.update(state)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import is_name, text_of
from review_bot.changes.codebase import Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.text.lazy_regex import LazyRegex

OPEN_SIGNS = ("setattr", "__getattr", "__dict__", "vars(", "locals()", "__slots__", "super().__new__", "__class__ =")
"""Text of code that may give an object names that are not written there."""
REGISTERS = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})
STRING = LazyRegex(r"""["'](\w+)["']""")
_LOOKS = frozenset(
    {"bool", "callable", "getattr", "hasattr", "hash", "id", "isinstance", "len", "print", "repr", "type"}
)
"""Built-in functions that set nothing on what they get."""
_RUNS_ONLY = frozenset({"inference_mode", "no_grad"})
"""Decorators that pass the arguments of a function on as they are."""
_FARTHEST = 4
"""Functions that hand an object on to one another and are followed."""


def names_set_on(
    side: Snapshot, path: str, call: ast.Call, name: str, way: tuple[Symbol, ...] = ()
) -> frozenset[str] | None:
    """Return the names that a call may set on the object of a name that it passes, with strings in what it runs.

    None: not all are shown, as where the function is not of the tree. ``way``: the functions that led to this call.
    """
    targets = call_targets(side)
    file = targets.file(path)
    symbol = targets.named_by(file, call.func, ()) if file is not None else None
    home = targets.file(symbol.path) if symbol is not None else None
    if symbol is None or home is None or symbol in way or len(way) == _FARTHEST:
        return None
    found = [each for each in home.tree.body if is_function(each) and each.name == symbol.name]
    parameters = _parameters(found[0], call, name) if len(found) == 1 else None
    text = definition_text(side, symbol.path, found[0]) if parameters else ""
    if not parameters or any(sign in text for sign in OPEN_SIGNS):
        return None
    names = frozenset(STRING.findall(text))
    for parameter in sorted(parameters):
        here = _set_on_parameter(side, found[0], parameter, symbol, way)
        if here is None:
            return None
        names |= here
    return names


def _parameters(function: Function, call: ast.Call, name: str) -> set[str] | None:
    """Return the parameters that get an object by position; None if others may get it as well."""
    if any(last_name(each) not in _RUNS_ONLY for each in function.decorator_list):
        return None
    if any(isinstance(each, ast.Starred) for each in call.args) or any(
        is_name(each.value, name) for each in call.keywords
    ):
        return None
    places = [*function.args.posonlyargs, *function.args.args]
    if len(call.args) > len(places):
        return None
    return {each.arg for each, value in zip(places, call.args, strict=False) if is_name(value, name)}


def _set_on_parameter(
    side: Snapshot, function: Function, parameter: str, symbol: Symbol, way: tuple[Symbol, ...]
) -> frozenset[str] | None:
    """Return the names that a function sets on the object of a parameter; None if it may set others."""
    attributes = [each for each in nodes_of(function, ast.Attribute) if is_name(each.value, parameter)]
    names = frozenset(each.attr for each in attributes if not isinstance(each.ctx, ast.Load))
    followed = {id(each.value) for each in attributes if not each.attr.startswith("__")}
    for call in _that_pass(function, parameter):
        followed |= {id(each) for each in call.args}
        looks = isinstance(call.func, ast.Name) and call.func.id in _LOOKS
        here = frozenset[str]() if looks else names_set_on(side, symbol.path, call, parameter, (*way, symbol))
        if here is None:
            return None
        names |= here
    by_code = (each for each in nodes_of(function, ast.Call) if last_name(each.func) in REGISTERS)
    if any(text_of(each.args[0] if each.args else None) is None for each in by_code):
        return None
    uses = (each for each in nodes_of(function, ast.Name) if each.id == parameter)
    return names if all(id(each) in followed for each in uses) else None


def _that_pass(function: Function, parameter: str) -> Iterator[ast.Call]:
    for call in nodes_of(function, ast.Call):
        if isinstance(call.func, ast.Name) and any(is_name(each, parameter) for each in call.args):
            yield call


def definition_text(side: Snapshot, path: str, node: Function | ast.ClassDef) -> str:
    """Return the lines of a function or class in a file of the tree, without its decorators."""
    lines = (side.text(path) or "").split("\n")
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])
