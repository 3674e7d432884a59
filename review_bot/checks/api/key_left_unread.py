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

from review_bot.analysis.facts.uses import uses_named, uses_on
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_KEY = LazyRegex(r"[a-z]\w*_\w+")
_SHORTEST = 10
_CONFIGURATION = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".jinja", ".j2", ".js", ".ts", ".html", ".sh")
_MOST_WORDS = 300
_MOST_FILES = 12
_MOST_CONFIGURATIONS = 1000


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the keys that removed lines read and the file does not read any more, with their lines."""
    if not source.removed or not is_library(source.path) or (old := source.known_old_tree) is None:
        return None
    lost: dict[str, int] = {}
    for use in uses_on(old, source.removed):
        if use.kind == "key" and use.access == "read" and len(use.name) >= _SHORTEST and _KEY.fullmatch(use.name):
            lost.setdefault(use.name, use.line)
    if lost and source.text:
        for use in uses_named(source.tree, list(lost)):
            if use.access == "read":
                lost.pop(use.name, None)
    return tuple(sorted(lost.items())) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed read of each key that is still written; the writes are its related places."""
    lost: dict[str, tuple[str, int]] = {}
    for path, found in sorted(facts.items()):
        for name, line in found:
            lost.setdefault(name, (path, line))
    if not lost or len(lost) > _MOST_WORDS:
        return
    files: dict[str, list[str]] = {}
    for path, here in words_held(codebase.head, lost).items():
        for name in here:
            files.setdefault(name, []).append(path)
    for name, (path, line) in sorted(lost.items()):
        writers = _writers(name, files.get(name, []), codebase.head)
        if not writers or _is_configured(name, codebase.head):
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


def _is_configured(name: str, side: Snapshot) -> bool:
    """Return whether a configuration file names a key, or there are too many to look at."""
    paths = [path for path in side.paths if path.endswith(_CONFIGURATION)]
    return len(paths) > _MOST_CONFIGURATIONS or any(name in (side.text(path) or "") for path in paths)


CHECK = ChangeCheck(
    without_options(gather), without_options(relate), CheckTraits(literals=None, reads_old=True, on_lines=False)
)
