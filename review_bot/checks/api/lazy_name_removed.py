"""A name that the change takes out of a package's table of lazy imports, and that code still imports from the package.

Such packages put a ``_LazyModule`` in their place, or define ``__getattr__`` (see ``lazy_name_missing``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.added_imports import file_imports
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.analysis.python.syntax import bound_name, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.checks.api.lazy_name_missing import LazyPackage, occurs
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


class Lost(NamedTuple):
    """A name that the table lost, its removed line, and the line that still imports it for type checkers, or 0."""

    name: str
    line: int
    typed: int


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return the names that texts of a lazy package held on removed lines and hold no more. Raises CannotParse."""
    if not source.path.endswith("/__init__.py") or not source.removed or (old := source.known_old_tree) is None:
        return None
    package = LazyPackage(source.tree, source.lines)
    if not package.is_lazy:
        return None
    typed = {bound_name(alias): alias.lineno for each in package.imports for alias in each.names}
    texts = sorted({text for each in nodes_of(old, ast.Constant) if (text := text_of(each)) and text.isidentifier()})
    found: list[Lost] = []
    for name in texts:
        line = next((line for line, text in sorted(source.removed.items()) if occurs(name, text)), None)
        if line is not None and not package.lists(name):
            found.append(Lost(name, line, typed.get(name, 0)))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first removed entry of each package whose names something imports: its related places."""
    side = codebase.head
    tree = module_tree(side)
    names = {each.name for found in facts.values() for each in found}
    users: dict[tuple[str, str], list[Related]] = {}
    for path, held in words_held(side, names).items():
        for statement in file_imports(path, side.text(path) or ""):
            for each in statement.names:
                if each.name in held:
                    for place in places_of(statement.module, statement.level, path, tree):
                        users.setdefault((place, each.name), []).append(Related(path, each.line, "imports it"))
    for path, found in sorted(facts.items()):
        place = place_of(path)
        places: list[Related] = []
        gone: list[Lost] = []
        for each in found:
            here = users.get((place, each.name), [])
            here += [Related(path, each.typed, "imports it for type checkers")] if each.typed else []
            if here and tree.at(f"{place}/{each.name}").kind == "missing":
                places += here
                gone.append(each)
        if gone:
            where, alone = places_in_words(sorted(places))
            lost = [each.name for each in gone]
            values = {
                "names": names_in_words(lost), "where": where, "imports": "imports" if alone else "import",
                "them": "it" if len(lost) == 1 else "them",
            }  # fmt: skip
            yield Hit(
                min(each.line for each in gone), side="LEFT", path=path, values=values,
                related=tuple(sorted(places)[:MOST_RELATED]), statement=f"entries {' '.join(sorted(lost))}",
            )  # fmt: skip


CHECK = change_check(
    gather, relate, CheckTraits(literals=("LazyModule", "__getattr__"), reads_old=True, on_lines=False)
)
