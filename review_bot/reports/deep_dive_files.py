"""The changed files of ``REVIEW.md``: what each defines, who owns it, which tests cover it, and its findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from review_bot.advice.definitions import Definition, definitions
from review_bot.advice.next_steps import ANY_AREA
from review_bot.changes.pull_request import ChangedFile
from review_bot.findings import SEVERITIES, Finding
from review_bot.records import NamedTuple
from review_bot.reports.markdown import Code, Entry, Several, name
from review_bot.review.redaction import redactor
from review_bot.review.review import Review

T = TypeVar("T")

MOST_NAMES = 12
"""Owners, tests or definitions named for a file."""


class FileView(NamedTuple):
    """One changed file."""

    path: Code
    said: str
    areas: str
    owners: Several
    tests: Several
    touched: tuple[tuple[str, Several, int], ...]
    entries: tuple[Entry, ...]
    rest: int
    small: int


def file_views(review: Review, most: int) -> list[FileView]:
    """Return at most ``most`` files, and as many findings of each: those with the most severe findings."""
    facts = _Facts(review)
    return [facts.view(file, most) for file in _heaviest(review.pull_request.files, facts.open, most)]


class _Facts:
    """What a review knows, by file."""

    def __init__(self, review: Review) -> None:
        self.open = (*review.to_do, *review.counted)
        self._hidden = redactor(review)
        areas = [area for area in review.assessment.areas if area.id != ANY_AREA]
        owned = () if review.context.owners is None else review.context.owners.owned
        self._here = _by_path((place.path, place) for finding in self.open for place in finding.places)
        self._areas = _by_path((path, area.title) for area in areas for path in area.paths)
        self._owners = _by_path((path, owner) for each in owned for path in each.paths for owner in each.owners)
        self._tests = _by_path((path, each.path) for each in review.context.tests or () for path in each.covers)

    def view(self, file: ChangedFile, entries: int) -> FileView:
        path = file.path
        here = self._here.get(path, [])
        mine = sorted((each for each in here if not each.counted), key=lambda each: (each.line or 0, each.rule))
        was = f" from {file.old_path}" if file.old_path not in {None, path} else ""
        size = f"+{file.added} -{file.removed}" if file.kind == "text" else file.kind
        return FileView(
            path=name(path),
            said=f"{file.status.capitalize()}{was}, {size}",
            areas="; ".join(self._areas.get(path, [])),
            owners=Several(map(name, self._owners.get(path, [])[:MOST_NAMES])),
            tests=Several(map(name, self._tests.get(path, [])[:MOST_NAMES])),
            touched=_touched([each for each in definitions(file) if not self._hidden.contains_secret(each.name)]),
            entries=tuple(
                Entry(_line(each), name(each.rule), f"{each.severity}: {each.title.rstrip('.')}")
                for each in mine[:entries]
            ),
            rest=max(len(mine) - entries, 0),
            small=len(here) - len(mine),
        )


def _by_path(pairs: Iterable[tuple[str | None, T]]) -> dict[str | None, list[T]]:
    found: dict[str | None, list[T]] = {}
    for path, value in pairs:
        found.setdefault(path, []).append(value)
    return found


def _touched(found: Sequence[Definition]) -> tuple[tuple[str, Several, int], ...]:
    """Return (verb, names, how many more) of what is added, changed and removed."""
    touched = []
    for verb, touch in (("Adds", "added"), ("Changes", "changed"), ("Removes", "removed")):
        names = [each.name for each in found if each.touch == touch]
        if names:
            touched.append((verb, Several(map(name, names[:MOST_NAMES])), max(len(names) - MOST_NAMES, 0)))
    return tuple(touched)


def _heaviest(files: Sequence[ChangedFile], findings: Iterable[Finding], most: int) -> list[ChangedFile]:
    """Return the files to show, in their order: where not all fit, those with the most severe and the most findings."""
    if len(files) <= most:
        return list(files)
    weights: dict[str | None, tuple[int, int]] = {}
    for finding in findings:
        severest, number = weights.get(finding.path, (len(SEVERITIES), 0))
        weights[finding.path] = (min(severest, finding.rank), number - 1)
    ranked = sorted(files, key=lambda file: (weights.get(file.path, (len(SEVERITIES), 0)), -file.added - file.removed))
    kept = {file.path for file in ranked[:most]}
    return [file for file in files if file.path in kept]


def _line(finding: Finding) -> str:
    if finding.line is None:
        return "The file"
    return f"Deleted line {finding.line}" if finding.side == "LEFT" else f"Line {finding.line}"
