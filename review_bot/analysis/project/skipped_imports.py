"""Calls of ``importorskip`` of pytest, which end a test, or a file of tests, where a module is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.added_imports import AddedImport
from review_bot.analysis.project.import_guards import Guards
from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.project.uncalled_functions import functions_around, unreached
from review_bot.analysis.python.completion import SWALLOWING
from review_bot.analysis.python.statements import functions_of, last_name, mentions_of
from review_bot.analysis.python.syntax import bound_name, dotted, text_of
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple


class Skip(NamedTuple):
    """A call of ``importorskip`` and the lines that it spares. ``function``: the one that must be called for it."""

    module: str
    line: int
    last: int
    function: str

    def spares(self, statement: AddedImport | None) -> bool:
        """Return whether an import runs after the call, or later than the file's own statements (None)."""
        if self.last:
            return statement is not None and self.line < statement.line <= self.last
        return statement is None or not statement.always or self.line < statement.line


def skips_of(tree: ast.Module) -> Iterator[Skip]:
    """Yield the calls of ``importorskip`` in a file that may end a test."""
    named = [each for each in nodes_of(tree, ast.Call) if last_name(each.func) == "importorskip"]
    names, caught = (only_imported(tree), set(_where_skips_are_caught(tree))) if named else ({}, set[int]())
    calls = [each for each in named if id(each) not in caught and _is_of_pytest(each.func, names)]
    if not calls:
        return
    within, dead = functions_around(tree), unreached(tree)
    tests = {
        id(call): last_line(function)
        for function in functions_of(tree)
        if function.name.startswith("test")
        for call in nodes_of(function, ast.Call)
    }
    for call in calls:
        module = text_of(call.args[0]) if call.args else None
        if module is not None and id(call) not in dead:
            yield Skip(module, call.lineno, tests.get(id(call), 0), within.get(id(call), ""))


def _is_of_pytest(function: ast.expr, names: Mapping[str, str]) -> bool:
    """Return whether a function is ``importorskip`` of pytest or of a module that may hand it on."""
    root, _, rest = (dotted(function) or "").partition(".")
    full = f"{names.get(root, '')}.{rest}".rstrip(".")
    return full.endswith(".importorskip") and not is_standard(full.partition(".")[0])


def _where_skips_are_caught(tree: ast.Module) -> Iterator[int]:
    """Yield the calls in blocks behind which code goes on although a test is to be skipped."""
    for statement in nodes_of(tree, ast.Try):
        if any(each.type is None or _is_of_skips(each.type) for each in statement.handlers):
            yield from (id(call) for inner in statement.body for call in nodes_of(inner, ast.Call))
    for block in nodes_of(tree, ast.With):
        contexts = [each.context_expr for each in block.items]
        if any(last_name(each) in SWALLOWING and _is_of_skips(each) for each in contexts if isinstance(each, ast.Call)):
            yield from (id(call) for inner in block.body for call in nodes_of(inner, ast.Call))


def _is_of_skips(errors: ast.expr) -> bool:
    """Return whether an expression names an error that ends a skipped test, or one above it."""
    return any(
        last_name(each) in {"BaseException", "Skipped"} or (dotted(each) or "").endswith("skip.Exception")
        for each in mentions_of(errors)
    )


@kept_on_node
def only_imported(tree: ast.Module) -> dict[str, str]:
    """Return what each name stands for that imports alone bind; a relative import begins with a dot."""
    guards = Guards(tree)
    plain = (
        (bound_name(each), each.name if each.asname else bound_name(each))
        for node in nodes_of(tree, ast.Import)
        for each in node.names
    )
    held = (
        (bound_name(each), f"{'.' * node.level}{node.module or ''}.{each.name}")
        for node in nodes_of(tree, ast.ImportFrom)
        for each in node.names
    )
    return {name: full for name, full in (*plain, *held) if guards.is_only_imported(name)}
