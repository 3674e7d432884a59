"""A document that the change edits, and its copy elsewhere in the tree, which had the edited lines too.

::

    examples/online_serving/qwen/README.md      edited
    docs/user_guide/examples/qwen.md            holds the same lines below its own header, and stays as it was

A copy that a script writes counts only if the change edits another one by hand in the same folder. Lines that the
change translates or whose links alone it edits are no edit for the copy, and neither is anything in a document that
it rewrites.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from review_bot.analysis.project.path_mentions import ignored_by_git
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_document, is_history, is_vendored, release_of
from review_bot.text.lazy_regex import LazyRegex

_ASIDE = LazyRegex(r"(?i)release|(?:^|/)legacy/")
_OF_FOLDER = frozenset({"readme", "index"})
_SEPARATORS = LazyRegex(r"[\W_]+")
_SCRIPT = LazyRegex(r"\.(?:py|sh|js|mjs|ts)$|(?:^|/)makefile$")
_WRITES = LazyRegex(r"(?i)\bwrite|\bcopy|\bcp\b|\brsync\b|shutil")
_OTHER_SCRIPT = LazyRegex(r"[^\W\d_\u0000-\u024F\u0370-\u03FF]")
"""A letter that neither Latin text has nor, in a formula, Greek."""
_TARGET = LazyRegex(r"""(?<=\]\()[^()\s]+|(?<=src=|ref=)["'][^"']*["']|^\[[^\]]+\]: \S+|^(?:\.\. )?\S*\.(?:md|rst)$""")
"""What a line links to, which depends on the folder of the document and on the names of its neighbors."""
_FEWEST = 10
"""Lines that two documents must share to be copies."""
_SHARE = 0.8
_KEPT = 0.5
"""The share of the lines of an edited document that its copy still has."""
_SHORTEST = 12
"""Signs of a line that two documents do not share by chance."""
_MOST_RELATED = 8


class Edits(NamedTuple):
    """What a document loses and gains: removed lines, and runs of added lines between two that stay.

    ``gained``: the line before, the added ones, the line after, and the number of the first added one, 1-based.
    """

    lost: tuple[tuple[str, int], ...]
    gained: tuple[tuple[str, tuple[str, ...], str, int], ...]
    old: tuple[str, ...]
    new: frozenset[str]


def gather(source: SourceFile) -> Edits | None:
    """Return the edits of a document that had enough lines."""
    if source.change.status != "modified" or not source.old_text or _is_aside(source.path):
        return None
    old = tuple(filter(None, map(_plain, source.old_lines)))
    if len(set(old)) < _FEWEST:
        return None
    new = frozenset(filter(None, map(_plain, source.lines)))
    lost, gained = list[tuple[str, int]](), list[tuple[str, tuple[str, ...], str, int]]()
    for kept, removed, added, after, line in _runs(source.change):
        if _OTHER_SCRIPT.search("\n".join(added)) and not _OTHER_SCRIPT.search("\n".join(removed)):
            continue  # in another language
        if [_TARGET.sub("", each) for each in removed] == [_TARGET.sub("", each) for each in added]:
            continue  # the links lead elsewhere
        lost += [(each, line) for each in removed if len(each) >= _SHORTEST and each not in new]
        if not removed and any(len(each) >= _SHORTEST for each in added):
            gained.append((kept, added, after, line))
    return Edits(tuple(lost), tuple(gained), old, new) if lost or gained else None


def _runs(change: ChangedFile) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...], str, int]]:
    """Yield each run of changed lines: the line before, those removed and added, the line after, and its number."""
    for hunk in change.hunks:
        before, removed, added, line, number = "", list[str](), list[str](), 0, hunk.new_start
        for marked in (*hunk.lines, " \0"):  # the last one ends the last run
            text = _plain(marked[1:])
            if marked[:1] == "-":
                removed.append(text)
            elif marked[:1] == "+":
                line = line or number
                added.append(text)
            elif marked[:1] == " " and text:
                if any(removed) or any(added):
                    yield before, tuple(filter(None, removed)), tuple(filter(None, added)), text, line or number
                before, removed, added, line = text, [], [], 0
            number += marked[:1] in {"+", " "}


def _plain(line: str) -> str:
    return " ".join(line.split())


def relate(facts: Mapping[str, Edits], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first edit of each document that a copy does not get."""
    touched = {file.path for file in codebase.change.files} | {file.base_path for file in codebase.change.files}
    for path, edits in sorted(facts.items()):
        stale: list[tuple[int, Related]] = []
        for other in _likely_copies(codebase.base).get(_key(path), ()):
            if other == path or other not in codebase.head.paths or other.endswith(path) or path.endswith(other):
                continue
            if release_of(other) != release_of(path):
                continue
            if _is_copy(edits, other, codebase) and not _is_made(other, touched, codebase):
                stale += _left(edits, other, codebase.head)
        if stale:
            line, place = min(stale)
            others = len({each for each, other in stale if other.path == place.path}) - 1
            had, count = _shared(edits, place.path, codebase.base), len(set(edits.old))
            share = "every line" if had == count else f"{had} of the {count} different lines"
            values = {"copy": place.path, "share": share, "more": f" and {others} more" if others else ""}
            related = tuple(dict.fromkeys(each for _, each in sorted(stale)))[:_MOST_RELATED]
            yield Hit(line, path=path, values=values, related=related)


def _is_aside(path: str) -> bool:
    return _ASIDE.search(path) is not None or is_history(path) or is_vendored(path)


@query
def _likely_copies(side: Snapshot) -> Mapping[str, tuple[str, ...]]:
    """Return the documents of a side by what they are called after: their name, or their folder's."""
    found: dict[str, list[str]] = {}
    for path in sorted(side.paths):
        if is_document(path) and not _is_aside(path):
            found.setdefault(_key(path), []).append(path)
    return {key: tuple(paths) for key, paths in found.items()}


def _key(path: str) -> str:
    *folders, name = path.lower().split("/")
    stem = name.rpartition(".")[0]
    return _SEPARATORS.sub("", folders[-1] if stem in _OF_FOLDER and folders else stem)


def _is_copy(edits: Edits, other: str, codebase: Codebase) -> bool:
    """Return whether a document had most lines of another one before the change, and is not rewritten by it."""
    if _shared(edits, other, codebase.base) < max(_FEWEST, _SHARE * len(set(edits.old))):
        return False
    return len(edits.new & set(_lines(other, codebase.head))) >= _KEPT * len(edits.new)


def _shared(edits: Edits, other: str, base: Snapshot) -> int:
    """Return how many different lines of a document another one had too, before the change."""
    return len(set(edits.old) & set(_lines(other, base)))


def _lines(path: str, side: Snapshot) -> list[str]:
    return [_plain(line) for line in (side.text(path) or "").split("\n")]


def _is_made(path: str, touched: Collection[str], codebase: Codebase) -> bool:
    """Return whether git ignores a document or a script writes its folder, and the change edits none there by hand."""
    folder, _, name = path.rpartition("/")
    if name in ignored_by_git(codebase.base):
        return True
    above = folder.rpartition("/")[0]
    if any(each != path and each.startswith(f"{above or folder}/") for each in touched):
        return False
    parts = folder.split("/")
    starts = ["/".join(parts[: end + 1]) for end in range(1, len(parts))]
    scripts = (codebase.base.text(each) or "" for each in sorted(codebase.base.paths) if _SCRIPT.search(each))
    return any(start in text and _WRITES.search(text) for text in scripts for start in starts)


def _left(edits: Edits, other: str, side: Snapshot) -> Iterator[tuple[int, Related]]:
    """Yield the line of each edit that a copy lacks, with the place where it belongs."""
    lines = _lines(other, side)
    shown = [(number, line) for number, line in enumerate(lines, 1) if line]
    for old, line in edits.lost:
        if lines.count(old) == 1:
            yield line, Related(other, lines.index(old) + 1, "has the line as it was")
    for before, added, after, line in edits.gained:
        if not before or not after or any(len(each) >= _SHORTEST and each in lines for each in added):
            continue
        places = [place for place, (one, two) in enumerate(pairwise(shown)) if (one[1], two[1]) == (before, after)]
        if len(places) == 1:
            yield line, Related(other, shown[places[0]][0], "lacks the lines after this one")


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
