"""A new file that shadows a module of the standard library for scripts of its folder.

::

    scripts/run.py      import json; json.dumps(...)        at the base
    scripts/json.py     new                                 `python scripts/run.py` imports this one from now on

Source: https://docs.python.org/3/library/sys_path_init.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_imports import file_imports
from review_bot.analysis.project.module_tree import is_standard, module_tree, place_of
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_USUAL = frozenset({"__main__", "antigravity", "idlelib", "test", "this"})
"""Modules that programs do not import."""
_MOST_BESIDE = 200


def gather(source: SourceFile) -> str | None:
    """Return the name of the standard module that a new file has."""
    if source.change.status not in {"added", "renamed"} or not source.path.endswith(".py"):
        return None
    name = place_of(source.path).rpartition("/")[2]
    return name if is_standard(name) and name not in _USUAL else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each such file that a script of its folder imports as it did at the base."""
    tree = module_tree(codebase.head)
    for path, name in sorted(facts.items()):
        folder = place_of(path).rpartition("/")[0]
        if path in codebase.base.paths or tree.package_above(f"{folder}/_", 1) is not None:
            continue
        beside = sorted(
            each for each in codebase.head.paths & codebase.base.paths
            if each.endswith(".py") and each.rpartition("/")[0] == folder
        )[:_MOST_BESIDE]  # fmt: skip
        users = [user for each in beside if (user := _user(each, name, codebase)) is not None]
        if users:
            where, alone = places_in_words(users)
            values = {"name": name, "where": where, "verb": "imports" if alone else "import"}
            yield Hit(1, values=values, path=path, related=tuple(users[:MOST_RELATED]), statement=f"shadows {name}")


def _user(path: str, name: str, codebase: Codebase) -> Related | None:
    """Return the import of a module in a file, if the base has the same."""
    before, after = codebase.base.text(path) or "", codebase.head.text(path) or ""
    if name not in before or name not in after:
        return None
    known = {(each.module, tuple(one.name for one in each.names)) for each in file_imports(path, before)}
    for each in file_imports(path, after):
        same = (each.module, tuple(one.name for one in each.names)) in known
        if same and not each.level and each.module.partition(".")[0] == name:
            return Related(path, each.line, "imports it")
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=None))
