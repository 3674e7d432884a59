"""A name in ``__all__`` that its module does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the names that added lines list in the module's ``__all__``, each with its line. Raises CannotParse."""
    found: list[tuple[str, int]] = []
    for statement in source.tree.body:
        target = None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
            target = statement.target
        if not isinstance(target, ast.Name) or target.id != "__all__":
            continue
        value = getattr(statement, "value", None)
        listed = value.elts if isinstance(value, (ast.List, ast.Tuple)) else []
        found += [
            (each.value, each.lineno)
            for each in listed
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.lineno in source.added
        ]
    return tuple(found) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each of them that the module surely lacks."""
    definitions = ModuleDefinitions(codebase)
    for path in sorted(facts):
        place = path.removesuffix(".py").removesuffix("/__init__")
        for name, line in facts[path]:
            if definitions.lack([place], name) == "surely":
                yield Hit(line, values={"name": name}, path=path)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("__all__",)))
