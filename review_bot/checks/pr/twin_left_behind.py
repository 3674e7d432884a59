"""A small edit whose old lines, with the lines around them, are still in another place of the code.

Only edits that carry over are looked for elsewhere: a line that is rewritten, or a guard that is added. Both places
must have been equal before, so a place that always differed is none of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.edits import AROUND, Edit, Lines, code_lines, edits_of
from review_bot.analysis.facts.word_search import words_held
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, release_of
from review_bot.text.lazy_regex import LazyRegex

_AROUND_REPEATED = 1
"""How many of them where the change makes the same edit more than once."""
_MOST_OLD, _MOST_NEW = 3, 4
"""Lines of code of an edit that is small."""
_MOST_EDITS = 60
"""A change with more small edits of one kind or another is a rewrite."""
_FEWEST_WORDS = 16
"""Words that the compared lines must hold, so that they are not equal by chance."""
_LONGEST = 2_000
"""Characters of both sides of an edit that is compared."""
_ALIKE = 0.6
"""How much of an old text its new one keeps, at least (a ratio)."""
_MOST_TWINS = 3
"""Places that one edit may leave behind; what more places have in common is an idiom, which one of them gives up."""
_MOST_RELATED = 8

_WORD = LazyRegex(r"[A-Za-z_]\w*")
_NAME = LazyRegex(r"(?<![\w.])[A-Za-z_]\w*(?!\w*\s?=[^=])")
_BINDS = LazyRegex(r"([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)")
_GUARD = LazyRegex(r"(?:if|assert)\s.*")
_LEAVES = ("return", "raise", "continue", "break", "assert")
_NOT_CARRIED = LazyRegex(r"(?:async )?def |class |logger\.|logging\.|print\(|warnings\.|__version__|[\"']")


class _Twin(NamedTuple):
    """A place with the old lines: where they begin, and the first and last line that is equal."""

    path: str
    line: int
    first: int
    last: int


def gather(source: SourceFile) -> tuple[Edit, ...] | None:
    """Return the small edits of a file that may apply elsewhere. Raises CannotParse."""
    if source.change.status != "modified" or not source.old_text:
        return None
    found = [edit for hunk in source.change.hunks for edit in edits_of(hunk, source.old_lines) if _carries_over(edit)]
    texts = _lines_of_texts(source) if found else set[int]()
    return tuple(edit for edit in found if edit.line not in texts) or None


def _lines_of_texts(source: SourceFile) -> set[int]:
    """Return the lines of docstrings and other texts of several lines. Raises CannotParse."""
    texts = [each for each in source.nodes(ast.Constant) if isinstance(each.value, str)]
    spans = [span_of(each) for each in texts]
    return {line for first, last in spans if first < last for line in range(first, last + 1)}


def relate(facts: Mapping[str, tuple[Edit, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first of equal edits for which an equal place was left as it was; one for two files."""
    groups: dict[tuple[Lines, Lines], list[tuple[str, Edit]]] = {}
    for path, edit in each_fact(facts):
        groups.setdefault((edit.old, edit.new), []).append((path, edit))
    if len(groups) > _MOST_EDITS:
        return
    wanted = [(places, _compared(places)) for places in groups.values()]
    keys = {id(places): frozenset(_WORD.findall(max(lines, key=len))) for places, (_, lines) in wanted if lines}
    reported: set[tuple[str, str]] = set()
    added = codebase.change.added_numbers()
    held = words_held(codebase.head, frozenset().union(*keys.values())) if keys else {}
    for places, (offset, lines) in wanted:
        if not lines:
            continue
        paths = [path for path, words in held.items() if keys[id(places)] <= words]
        found = [twin for path in paths for twin in _places(path, lines, offset, places[0][1], codebase)]
        twins = [
            twin for twin in found if added.get(twin.path, frozenset()).isdisjoint(range(twin.first, twin.last + 1))
        ]
        twins = [twin for twin in twins if not _is_fork(places[0][0], twin.path)]
        twins = [twin for twin in twins if release_of(twin.path) == release_of(places[0][0])]
        if not twins or (len(twins) > _MOST_TWINS and len(places) == 1):
            continue
        if (pair := (places[0][0], twins[0].path)) not in reported:
            reported.add(pair)
            yield _hit(places, twins)


def _is_fork(path: str, other: str) -> bool:
    """Return whether two files have one name in two trees of one layout, as a back end has that was forked whole."""
    return path != other and path.split("/")[-2:] == other.split("/")[-2:]


def _hit(places: list[tuple[str, Edit]], twins: list[_Twin]) -> Hit:
    path, edit = places[0]
    here = "The old lines of this edit are" if len(places) == 1 else f"The old lines of these {len(places)} edits are"
    more = "" if len(twins) == 1 else f" and in {len(twins) - 1} more place{'s' if len(twins) > 2 else ''}"
    related = [Related(each.path, each.line, "has the old lines") for each in twins[:_MOST_RELATED]]
    related += [Related(each, other.line, "has the same edit") for each, other in places[1:_MOST_RELATED]]
    values = {"here": here, "twin": f"{twins[0].path}:{twins[0].line}", "more": more}
    return Hit(edit.line, values=values, path=path, related=tuple(related))


def _compared(places: list[tuple[str, Edit]]) -> tuple[int, Lines]:
    """Return the lines that a twin must hold, and which of them is the first old one; no lines if they are too few."""
    edit = places[0][1]
    around = AROUND if len(places) == 1 else _AROUND_REPEATED
    before, after = edit.before[-around:], edit.after[:around]
    lines = (*before, *edit.old, *after)
    words = sum(len(_WORD.findall(each)) for each in lines)
    is_enough = before and after and len(before) + len(after) > around and words >= _FEWEST_WORDS
    return (len(before), lines) if is_enough else (0, ())


def _places(path: str, lines: Lines, offset: int, edit: Edit, codebase: Codebase) -> Iterator[_Twin]:
    text = codebase.head.text(path) or ""
    if not path.endswith(".py") or not is_library(path) or path not in codebase.base.paths:
        return
    if not all(line in text for line in lines):
        return
    old = "\n".join(edit.old)
    if any(f"{name}" not in text for name in set(_NAME.findall("\n".join(edit.new))) if name not in old):
        return  # what the new lines use is not known there
    code = list(code_lines(enumerate(text.split("\n"), 1)))
    texts = tuple(each for _, each in code)
    for start in range(len(texts) - len(lines) + 1):
        if texts[start] == lines[0] and texts[start : start + len(lines)] == lines:
            first, line, last = (code[start + each][0] for each in (0, offset, len(lines) - 1))
            yield _Twin(path, line, first, last)


def _carries_over(edit: Edit) -> bool:
    """Return whether an edit rewrites a few lines in place, or adds a guard."""
    if not 0 < len(edit.new) <= _MOST_NEW or len(edit.old) > _MOST_OLD or edit.old == edit.new:
        return False
    if any(_NOT_CARRIED.match(line) for line in (*edit.old, *edit.new)):
        return False
    if not edit.old:
        return _GUARD.match(edit.new[0]) is not None and edit.new[-1].startswith(_LEAVES)
    if _bound(edit.old[0]) != _bound(edit.new[0]):
        return False  # a local name is changed, which other functions do not share
    old, new = "\n".join(edit.old), "\n".join(edit.new)
    if len(old) + len(new) > _LONGEST or "".join(old.split()) == "".join(new.split()):
        return False
    from difflib import SequenceMatcher  # few edits get this far

    return SequenceMatcher(None, old, new).ratio() >= _ALIKE


def _bound(line: str) -> str:
    """Return the local name that a line of code assigns; an empty text if it assigns none."""
    match = _BINDS.match(line)
    return "" if match is None else match[1]


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
