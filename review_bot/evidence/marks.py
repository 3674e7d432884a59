"""Marks: what readers said of findings, as data without code. One JSON object a line, sorted, one file a repository.

A mark names its place by commits, so that the finding can be made again at any time; ``statement`` (see
``sampling.statement_digest``) finds it again where lines have moved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from review_bot.errors import EvidenceError
from review_bot.files.yaml_file import first_mistake

LONGEST_NOTE = 300
"""Characters of a note: a sentence, no code."""

Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
RepositoryName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$")]
_READER = r"^[a-z0-9][a-z0-9-]{0,39}$"
ReaderName = Annotated[str, StringConstraints(pattern=_READER)]
Note = Annotated[str, StringConstraints(max_length=LONGEST_NOTE, pattern=r"^[^\n\r`]*$")]
_Answer = TypeVar("_Answer", "Reading", "Settled")
_Model = TypeVar("_Model", bound=BaseModel)
RuleId = Annotated[str, StringConstraints(min_length=1)]


class Verdict(NamedTuple):
    """What is held of a finding: ``true``: its comment states a fact of the code; ``useful``: one would act on it."""

    true: bool
    useful: bool


class StrictModel(BaseModel):
    """A value of a file that is read strictly."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Reading(StrictModel):
    """One reader's answer."""

    reader: ReaderName
    true: bool
    useful: bool

    @model_validator(mode="after")
    def _useful_is_true(self) -> Reading:
        return _checked(self)

    @property
    def verdict(self) -> Verdict:
        """The answer without its reader."""
        return Verdict(self.true, self.useful)


class Settled(StrictModel):
    """What was found when the code was read again after readers had disagreed."""

    true: bool
    useful: bool
    note: Note = ""

    @model_validator(mode="after")
    def _useful_is_true(self) -> Settled:
        return _checked(self)


def _checked(answer: _Answer) -> _Answer:
    if answer.useful and not answer.true:
        raise ValueError("what is not true is not useful; mend one of the two")
    return answer


class Place(StrictModel):
    """A finding: which rule, where, and in what words. ``placement`` is where it is shown.

    ``fingerprint`` is the finding's; ``words`` is a digest of the comment, to see whether it reads otherwise today.
    """

    base: Commit
    head: Commit
    path: str | None
    line: int | None
    side: Literal["RIGHT", "LEFT"]
    rule: RuleId
    placement: Literal["inline", "file", "summary"]
    fingerprint: str
    statement: Digest
    words: Digest

    @property
    def key(self) -> tuple[str, ...]:
        """What tells two findings apart, and the order of marks in their file."""
        return (self.rule, self.path or "", self.head, f"{self.line or 0:07}", self.side, self.fingerprint, self.base)


class Mark(Place):
    """A finding with what was said of it. ``fires``: false once the rules have changed and make it no longer."""

    repository: RepositoryName
    fires: bool = True
    readings: tuple[Reading, ...]
    settled: Settled | None = None

    @property
    def verdict(self) -> Verdict | None:
        """What is held: what was settled, else what two or more readers agree on, else nothing yet."""
        if self.settled is not None:
            return Verdict(self.settled.true, self.settled.useful)
        said = {reading.verdict for reading in self.readings}
        return said.pop() if len(self.readings) > 1 and len(said) == 1 else None

    def with_reading(self, reading: Reading) -> Mark:
        """Return the mark with a reader's answer, in place of an earlier one of his."""
        others = [each for each in self.readings if each.reader != reading.reader]
        ordered = sorted([*others, reading], key=lambda each: each.reader)
        return self.model_copy(update={"readings": tuple(ordered)})


def is_reader(name: str) -> bool:
    """Tell whether a reader may be called so."""
    return re.fullmatch(_READER, name) is not None


def file_name(repository: str) -> str:
    """Return the name of the file that holds the marks of a repository."""
    return repository.replace("/", "+") + ".jsonl"


def read(text: str, path: str) -> list[Mark]:
    """Read a file of marks. Raises EvidenceError with file, line and field."""
    marks: list[Mark] = []
    seen: set[tuple[str, ...]] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            continue
        mark = validated(Mark, line, path, number)
        if file_name(mark.repository) != path.rsplit("/", 1)[-1]:
            raise EvidenceError(
                f"marks of {mark.repository} stand in {file_name(mark.repository)}",
                path=path, line=number, field="repository",
            )  # fmt: skip
        if mark.key in seen:
            raise EvidenceError("this finding has a mark already; keep one of the two", path=path, line=number)
        seen.add(mark.key)
        marks.append(mark)
    return marks


def validated(model: type[_Model], text: str, path: str, line: int | None = None) -> _Model:
    """Read one JSON object as a strict model. Raises EvidenceError."""
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise EvidenceError(f"this is not JSON ({error}); mend it", path=path, line=line) from error
    if not isinstance(data, Mapping):
        raise EvidenceError("this must be a JSON object", path=path, line=line)
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        place, sentence = first_mistake(error.errors(), data)
        raise EvidenceError(sentence, path=path, line=line, field=".".join(map(str, place))) from error


def render(marks: Iterable[Mark]) -> str:
    """Return the text of a file of marks: the same marks give the same bytes."""
    ordered = sorted(marks, key=lambda mark: mark.key)
    return "".join(f"{_line(mark)}\n" for mark in ordered)


def _line(mark: Mark) -> str:
    data = mark.model_dump(mode="json")
    last = ("readings", "settled")
    order = ("repository", *(name for name in data if name not in {"repository", *last}), *last)
    return json.dumps({name: data[name] for name in order}, ensure_ascii=False, separators=(", ", ": "))
