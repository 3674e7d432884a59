"""A split across ranks that drops the remainder: each rank takes ``n // ranks`` rows, and ``n % ranks`` remain."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, own_nodes, source_text
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_RANKS = LazyRegex(
    r"(?:get_)?(?:\w+_)?(?:world_size|(?:tp|sp|cp|ep|dp)_size|ulysses_degree|ulysses_size|parallel_size|num_ranks|nranks)_?"
)
_RANK = LazyRegex(r"(?:^|_)rank(?:_in_group|_id|_)?$|get_(?:(?!get_)\w)*rank$")
_PROCESSES = LazyRegex(r"world|rank|nodes?\b|gpus?\b|devices?\b|procs?\b")
_CHECKS = LazyRegex(
    r"%|\bdivide\(|divisib|divmod|cdiv|ceil|align|\bpad|\bmin\(|[=<!]=?\s*[\w.()]{0,60}(?:size|ranks|degree)\w{0,20}(?:\(\))?\s*-\s*1\b",
    re.IGNORECASE,
)
"""What asks for the remainder, or for the last rank, which may take it."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each share that a rank takes by its number, where nothing asks for the remainder. Raises CannotParse."""
    if not any(_is_share(node) for node in source.nodes(ast.BinOp)):
        return
    checked = _checked_names(source)
    for function in source.functions:
        shares: dict[str, ast.BinOp] = {}
        nodes = list(own_nodes(function.body))
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_share(node.value):
                shares[node.targets[0].id] = node.value
        if not shares or _CHECKS.search(source_text(source, function)):
            continue
        starts: dict[str, ast.BinOp] = {}
        for node in nodes:
            for name, start in _starts(node):
                starts.setdefault(name, start)
        for name, division in shares.items():
            cut = starts.get(name)
            if cut is not None and last_name(division.left) not in checked:
                yield hit_at(source, division, values={"division": ast.unparse(division), "start": ast.unparse(cut)})


def _is_share(node: ast.expr) -> TypeGuard[ast.BinOp]:
    """Return whether this is ``n // ranks``; ``(n + ranks - 1) // ranks`` rounds up, and processes are no rows."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.FloorDiv):
        return False
    if isinstance(node.left, ast.BinOp) or _PROCESSES.search(last_name(node.left)):
        return False
    return _RANKS.fullmatch(last_name(node.right)) is not None


def _starts(node: ast.AST) -> Iterator[tuple[str, ast.BinOp]]:
    """Yield the share of ``rank * share``, where a rank's part begins."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, ast.Name) and _RANK.search(last_name(other)):
                yield side.id, node


def _checked_names(source: SourceFile) -> set[str]:
    """Return the names whose remainder the file takes, or that it divides with a check."""
    text = source.text or ""
    names = set(re.findall(r"\b(\w+)\s*%", text))
    for call in re.finditer(r"divide\w{0,60}\(([^)]{0,1000})", text):
        names.update(re.findall(r"\w+", call[1]))
    return names


CHECK = file_check(examine, CheckTraits(literals=("//",)))
