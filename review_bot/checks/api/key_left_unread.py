"""Keys that code still writes into a dictionary although the change removes the last place that reads them.

::

    spans = kwargs.get("token_spans")          removed from the model
    extra["token_spans"] = spans               still in a runner, maybe in a file that the change does not touch

Any other mention of the key counts as a reader: as an argument, a parameter, an attribute, a field, or in a
configuration file. Silent where a test still reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.lost_keys import files_by_key, first_places, is_configured, lost_keys
from review_bot.analysis.facts.uses import uses_named
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_SHORTEST = 10
_MOST_FILES = 12


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the keys that removed lines read and the file does not read any more, with their lines."""
    return tuple(each for each in lost_keys(source, "read") or () if len(each[0]) >= _SHORTEST) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed read of each key that is still written; the writes are its related places."""
    lost = first_places(facts)
    files = files_by_key(codebase.head, lost)
    for name, (path, line) in sorted(lost.items()):
        writers = _writers(name, files.get(name, []), codebase.head)
        if not writers or is_configured(name, codebase.head):
            continue
        where, alone = places_in_words(writers)
        values = {"name": name, "writers": where, "verb": "writes" if alone else "write"}
        related = tuple(writers[:MOST_RELATED])
        yield Hit(line, side="LEFT", path=path, values=values, related=related, statement=f"key {name}")


def _writers(name: str, paths: list[str], side: Snapshot) -> list[Related]:
    """Return the places that write a key by subscript, if every mention of its name in the tree is a write of it."""
    found: set[Related] = set()
    for path in paths if len(paths) <= _MOST_FILES else ():
        tree = side.tree(path)
        if tree is None or _is_read(name, tree):
            return []
        stores = (each for each in nodes_of(tree, ast.Subscript) if isinstance(each.ctx, ast.Store))
        for each in stores:
            if isinstance(each.slice, ast.Constant) and each.slice.value == name and not is_test(path):
                found.add(Related(path, line_in_file(path, each.lineno, side), "writes it"))
    return sorted(found)


def _is_read(name: str, tree: ast.Module) -> bool:
    """Return whether a file may read a key, or mentions its name other than in prose and as a local variable."""
    if any(use.access != "write" or use.kind == "attribute" for use in uses_named(tree, [name])):
        return True
    entries = {id(key) for each in nodes_of(tree, ast.Dict) for key in each.keys}
    entries |= {id(each.slice) for each in nodes_of(tree, ast.Subscript)}
    for text in nodes_of(tree, ast.Constant):
        if isinstance(text.value, str) and name in text.value and " " not in text.value and id(text) not in entries:
            return True
    named = (
        *(each.arg for each in nodes_of(tree, ast.arg)),
        *(each.arg for each in nodes_of(tree, ast.keyword)),
        *(each.target.id for each in nodes_of(tree, ast.AnnAssign) if isinstance(each.target, ast.Name)),
    )
    return name in named


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
