"""A key that code still reads although the change removes the last place that writes it.

Any other mention of the key as a string counts as a writer, in configuration files too. ``get`` with a key counts as a
read where the dictionary is called after nothing that comes from outside, such as settings or a request.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.uses import uses_named, uses_of, uses_on
from review_bot.analysis.facts.word_search import files_with, words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import text_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Severity
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_KEY = LazyRegex(r"[a-z]\w*_\w+")
_CONFIGURATION = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".jinja", ".j2")
_OUTSIDE = frozenset({
    "args", "arguments", "attrs", "body", "cfg", "checkpoint", "conf", "config", "configs", "ctx", "data", "dict",
    "env", "environ", "event", "extra", "headers", "info", "json", "kw", "kwargs", "meta", "metadata", "msg", "message",
    "opt", "options", "opts", "param", "parameters", "params", "payload", "query", "raw", "req", "request", "response",
    "row", "sd", "settings", "state", "weights",
})  # fmt: skip
"""Words in the names of dictionaries whose keys others choose: settings, requests, checkpoints."""
_MOST_WORDS = 300
_MOST_FILES = 40
_MOST_CONFIGURATIONS = 1000


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the keys that removed lines wrote and the file does not write any more, with their lines."""
    if not source.removed or not source.text or not is_library(source.path):
        return None
    if (old := source.known_old_tree) is None:
        return None
    lost: dict[str, int] = {}
    for use in uses_on(old, source.removed):
        if use.kind == "key" and use.access == "write" and _KEY.fullmatch(use.name):
            lost.setdefault(use.name, use.line)
    kept = {use.name for use in uses_named(source.tree, lost) if use.access == "write"} if lost else set[str]()
    return tuple(sorted((name, line) for name, line in lost.items() if name not in kept)) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each key that is still read; the reads are its related places."""
    lost: dict[str, tuple[str, int]] = {}
    for path, found in sorted(facts.items()):
        for name, line in found:
            lost.setdefault(name, (path, line))
    if not lost or len(lost) > _MOST_WORDS:
        return
    files: dict[str, int] = {}
    for here in words_held(codebase.head, lost).values():
        for name in here:
            files[name] = files.get(name, 0) + 1
    for name, (path, line) in sorted(lost.items()):
        if not 0 < files.get(name, 0) <= _MOST_FILES:
            continue
        readers = _readers(name, codebase)
        if readers and not _is_configured(name, codebase.head):
            places = sorted(
                {Related(each.path, line_in_file(each.path, each.line, codebase.head), "reads it") for each in readers}
            )
            where, alone = places_in_words(places)
            values = {"name": name, "readers": where, "verb": "reads" if alone else "read"}
            related = tuple(places[:MOST_RELATED])
            severity: Severity | None = None if any(each.is_needed for each in readers) else "info"
            yield Hit(
                line, side="LEFT", path=path, values=values, related=related, severity=severity, statement=f"key {name}"
            )


class _Reader(NamedTuple):
    """A read of a key. ``is_needed``: by subscript, which raises KeyError without it."""

    path: str
    line: int
    is_needed: bool


def _readers(name: str, codebase: Codebase) -> list[_Reader]:
    """Return the places at the head that read a key, if every mention of it there reads it, as at the base."""
    texts = (codebase.head.text(path) or "" for path in files_with(codebase.head, [name], (".py", ".pyi")))
    if not any(f'"{name}"' in text or f"'{name}'" in text for text in texts):
        return []  # only keyword arguments and variables have this name: nothing to parse
    found = uses_of(codebase.head, name, "key")
    if not found.complete or any(each.use.access != "read" for each in found.places):
        return []
    if any(each.use.access == "write" for each in uses_of(codebase.head, name).places):
        return []
    readers: list[_Reader] = []
    for path in {each.path for each in found.places}:
        tree = codebase.head.tree(path)
        here = [] if tree is None else [each for each in nodes_of(tree, ast.Constant) if each.value == name]
        reads = [each for each in found.places if each.path == path]
        if len(here) > len(reads):
            return []
        if tree is None or is_test(path):
            continue
        subscripts = {each.lineno for each in nodes_of(tree, ast.Subscript)} - _collecting(tree)
        subscripts -= {each.lineno for each in nodes_of(tree, ast.Compare)}
        asked = _asked_for(name, tree)
        lines = {each.use.line for each in reads}
        readers += [_Reader(path, line, line in subscripts) for line in sorted(lines & (subscripts | asked))]
    mentioned = {path for path, held in words_held(codebase.head, [name]).items() if name in held}
    others = mentioned - {each.path for each in found.places}
    return [] if any(not is_test(path) for path in others) else readers


def _asked_for(name: str, tree: ast.Module) -> set[int]:
    """Return the lines that get a key of a dictionary without a default, unless its keys come from outside."""
    return {
        call.lineno
        for call in nodes_of(tree, ast.Call)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "get"
        and len(call.args) == 1
        and text_of(call.args[0]) == name
        and (owner := last_name(call.func.value))
        and _OUTSIDE.isdisjoint(words_in(owner))
    }


def _collecting(tree: ast.Module) -> set[int]:
    """Return the lines that add to what a key holds; a ``defaultdict`` makes the key there."""
    calls = [each.func for each in nodes_of(tree, ast.Call) if isinstance(each.func, ast.Attribute)]
    added = {each.lineno for each in nodes_of(tree, ast.AugAssign) if isinstance(each.target, ast.Subscript)}
    return added | {
        each.lineno
        for each in calls
        if isinstance(each.value, ast.Subscript) and each.attr in {"add", "append", "extend"}
    }


def _is_configured(name: str, side: Snapshot) -> bool:
    """Return whether a configuration file names a key, or there are too many to look at."""
    paths = [path for path in side.paths if path.endswith(_CONFIGURATION)]
    return len(paths) > _MOST_CONFIGURATIONS or any(name in (side.text(path) or "") for path in paths)


CHECK = ChangeCheck(
    without_options(gather), without_options(relate), CheckTraits(literals=None, reads_old=True, on_lines=False)
)
