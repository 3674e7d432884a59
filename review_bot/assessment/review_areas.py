"""Which areas a change touches, and which questions a person should answer about it.

Areas and cards are data: ``rules/focus.yaml``, and the configuration of a repository. A card is drawn when the change
adds a construct that it asks about; the order of the cards is that of the file, those of the repository first.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import ChangedFile
from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

MOST_QUESTIONS = 3
"""Cards of a change."""

LONGEST_QUOTE = 120
"""Characters of a quoted line."""

MOST_PLACES = 5
"""Places that a card names."""

_SLOT = LazyRegex(r"\{([a-z][a-z_]*)\}")


class Surroundings(NamedTuple):
    """Expressions (RE2) on what surrounds a line; empty: none. ``{name}`` in one is what a group of ``lines`` matched.

    ``line``: the line itself; ``function``: the function around it, the whole file outside of any; ``file``: the file.
    """

    line: str = ""
    function: str = ""
    file: str = ""


class Trigger(NamedTuple):
    """A condition on the lines that a change adds in certain files.

    ``lines``: RE2 on each added line; without it, each line counts that is neither blank nor a comment. ``literals``:
    one alternative must be among the lines. ``at_least``: how many lines are enough, over the whole change.
    ``where``, ``unless``: what has to surround a line, and what must not. ``quotes``: the line is for a card.
    """

    lines: str | None
    literals: tuple[tuple[str, ...], ...] | None
    paths: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    scope: str = "library"
    at_least: int = 1
    where: Surroundings = Surroundings()
    unless: Surroundings = Surroundings()
    quotes: bool = False


class Area(NamedTuple):
    """A part of the field; ``triggers`` are indexes."""

    id: str
    title: str
    triggers: tuple[int, ...]


class Ask(NamedTuple):
    """A construct, by the index of its trigger, and the question about it; ``{name}`` is what a group matched."""

    question: str
    trigger: int


class ReviewQuestion(NamedTuple):
    """A subject with the constructs that raise a question. ``rules``: patterns of rules on the same subject."""

    id: str
    title: str
    rules: tuple[str, ...]
    asks: tuple[Ask, ...]


class FocusMap(NamedTuple):
    """All areas and cards, the most important card first, and the triggers that they name by index."""

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
    """A card for this change; ``places``: the quoted line first, then other files with the same construct.

    ``quote``: an added line, at the first place; ``name``: what the question is about, in that line. ``findings``:
    rules that found something. ``sections`` is always empty: a field of the JSON report, version 1.
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
        places = _places(area.triggers, focus, profiles, files)
        if places:
            lines = sum(place.lines for place in places)
            seen.append(AreaSeen(area.id, area.title, (), lines, tuple(place.path for place in places)))
    return tuple(sorted(seen, key=lambda area: (-area.lines, area.id)))


def select_questions(
    focus: FocusMap,
    profiles: Sequence[FileProfile],
    files: Sequence[ChangedFile],
    findings: Iterable[Finding],
    silenced: Iterable[Finding] = (),
) -> tuple[SelectedQuestion, ...]:
    """Return at most ``MOST_QUESTIONS`` cards, the most important first, each with an added line that it asks about.

    A card asks about the first of its constructs that the change adds, but not about a line that a finding is about,
    open or silenced: it would come back as a question.
    """
    reported = [*findings]
    open_rules = sorted({finding.rule for finding in reported})
    reported_places = {(finding.path, finding.line) for finding in (*reported, *silenced)}
    selected: list[SelectedQuestion] = []
    for card in focus.cards:
        found = tuple(rule for rule in open_rules if any(_is_named(rule, pattern) for pattern in card.rules))
        raised = next(filter(None, (_raised(ask, profiles, files, reported_places) for ask in card.asks)), None)
        if raised is None:
            continue
        selected.append(raised._replace(id=card.id, title=card.title, findings=found))
        if len(selected) == MOST_QUESTIONS:
            break
    return tuple(selected)


def _is_named(rule: str, pattern: str) -> bool:
    """Return whether a pattern names a rule; the usual ones, an id and ``style/*``, need no regular expression."""
    start, star, rest = pattern.partition("*")
    if rest or not start.replace("-", "").replace("/", "").isalnum():
        return fnmatchcase(rule, pattern)
    return rule.startswith(start) if star else rule == start


def _raised(
    ask: Ask,
    profiles: Sequence[FileProfile],
    files: Sequence[ChangedFile],
    reported_places: Container[tuple[str | None, int | None]],
) -> SelectedQuestion | None:
    """Return a question about the first file in the order of paths; None if only ``reported_places`` raise it."""
    matches = sorted(
        (
            (Place(files[each.file].path, match.line, match.lines), match.names, files[each.file])
            for each in profiles
            for match in each.matches
            if match.trigger == ask.trigger and (files[each.file].path, match.line) not in reported_places
        ),
        key=lambda found: found[0].path,
    )
    for place, names, file in matches:
        quote = next((text.strip() for number, text in file.added_lines() if number == place.line), "")
        known = dict(names)
        if not quote or not known.get("name"):
            continue
        others = [each for each, _, _ in matches if each != place]
        return SelectedQuestion(
            id="",
            title="",
            questions=(filled(ask.question, known),),
            sections=(),
            places=(place, *others)[:MOST_PLACES],
            files=len(matches),
            findings=(),
            quote=quote[:LONGEST_QUOTE],
            name=known["name"],
        )
    return None


def filled(text: str, names: Mapping[str, str]) -> str:
    """Return a text with ``{name}`` replaced by what is known under that name."""
    return _SLOT.sub(lambda slot: names.get(slot[1], slot[0]), text)


def slots(text: str) -> frozenset[str]:
    """Return the names that a text asks for."""
    return frozenset(_SLOT.findall(text))


def _places(
    triggers: Sequence[int], focus: FocusMap, profiles: Sequence[FileProfile], files: Sequence[ChangedFile]
) -> list[Place]:
    """Return where triggers match that match in enough lines, most lines first."""
    places: dict[str, Place] = {}
    for number in triggers:
        matches = [(each.file, match) for each in profiles for match in each.matches if match.trigger == number]
        if sum(match.lines for _, match in matches) < focus.triggers[number].at_least:
            continue
        for file, match in matches:
            place = Place(files[file].path, match.line, match.lines)
            if place.path not in places or places[place.path].lines < place.lines:
                places[place.path] = place
    return sorted(places.values(), key=lambda place: (-place.lines, place.path))
