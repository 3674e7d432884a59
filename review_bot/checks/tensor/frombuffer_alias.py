"""A tensor that shares the memory of a read-only buffer: ``torch.from_numpy`` over ``np.frombuffer`` without a copy."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, replacing, source_text
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_VIEWS = {"reshape", "view", "transpose", "squeeze", "swapaxes", "ravel"}
"""Methods of an array whose result shares its memory."""

_COPIES = {"clone", "cuda", "to"}
"""Methods of a tensor that leave the buffer behind, ``to`` in nearly every case."""

_WRITABLE = {"bytearray", "memoryview", "RawArray", "Array"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each tensor made from the memory of ``np.frombuffer``. Raises CannotParse."""
    names = imported_names(source.tree)
    for function in source.functions:
        aliases: dict[str, str] = {}
        writable: set[str] = set()
        nodes = _in_order(own_nodes(function.body))
        copied = {
            node.func.value
            for node in nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _COPIES
        }
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                target, value = node.targets[0].id, node.value
                if isinstance(value, ast.Call) and (full_name(value.func, names) or "") in _WRITABLE:
                    writable.add(target)
                buffer = _read_only(value, aliases, writable, names)
                aliases.pop(target, None)
                if buffer is not None:
                    aliases[target] = buffer
            elif node in copied:
                continue
            elif isinstance(node, ast.Call) and full_name(node.func, names) == "torch.from_numpy" and node.args:
                buffer = _read_only(node.args[0], aliases, writable, names)
                if buffer is not None:
                    yield hit_at(source, node, values={"buffer": buffer}, suggestion=_with_copy(source, node.args[0]))


def _with_copy(source: SourceFile, array: ast.expr) -> Suggestion | None:
    text = source_text(source, array)
    return None if "\n" in text or not text else replacing(source, array, f"{text}.copy()")


def _in_order(nodes: Iterable[ast.AST]) -> list[ast.Assign | ast.Call]:
    """Sort by place, a call before the assignment that it is the value of."""
    found = [node for node in nodes if isinstance(node, (ast.Assign, ast.Call))]
    return sorted(found, key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0, isinstance(n, ast.Assign)))


def _read_only(node: ast.expr, aliases: dict[str, str], writable: set[str], names: dict[str, str]) -> str | None:
    """Return what the memory of an array expression belongs to if it came from ``np.frombuffer``, else None."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if full_name(node.func, names) == "numpy.frombuffer":
            if not node.args or _is_writable(node.args[0], writable):
                return None
            return ast.unparse(node.args[0])
        if node.func.attr in _VIEWS or (node.func.attr == "astype" and _keeps_memory(node)):
            node = node.func.value
        else:
            return None
    return aliases.get(node.id) if isinstance(node, ast.Name) else None


def _is_writable(buffer: ast.expr, writable: set[str]) -> bool:
    if isinstance(buffer, ast.Call):
        return isinstance(buffer.func, ast.Name) and buffer.func.id in _WRITABLE
    if isinstance(buffer, ast.Attribute) and buffer.attr in {"buf", "_mmap", "mmap"}:
        return True
    return isinstance(buffer, ast.Name) and buffer.id in writable


def _keeps_memory(call: ast.Call) -> bool:
    return any(
        each.arg == "copy" and isinstance(each.value, ast.Constant) and each.value.value is False
        for each in call.keywords
    )


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("from_numpy", "frombuffer")))
