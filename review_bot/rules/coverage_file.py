"""The grammar of ``rules/coverage.yaml``: each item of the guides that this project grew from, and what covers it.

An item is covered by names, each of which exists in this project::

    errors/bare-except   a rule                     report/unreviewed    a field of the report
    precision/*          a family of rules          finding/why          a field of a finding
    card/tensor          a card of focus.yaml       page/linters         a page of docs/
    area/engine          an area of focus.yaml      command/review       a command
    metric/smells        a measure                  criterion/ci-status  a line of the approval criteria
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from review_bot.errors import RuleError
from review_bot.files.yaml_file import YamlError, first_mistake, read_yaml

Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z-]*/(\*|[a-z0-9][a-z0-9_-]*)$")]
Kind = Literal["detector", "relation", "checklist", "metric", "n/a"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Item(_Model):
    """One demand of a guide. ``kinds``: how it is covered; ``n/a``: it is a remark; there is nothing to look for."""

    item: Text
    kinds: Annotated[list[Kind], Field(min_length=1, max_length=3)]
    by: list[Name] = []
    note: Text | None = None


class Section(_Model):
    """A section of a guide; ``document`` is the number by which the guides are known here."""

    document: Annotated[str, StringConstraints(pattern=r"^00[0-4]$")]
    title: Text
    items: Annotated[list[Item], Field(min_length=1)]


class Coverage(_Model):
    """The whole file."""

    sections: Annotated[list[Section], Field(min_length=1)]

    def demands(self) -> Iterator[tuple[Section, Item]]:
        """Yield every item with its section."""
        for section in self.sections:
            for item in section.items:
                yield section, item

    def names(self) -> frozenset[str]:
        """Return every name that an item is covered by."""
        return frozenset(name for _, item in self.demands() for name in item.by)


def read_coverage(text: str, path: str) -> Coverage:
    """Read the file. Raises RuleError with file, line and field, also for an item that nothing covers."""
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise RuleError(error.message, path=path, line=error.line) from error
    if len(documents) != 1 or not isinstance(documents[0].data, dict):
        raise RuleError("this is one mapping with `sections`; write it so", path=path, line=1)
    document = documents[0]

    def wrong(message: str, *location: str | int) -> RuleError:
        return RuleError(message, path=path, line=document.line_of(location), field=".".join(map(str, location)))

    try:
        coverage = Coverage.model_validate(document.data)
    except ValidationError as error:
        location, sentence = first_mistake(error.errors(), document.data)
        raise wrong(sentence, *location) from error
    seen: set[tuple[str, str, str]] = set()
    for at, section in enumerate(coverage.sections):
        for number, item in enumerate(section.items):
            place = ("sections", at, "items", number)
            key = (section.document, section.title, item.item)
            if key in seen:
                raise wrong("this item stands here twice; delete one", *place, "item")
            seen.add(key)
            if not item.by and (item.kinds != ["n/a"] or item.note is None):
                raise wrong("nothing covers this item; write `by`, or `kinds: [n/a]` with a `note`", *place)
    return coverage
