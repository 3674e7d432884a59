"""Keys of dictionaries of which a change removes the last write, or the last read, in a file.

::

    spans = kwargs.get("token_spans")          removed: a lost read of ``token_spans``
    extra["token_spans"] = spans               removed: a lost write
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from review_bot.analysis.facts.uses import uses_named, uses_on
from review_bot.analysis.facts.word_search import words_held
from review_bot.changes.codebase import Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_KEY = LazyRegex(r"[a-z]\w*_\w+")
"""A name of two words at least: a shorter one means many things."""
_CONFIGURATION = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".jinja", ".j2", ".js", ".ts", ".html", ".sh")
_MOST_KEYS = 300
_MOST_CONFIGURATIONS = 1000


def lost_keys(source: SourceFile, access: Literal["read", "write"]) -> tuple[tuple[str, int], ...] | None:
    """Return the keys that removed lines read or wrote and the file does so no more, with their lines at the base.

    None if there are none. Raises CannotParse.
    """
    if not source.removed or not is_library(source.path) or (old := source.known_old_tree) is None:
        return None
    lost: dict[str, int] = {}
    for use in uses_on(old, source.removed):
        if use.kind == "key" and use.access == access and _KEY.fullmatch(use.name):
            lost.setdefault(use.name, use.line)
    if lost and source.text:
        for use in uses_named(source.tree, list(lost)):
            if use.access == access:
                lost.pop(use.name, None)
    return tuple(sorted(lost.items())) or None


def first_places(facts: Mapping[str, Any]) -> dict[str, tuple[str, int]]:
    """Return where each key of ``lost_keys`` was lost first, by path; empty if a change loses too many to look at."""
    lost: dict[str, tuple[str, int]] = {}
    for path, found in sorted(facts.items()):
        for name, line in found:
            lost.setdefault(name, (path, line))
    return lost if len(lost) <= _MOST_KEYS else {}


def files_by_key(side: Snapshot, keys: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the Python files of one side that hold each key as a word."""
    files: dict[str, list[str]] = {}
    for path, held in words_held(side, keys).items() if keys else ():
        for name in held:
            files.setdefault(name, []).append(path)
    return files


def is_configured(name: str, side: Snapshot) -> bool:
    """Return whether a file of settings, a template or a client names a key, or there are too many to look at."""
    paths = [path for path in side.paths if path.endswith(_CONFIGURATION)]
    return len(paths) > _MOST_CONFIGURATIONS or any(name in (side.text(path) or "") for path in paths)
