"""The sentences on what stands around a change: other pull requests that it meets. Plain text, not yet escaped.

Names and places stand between single backticks; all of them, and the titles, were written by others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from review_bot.reports import wording
from review_bot.review.context import Overlap, OverlapReport
from review_bot.review.review import Review
from review_bot.text.lazy_regex import LatePattern

NAMED = 3
"""Functions, files or names that one sentence names; of more it gives the number."""

_NUMBER = LatePattern(r"#(\d+)")

_PREREQUISITES = ("adds-module", "adds-name")


class Meeting(NamedTuple):
    """What another open pull request has to do with this one, one thing of it; ``said`` goes on after its number.

    ``needed``: it is a prerequisite.
    """

    number: int
    title: str
    said: str
    needed: bool

    @property
    def sentence(self) -> str:
        """All of it as one sentence."""
        return f"#{self.number} (`{_quoted(self.title)}`) {self.said}."


def neighbour_sentences(review: Review) -> tuple[str, ...]:
    """Return what other open pull requests have to do with this one, what it needs first; none if nobody looked."""
    neighbours = review.context.overlaps
    if neighbours is None:
        return ()
    told = [each.sentence for each in meetings(neighbours.found)]
    if neighbours.order:
        told.append(merge_order(neighbours))
    if told or neighbours.limits:
        told.append(f"Compared with {neighbours.looked_at} of {neighbours.known} open pull requests.")
    return (*told, *neighbours.limits)


def with_quoted_numbers(sentence: str) -> str:
    """Return a sentence with the numbers of pull requests between backticks too, so that they stay as they are."""
    parts = sentence.split("`")
    return "`".join(part if at % 2 else _NUMBER.sub(r"`#\1`", part) for at, part in enumerate(parts))


def meetings(found: Iterable[Overlap]) -> tuple[Meeting, ...]:
    """Return them by pull request, prerequisites first; what is alike is told together."""
    ranked = sorted(found, key=_rank)
    return tuple(
        Meeting(alike[0].number, alike[0].title, _said(alike), alike[0].relation in _PREREQUISITES)
        for alike in (list(group) for _, group in groupby(ranked, _kind))
    )


def merge_order(neighbours: OverlapReport) -> str:
    """Return in which order to merge, or an empty text where any order will do."""
    if not neighbours.order:
        return ""
    order = ", ".join(map(_called, neighbours.order))
    if not neighbours.cycles:
        return f"An order to merge them in which each finds what it needs: {order}."
    cycles = "; ".join(" and ".join(_called(number) for number in cycle) for cycle in neighbours.cycles)
    return f"An order to merge them: {order}. These need each other: {cycles}."


def _rank(each: Overlap) -> tuple[bool, int]:
    return (each.relation not in _PREREQUISITES, each.number)


def _kind(each: Overlap) -> tuple[int, str, str]:
    """Return what makes meetings alike: who, how, and for functions in which file."""
    return (each.number, each.relation, each.path if each.relation == "same-function" else "")


def _said(alike: Sequence[Overlap]) -> str:
    first = alike[0]
    if first.relation == "same-function":
        return _both_change(alike)
    if first.relation == "same-file":
        return f"adds {_few(each.subject for each in alike)} too, with other contents"
    if first.relation == "removes-changed":
        return f"removes {_few(each.subject for each in alike)}, which this change edits"
    if first.relation == "changes-removed":
        return f"edits {_few(each.subject for each in alike)}, which this change removes"
    what = wording.listed_few(
        [f"`{_quoted(each.subject)}` ({_place(each.their_path, each.their_line)})" for each in alike], NAMED
    )
    places = dict.fromkeys(_at(each.path, each.line) for each in alike)
    here, several = _few(places), len(places) > 1
    if first.relation == "removes-used":
        return f"removes {what}, which {here} {'use' if several else 'uses'}"
    kind = ("module" if first.relation == "adds-module" else "name") + ("s" if len(alike) > 1 else "")
    also = sorted({number for each in alike for number in each.also})
    others = f" ({wording.listed_few([f'#{number}' for number in also], NAMED)} too)" if also else ""
    return f"adds the {kind} {what}, which {here} {'import' if several else 'imports'}: merge that one first{others}"


def _both_change(alike: Sequence[Overlap]) -> str:
    first = alike[0]
    if len(alike) == 1:
        there, here = _place(first.their_path, first.their_line), _place(first.path, first.line)
        return f"changes `{_quoted(first.subject)}` as well, at {there}; here it is at {here}"
    named = [f"`{_quoted(each.subject)}`{_lines(each)}" for each in alike]
    count = f"{len(alike)} functions and classes of " if len(alike) > NAMED + 1 else ""
    return f"changes {count}`{_quoted(first.path)}` as well: {wording.listed_few(named, NAMED)}"


def _lines(each: Overlap) -> str:
    if each.line is None or each.their_line is None:
        return ""
    return f" (line {each.their_line} there, {each.line} here)"


def _few(texts: Iterable[str]) -> str:
    return wording.listed_few([f"`{_quoted(text)}`" for text in texts], NAMED)


def _called(number: int) -> str:
    return f"#{number}" if number else "this one"


def _at(path: str, line: int | None) -> str:
    return path if line is None else f"{path}:{line}"


def _place(path: str, line: int | None) -> str:
    return f"`{_quoted(_at(path, line))}`"


def _quoted(text: str) -> str:
    """Return text that can stand between single backticks."""
    return text.replace("`", "'")
