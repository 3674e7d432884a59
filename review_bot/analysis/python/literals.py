"""The values that Python code writes out: ``"text"``, ``"a" + f"b"``, ``None``, ``True``, ``False``."""

from __future__ import annotations

import ast
from typing import Literal


def text_of(node: ast.AST | None) -> str | None:
    """Return the text of a string literal, or None for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def joined_text(node: ast.AST | None) -> str | None:
    """Return the text of string literals that ``+`` joins, or of an f-string without a field; None for others."""
    parts: list[str | None] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts.append(_written(node.right))
        node = node.left
    parts.append(_written(node))
    known = [part for part in parts if part is not None]
    return "".join(reversed(known)) if len(known) == len(parts) else None


def _written(node: ast.AST | None) -> str | None:
    if isinstance(node, ast.JoinedStr):
        parts = [text_of(each) for each in node.values]
        return None if None in parts else "".join(filter(None, parts))
    return text_of(node)


def unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """Return an annotation, parsed where it is written as a string; None if that is no expression."""
    text = text_of(annotation)
    try:
        return annotation if text is None else ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def is_literal(node: ast.AST | None, value: Literal[True, False] | None) -> bool:
    """Return whether a node is the literal ``None``, ``True`` or ``False``."""
    return isinstance(node, ast.Constant) and node.value is value
