"""The lines of a syntax node. Those that the parser made always have an end, which their types do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import ast

    Placed: TypeAlias = ast.stmt | ast.expr | ast.excepthandler | ast.arg | ast.keyword | ast.alias | ast.pattern
    """The nodes that have a place."""


def last_line(node: Placed) -> int:
    """Return the last line of a node, 1-based."""
    return node.end_lineno or node.lineno


def span_of(node: Placed) -> tuple[int, int]:
    """Return the first and the last line of a node, 1-based."""
    return node.lineno, last_line(node)


def lines_of(node: Placed) -> range:
    """Return all lines of a node, 1-based."""
    return range(node.lineno, last_line(node) + 1)


def start_of(node: Placed) -> tuple[int, int]:
    """Return where a node begins: its line, 1-based, and the bytes before it there."""
    return node.lineno, node.col_offset


def end_of(node: Placed) -> tuple[int, int]:
    """Return where a node ends: its last line, 1-based, and the bytes up to its end there."""
    return last_line(node), node.end_col_offset or 0
