"""``find_packages()`` without ``include`` or ``exclude`` next to a package of tests, which the wheel then contains.

Source: https://setuptools.pypa.io/en/latest/userguide/package_discovery.html#finding-simple-packages
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import all_of

_FOLDERS = ("tests", "test", "benchmarks", "examples", "scripts")
"""Folders whose names many projects use: as packages they overwrite each other's."""
_FINDERS = frozenset({"find_packages", "find_namespace_packages"})


def gather(source: SourceFile) -> tuple[int, ...] | None:
    """Return the added lines of a ``setup.py`` that look for every package next to it. Raises CannotParse."""
    if source.path.rpartition("/")[2] != "setup.py" or not source.added:
        return None
    calls = (each for each in source.nodes(ast.Call) if last_name(each.func) in _FINDERS and not each.keywords)
    found = (each.lineno for each in calls if all(text_of(value) == "." for value in each.args))
    return tuple(line for line in found if line in source.added) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such line whose folder holds packages that are no part of the project's."""
    for path, lines in sorted(facts.items()):
        root = path.removesuffix("setup.py")
        found = [each for each in _FOLDERS if f"{root}{each}/__init__.py" in codebase.head.paths]
        others = [each for each in codebase.head.paths if each.startswith(root) and each.endswith("/__init__.py")]
        names = {each.removeprefix(root).partition("/")[0] for each in others}
        if found and not names <= {*_FOLDERS}:
            values = {"names": all_of([f"`{each}`" for each in found]), "them": "it" if len(found) == 1 else "them",
                      "is": "is a package" if len(found) == 1 else "are packages",
                      "exclude": ", ".join(f'"{each}*"' for each in found)}  # fmt: skip
            related = tuple(Related(f"{root}{each}/__init__.py", 1, "makes it a package") for each in found)
            for line in lines:
                yield Hit(line, path=path, values=values, related=related)


CHECK = change_check(gather, relate, CheckTraits(literals=tuple(sorted(_FINDERS))))
