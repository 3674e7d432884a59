"""Labels: the annotations of findings as data without code, one JSON object per line and one file per repository.

A label names the commits of its finding, so that the finding can be reproduced at any time; ``statement`` (see
``sampling.statement_digest``) identifies the code where its lines have moved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from review_bot.files.yaml_file import most_specific_error
from rule_lab.errors import LabelError

LONGEST_NOTE = 300
"""Maximum length of a note in characters: one sentence, no code."""

Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
RepositoryName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$")]
_ANNOTATOR = r"^[a-z0-9][a-z0-9-]{0,39}$"
AnnotatorName = Annotated[str, StringConstraints(pattern=_ANNOTATOR)]
Note = Annotated[str, StringConstraints(max_length=LONGEST_NOTE, pattern=r"^[^\n\r`]*$")]
_Answer = TypeVar("_Answer", "Annotation", "Adjudication")
_Model = TypeVar("_Model", bound=BaseModel)
RuleId = Annotated[str, StringConstraints(min_length=1)]


class Judgement(NamedTuple):
    """``true``: the comment states a fact about the code. ``useful``: the author or a maintainer would act on it."""

    true: bool
    useful: bool


class StrictModel(BaseModel):
    """A record that accepts no unknown keys and converts no types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Annotation(StrictModel):
    """One annotator's answer for a finding."""

    annotator: AnnotatorName
    true: bool
    useful: bool

    @model_validator(mode="after")
    def _useful_is_true(self) -> Annotation:
        return _checked(self)

    @property
    def judgement(self) -> Judgement:
        """The answer without the annotator."""
        return Judgement(self.true, self.useful)


class Adjudication(StrictModel):
    """The decision of the person who read the code again after annotators disagreed."""

    true: bool
    useful: bool
    note: Note = ""

    @model_validator(mode="after")
    def _useful_is_true(self) -> Adjudication:
        return _checked(self)


def _checked(answer: _Answer) -> _Answer:
    if answer.useful and not answer.true:
        raise ValueError("a finding that is not true cannot be useful; correct one of the two")
    return answer


class FindingReference(StrictModel):
    """Identifies a finding of a past change. ``placement``: where it was shown.

    ``fingerprint``: that of the finding. ``statement`` and ``words``: digests of the code and of the comment's text;
    annotations hold only for the same text.
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
        """The identity of the finding, which is also the sort order of a label file."""
        return (self.rule, self.path or "", self.head, f"{self.line or 0:07}", self.side, self.fingerprint, self.base)


class Label(FindingReference):
    """A finding with its annotations. ``fires``: whether the current rules still report it."""

    repository: RepositoryName
    fires: bool = True
    annotations: tuple[Annotation, ...]
    adjudicated: Adjudication | None = None

    @property
    def judgement(self) -> Judgement | None:
        """The adjudicated judgement, else the one on which two or more annotators agree, else None."""
        if self.adjudicated is not None:
            return Judgement(self.adjudicated.true, self.adjudicated.useful)
        given = {annotation.judgement for annotation in self.annotations}
        return given.pop() if len(self.annotations) > 1 and len(given) == 1 else None

    def with_annotation(self, annotation: Annotation) -> Label:
        """Return the label with an annotation, which replaces an earlier one of the same annotator."""
        others = [each for each in self.annotations if each.annotator != annotation.annotator]
        ordered = sorted([*others, annotation], key=lambda each: each.annotator)
        return self.model_copy(update={"annotations": tuple(ordered)})


def is_annotator_name(name: str) -> bool:
    """Return whether this is a valid name of an annotator."""
    return re.fullmatch(_ANNOTATOR, name) is not None


def file_name(repository: str) -> str:
    """Return the name of the file that holds the labels of a repository."""
    return repository.replace("/", "+") + ".jsonl"


def read(text: str, path: str) -> list[Label]:
    """Return the labels of a label file. Raises LabelError with file, line and field."""
    labels: list[Label] = []
    seen: set[tuple[str, ...]] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            continue
        label = validated(Label, line, path, number)
        if file_name(label.repository) != path.rsplit("/", 1)[-1]:
            raise LabelError(
                f"labels of {label.repository} belong in {file_name(label.repository)}",
                path=path, line=number, field="repository",
            )  # fmt: skip
        if label.key in seen:
            raise LabelError("duplicate label of this finding; remove one", path=path, line=number)
        seen.add(label.key)
        labels.append(label)
    return labels


def validated(model: type[_Model], text: str, path: str, line: int | None = None) -> _Model:
    """Return a JSON object as a strict record. Raises LabelError."""
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise LabelError(f"invalid JSON ({error})", path=path, line=line) from error
    if not isinstance(data, Mapping):
        raise LabelError("expected a JSON object", path=path, line=line)
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        place, sentence = most_specific_error(error.errors(), data)
        raise LabelError(sentence, path=path, line=line, field=".".join(map(str, place))) from error


def render(labels: Iterable[Label]) -> str:
    """Return the text of a label file; the same labels give the same bytes."""
    ordered = sorted(labels, key=lambda label: label.key)
    return "".join(f"{_line(label)}\n" for label in ordered)


def _line(label: Label) -> str:
    data = label.model_dump(mode="json")
    last = ("annotations", "adjudicated")
    order = ("repository", *(name for name in data if name not in {"repository", *last}), *last)
    return json.dumps({name: data[name] for name in order}, ensure_ascii=False, separators=(", ", ": "))
