"""Triton kernels in a file: functions under ``@triton.jit``, and what their names are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, targets_of
from review_bot.analysis.python.syntax import full_name, imported_names
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile

LANGUAGE = "triton.language."
"""What ``tl.`` stands for, after ``import triton.language as tl``."""


def kernels(source: SourceFile) -> Iterator[tuple[Function, dict[str, str]]]:
    """Yield each function that Triton compiles, with the imported names of the file. Raises CannotParse."""
    imported: dict[str, str] = {}
    for function in source.functions:
        if not function.decorator_list:
            continue
        imported = imported or imported_names(source.tree)
        for decorator in function.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if full_name(called, imported) == "triton.jit":
                yield function, imported
                break


def language_call(node: ast.AST, imported: Mapping[str, str]) -> str:
    """Return ``load`` for a call of ``tl.load``, and so on; nothing for any other node."""
    name = full_name(node.func, imported) if isinstance(node, ast.Call) else None
    return name.removeprefix(LANGUAGE) if name and name.startswith(LANGUAGE) else ""


def is_constexpr(parameter: ast.arg) -> bool:
    """Return whether a parameter is a compile-time constant, by its annotation."""
    return parameter.annotation is not None and "constexpr" in ast.unparse(parameter.annotation)


def assignments(function: Function) -> dict[str, list[ast.expr]]:
    """Return each value that a kernel gives to a name of its own, in the order of the text."""
    found: dict[str, list[ast.expr]] = {}
    for node in walk(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            for target in targets_of(node):
                for each in walk(target):
                    if isinstance(each, ast.Name):
                        found.setdefault(each.id, []).append(node.value)
    return found
