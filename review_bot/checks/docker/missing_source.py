"""A ``COPY`` or ``ADD`` of a path that the repository does not hold."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from review_bot.analysis.project.dockerfile import Instruction, instructions
from review_bot.analysis.project.path_mentions import folders_around
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ELSEWHERE = LazyRegex(r"^[\"'\[<]|://|[${}]|^git@")
_MADE_BY_A_BUILD = LazyRegex(
    r"(?:^|/)(?:dist|build|target|out|wheels?|node_modules|artifacts?)(?:/|$)|\.(?:whl|tar|gz|zip|deb|jar|so|run)$"
)

_SCRIPTS = (".sh", ".bash", "Makefile", ".mk", ".yml", ".yaml")
_MOST_SCRIPTS = 200

_ADVICE = "Add it to the repository, or copy something else; the path is relative to the build context."
"""What to do about a path of which the tree has not even the name."""

_PLACED_BY_HAND = LazyRegex(r"(?i)\b(?:download|clone|first|before|beforehand|place|put|manual|manually|you need)\b")
"""Words of a comment about a file that is put into the build context by hand."""


class Copied(NamedTuple):
    """A source of a ``COPY``: its line, 1-based, the name of the instruction, and the path as written."""

    line: int
    name: str
    path: str


def gather(source: SourceFile) -> tuple[Copied, ...] | None:
    """Return the sources of the instructions on added lines that come from the build context."""
    found: list[Copied] = []
    for each, word in _sources(source.text or ""):
        line = next((n for n in range(each.line, each.end + 1) if word in source.lines[n - 1]), each.line)
        comments = (part.partition("#")[2] for part in source.lines[max(0, each.line - 4) : each.line - 1])
        if line in source.added and not any(_PLACED_BY_HAND.search(comment) for comment in comments):
            found.append(Copied(line, each.name, word))
    return tuple(found) or None


def _sources(text: str) -> Iterator[tuple[Instruction, str]]:
    """Yield the paths that instructions copy from the build context; where a pattern matches nothing, nothing is."""
    for each in instructions(text):
        if each.name in {"COPY", "ADD"} and "--from" not in each.text:
            words = [word for word in each.text.split() if not word.startswith("--")][:-1]
            yield from ((each, word) for word in words if not _ELSEWHERE.search(word) and not {*"*?["} & {*word})


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each of them that no folder around the Dockerfile holds."""
    names = sorted(codebase.head.paths)
    ignoring = (path for path in names if path.rpartition("/")[2] in {".gitignore", ".dockerignore"})
    ignored = {line.strip().strip("/") for path in ignoring for line in (codebase.base.text(path) or "").splitlines()}
    folders = {folder for name in names for folder in folders_around(name)}
    for path in sorted(facts):
        around = path.split("/")[:-1]
        contexts = ["/".join(around[:count]) for count in range(len(around) + 1)]
        for copied in facts[path]:
            wanted = [posixpath.normpath(posixpath.join(each, copied.path.lstrip("/"))) for each in contexts]
            made = _MADE_BY_A_BUILD.search(copied.path) or not ignored.isdisjoint(copied.path.strip("./").split("/"))
            missing = not made and not any(_exists(each, codebase.head.paths, folders) for each in wanted)
            if missing and not _fetched(copied, codebase) and not _fits_elsewhere(path, copied, codebase, folders):
                own = copied.path.strip("/").rpartition("/")[2]
                is_elsewhere = any(each.rpartition("/")[2] == own for each in (*names, *folders))
                values = {"name": copied.name, "place": copied.path}
                values["nowhere"] = "" if is_elsewhere else ", and nothing else there has that name"
                yield Hit(copied.line, values=values, path=path, instead=None if is_elsewhere else _ADVICE)


def _fetched(copied: Copied, codebase: Codebase) -> bool:
    """Return whether a script of the tree names it, which may download or make it first."""
    name = copied.path.strip("/").rpartition("/")[2]
    scripts = [path for path in sorted(codebase.head.paths) if path.endswith(_SCRIPTS)]
    return any(name in (codebase.head.text(path) or "") for path in scripts[:_MOST_SCRIPTS])


def _fits_elsewhere(path: str, copied: Copied, codebase: Codebase, folders: AbstractSet[str]) -> bool:
    """Return whether another folder may be the build context: it holds all that is copied."""
    names = codebase.head.paths
    ending = f"/{posixpath.normpath(copied.path.lstrip('/'))}"
    words = {word.lstrip("/") for _, word in _sources(codebase.head.text(path) or "")}
    contexts = {each.removesuffix(ending) for each in (*names, *folders) if each.endswith(ending)}
    return any(
        all(_exists(posixpath.normpath(f"{each}/{word}"), names, folders) for word in words) for each in contexts
    )


def _exists(path: str, names: AbstractSet[str], folders: AbstractSet[str]) -> bool:
    if path == "." or path.startswith(".."):
        return True
    return path in folders or path in names


CHECK = change_check(gather, relate, CheckTraits(literals=("COPY", "ADD", "copy", "add")))
