"""Areas and question cards as ``rules/focus.yaml`` and a configuration declare them, and what they compile to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from review_bot.assessment.review_areas import (
    Area,
    Ask,
    FocusMap,
    ReviewQuestion,
    Surroundings,
    Trigger,
    slots,
)
from review_bot.errors import ConfigError
from review_bot.records import NamedTuple
from review_bot.setting import Setting, Text
from review_bot.text.globs import PathPattern
from review_bot.text.lazy_regex import LazyRegex

_AREA_ID = LazyRegex(r"[a-z][a-z-]*")
_CARD_ID = LazyRegex(r"card/[a-z][a-z-]*")


def check_regex(pattern: str) -> None:
    """Raise ValueError for an expression that RE2 does not accept."""
    import re2

    from review_bot.rules.text_pattern import check

    try:
        check(pattern)
    except re2.error as error:
        words = error.args[0] if error.args else str(error)
        reason = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
        unsupported = "perl operator" in reason or "escape sequence" in reason
        how = "; write it without look-around and back-references" if unsupported else ""
        raise ValueError(f"RE2 does not accept {pattern!r} ({reason}){how}") from error


def _check_area_id(text: str) -> None:
    if not _AREA_ID.fullmatch(text):
        raise ValueError(f"{text!r} is no id of an area; use lower-case letters and hyphens")


def _check_card_id(text: str) -> None:
    if not _CARD_ID.fullmatch(text):
        raise ValueError(f"{text!r} is no id of a card; write card/ and a name of lower-case letters and hyphens")


def _check_question(text: str) -> None:
    if not text.endswith("?"):
        raise ValueError("a question ends with a question mark")
    if not slots(text):
        raise ValueError("the question names nothing of the line; put {name} in it")


Expression = Annotated[str, Setting(least=1, most=2_000, check=check_regex)]
Scope = Annotated[
    Literal["library", "tests", "all", "any"],
    Setting("Which files: `library` (Python that users run), `tests`, `all` Python files, or `any` file."),
]
Paths = Annotated[tuple[PathPattern, ...], Setting("Only files that match one of these patterns.")]
Ignores = Annotated[tuple[PathPattern, ...], Setting("No file that matches one of these patterns.")]


class TriggerEntry(NamedTuple):
    """Added lines that belong to an area."""

    lines: Annotated[Expression | None, Setting("RE2 on each added line. Without it, every line of code counts.")] = (
        None
    )
    paths: Paths = ()
    ignores: Ignores = ()
    scope: Scope = "library"
    at_least: Annotated[int, Setting("How many lines are enough, over the whole change.", least=1, most=10_000)] = 1


class AreaEntry(NamedTuple):
    """A part of the code base, named in the summary of a change that touches it."""

    id: Annotated[str, Setting("Lower-case letters and hyphens.", check=_check_area_id)]
    title: Annotated[Text, Setting("Its name in reports.", most=60)]
    triggers: Annotated[tuple[TriggerEntry, ...], Setting("Added lines that belong to it; one trigger is enough.")]


class SurroundingsEntry(NamedTuple):
    """RE2 on the text around a line. `{name}` stands for what the group of that name matched in `lines`."""

    line: Annotated[Expression | None, Setting("Searched in the line.")] = None
    function: Annotated[
        Expression | None, Setting("Searched in the enclosing function, or in the file if there is none.")
    ] = None
    file: Annotated[Expression | None, Setting("Searched in the whole file.")] = None


class AskEntry(NamedTuple):
    """A construct and the question that it raises."""

    question: Annotated[
        str,
        Setting(
            "What to ask. `{name}` is what the group `(?P<name>...)` of `lines` matched; without such a group, what "
            "the line defines, sets or calls. Other groups work the same, and each has to match.",
            least=1,
            most=400,
            check=_check_question,
        ),
    ]
    lines: Annotated[Expression, Setting("RE2 on each added line of code.")]
    where: Annotated[SurroundingsEntry, Setting("Ask only where all of these are found.")] = SurroundingsEntry()
    unless: Annotated[
        SurroundingsEntry, Setting("Do not ask where one of these is found: it answers the question.")
    ] = SurroundingsEntry()
    paths: Paths = ()
    ignores: Ignores = ()
    scope: Scope = "library"


class CardEntry(NamedTuple):
    """A question card: a subject, and the constructs that raise a question about it."""

    id: Annotated[str, Setting("`card/` and a name.", check=_check_card_id)]
    title: Annotated[Text, Setting("Its name in reports.", most=60)]
    asks: Annotated[tuple[AskEntry, ...], Setting("Constructs and questions; the first that occurs is asked.")]
    rules: Annotated[
        tuple[Text, ...], Setting("Rules, or patterns, on the same subject; their findings are named with the card.")
    ] = ()


def with_topics(
    focus: FocusMap, areas: Sequence[AreaEntry], cards: Sequence[CardEntry], rule_ids: Iterable[str]
) -> FocusMap:
    """Return a map with these areas and cards before its own. Raises ConfigError with the field of a mistake."""
    if not (areas or cards):
        return focus
    triggers = list(focus.triggers)
    known = sorted(rule_ids)

    def add(trigger: Trigger) -> int:
        triggers.append(trigger)
        return len(triggers) - 1

    taken_areas = {area.id for area in focus.areas}
    own_areas: list[Area] = []
    for number, area in enumerate(areas):
        _require_new(area.id, taken_areas, f"areas.{number}.id")
        if not area.triggers:
            raise ConfigError("an area without triggers matches nothing", field=f"areas.{number}.triggers")
        own_areas.append(Area(area.id, area.title, tuple(add(_counting(each)) for each in area.triggers)))
    taken_cards = {card.id for card in focus.cards}
    own_cards: list[ReviewQuestion] = []
    for number, card in enumerate(cards):
        _require_new(card.id, taken_cards, f"cards.{number}.id")
        if not card.asks:
            raise ConfigError("a card without questions asks nothing", field=f"cards.{number}.asks")
        for position, pattern in enumerate(card.rules):
            if not any(fnmatchcase(rule, pattern) for rule in known):
                message = f"no rule matches {pattern!r}; correct or delete it"
                raise ConfigError(message, field=f"cards.{number}.rules.{position}")
        asks = tuple(_ask(ask, f"cards.{number}.asks.{position}", add) for position, ask in enumerate(card.asks))
        own_cards.append(ReviewQuestion(card.id, card.title, card.rules, asks))
    return FocusMap((*own_areas, *focus.areas), (*own_cards, *focus.cards), tuple(triggers))


def _require_new(identifier: str, taken: set[str], field: str) -> None:
    if identifier in taken:
        raise ConfigError(f"the id {identifier!r} is taken; choose another", field=field)
    taken.add(identifier)


def _counting(entry: TriggerEntry) -> Trigger:
    from review_bot.rules.regex_literals import of_regex

    literals = None if entry.lines is None else of_regex(entry.lines)
    return Trigger(entry.lines, literals, entry.paths, entry.ignores, entry.scope, entry.at_least)


def _ask(entry: AskEntry, field: str, add: Callable[[Trigger], int]) -> Ask:
    from review_bot.rules.regex_literals import of_regex
    from review_bot.rules.text_pattern import group_names

    known = group_names(entry.lines) | {"name"}
    where, unless = (_surroundings(getattr(entry, part), f"{field}.{part}", known) for part in ("where", "unless"))
    _require_known(entry.question, known, f"{field}.question")
    literals = of_regex(entry.lines)
    trigger = Trigger(
        entry.lines, literals, entry.paths, entry.ignores, entry.scope, where=where, unless=unless, quotes=True
    )
    return Ask(entry.question, add(trigger))


def _surroundings(entry: SurroundingsEntry, field: str, known: frozenset[str]) -> Surroundings:
    for part, expression in zip(entry._fields, entry, strict=True):
        _require_known(expression or "", known, f"{field}.{part}")
    return Surroundings(*(each or "" for each in entry))


def _require_known(text: str, known: frozenset[str], field: str) -> None:
    for name in sorted(slots(text) - known):
        raise ConfigError(f"`lines` has no group {name!r}; its groups are {', '.join(sorted(known))}", field=field)
