"""Sentences about the open pull requests that overlap a change. Plain text, not yet escaped.

Names and places are between single backticks; all of them, and the titles, were written by others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.review.context import Overlap, OverlapReport
from review_bot.review.review import Review
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import count

NAMED = 3
"""Functions, files or names that one sentence names; of more it gives the number."""

_NUMBER = LazyRegex(r"#(\d+)")

_PREREQUISITES = ("adds-module", "adds-name")


class OverlapSentence(NamedTuple):
    """One way in which another open pull request relates to this one; ``said`` continues after its number.

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


def report_sentences(review: Review) -> tuple[str, ...]:
    """Return how other open pull requests relate to this one, prerequisites first; none if they were not compared."""
    overlaps = review.context.overlaps
    if overlaps is None:
        return ()
    sentences = [each.sentence for each in overlap_sentences(overlaps.found)]
    if overlaps.order:
        sentences.append(merge_order(overlaps))
    if sentences or overlaps.limits:
        sentences.append(f"Compared with {overlaps.looked_at} of {overlaps.known} open pull requests.")
    return (*sentences, *overlaps.limits)


def with_quoted_numbers(sentence: str) -> str:
    """Return a sentence with the numbers of pull requests between backticks too, so that they stay as they are."""
    parts = sentence.split("`")
    return "`".join(part if at % 2 else _NUMBER.sub(r"`#\1`", part) for at, part in enumerate(parts))


def overlap_sentences(found: Iterable[Overlap]) -> tuple[OverlapSentence, ...]:
    """Return them by pull request, prerequisites first; similar overlaps share a sentence."""
    ranked = sorted(found, key=_rank)
    return tuple(
        OverlapSentence(alike[0].number, alike[0].title, _said(alike), alike[0].relation in _PREREQUISITES)
        for alike in (list(group) for _, group in groupby(ranked, _kind))
    )


def merge_order(overlaps: OverlapReport) -> str:
    """Return the suggested merge order, or an empty text if any order works."""
    if not overlaps.order:
        return ""
    order = ", ".join(map(_called, overlaps.order))
    if not overlaps.cycles:
        return f"Suggested merge order: {order}."
    cycles = "; ".join(" and ".join(_called(number) for number in cycle) for cycle in overlaps.cycles)
    return f"Suggested merge order: {order}. Circular dependencies: {cycles}."


def compared(overlaps: OverlapReport) -> str:
    """Return how many open pull requests this one was compared with."""
    return f"{overlaps.looked_at} of {count(overlaps.known, 'open pull request')} compared."


def _rank(each: Overlap) -> tuple[bool, int]:
    return (each.relation not in _PREREQUISITES, each.number)


def _kind(each: Overlap) -> tuple[int, str, str]:
    """Return the key of similar overlaps: pull request, relation, and for functions the file."""
    return (each.number, each.relation, each.path if each.relation == "same-function" else "")


def _said(alike: Sequence[Overlap]) -> str:
    first = alike[0]
    if first.relation == "same-function":
        return _both_change(alike)
    if first.relation == "same-file":
        return f"also adds {_few(each.subject for each in alike)}, with different contents"
    if first.relation == "removes-changed":
        return f"removes {_few(each.subject for each in alike)}, which this change edits"
    if first.relation == "changes-removed":
        return f"edits {_few(each.subject for each in alike)}, which this change removes"
    what = wording.listed_few(
        [f"`{_quoted(each.subject)}` ({_place(each.their_path, each.their_line)})" for each in alike], NAMED
    )
    places = dict.fromkeys(wording.path_line(each.path, each.line) for each in alike)
    here, several = _few(places), len(places) > 1
    if first.relation == "removes-used":
        return f"removes {what}, which {here} {'use' if several else 'uses'}"
    kind = ("module" if first.relation == "adds-module" else "name") + ("s" if len(alike) > 1 else "")
    also = sorted({number for each in alike for number in each.also})
    others = f" (also added by {wording.listed_few([f'#{number}' for number in also], NAMED)})" if also else ""
    return f"adds the {kind} {what}, which {here} {'import' if several else 'imports'}; merge it first{others}"


def _both_change(alike: Sequence[Overlap]) -> str:
    first = alike[0]
    if len(alike) == 1:
        there, here = _place(first.their_path, first.their_line), _place(first.path, first.line)
        return f"also changes `{_quoted(first.subject)}` ({there} there, {here} here)"
    named = [f"`{_quoted(each.subject)}`{_lines(each)}" for each in alike]
    others = f"{len(alike)} functions and classes of " if len(alike) > NAMED + 1 else ""
    return f"also changes {others}`{_quoted(first.path)}`: {wording.listed_few(named, NAMED)}"


def _lines(each: Overlap) -> str:
    if each.line is None or each.their_line is None:
        return ""
    return f" (line {each.their_line} there, {each.line} here)"


def _few(texts: Iterable[str]) -> str:
    return wording.listed_few([f"`{_quoted(text)}`" for text in texts], NAMED)


def _called(number: int) -> str:
    return f"#{number}" if number else "this one"


def _place(path: str, line: int | None) -> str:
    return f"`{_quoted(wording.path_line(path, line))}`"


def _quoted(text: str) -> str:
    """Return text that is safe between single backticks."""
    return text.replace("`", "'")
