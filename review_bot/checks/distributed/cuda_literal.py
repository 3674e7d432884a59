"""Code that names CUDA where a device is available, or in a project that also runs on other devices."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.python.devices import Literal, cuda_literals
from review_bot.analysis.python.statements import Function, defaults_of, last_name, named_parameters
from review_bot.analysis.python.syntax import attribute_of_self, hit_at, imported_names
from review_bot.analysis.tensors.flow import is_tensor_annotation
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_DEVICES = frozenset({"device", "_device", "target_device", "torch_device", "execution_device"})

_PLATFORM = LazyRegex(r"[/_](npu|xpu|hpu|musa|mlu)(?:[/_]|\.py$)")
"""Devices whose tensors are not ``cuda``, in the name of a module; ROCm's are. Not the makers' names: a back end of one
may replace ``cuda`` itself."""
_SEVERAL = 3
"""Modules for another device; one or two may hold a part that was ported, not the project."""


class _Place(NamedTuple):
    hit: Hit
    written: str
    at_hand: str


def gather(source: SourceFile) -> tuple[_Place, ...] | None:
    """Return the added places that fix a CUDA device, each with the device available there, if any.

    Raises CannotParse.
    """
    literals = cuda_literals(source)
    fallbacks = _fallbacks(source) if literals else set()
    imported = imported_names(source.tree) if literals else {}
    return (
        tuple(
            _Place(hit_at(source, literal.node, values={}), literal.written, _at_hand(literal, imported))
            for literal in literals
            if literal.number is None and literal.node.lineno in source.added and id(literal.node) not in fallbacks
        )
        or None
    )


def _fallbacks(source: SourceFile) -> set[int]:
    """Return the ids of what is used only where there is no device: ``self.device or torch.device("cuda")``."""
    choices = [(each.orelse, each.body) for each in source.nodes(ast.IfExp)]
    choices += [(each.body, each.orelse) for each in source.nodes(ast.IfExp)]
    choices += [(each.values[-1], each.values[0]) for each in source.nodes(ast.BoolOp) if isinstance(each.op, ast.Or)]
    return {id(node) for chosen, other in choices if last_name(other) in _DEVICES for node in walk(chosen)}


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for a file: its first such place, with the further ones listed."""
    for path in sorted(facts):
        elsewhere = _elsewhere(codebase, path.partition("/")[0])
        places = [place for place in facts[path] if place.at_hand or elsewhere]
        if not places:
            continue
        first, *others = sorted(places, key=lambda place: not place.at_hand)
        reason = f"`{first.at_hand}` is available here" if first.at_hand else elsewhere
        more = f" (and {len(others)} more in this file)" if others else ""
        yield first.hit._replace(
            path=path,
            values={"written": first.written, "reason": reason, "more": more},
            related=tuple(Related(path, place.hit.line, f"`{place.written}`") for place in others),
        )


def _at_hand(literal: Literal, imported: Mapping[str, str]) -> str:
    """Return the name of a device that the place could use: a parameter, a local name, an attribute of its object."""
    found = _named_device(literal)
    if not found and isinstance(literal.node, ast.Call) and literal.functions:
        found = _tensor_device(literal.node, literal.functions[-1], imported)
    return found


def _tensor_device(call: ast.Call, function: Function, imported: Mapping[str, str]) -> str:
    """Return ``x.device`` of a parameter that is a tensor or is asked for it, for a call that makes another one."""
    moved = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    asked = _asked(function)
    for each in named_parameters(function):
        is_tensor = each.annotation is not None and is_tensor_annotation(each.annotation, imported)
        if (is_tensor or each.arg in asked) and each.arg != moved and each.arg not in _moved(function):
            return f"{each.arg}.device"
    return ""


@kept_on_node
def _asked(function: Function) -> frozenset[str]:
    """Return the names of what a function asks for its device."""
    return frozenset(last_name(each.value) for each in nodes_of(function, ast.Attribute) if each.attr == "device")


@kept_on_node
def _moved(function: Function) -> frozenset[str]:
    """Return what a function moves or binds, so that where it was says nothing about where it is needed."""
    moves = {"cpu", "cuda", "to", "numpy", "tolist", "pin_memory"}
    called = (each.func for each in nodes_of(function, ast.Call))
    return frozenset(
        [last_name(each.value) for each in called if isinstance(each, ast.Attribute) and each.attr in moves]
        + [each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Store)]
    )


def _named_device(literal: Literal) -> str:
    for function in reversed(literal.functions):
        for line, name in _devices(function):
            if line < literal.node.lineno:
                return name
    return "" if literal.owner is None or not literal.functions else _own_device(literal.owner)


@kept_on_node
def _devices(function: Function) -> list[tuple[int, str]]:
    """Return the devices that a function has: its parameters, from line 0 on, and local names, from their lines on."""
    defaults = dict(defaults_of(function))
    found = [
        (0, each.arg)
        for each in named_parameters(function)
        if each.arg in _DEVICES and not _names(defaults.get(each), "cpu")
    ]
    for node in function.body:
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            if isinstance(target, ast.Name) and target.id in _DEVICES and not _names(node.value, "cuda"):
                found.append((node.lineno, target.id))
    return found


@kept_on_node
def _own_device(owner: ast.ClassDef) -> str:
    """Return the attribute by which an object of a class has its device, or nothing."""
    for part in () if _is_set_to_cuda(owner) else walk(owner):
        if (name := attribute_of_self(part)) in _DEVICES and isinstance(part.ctx, ast.Load):
            return f"self.{name}"
    return ""


def _is_set_to_cuda(owner: ast.ClassDef) -> bool:
    """Return whether a class sets its own device to a literal, so that taking it from there changes nothing."""
    stored = (each for each in nodes_of(owner, ast.Assign) if _names(each.value, "cuda"))
    return any(
        isinstance(target, ast.Attribute) and target.attr in _DEVICES for each in stored for target in each.targets
    )


def _names(node: ast.expr | None, kind: str) -> bool:
    """Return whether an expression holds the name of a kind of device.

    A parameter that is ``cpu`` by default says where one step runs, as in a feature extractor, and not where
    its result goes.
    """
    if node is None:
        return False
    return any(isinstance(part, ast.Constant) and str(part.value).startswith(kind) for part in walk(node))


def _elsewhere(codebase: Codebase, package: str) -> str:
    """Return where else a top-level package runs, by the shortest path that shows it; nothing if few paths do."""
    inside = [path for path in codebase.head.paths if path.startswith(f"{package}/")]
    shown = [path for path in inside if _PLATFORM.search(path) and is_library(path)]
    if len(shown) < _SEVERAL:
        return ""
    path = min(shown, key=lambda each: (len(each), each))
    match = _PLATFORM.search(path)
    return f"this project also supports {match[1].upper() if match else ''} (`{path}`)"


CHECK = change_check(gather, relate, CheckTraits(literals=("cuda",), works_without_tree=True))
