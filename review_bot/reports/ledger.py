"""What happened to the findings at each push, for the fold of the summary."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from review_bot.records import NamedTuple
from review_bot.reports.markdown import Code, name

_SHORT = 7
"""Digits of a commit that a reader needs."""


class Counts(NamedTuple):
    """Numbers of findings at a push. The first three are open; so are ``declined`` ones, counted separately.

    ``suppressed`` since the previous push; ``unseen``: not checked in this run; ``unchecked``: no longer checked.
    """

    new: int = 0
    fixed: int = 0
    still_open: int = 0
    suppressed: int = 0
    declined: int = 0
    unseen: int = 0
    unchecked: int = 0


class PastFinding(NamedTuple):
    """A finding of a push. ``rule``, ``title`` and ``path`` are empty where they are not known.

    ``severity``: its place in ``SEVERITIES``, so that sorting puts the most severe first. ``reason``: of a suppression.
    """

    severity: int
    title: str
    path: str
    rule: str
    fingerprint: str
    reason: str = ""


class Push(NamedTuple):
    """A push: ``open`` findings, what had changed (None if it was not compared), and a few that were fixed."""

    head: str
    open: int
    counts: Counts | None = None
    fixed: tuple[PastFinding, ...] = ()


class Since(NamedTuple):
    """This push against the one before, ``head``; of each list only the most severe that have a title."""

    head: str
    counts: Counts
    fixed: tuple[PastFinding, ...] = ()
    suppressed: tuple[PastFinding, ...] = ()


class Ledger(NamedTuple):
    """All of it. ``earlier``: the pushes before this one, the newest first.

    ``settled``: a finding of each rule that must or should be followed and is now, and the head that fixed it.
    """

    since: Since | None = None
    earlier: tuple[Push, ...] = ()
    settled: tuple[tuple[PastFinding, str], ...] = ()


class Line(NamedTuple):
    """A line of the fold: a commit or a word, and findings; ``more`` that are not named."""

    commit: Code | None = None
    word: str = ""
    named: tuple[Mention, ...] = ()
    more: int = 0


class Mention(NamedTuple):
    """A finding in a line of the fold."""

    title: str
    place: Code | None
    reason: str = ""


class View(NamedTuple):
    """The fold as the template shows it."""

    heading: str
    settled: tuple[Line, ...]
    now: tuple[Line, ...]
    earlier: tuple[Line, ...]


def news(counts: Counts) -> str:
    """Return what a push changed, in one line."""
    parts = (
        (counts.new, "new"),
        (counts.fixed, "fixed"),
        (counts.still_open, "still open"),
        (counts.suppressed, "suppressed"),
        (counts.declined, "declined"),
        (counts.unseen, "not checked in this run"),
        (counts.unchecked, "no longer checked"),
    )
    return ", ".join(f"{number} {word}" for number, word in parts if number) or "no changes"


def view(ledger: Ledger, most: int) -> View | None:
    """Return what the template shows, at most ``most`` entries of a list; None if there is nothing to report."""
    if ledger.since is None or not most:
        return None
    since, pushes = ledger.since, ledger.earlier
    compared = [push.counts for push in pushes if push.counts is not None]
    fixed = sum(counts.fixed for counts in compared) + since.counts.fixed
    return View(
        heading=f"Push by push: {fixed} fixed" if fixed else "Push by push",
        settled=_cut([_line(_commit(head), "", 1, [one]) for one, head in ledger.settled], most),
        now=_now(since, {one.title for one, _ in ledger.settled}, most),
        earlier=_cut([_push(each, most) for each in pushes], most),
    )


def _now(since: Since, settled: Collection[str], most: int) -> tuple[Line, ...]:
    """Return what this push changed; findings ticked as settled are not repeated."""
    counts = since.counts
    fixed = tuple(each for each in since.fixed if each.title not in settled)
    lists = (
        ("fixed", counts.fixed - len(since.fixed) + len(fixed), fixed),
        ("suppressed", counts.suppressed, since.suppressed),
    )
    return tuple(_line(None, word, number, named[:most]) for word, number, named in lists if number)


def _push(push: Push, most: int) -> Line:
    fixed = [each for each in push.fixed if each.title][:most]
    if push.counts is None or not fixed:
        return Line(_commit(push.head), f"{push.open} open" if push.counts is None else news(push.counts))
    return _line(_commit(push.head), news(push.counts), push.counts.fixed, fixed)


def _line(commit: Code | None, word: str, number: int, named: Sequence[PastFinding]) -> Line:
    mentions = tuple(Mention(each.title, name(each.path) if each.path else None, each.reason) for each in named)
    return Line(commit, word, mentions, max(number - len(named), 0))


def _cut(lines: Iterable[Line], most: int) -> tuple[Line, ...]:
    """Return the first lines, and one more with the number of the rest."""
    every = tuple(lines)
    return every if len(every) <= most else (*every[:most], Line(more=len(every) - most))


def _commit(head: str) -> Code:
    return Code(head[:_SHORT])
