"""The number of a process among all of them, used as the number of a device on its node."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, hit_at, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_GLOBAL = frozenset({"global_rank", "process_index", "world_rank"})
_ASKING = frozenset({"get_rank", "get_global_rank", "get_world_rank"})
_KINDS = frozenset({"cuda:", "npu:", "xpu:", "musa:", "hpu:"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each device that is chosen by a global rank. Raises CannotParse."""
    for body in (source.tree.body, *(each.body for each in source.functions)):
        nodes = list(own_nodes(body))
        ranks = _ranks(nodes)
        for node in nodes:
            for number in _device_numbers(node):
                written = dotted(number)
                if _asks(number) or written in ranks or (written is not None and last_name(number) in _GLOBAL):
                    yield hit_at(source, node, values={"rank": ast.unparse(number)})


def _ranks(nodes: list[ast.AST]) -> set[str]:
    """Return the names whose only value is the rank among all processes."""
    values: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                values.setdefault(dotted(target) or "", []).append(node.value)
    return {name for name, given in values.items() if name and all(_asks(each) for each in given)}


def _asks(value: ast.expr) -> bool:
    """Return whether a value is ``get_rank()``, of the default group, or the variable ``RANK`` as a number."""
    if not isinstance(value, ast.Call):
        return False
    if last_name(value.func) in _ASKING:
        return not (value.args or value.keywords)
    key = value.args[0] if value.args else None
    if last_name(value.func) == "int" and key is not None:
        return ast.unparse(key) in {"os.environ['RANK']", "os.environ.get('RANK', 0)", "os.environ.get('RANK', '0')"}
    return False


def _device_numbers(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that a node takes as the number of a device."""
    if isinstance(node, ast.JoinedStr) and len(node.values) == 2:
        kind, number = node.values
        if isinstance(kind, ast.Constant) and kind.value in _KINDS and isinstance(number, ast.FormattedValue):
            yield number.value
    if not isinstance(node, ast.Call):
        return
    called = dotted(node.func) or ""
    if called.endswith("cuda.set_device") and node.args:
        yield node.args[0]
    if called in {"torch.device", "device"} and len(node.args) == 2:
        yield node.args[1]
    devices = keyword(node, "device_ids")
    if isinstance(devices, ast.List) and len(devices.elts) == 1:
        yield devices.elts[0]


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("rank", "process_index")))
