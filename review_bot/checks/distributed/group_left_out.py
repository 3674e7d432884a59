"""A collective over all ranks in a function that has a process group and passes it to its other collectives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name, own_parameters
from review_bot.analysis.python.syntax import (
    argument_values,
    full_name,
    hit_at,
    imported_names,
    is_name,
    keyword,
    own_nodes,
    unpacks,
)
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_GROUP = re.compile(r"(?:^|_)(?:group|pg)$")
_POSITIONS = {
    "all_gather": 2, "all_gather_into_tensor": 2, "all_reduce": 2, "all_to_all": 2, "all_to_all_single": 4,
    "barrier": 0, "broadcast": 2, "reduce": 3, "reduce_scatter": 3, "reduce_scatter_tensor": 3,
}  # fmt: skip
"""Collectives of ``torch.distributed``, and where they take the group (its documentation)."""
_COLLECTIVE = re.compile(r"reduce|gather|broadcast|scatter|all_to_all|barrier")
_OF_ALL = frozenset({"torch.distributed.get_rank", "dist.get_rank"})
_MODULES = frozenset({"torch.distributed", "dist"})
"""``dist`` where no import of the file says what it is; a project's own module may have a default of its own."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each collective that leaves the group of its function out. Raises CannotParse."""
    names = imported_names(source.tree)
    for function in source.functions:
        groups = [each for each in own_parameters(function) if _GROUP.search(each)]
        if len(groups) != 1:
            continue
        nodes = list(own_nodes(function.body))
        if any(isinstance(node, (ast.Compare, ast.UnaryOp)) and _asks(node, groups[0]) for node in nodes):
            continue  # without one, it means all ranks
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        given = [each for each in calls if any(is_name(value, groups[0]) for value in argument_values(each))]
        if not any(_COLLECTIVE.search(last_name(each.func)) for each in given):
            continue
        for_all = any(full_name(each.func, names) in _OF_ALL and not argument_values(each) for each in calls)
        for call in calls:
            module, _, name = (full_name(call.func, names) or "").rpartition(".")
            position = _POSITIONS.get(name) if module in _MODULES else None
            if name == "barrier" and for_all:
                continue  # all ranks wait for what one of all does
            if position is None or unpacks(call) or keyword(call, "group") is not None or len(call.args) > position:
                continue
            yield hit_at(source, call, values={"name": name, "group": groups[0]})


def _asks(node: ast.Compare | ast.UnaryOp, name: str) -> bool:
    return is_name(node.left if isinstance(node, ast.Compare) else node.operand, name)


CHECK = file_check(examine, CheckTraits(literals=("group",)))
