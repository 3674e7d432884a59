"""What the summary remembers of the last push, in two hidden lines of its own.

::

    <!-- review-bot:since HEAD NUMBER EARLIER FINGERPRINTS -->   the head it was written for, how many were open then;
                                                                 the head before that, and what was open there
    <!-- review-bot:1 NAME summary FINGERPRINTS -->              what is open at HEAD, if it is not too much

A second run on the same head finds the same earlier state, so it says the same. Nothing here touches the verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from review_bot.late_pattern import LatePattern
from review_bot.publication import PostedComment
from review_bot.reports.summary_comment import Since
from review_bot.review.review import Review

MOST_REMEMBERED = 300
"""Fingerprints in a hidden line; where more are open, the next push is not compared."""

_LINE = LatePattern(
    r"(?m)^<!-- review-bot:since (?P<head>[0-9a-f]{7,64}) (?P<number>\d{1,9})"
    r"(?: (?P<earlier>[0-9a-f]{7,64})(?: (?P<open>[0-9a-f,-]+))?)? -->[ \t]*$"
)


class History(NamedTuple):
    """``line``: the hidden line to write; ``remembered``: the fingerprints for the marker."""

    since: Since | None
    line: str
    remembered: tuple[str, ...]


def compare(review: Review, summary: PostedComment | None, head: str) -> History:
    """Compare what is open with the last push, as far as the summary that stands remembers it."""
    listed = [finding for finding in review.findings if not finding.counted]
    now = tuple(dict.fromkeys(finding.fingerprint for finding in listed if not finding.moved))
    remembered = tuple(sorted(now)) if len(now) <= MOST_REMEMBERED else ()
    earlier = _earlier(summary, head)
    commit, before = earlier or ("", ())
    words = " ".join(filter(None, [head, str(len(now)), commit, ",".join(before)]))
    silenced = {entry.finding.fingerprint for entry in review.suppressed}
    since = _since(commit, before, now, silenced) if earlier else None
    return History(since, f"<!-- review-bot:since {words} -->", remembered)


def _earlier(summary: PostedComment | None, head: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the head before this one and what was open there, None if nobody remembers."""
    found = None if summary is None else _LINE.search(summary.body.replace("\r\n", "\n"))
    if summary is None or found is None:
        return None
    if found["head"] != head:
        known = int(found["number"]) == len(summary.fingerprints)
        return (found["head"], tuple(sorted(summary.fingerprints))) if known else None
    if found["earlier"] is None:
        return None
    return found["earlier"], tuple((found["open"] or "").split(",")) if found["open"] else ()


def _since(commit: str, before: Sequence[str], now: Sequence[str], silenced: set[str]) -> Since:
    """Count; a finding in a renamed file, or with another ordinal, is known by its rule and statement."""
    was, is_now = set(before), set(now)
    still = was & is_now
    suppressed = (was - is_now) & silenced
    gone = Counter(each.partition("-")[0] for each in was - is_now - suppressed)
    new = Counter(each.partition("-")[0] for each in is_now - was)
    carried = (gone & new).total()
    return Since(commit, new.total() - carried, gone.total() - carried, len(still) + carried, len(suppressed))
