"""What became of the findings since the push before, and since those before that.

::

    now and before         still open          a finding in a renamed file, or with another ordinal, is known again by
    now, not before        new                 its rule and statement
    before, not now        suppressed, no longer checked, not looked for; what is left is fixed

A second run on the same head finds the same earlier state, so it says the same. Nothing here touches the verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from review_bot.comments.model import Context, PostedComment
from review_bot.findings import SERIOUS, SEVERITIES, Finding, Suppressed
from review_bot.fingerprints import statement_part
from review_bot.publishing import memory
from review_bot.publishing.comment_updates import not_looked_for, unchecked
from review_bot.publishing.memory import MOST_NAMED, MOST_PUSHES, MOST_REMEMBERED, StoredState
from review_bot.records import NamedTuple
from review_bot.reports.ledger import Counts, Ledger, PastFinding, Push, Since
from review_bot.review.review import Review

_MOST_LOSSES = 8
"""How often less can be remembered than before."""


class History(NamedTuple):
    """``line``: the hidden line to write; ``remembered``: the fingerprints for the marker."""

    ledger: Ledger
    line: str
    remembered: tuple[str, ...]


def compare(review: Review, summary: PostedComment | None, context: Context) -> History:
    """Compare what is open with the last push, as far as the existing summary records it.

    Where not all can be remembered, a second run would know less: what it would say is said at once.
    """
    past = None if summary is None else memory.read(summary.body, summary.fingerprints)
    found = _compare(review, past, context)
    for _ in range(_MOST_LOSSES):
        again = _compare(review, memory.read(found.line, found.remembered), context)
        if again == found:
            break
        found = again
    return found


def _compare(review: Review, past: StoredState | None, context: Context) -> History:
    head = context.head
    now = _open(review)
    before: str | None = None
    were: tuple[PastFinding, ...] | None = None
    pushes: tuple[Push, ...] = ()
    if past is not None:
        before, were = (past.before, past.open_before) if past.head == head else (past.head, past.open)
        pushes = tuple(push for push in past.pushes if push.head != head)[: MOST_PUSHES - 1]
    since: Since | None = None
    push = Push(head, len(now))
    gone: tuple[tuple[PastFinding, bool], ...] = ()
    if before is not None and were is not None:
        since, fixed, gone = _compared(review, context, before, were, now)
        push = push._replace(counts=since.counts, fixed=fixed[:MOST_NAMED])
    every = (push, *pushes)
    ledger = Ledger(since, pushes, _settled(every, now))
    few = len(now) <= MOST_REMEMBERED
    known = {one.fingerprint for one in were or ()}
    kept = StoredState(
        head,
        None if were is None else before,
        tuple((one, one.fingerprint in known) for one in now) if few else None,
        gone[:MOST_REMEMBERED] if few else (),
        every,
    )
    return History(ledger, memory.write(kept), tuple(one.fingerprint for one in now) if few else ())


def _compared(  # both ends, and what judges the difference
    review: Review,
    context: Context,
    head: str,
    before: Iterable[PastFinding],
    now: Iterable[PastFinding],
) -> tuple[Since, tuple[PastFinding, ...], tuple[tuple[PastFinding, bool], ...]]:
    """Return what changed since ``head``, what was fixed, and what is not seen now with whether it may be there."""
    declined = {each.fingerprint for each in review.context.declined}
    there = {one.fingerprint: one for one in now}
    were = {one.fingerprint: one for one in before}
    gone = [one for one in sorted(were.values()) if one.fingerprint not in there]
    new = [one for one in sorted(there.values()) if one.fingerprint not in were]
    left, arrived = _without_carried(gone, new)
    silenced = {entry.finding.fingerprint: entry for entry in review.suppressed}
    other_findings = {each.fingerprint for each in review.findings}  # on moved lines now, or only counted
    fates = {one.fingerprint: _fate(review, context, one, silenced, other_findings) for one in left}
    by_fate = {fate: tuple(one for one in left if fates[one.fingerprint] == fate) for fate in {*fates.values()}}
    number = Counter(fates.values())
    counts = Counts(
        new=sum(one.fingerprint not in declined for one in arrived),
        fixed=number["fixed"],
        still_open=sum(one.fingerprint not in declined for one in there.values()),
        suppressed=number["suppressed"],
        declined=len(declined & there.keys()),
        unseen=number["unseen"],
        unchecked=number["unchecked"],
    )
    fixed = by_fate.get("fixed", ())
    since = Since(
        head,
        counts._replace(still_open=counts.still_open - counts.new),
        _named(fixed),
        tuple(_silenced(silenced[one.fingerprint]) for one in by_fate.get("suppressed", ())[:MOST_NAMED]),
    )
    return since, fixed, tuple((one, fates.get(one.fingerprint) == "unseen") for one in gone)


def _fate(
    review: Review, context: Context, one: PastFinding, silenced: Collection[str], other_findings: Collection[str]
) -> str:
    """Return what became of a finding that is not open now."""
    if one.fingerprint in silenced:
        return "suppressed"
    if one.fingerprint in other_findings:
        return "not open"
    if not one.rule:  # remembered by its fingerprint alone
        return "unseen" if review.verdict.decision == "incomplete" else "fixed"
    if unchecked(review, context, one.rule, one.path):
        return "unchecked"
    return "unseen" if not_looked_for(review, one.rule, one.path or None) else "fixed"


def _without_carried(
    gone: Sequence[PastFinding], new: Sequence[PastFinding]
) -> tuple[list[PastFinding], list[PastFinding]]:
    """Leave out pairs of one that is gone and one that is new with the same rule and statement."""
    waiting: dict[str, list[PastFinding]] = {}
    for one in gone:
        waiting.setdefault(statement_part(one.fingerprint), []).append(one)
    arrived = []
    for one in new:
        same = waiting.get(statement_part(one.fingerprint))
        if same:
            same.pop(0)
        else:
            arrived.append(one)
    left = {one.fingerprint for several in waiting.values() for one in several}
    return [one for one in gone if one.fingerprint in left], arrived


def _open(review: Review) -> tuple[PastFinding, ...]:
    """Return what is open, in the order of the fingerprints."""
    return tuple(
        sorted({each.fingerprint: _known(each) for each in review.listed}.values(), key=lambda one: one.fingerprint)
    )


def _known(finding: Finding) -> PastFinding:
    title = finding.title.rstrip(".")
    return PastFinding(finding.rank, title, finding.path or "", finding.rule, finding.fingerprint)


def _named(several: Iterable[PastFinding]) -> tuple[PastFinding, ...]:
    return tuple(one for one in several if one.title)[:MOST_NAMED]


def _silenced(entry: Suppressed) -> PastFinding:
    return _known(entry.finding)._replace(reason=entry.reason)


def _settled(pushes: Sequence[Push], now: Iterable[PastFinding]) -> tuple[tuple[PastFinding, str], ...]:
    """Return the rules that must or should be followed and are now, with the latest push that fixed one of theirs."""
    still = {one.rule for one in now}
    found: dict[str, tuple[PastFinding, str]] = {}
    for push in pushes:
        for one in push.fixed:
            if one.rule and one.rule not in still and SEVERITIES[one.severity] in SERIOUS:
                found.setdefault(one.rule, (one, push.head))
    return tuple(sorted(found.values()))
