"""Which areas a change touches, and which questions a person should ask about it.

The areas and cards themselves are data (``rules/focus.yaml``). A card is drawn when one of its triggers matches in
enough added lines, over all files together. What matches often, and what is seldom seen elsewhere, comes first::

    rank = min(4, matching lines // lines that are enough) × bits(100 // percent of changes in which it is seen)

In a large change a few lines are enough for nearly every card; one whose lines are fewer than one in 300 comes last.
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import ChangedFile
from review_bot.findings import Finding
from review_bot.text.lazy_regex import LazyRegex

MOST_QUESTIONS = 3
"""Cards of a change."""

LONGEST_QUOTE = 120
"""Characters of a quoted line."""

_NAMES = (
    LazyRegex(r"\b(?:def|class)\s+([A-Za-z_]\w*)"),
    LazyRegex(r"^\s*([A-Za-z_][\w.]*)\s*(?::[^=]+)?=(?!=)"),
    LazyRegex(r"(?<![\w.])([A-Za-z_][\w.]*)\("),
    LazyRegex(r"^\s*(?:-\s+)?([A-Za-z_][\w-]*):"),
)
"""What a line names: what it defines, sets, calls, or the key of a mapping."""

MOST_PLACES = 5
"""Places that a card names."""

_STRONGEST = 4
"""Times the lines that are enough, beyond which more lines say no more."""


_THINNEST = 300
"""Added lines of a change for each line of a card, beyond which the change is about something else."""


class Trigger(NamedTuple):
    """A condition on the lines that a change adds (or deletes) in certain files.

    ``lines``, ``removed``: RE2 on each added line, on each deleted line that is not added again; with neither, each
    added line counts that is not blank and no comment. ``literals``: one alternative must stand among the lines.
    ``new_files``: files with a new name alone. ``at_least``: how many lines are enough, over the whole change.
    """

    lines: str | None
    removed: str | None
    literals: tuple[tuple[str, ...], ...] | None
    paths: tuple[str, ...]
    ignores: tuple[str, ...]
    scope: str
    new_files: bool
    at_least: int


class Area(NamedTuple):
    """A part of the field; ``triggers`` are indexes."""

    id: str
    title: str
    triggers: tuple[int, ...]


class ReviewQuestion(NamedTuple):
    """Questions that only a person can answer. ``rules``: patterns of rules that speak of the same.

    ``seen_in``: the percentage of pull requests that draw this card, as measured.
    """

    id: str
    title: str
    areas: tuple[str, ...]
    questions: tuple[str, ...]
    rules: tuple[str, ...]
    seen_in: int
    triggers: tuple[int, ...]


class FocusMap(NamedTuple):
    """All areas and cards, and the triggers that they name by index."""

    areas: tuple[Area, ...] = ()
    cards: tuple[ReviewQuestion, ...] = ()
    triggers: tuple[Trigger, ...] = ()


class Place(NamedTuple):
    """Where a trigger matched, and how many lines; ``line``: the first one, None for the file as a whole."""

    path: str
    line: int | None
    lines: int


class AreaSeen(NamedTuple):
    """An area that a change touches; ``lines``: those that matched; ``paths``: where, most lines first.

    ``sections`` is always empty: a field of the JSON report, version 1.
    """

    id: str
    title: str
    sections: tuple[str, ...]
    lines: int
    paths: tuple[str, ...]


class SelectedQuestion(NamedTuple):
    """A card for this change; ``places``: the quoted line first, then where most lines match.

    ``quote``: an added line, at the first place; ``name``: what it defines, sets or calls. ``findings``: rules that
    found something. ``sections`` is always empty: a field of the JSON report, version 1.
    """

    id: str
    title: str
    questions: tuple[str, ...]
    sections: tuple[str, ...]
    places: tuple[Place, ...]
    files: int
    findings: tuple[str, ...]
    quote: str = ""
    name: str = ""


def areas_of(focus: FocusMap, profiles: Sequence[FileProfile], files: Sequence[ChangedFile]) -> tuple[AreaSeen, ...]:
    """Return the areas that a change touches, the one with the most lines first."""
    seen = []
    for area in focus.areas:
        places, _ = _places(area.triggers, focus, profiles, files)
        if places:
            lines = sum(place.lines for place in places)
            seen.append(AreaSeen(area.id, area.title, (), lines, tuple(place.path for place in places)))
    return tuple(sorted(seen, key=lambda area: (-area.lines, area.id)))


def select_questions(
    focus: FocusMap, profiles: Sequence[FileProfile], files: Sequence[ChangedFile], findings: Iterable[Finding]
) -> tuple[SelectedQuestion, ...]:
    """Return at most ``MOST_QUESTIONS`` cards, the most telling first, each with an added line that it asks about.

    A card of which no added line names anything is not drawn.
    """
    open_rules = sorted({finding.rule for finding in findings})
    added = sum(file.added for file in files)
    by_path = {file.path: file for file in files}
    drawn: list[tuple[tuple[int, int, str], ReviewQuestion, list[Place]]] = []
    for card in focus.cards:
        places, strength = _places(card.triggers, focus, profiles, files)
        if not places:
            continue
        lines = sum(place.lines for place in places)
        rank = strength * (100 // max(card.seen_in, 1)).bit_length() if lines * _THINNEST >= added else 0
        drawn.append(((-rank, -lines, card.id), card, places))
    selected: list[SelectedQuestion] = []
    for _, card, places in sorted(drawn, key=lambda each: each[0]):
        quoted = next(filter(None, (_quoted(by_path[place.path], place) for place in places)), None)
        if quoted is None:
            continue
        place, quote, name = quoted
        shown = (place, *(each for each in places if each != place))[:MOST_PLACES]
        found = tuple(rule for rule in open_rules if any(fnmatchcase(rule, pattern) for pattern in card.rules))
        selected.append(
            SelectedQuestion(card.id, card.title, card.questions, (), shown, len(places), found, quote, name)
        )
        if len(selected) == MOST_QUESTIONS:
            break
    return tuple(selected)


def _quoted(file: ChangedFile, place: Place) -> tuple[Place, str, str] | None:
    """Return a place with its line and what that names; None without a line, or if the line names nothing."""
    text = next((text.strip() for number, text in file.added_lines() if number == place.line), "")
    name = next((found[1] for pattern in _NAMES if (found := pattern.search(text))), "")
    return (place, text[:LONGEST_QUOTE], name) if name else None


def _places(
    triggers: Sequence[int], focus: FocusMap, profiles: Sequence[FileProfile], files: Sequence[ChangedFile]
) -> tuple[list[Place], int]:
    """Return where triggers match that match in enough lines, and how often the strongest is satisfied."""
    places: dict[str, Place] = {}
    strength = 0
    for number in triggers:
        matches = [(each.file, match) for each in profiles for match in each.matches if match.trigger == number]
        satisfied = sum(match.lines for _, match in matches) // focus.triggers[number].at_least
        if not satisfied:
            continue
        strength = max(strength, min(satisfied, _STRONGEST))
        for file, match in matches:
            place = Place(files[file].path, match.line, match.lines)
            if place.path not in places or places[place.path].lines < place.lines:
                places[place.path] = place
    return sorted(places.values(), key=lambda place: (-place.lines, place.path)), strength
