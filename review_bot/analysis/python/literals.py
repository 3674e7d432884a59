"""The values that Python code writes out: ``"text"``, ``None``, ``True``, ``False``."""

from __future__ import annotations

import ast
from typing import Literal


def text_of(node: ast.AST | None) -> str | None:
    """Return the text of a string literal, or None for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_literal(node: ast.AST | None, value: Literal[True, False] | None) -> bool:
    """Return whether a node is the literal ``None``, ``True`` or ``False``."""
    return isinstance(node, ast.Constant) and node.value is value
