"""A tensor made on the default device that is combined with an argument, where the function knows the device."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from review_bot.analysis.python.statements import attributes_of_self
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, keyword, owners_of
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.values import Names, Value
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SETS_DEFAULT = LazyRegex(r"set_default_device|with torch\.device|set_default_tensor_type|\bcollat|DeviceContext")

_TOGETHER = frozenset({"torch.cat", "torch.concat", "torch.hstack", "torch.stack", "torch.vstack"})
_OPERATIONS = frozenset({"torch.bmm", "torch.matmul", "torch.maximum", "torch.minimum", "torch.mm", "torch.where"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such operation for each tensor that a function makes. Raises CannotParse."""
    if _SETS_DEFAULT.search(source.text or ""):
        return
    imported = imported_names(source.tree)
    owners = owners_of(source.tree)
    for function in source.touched_functions:
        if function.name == "__init__":
            continue
        owner = owners.get(function)
        if not _knows_devices(function) and (owner is None or not _knows_devices(owner)):
            continue
        ordinary = frozenset[str]() if owner is None else _on_default(owner, imported)
        if ordinary and not any(_knows_devices(each, ordinary) for each in (function, owner) if each is not None):
            continue
        reported: set[int] = set()
        for statement, names in flow(function, imported):
            for node in expressions(statement):
                for made, given, name in _combined(node, names, imported, ordinary):
                    line = made.line or name.lineno
                    if line not in reported:
                        reported.add(line)
                        values = {"operand": ast.unparse(name), "line": str(line), "argument": given.device[1:]}
                        related = (Related(source.path, line, "it is made here, without a device"),)
                        yield hit_at(source, node, values=values, related=related)


def _on_default(owner: ast.ClassDef, imported: Mapping[str, str]) -> frozenset[str]:
    """Return the tensors that a class makes on the default device and that nothing moves, such as ``self.edges``.

    What its methods combine with them is on the default device as well. The buffers and parameters of a module, which
    move with it, are none of them.
    """
    stored = Counter(each.attr for each in attributes_of_self(owner) if not isinstance(each.ctx, ast.Load))
    maker = next((each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    found: set[str] = set()
    for statement, names in flow(maker, imported) if maker is not None else ():
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, held = dotted(statement.targets[0]) or "", value_of(statement.value, names, imported)
        is_ordinary = held.device == "default" or held.device.removeprefix("@") in found
        if held.kind == "tensor" and is_ordinary and target.startswith("self.") and stored[target[5:]] == 1:
            found.add(target)
    return frozenset(found)


def _knows_devices(place: ast.stmt, ordinary: Collection[str] = ()) -> bool:
    """Return whether a function, or a class, makes or moves another tensor where an argument is.

    ``ordinary``: tensors that are on the default device, where an argument would be none.
    """
    for call in nodes_of(place, ast.Call):
        device = keyword(call, "device")
        if device is None and isinstance(call.func, ast.Attribute) and call.func.attr == "to" and call.args:
            device = call.args[0]
        written = "" if device is None else ast.unparse(device)
        if "device" in written and written.removesuffix(".device") not in ordinary:
            return True
    return False


def _combined(
    node: ast.AST, names: Names, imported: Mapping[str, str], ordinary: Collection[str]
) -> Iterator[tuple[Value, Value, ast.expr]]:
    """Yield (what is on the default device, what is on that of a parameter, the expression of the first)."""
    parts = [(value_of(each, names, imported), each) for each in _operands(node, imported)]
    placed = (held for held, _ in parts if held.kind == "tensor" and held.device.startswith("@"))
    given = next((held for held in placed if held.device[1:] not in ordinary), None)
    for made, name in parts if given is not None else ():
        if given is not None and made.kind == "tensor" and made.device == "default" and made.rank != 0:
            yield made, given, name


def _operands(node: ast.AST, imported: Mapping[str, str]) -> list[ast.expr]:
    """Return the operands of an operation whose tensors must be on one device."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if not isinstance(node, ast.Call) or not node.args:
        return []
    name = full_name(node.func, imported)
    if name in _TOGETHER and isinstance(node.args[0], (ast.List, ast.Tuple)):
        return node.args[0].elts
    return node.args[:3] if name in _OPERATIONS else []


CHECK = file_check(examine, CheckTraits(literals=("torch device",)))
