"""A line of code or of a table that the change edits in a document, and that a translation of it still has unchanged.

Translations are documents whose paths differ in a language alone::

    README.md                    README_zh.md
    docs/en/serving/start.rst    docs/zh_cn/serving/start.rst
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.pull_request import Hunk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_document, is_history, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_LANGUAGE = r"(?:zh|en|ja|jp|ko|kr|cn|de|fr|es|ru|pt|vi)(?:[-_](?:cn|us|tw|hk|hans|hant|br|jp|kr))?"
_FOLDERS = LazyRegex(rf"(?i)(?<![^/])(?:{_LANGUAGE}|([a-z]+)[-_]{_LANGUAGE})/")
_FILE = LazyRegex(rf"(?i)(?:[-_.](?:(?:readme|doc)_)?({_LANGUAGE}))?(\.(?:md|mdx|markdown|rst))$")
_ASIDE = LazyRegex(r"(?i)release|locale/")
_OTHER_PAGE = LazyRegex(rf"(?i)/{_LANGUAGE}/|[-_.]{_LANGUAGE}\.(?:md|rst|html)|\bzh\b|(?i:readme)|\]\(#|^#+ |^[=~^-]+$")
"""What a line says that differs between languages on purpose: links to pages of one, headings and links to them."""
_OF_SCRIPTS = frozenset({"py", "sh", "yaml", "yml", "js", "mjs", "ts"})
_FOLDERS_OF_SCRIPTS = frozenset({"doc", "docs", "script", "scripts", "tool", "tools", "website", ".github"})
_OF_A_COUNTRY = LazyRegex(r"(?i)\.cn\b|mirror|modelscope")
"""What an edit adds for the readers of one country: servers near them."""
_SHORTEST = 12
"""Signs of a line that two documents do not share by chance."""
_ALIKE = 0.6
"""How much of an old line its new form keeps, at least (a ratio)."""
_MOST_LINES = 40
"""Removed or added lines of one run that are compared with each other; a longer run is a rewrite."""
_MOST_RELATED = 8
_LONG = 80
"""Signs of a line that two languages hardly share."""
_FEWEST_LONG = 5


class Edit(NamedTuple):
    """A line that became another. ``line`` is that of the new form, 1-based."""

    old: str
    new: str
    line: int


def gather(source: SourceFile) -> tuple[Edit, ...] | None:
    """Return the lines of a document that changed into similar ones and that it had once."""
    if (
        source.change.status == "deleted"
        or not source.old_text
        or _ASIDE.search(source.path)
        or is_history(source.path)
        or is_vendored(source.path)
    ):
        return None
    old = Counter(map(_plain, source.old_lines))
    new = {_plain(line) for line in source.lines}
    edits = (edit for hunk in source.change.hunks for edit in _edits(hunk))
    return tuple(edit for edit in edits if old[edit.old] == 1 and edit.old not in new) or None


def _edits(hunk: Hunk) -> Iterator[Edit]:
    """Yield the edited lines of a hunk: each removed one with the added line of its run that is most like it."""
    number = hunk.new_start
    removed: list[str] = []
    added: list[tuple[int, str]] = []
    for line in (*hunk.lines, " "):
        if line[:1] == "-":
            removed.append(_plain(line[1:]))
        elif line[:1] == "+":
            added.append((number, _plain(line[1:])))
            number += 1
        elif line[:1] == " ":
            yield from _pairs(removed, added)
            removed, added = [], []
            number += 1


def _pairs(removed: list[str], added: list[tuple[int, str]]) -> Iterator[Edit]:
    if not added or max(len(removed), len(added)) > _MOST_LINES:
        return
    left = list(added)
    for old in removed:
        if len(old) < _SHORTEST or not old.isascii() or _OTHER_PAGE.search(old):
            continue
        ratios = [(SequenceMatcher(None, old, text).ratio(), -line) for line, text in left]
        best = max(ratios, default=(0.0, 0))
        if best[0] >= _ALIKE:
            line, new = next(each for each in left if each[0] == -best[1])
            left.remove((line, new))
            nearer = _OF_A_COUNTRY.search(new) is not None and _OF_A_COUNTRY.search(old) is None
            if new.isascii() and not nearer and _letters(old) != _letters(new):
                yield Edit(old, new, line)


def _translates(path: str) -> bool:
    """Return whether a path names a script or workflow that makes the translations: no person edits them then."""
    *folders, name = path.lower().split("/")
    stem, _, suffix = name.rpartition(".")
    return "translat" in stem and suffix in _OF_SCRIPTS and not _FOLDERS_OF_SCRIPTS.isdisjoint(folders)


def _plain(line: str) -> str:
    return " ".join(line.removeprefix("\ufeff").split())


def _letters(line: str) -> str:
    """Return what a line says without its layout, its quotes and a comment at its end."""
    return re.sub(r"\s#\s.*|[\s`'\"*_|:-]+", "", line)


def relate(facts: Mapping[str, tuple[Edit, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first edited line of each document whose translations still have the old form."""
    if not facts or any(map(_translates, codebase.base.paths)):
        return
    pages: dict[str, list[str]] = {}
    for path in sorted(codebase.head.paths & codebase.base.paths):
        if is_document(path):
            pages.setdefault(_untranslated(path), []).append(path)
    added = codebase.change.added_numbers()
    reported: set[tuple[str, str]] = set()
    for path, edits in sorted(facts.items()):
        stale: list[tuple[Edit, Related]] = []
        for other in pages.get(_untranslated(path), ()):
            if other != path and not _is_same_language(path, other, codebase.base):
                stale += _left(edits, other, codebase, added.get(other, frozenset()))
        stale = [each for each in stale if (each[1].path, each[0].old) not in reported]
        reported |= {(place.path, edit.old) for edit, place in stale}
        if stale:
            edit, first = min(((each.line, place) for each, place in stale))
            places = [first, *sorted(place for _, place in stale if place != first)]
            count = len({each.old for each, place in stale if place.path == first.path})
            values = {
                "place": f"{first.path}:{first.line}",
                "more": f", and at least {count - 1} more that this change edits" if count > 1 else "",
            }
            yield Hit(edit, values=values, path=path, related=tuple(places[:_MOST_RELATED]))


def _is_same_language(path: str, other: str, side: Snapshot) -> bool:
    """Return whether most long lines of one document are in the other: then it is a copy."""
    one, two = _long_lines(path, side), _long_lines(other, side)
    return 2 * len(one & two) > min(len(one), len(two)) >= _FEWEST_LONG


def _without_comments(text: str) -> str:
    """Return a document with empty lines in place of its comments."""
    first, *others = text.split("<!--")
    parts = (each.partition("-->") for each in others)
    return first + "".join("\n" * comment.count("\n") + shown for comment, _, shown in parts)


def _long_lines(path: str, side: Snapshot) -> set[str]:
    return {line for each in (side.text(path) or "").split("\n") if len(line := _plain(each)) >= _LONG}


def _left(
    edits: tuple[Edit, ...], other: str, codebase: Codebase, added: frozenset[int]
) -> Iterator[tuple[Edit, Related]]:
    """Yield the edits whose old line a translation has once, has had before, and does not have in the new form."""
    lines = [_plain(line) for line in _without_comments(codebase.head.text(other) or "").split("\n")]
    before = {_plain(line) for line in (codebase.base.text(other) or "").split("\n")}
    for edit in edits:
        if lines.count(edit.old) == 1 and edit.old in before and edit.new not in lines:
            number = lines.index(edit.old) + 1
            if number not in added:
                yield edit, Related(other, number, "has the line as it was")


def _untranslated(path: str) -> str:
    """Return the path without its language: one text for all translations of a document."""
    folder, _, name = path.rpartition("/")
    folders = _FOLDERS.sub(lambda match: f"{match[1]}/" if match[1] else "", f"{folder}/")
    return f"{folders}/{_FILE.sub(lambda match: match[2], name)}".lower()


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
