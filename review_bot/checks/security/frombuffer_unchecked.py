"""Bytes that a message carries, decoded with the dtype and shape that the same message names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, names_in, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_Assigned = Mapping[str, list[ast.expr]]
"""What each local name of a function is set to, anywhere in it."""

_DECODERS = {"numpy.frombuffer", "torch.frombuffer"}
_OWN = {"self", "cls"}
_SHARED_MEMORY = {"buf", "buffer", "_mmap"}
_SIZES = {"nbytes", "itemsize", "numel", "prod", "size", "calcsize", "getsizeof", "len"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each decoding of a sender's bytes that checks neither length nor dtype. Raises CannotParse."""
    names = imported_names(source.tree)
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        calls = [n for n in nodes if isinstance(n, ast.Call) and full_name(n.func, names) in _DECODERS]
        if not calls:
            continue
        assigned = _assignments(nodes)
        for call in calls:
            buffer = _attribute(call.args[0] if call.args else keyword(call, "buffer"), assigned)
            sender = _root(buffer)
            if buffer is None or sender is None or sender in _OWN or sender in names:
                continue
            if _named_by(sender, call, nodes, assigned) and not _checks(sender, nodes, assigned):
                values = {"buffer": ast.unparse(buffer), "sender": sender, "function": function.name}
                yield hit_at(source, call, values=values)


def _named_by(sender: str, call: ast.Call, nodes: list[ast.AST], assigned: _Assigned) -> bool:
    """Return whether the dtype of a decoding, or the shape that its result gets, comes from the sender too."""
    dtype = call.args[1] if len(call.args) > 1 else keyword(call, "dtype")
    if dtype is not None and _mentions(dtype, sender, assigned):
        return True
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"reshape", "view"}
        and any(_mentions(each, sender, assigned) for each in node.args)
        for node in nodes
    )


def _mentions(expression: ast.AST, sender: str, assigned: _Assigned) -> bool:
    for node in ast.walk(expression):
        if isinstance(node, ast.Name):
            if node.id == sender:
                return True
            for value in assigned.get(node.id, ()):
                if sender in names_in(value):
                    return True
    return False


def _checks(sender: str, nodes: list[ast.AST], assigned: _Assigned) -> bool:
    """Return whether a function compares a size of the sender's, tests its dtype, or has someone validate it."""
    for node in nodes:
        if isinstance(node, ast.Compare):
            inside = {last_name(each) for each in ast.walk(node)}
            tests_dtype = isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq)) and "dtype" in " ".join(
                inside
            )
            if (inside & _SIZES or tests_dtype) and _mentions(node, sender, assigned):
                return True
        elif isinstance(node, ast.Call):
            called = last_name(node).lower().lstrip("_")
            if ("valid" in called or called.startswith(("check", "verify"))) and _mentions(node, sender, assigned):
                return True
        elif isinstance(node, ast.Subscript) and "dtype" in ast.unparse(node.slice) and _is_table(node.value):
            return True  # a table of allowed dtypes
    return False


def _is_table(node: ast.expr) -> bool:
    return last_name(node).lstrip("_").isupper() or "map" in last_name(node).lower()


def _assignments(nodes: list[ast.AST]) -> _Assigned:
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def _attribute(node: ast.expr | None, assigned: _Assigned) -> ast.Attribute | None:
    """Return the attribute that an argument is, or that its name was set to, unless it is shared memory."""
    values = assigned.get(node.id, []) if isinstance(node, ast.Name) else [node]
    for value in values:
        if isinstance(value, ast.Attribute) and value.attr not in _SHARED_MEMORY:
            return value
    return None


def _root(node: ast.expr | None) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


CHECK = file_check(examine, CheckTraits(literals=("frombuffer",)))
