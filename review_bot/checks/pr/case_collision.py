"""A new file whose name differs from another one's only in capitals, or in how its accents are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


def gather(source: SourceFile) -> str:
    """Return how a file system that ignores capitals reads the name."""
    return folded(source.path)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each new name that another file has already; of two new ones, for the later one."""
    paths: Iterable[str] = codebase.head.paths
    if not codebase.available:
        paths = [file.path for file in codebase.change.files if file.status != "deleted"]
    twins: dict[str, list[str]] = {name: [] for name in facts.values()}
    for path in paths:
        name = folded(path)
        if name in twins:
            twins[name].append(path)
    for path, name in sorted(facts.items()):
        others = [each for each in twins[name] if each != path and (each not in facts or each < path)]
        twin = min(others, default=None)
        if twin is not None:
            yield Hit(None, values={"twin": twin}, path=path, statement="")


def folded(path: str) -> str:
    """Return a path without capitals, its accents composed."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", path).casefold())


CHECK = change_check(
    gather,
    relate,
    CheckTraits(literals=None, reads_text=False, new_names=True, works_without_tree=True, on_lines=False),
)
