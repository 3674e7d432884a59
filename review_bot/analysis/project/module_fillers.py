"""Calls that fill a module, or put another one in its place, when it is imported: they get its own name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.module_tree import is_standard, place_of
from review_bot.analysis.python.module_body import run_on_import
from review_bot.analysis.python.syntax import dotted, full_name, imported_names, names_in, text_of
from review_bot.changes.node_index import nodes_of


def calls_with_own_name(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the calls that run on import, get ``__name__``, and whose result is dropped."""
    for statement in run_on_import(tree):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and "__name__" in {name for each in call.args for name in names_in(each)}:
            yield call


def replaces_module(function: ast.AST) -> bool:
    """Return whether a function writes an entry of ``sys.modules``."""
    held = (each.value for each in nodes_of(function, ast.Subscript) if isinstance(each.ctx, ast.Store))
    return any(_is_modules(each) for each in held)


def fills_module(function: ast.AST) -> bool:
    """Return whether a function finds a module by its name and sets attributes by names that it computes.

    ::

        module = sys.modules[name]
        for each in registered():
            setattr(module, each, get(each))
    """
    calls = [dotted(call.func) or "" for call in nodes_of(function, ast.Call)]
    held = (each.value for each in nodes_of(function, ast.Subscript) if isinstance(each.ctx, ast.Load))
    finds = any(map(_is_modules, held)) or any(name.rpartition(".")[2] == "import_module" for name in calls)
    return finds and ("setattr" in calls or any(each.attr == "__dict__" for each in nodes_of(function, ast.Attribute)))


def _is_modules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and dotted(node) == "sys.modules"


def fillers(tree: ast.Module, path: str) -> Iterator[str]:
    """Yield the functions that may define the names of a module, which they get by its own name.

    ::

        ffi.init_api("core", __name__)      what to define, as a string, and the module; of a library
        _init_api("pkg.core")               both in one, in pkg/core.py; an imported function

    The result of the call is dropped.
    """
    imported = imported_names(tree)
    for statement in run_on_import(tree):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not call.args or (text := text_of(call.args[0])) is None:
            continue
        first = (dotted(call.func) or "").partition(".")[0]
        if first not in imported or is_standard(imported[first].partition(".")[0]):
            continue
        named = any(isinstance(each, ast.Name) and each.id == "__name__" for each in call.args[1:])
        if named or ("." in text and f"/{place_of(path)}".endswith(f"/{text.replace('.', '/')}")):
            yield full_name(call.func, imported) or ""
