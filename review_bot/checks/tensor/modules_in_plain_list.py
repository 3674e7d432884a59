"""Layers that a module of torch keeps in a plain list or dictionary, where the module does not find them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import attributes_of_self, last_name
from review_bot.analysis.python.syntax import argument_values, classes, full_name, hit_at, imported_names
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_REGISTERING = frozenset({
    "ModuleDict", "ModuleList", "ParameterList", "Sequential", "add_module", "register_module", "register_parameter",
    "setattr",
})  # fmt: skip
_WITHOUT_STATE = re.compile(
    r"^(?!PReLU).*(?:LU|Loss|Pool\dd|Softmax|Sigmoid|Tanh|Softplus|Hardswish|Mish|Identity|latten|Upsample|PixelShuffle)$"
)
"""Layers without weights that are the same in training and at inference."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment. Raises CannotParse."""
    names = imported_names(source.tree)
    for owner in classes(source.tree):
        if not any(full_name(base, names) == "torch.nn.Module" for base in owner.bases):
            continue
        attributes = list(attributes_of_self(owner))
        stored = Counter(each.attr for each in attributes if isinstance(each.ctx, ast.Store))
        own = {id(each): each.attr for each in attributes}
        handed = {own[id(part)] for call in nodes_of(owner, ast.Call) for part in _registered(call) if id(part) in own}
        registers = any(map(_registers_by_loop, nodes_of(owner, ast.Call)))
        for node in nodes_of(owner, ast.Assign):
            target = node.targets[0]
            if registers or id(target) not in own or stored[own[id(target)]] != 1 or own[id(target)] in handed:
                continue
            kind = _kind(node.value, names)
            if kind:
                values = {
                    "kind": kind,
                    "instead": "`nn.ModuleDict`, with strings as keys" if kind == "dict" else "`nn.ModuleList`",
                }
                yield hit_at(source, node, values=values)


def _registered(call: ast.Call) -> Iterator[ast.AST]:
    """Yield what a call that registers modules is given."""
    if last_name(call.func) in _REGISTERING:
        for argument in argument_values(call):
            yield from walk(argument)


def _registers_by_loop(call: ast.Call) -> bool:
    """Return whether a call registers a module under a name that is no constant, as a loop over a list does."""
    registers = last_name(call.func) in {"add_module", "register_module", "setattr"}
    return registers and not any(isinstance(each, ast.Constant) for each in call.args)


def _kind(value: ast.expr, names: Mapping[str, str]) -> str:
    """Return ``list`` or ``dict`` if a display or comprehension makes layers of torch, else nothing."""
    if isinstance(value, ast.List):
        return "list" if value.elts and all(_is_layer(each, names) for each in value.elts) else ""
    if isinstance(value, ast.ListComp):
        return "list" if _is_layer(value.elt, names) else ""
    if isinstance(value, ast.DictComp):
        return "dict" if _is_layer(value.value, names) else ""
    if isinstance(value, ast.Dict):
        return "dict" if value.values and all(_is_layer(each, names) for each in value.values) else ""
    return ""


def _is_layer(value: ast.expr, names: Mapping[str, str]) -> bool:
    if not isinstance(value, ast.Call):
        return False
    folder, _, name = (full_name(value.func, names) or "").rpartition(".")
    return folder in {"torch.nn", "torch.nn.modules"} and name[:1].isupper() and not _WITHOUT_STATE.search(name)


CHECK = file_check(examine, CheckTraits(literals=("Module",)))
