"""Layers and parameters that a module of torch is given before ``nn.Module.__init__`` has run, which then fails."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import is_function
from review_bot.analysis.python.syntax import classes, dotted, full_name, hit_at, imported_names, is_name
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such assignment of each class. Raises CannotParse."""
    names = imported_names(source.tree)
    for owner in classes(source.tree):
        if [full_name(base, names) for base in owner.bases] != ["torch.nn.Module"]:
            continue
        for method in owner.body:
            if is_function(method) and method.name == "__init__":
                yield from _too_early(source, method.body, names)


def _too_early(source: SourceFile, body: list[ast.stmt], names: Mapping[str, str]) -> Iterator[Hit]:
    for statement in body:
        if any(isinstance(node, ast.Call) and _initialises(node) for node in ast.walk(statement)):
            return
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            target = dotted(statement.targets[0]) or ""
            folder, _, name = (full_name(statement.value.func, names) or "").rpartition(".")
            if target.startswith("self.") and target.count(".") == 1 and folder == "torch.nn" and name[:1].isupper():
                yield hit_at(source, statement, values={"name": target})
                return


def _initialises(call: ast.Call) -> bool:
    """Return whether a call may run the initialiser: ``super().__init__()`` and the like, or a method of its own."""
    return isinstance(call.func, ast.Attribute) and (call.func.attr == "__init__" or is_name(call.func.value, "self"))


CHECK = file_check(examine, CheckTraits(literals=("Module",)))
