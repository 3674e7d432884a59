"""The number of a process among all of them, used as the number of a device on its node."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, keyword, own_nodes, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_GLOBAL = frozenset({"global_rank", "process_index", "world_rank"})
_ASKING = frozenset({"get_rank", "get_global_rank", "get_world_rank"})
_READING = frozenset({"os.environ", "os.environ.get", "os.getenv"})
_MEETING = "MASTER_ADDR"
_LOCAL = LazyRegex(r"^(?:tcp://)?(?:127\.0\.0\.1|localhost)(?::|$)")
_KINDS = frozenset({"cuda:", "npu:", "xpu:", "musa:", "hpu:"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each device that is chosen by a global rank. Raises CannotParse."""
    names = imported_names(source.tree)
    if any(_starts_by_node(each) for each in source.nodes(ast.Call)) or _meets_on_one_node(source):
        return  # what the group calls its rank is the one on the node
    for body in (source.tree.body, *(each.body for each in source.functions)):
        nodes = list(own_nodes(body))
        ranks = _ranks(nodes, names)
        for node in nodes:
            for number in _device_numbers(node, names):
                written = dotted(number)
                if _asks(number, names) or written in ranks or (written is not None and last_name(number) in _GLOBAL):
                    yield hit_at(source, node, values={"rank": ast.unparse(number)})


def _starts_by_node(call: ast.Call) -> bool:
    """Return whether a call makes the default group with the ranks of one node."""
    rank = keyword(call, "rank") if last_name(call.func) == "init_process_group" else None
    return rank is not None and "local" in ast.unparse(rank).lower()


def _meets_on_one_node(source: SourceFile) -> bool:
    """Return whether the file lets processes meet at an address of the machine itself, so that there is one node."""
    sets = [(target, each.value) for each in source.nodes(ast.Assign) for target in each.targets]
    given = [value for target, value in sets if isinstance(target, ast.Subscript) and text_of(target.slice) == _MEETING]
    given += [value for each in source.nodes(ast.Call) if (value := keyword(each, "init_method")) is not None]
    return any(_LOCAL.search(text) for value in given if (text := text_of(value)) is not None)


def _ranks(nodes: list[ast.AST], names: Mapping[str, str]) -> set[str]:
    """Return the names whose only value is the rank among all processes."""
    values: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                values.setdefault(dotted(target) or "", []).append(node.value)
    return {name for name, given in values.items() if name and all(_asks(each, names) for each in given)}


def _asks(value: ast.expr, names: Mapping[str, str]) -> bool:
    """Return whether a value is ``get_rank()``, of the default group, or the variable ``RANK`` as a number."""
    if not isinstance(value, ast.Call):
        return False
    called = full_name(value.func, names) or last_name(value.func)
    if called.rpartition(".")[2] in _ASKING:
        return not (value.args or value.keywords)
    key = value.args[0] if value.args else None
    return called == "int" and key is not None and _is_rank_variable(key, names)


def _is_rank_variable(key: ast.expr, names: Mapping[str, str]) -> bool:
    """Return whether an expression is the environment variable ``RANK``."""
    if isinstance(key, ast.Subscript):
        read, name = full_name(key.value, names), key.slice
    elif isinstance(key, ast.Call) and key.args:
        read, name = full_name(key.func, names), key.args[0]
    else:
        return False
    return read in _READING and isinstance(name, ast.Constant) and name.value == "RANK"


def _device_numbers(node: ast.AST, names: Mapping[str, str]) -> Iterator[ast.expr]:
    """Yield the expressions that a node takes as the number of a device."""
    if isinstance(node, ast.JoinedStr) and len(node.values) == 2:
        kind, number = node.values
        if isinstance(kind, ast.Constant) and kind.value in _KINDS and isinstance(number, ast.FormattedValue):
            yield number.value
    if not isinstance(node, ast.Call):
        return
    called = full_name(node.func, names) or ""
    if called.endswith("cuda.set_device") and node.args:
        yield node.args[0]
    if called == "torch.device" and len(node.args) == 2:
        yield node.args[1]
    devices = keyword(node, "device_ids")
    if isinstance(devices, ast.List) and len(devices.elts) == 1:
        yield devices.elts[0]


CHECK = file_check(examine, CheckTraits(literals=("rank", "process_index")))
