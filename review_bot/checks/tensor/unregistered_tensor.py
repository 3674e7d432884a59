"""A tensor that a module keeps as a plain attribute, so that it stays behind when the module moves."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, is_function, last_name, own_parameters
from review_bot.analysis.python.syntax import argument_values, classes, full_name, hit_at, imported_names, keyword
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import flow
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_MOVING = frozenset({"_apply", "cpu", "cuda", "to"})
"""Methods by which a class moves its plain attributes itself."""

_ADAPTING = frozenset({"cuda", "dtype", "device", "npu", "to", "type", "type_as"})
"""What code asks of an attribute that it moves, or moves something to."""

_STAYING = frozenset(
    {"clone", "expand", "flatten", "repeat", "reshape", "squeeze", "t", "transpose", "unsqueeze", "view"}
)
"""Methods whose result is where their tensor is."""

_LOADER = "weights"
"""The parameter by which a constructor gets its weights on the device where they stay, in text-generation-inference."""

_DATA = frozenset({"torch.as_tensor", "torch.tensor"})
"""What may make a tensor of one number, which goes with any device."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such attribute that another method computes with. Raises CannotParse."""
    imported = imported_names(source.tree)
    modules: set[str] = set()
    for owner in classes(source.tree):
        if not _is_module(owner, imported, modules):
            continue
        modules.add(owner.name)
        methods = [each for each in owner.body if is_function(each)]
        start = next((each for each in methods if each.name == "__init__"), None)
        if start is None or _LOADER in own_parameters(start) or any(each.name in _MOVING for each in methods):
            continue
        if _is_on_accelerator(start):
            continue
        kept = _kept(start, imported)
        if not kept:
            continue
        adapted, written = _adapted(owner, imported)
        for name, node in kept.items():
            if name in adapted or written.count(name) != 1:
                continue
            use = _use(name, [each for each in methods if each is not start], imported)
            if use is not None:
                related = (Related(source.path, use.lineno, "it is used here as it is"),)
                yield hit_at(source, node, values={"name": name}, related=related)


def _is_on_accelerator(start: Function) -> bool:
    """Return whether a constructor names the accelerator that its module is for: it is made there, and stays."""
    devices = (keyword(call, "device") for call in nodes_of(start, ast.Call))
    return any(isinstance(each, ast.Constant) and each.value not in {None, "cpu", "meta"} for each in devices)


def _is_module(owner: ast.ClassDef, imported: Mapping[str, str], modules: set[str]) -> bool:
    """Return whether a class is a module of torch: by its base, by one of the file above it, or by its base's name."""
    return any(
        full_name(base, imported) in {"torch.nn.Module", "torch.nn.modules.Module"}
        or last_name(base) in modules
        or (last_name(base).endswith("Module") and "Lightning" not in last_name(base))
        for base in owner.bases
    )


def _kept(start: Function, imported: Mapping[str, str]) -> dict[str, ast.Assign]:
    """Return the attributes that a constructor sets to a tensor of several elements on no device of its own."""
    found: dict[str, ast.Assign] = {}
    for statement, names in flow(start, imported):
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if isinstance(target, ast.Attribute) and last_name(target.value) == "self":
            held = value_of(statement.value, names, imported)
            is_plain = held.device in {"", "default", "cpu"} and not _names_device(statement)
            is_plain = is_plain and held.made_by != "torch.nn.Parameter"
            if (
                held.kind == "tensor"
                and is_plain
                and (held.rank or (held.rank is None and not _of_data(statement, imported)))
            ):
                found[target.attr] = statement
    return found


def _of_data(statement: ast.Assign, imported: Mapping[str, str]) -> bool:
    return any(full_name(call.func, imported) in _DATA for call in nodes_of(statement, ast.Call))


def _names_device(statement: ast.Assign) -> bool:
    return any(keyword(call, "device") is not None for call in nodes_of(statement, ast.Call))


def _adapted(owner: ast.ClassDef, imported: Mapping[str, str]) -> tuple[set[str], list[str]]:
    """Return the attributes of ``self`` that the class moves, or asks where they are, and those that it assigns."""
    adapted: set[str] = set()
    written: list[str] = []
    for node in nodes_of(owner, ast.Attribute):
        if last_name(node.value) == "self" and not isinstance(node.ctx, ast.Load):
            written.append(node.attr)
        if node.attr in _ADAPTING and isinstance(node.value, (ast.Attribute, ast.Subscript)):
            adapted.add(last_name(node.value))
    for call in nodes_of(owner, ast.Call):
        for argument in argument_values(call):
            is_own = isinstance(argument, ast.Attribute) and last_name(argument.value) == "self"
            if isinstance(argument, ast.Attribute) and is_own and not _is_operation(call, imported):
                adapted.add(argument.attr)  # another function may move it
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                adapted.add(argument.value)  # setattr, register_buffer
    return adapted, written


def _use(name: str, methods: list[Function], imported: Mapping[str, str]) -> ast.expr | None:
    """Return the first operation of a method on the attribute and something else."""
    for method in methods:
        for node in nodes_of(method, ast.BinOp):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if _is_attribute(side, name) and not isinstance(other, ast.Constant):
                    return node
        for call in nodes_of(method, ast.Call):
            is_given = any(_is_attribute(each, name) for each in call.args)
            if is_given and len(call.args) > 1 and _is_operation(call, imported):
                return call
    return None


def _is_operation(call: ast.Call, imported: Mapping[str, str]) -> bool:
    """Return whether a call computes with tensors where they are."""
    name = full_name(call.func, imported) or ""
    return name.startswith(("torch.nn.functional.", "torch.")) and name.count(".") in {1, 3} and name not in _DATA


def _is_attribute(node: ast.expr, name: str) -> bool:
    """Return whether an expression is ``self.NAME``, or a part or a view of it."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STAYING:
            node = node.func.value
        else:
            break
    return isinstance(node, ast.Attribute) and node.attr == name and last_name(node.value) == "self"


CHECK = file_check(examine, CheckTraits(literals=("Module self",)))
