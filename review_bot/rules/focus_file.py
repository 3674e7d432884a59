"""The grammar of ``rules/focus.yaml``: the areas of the field, and the cards with questions for a person.

It compiles to the plain records of ``assessment/focus.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Annotated, Literal

import re2
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from review_bot.assessment.review_areas import Area, FocusMap, ReviewQuestion, Trigger
from review_bot.errors import RuleError
from review_bot.files.yaml_file import Document, YamlError, most_specific_error, read_yaml
from review_bot.rules import required_literals, text_pattern
from review_bot.text.globs import compile_glob

Text = Annotated[str, StringConstraints(min_length=1)]
Question = Annotated[str, StringConstraints(pattern=r"^[A-Z].*\?$")]
Wrong = Callable[..., RuleError]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class TriggerEntry(_Model):
    """A condition on lines: those that match ``lines`` or ``removed``; with neither, all added lines of code."""

    lines: Text | None = None
    removed: Text | None = None
    paths: list[Text] = []
    ignores: list[Text] = []
    scope: Literal["library", "tests", "all", "any"] = "library"
    new_files: bool = False
    at_least: Annotated[int, Field(ge=1)] = 1


class AreaEntry(_Model):
    """An area of the field."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z-]*$")]
    title: Text
    triggers: Annotated[list[TriggerEntry], Field(min_length=1)]


class CardEntry(_Model):
    """A card of the checklist."""

    id: Annotated[str, StringConstraints(pattern=r"^card/[a-z][a-z-]*$")]
    title: Text
    areas: Annotated[list[Text], Field(min_length=1)]
    questions: Annotated[list[Question], Field(min_length=1, max_length=6)]
    rules: list[Text] = []
    seen_in: Annotated[int, Field(ge=0, le=100)]
    triggers: Annotated[list[TriggerEntry], Field(min_length=1)]


class FocusFile(_Model):
    """The whole file."""

    areas: list[AreaEntry]
    cards: list[CardEntry]


def read_focus(text: str, path: str, rule_ids: Iterable[str]) -> FocusMap:
    """Read areas and cards. Raises RuleError with file, line and field, also for a rule that ``rule_ids`` lacks."""
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise RuleError(error.message, path=path, line=error.line) from error
    document = documents[0] if len(documents) == 1 else Document(None, {}, 1)

    def wrong(message: str, *location: str | int) -> RuleError:
        field = ".".join(str(part) for part in location)
        return RuleError(message, path=path, line=document.line_of(location), field=field)

    if not isinstance(document.data, dict):
        raise wrong("this is one mapping with `areas` and `cards`; write it so")
    try:
        model = FocusFile.model_validate(document.data)
    except ValidationError as error:
        location, sentence = most_specific_error(error.errors(), document.data)
        raise wrong(sentence, *location) from error
    _check_names(model, frozenset(rule_ids), wrong)
    triggers: list[Trigger] = []

    def compiled(entries: list[TriggerEntry], *location: str | int) -> tuple[int, ...]:
        first = len(triggers)
        triggers.extend(_trigger(entry, wrong, (*location, "triggers", n)) for n, entry in enumerate(entries))
        return tuple(range(first, len(triggers)))

    areas = [Area(entry.id, entry.title, compiled(entry.triggers, "areas", n)) for n, entry in enumerate(model.areas)]
    cards = [
        ReviewQuestion(
            id=entry.id,
            title=entry.title,
            areas=tuple(entry.areas),
            questions=tuple(entry.questions),
            rules=tuple(entry.rules),
            seen_in=entry.seen_in,
            triggers=compiled(entry.triggers, "cards", n),
        )
        for n, entry in enumerate(model.cards)
    ]
    return FocusMap(tuple(areas), tuple(cards), tuple(triggers))


def _check_names(model: FocusFile, rule_ids: frozenset[str], wrong: Wrong) -> None:
    """Raise what is wrong with ids, and with what cards name."""
    for kind, ids in (("areas", [area.id for area in model.areas]), ("cards", [card.id for card in model.cards])):
        for number, each in enumerate(ids):
            if each in ids[:number]:
                raise wrong(f"the id {each!r} is used twice; choose another", kind, number, "id")
    areas = {area.id for area in model.areas}
    for number, card in enumerate(model.cards):
        for position, area in enumerate(card.areas):
            if area not in areas:
                known = ", ".join(sorted(areas))
                raise wrong(f"there is no area {area!r}; write one of {known}", "cards", number, "areas", position)
        for position, pattern in enumerate(card.rules):
            if not any(fnmatchcase(rule, pattern) for rule in rule_ids):
                raise wrong(f"no rule matches {pattern!r}; correct or delete it", "cards", number, "rules", position)


def _trigger(entry: TriggerEntry, wrong: Wrong, location: tuple[str | int, ...]) -> Trigger:
    if entry.lines is not None and entry.removed is not None:
        raise wrong("a trigger has `lines` or `removed`; make it two triggers", *location, "removed")
    regex = entry.lines if entry.lines is not None else entry.removed
    if regex is not None:
        try:
            text_pattern.check(regex)
        except re2.error as error:
            key = "lines" if entry.lines is not None else "removed"
            raise wrong(f"RE2 does not accept {regex!r}; write it without look-around", *location, key) from error
    for key, patterns in (("paths", entry.paths), ("ignores", entry.ignores)):
        for number, pattern in enumerate(patterns):
            try:
                compile_glob(pattern)
            except ValueError as error:
                raise wrong(f"invalid path pattern: {error}", *location, key, number) from error
    return Trigger(
        lines=entry.lines,
        removed=entry.removed,
        literals=required_literals.of_regex(regex) if regex is not None else None,
        paths=tuple(entry.paths),
        ignores=tuple(entry.ignores),
        scope=entry.scope,
        new_files=entry.new_files,
        at_least=entry.at_least,
    )
