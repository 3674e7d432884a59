"""The sentences on other open pull requests, for every report for people. Plain text, not yet escaped.

Numbers stand as ``#7``, which GitHub makes a link; titles and paths were written by others.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from review_bot.reports.wording import count
from review_bot.review.surroundings import Neighbour, Neighbours

NAMED = 3
"""Functions or files that one sentence names; of more it gives the number."""


class Met(NamedTuple):
    """One other pull request, and what there is to know of it, in whole sentences."""

    number: int
    title: str
    sentences: tuple[str, ...]


def neighbour_sentence(each: Neighbour) -> str:
    """Return one meeting in one sentence."""
    return _sentence([each])


def met(neighbours: Neighbours) -> tuple[Met, ...]:
    """Return the other pull requests, prerequisites first; what is alike is said in one sentence."""
    by_number: dict[int, list[Neighbour]] = {}
    for each in neighbours.found:
        by_number.setdefault(each.number, []).append(each)
    return tuple(
        Met(number, found[0].title, tuple(_sentence(list(alike)) for _, alike in groupby(found, _kind)))
        for number, found in by_number.items()
    )


def merge_order(neighbours: Neighbours) -> str:
    """Return in which order to merge, in one or two sentences, or an empty text where any order will do."""
    if not neighbours.order:
        return ""
    said = f"Merge in this order: {', '.join(map(_called, neighbours.order))}."
    for cycle in neighbours.cycles:
        said += f" {_listed([_called(number) for number in cycle])} need each other: merge them together."
    return said


def compared(neighbours: Neighbours) -> str:
    """Return how much was compared, in one sentence."""
    if neighbours.looked_at < neighbours.known:
        return f"Compared with {neighbours.looked_at} of {count(neighbours.known, 'open pull request')}."
    return f"Compared with {count(neighbours.known, 'open pull request')}."


def _kind(each: Neighbour) -> tuple[str, str]:
    """Return what makes meetings alike: their relation, and for functions their file."""
    return (each.relation, each.path if each.relation == "same-function" else "")


def _sentence(alike: list[Neighbour]) -> str:
    first = alike[0]
    who = f"#{first.number}"
    subjects = [f"`{each.subject}`" for each in alike]
    places = [f"{each.path}:{each.line}" if each.line is not None else each.path for each in alike]
    if first.relation in {"adds-module", "adds-name"}:
        also = sorted({number for each in alike for number in each.also})
        others = f" ({_listed([f'#{number}' for number in also[:NAMED]])} too)" if also else ""
        return f"{who}{others} adds {_few(subjects)}, which {_few(_once(places))} imports and nobody has yet."
    if first.relation == "removes-used":
        return f"{who} removes {_few(subjects)}, which {_few(_once(places))} imports."
    if first.relation == "removes-changed":
        return f"{who} removes {_few(subjects)}, which this change edits."
    if first.relation == "changes-removed":
        return f"{who} edits {_few(subjects)}, which this change removes."
    if first.relation == "same-file":
        return f"{who} adds {_few(subjects)} too, with other contents."
    lines = [f"{subject}{_lines(each)}" for subject, each in zip(subjects, alike, strict=True)]
    return f"{who} changes {_few(lines)} of `{first.path}` too."


def _lines(each: Neighbour) -> str:
    if each.line is None or each.their_line is None:
        return ""
    return f" (line {each.line} here, {each.their_line} there)"


def _called(number: int) -> str:
    return f"#{number}" if number else "this one"


def _once(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _few(texts: list[str]) -> str:
    """Name a few of several."""
    if len(texts) > NAMED + 1:
        texts = [*texts[:NAMED], f"{len(texts) - NAMED} more"]
    return _listed(texts)


def _listed(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
