"""What the summary remembers of the pushes before, in one hidden line of its own.

::

    <!-- review-bot:ledger {"head": ..., "now": [...], "gone": [...], "pushes": [...], ...} -->
    <!-- review-bot:1 NAME summary FINGERPRINTS -->       what is open at the head; ``now`` describes each in this order

JSON, so that it can be read; ``<``, ``>``, ``@``, ``#`` and ``&`` are escaped in it, so that nothing in a name ends the
comment or calls someone. A person may edit the line: one that makes no sense is as good as none, and nothing is
compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from review_bot.findings import SEVERITIES
from review_bot.fingerprints import FORM
from review_bot.records import NamedTuple
from review_bot.reports.ledger import Counts, PastFinding, Push
from review_bot.text.lazy_regex import LazyRegex

LARGEST = 12_000
"""Bytes of the hidden line. What does not fit is left out: names of long ago first, then all but the head."""

MOST_REMEMBERED = 300
"""Open findings that are remembered; where there are more, the next push is not compared."""

MOST_PUSHES = 10
MOST_NAMED = 5
"""Pushes, and the fixed findings that are named of each."""

LONGEST_NAME = 200
"""Characters of a title or a path; a longer path is not remembered, a longer title is cut."""

_LINE = LazyRegex(r"(?m)^<!-- review-bot:ledger (\{[^\n]*\}) -->[ \t]*$")
_HEAD = re.compile(r"[0-9a-f]{7,64}")
_FINGERPRINT = re.compile(FORM)
_ESCAPED = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>@#&"})
_MOST = 1_000_000_000


class StoredState(NamedTuple):
    """What a summary remembers: ``now`` in the order of its marker, with whether each was open at ``before``.

    ``gone``: what was open at ``before`` and is not seen now, with whether it may still be there. ``now`` None: too
    much. ``before``: the head before, None if it is not known. ``pushes``: the newest first, that of ``head`` included.
    """

    head: str
    before: str | None
    now: tuple[tuple[PastFinding, bool], ...] | None
    gone: tuple[tuple[PastFinding, bool], ...]
    pushes: tuple[Push, ...]

    @property
    def open(self) -> tuple[PastFinding, ...] | None:
        """What was open at ``head``, unseen findings among it, None if it was too much."""
        if self.now is None:
            return None
        return tuple(sorted([one for one, _ in self.now] + [one for one, unseen in self.gone if unseen]))

    @property
    def open_before(self) -> tuple[PastFinding, ...] | None:
        """What was open at ``before``, None if that is not known."""
        if self.now is None or self.before is None:
            return None
        return tuple(sorted([one for one, was in self.now if was] + [one for one, _ in self.gone]))


def write(kept: StoredState) -> str:
    """Return the hidden line, at most ``LARGEST`` bytes."""
    line = ""
    for smaller in _smaller(kept):
        line = f"<!-- review-bot:ledger {json.dumps(_packed(smaller), separators=(',', ':')).translate(_ESCAPED)} -->"
        if len(line) <= LARGEST:
            break
    return line


def read(body: str, fingerprints: Sequence[str]) -> StoredState | None:
    """Return what a summary of ours remembers, None if it has no such line or one that makes no sense.

    ``fingerprints``: those of its marker.
    """
    body = body.replace("\r\n", "\n")
    found = _LINE.findall(body)
    if not found:
        return None
    try:
        return _unpacked(json.loads(found[-1]), fingerprints)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def _smaller(kept: StoredState) -> Iterator[StoredState]:
    """Yield what to remember, and then less and less of it."""
    yield kept
    unnamed = tuple(push._replace(fixed=()) for push in kept.pushes)
    kept = kept._replace(pushes=(*kept.pushes[:1], *unnamed[1:]))
    yield kept
    kept = kept._replace(pushes=unnamed[:3])
    yield kept._replace(now=_each(kept.now, lambda one: one._replace(path="")), gone=_each(kept.gone, _bare) or ())
    yield kept._replace(now=_each(kept.now, _bare), gone=_each(kept.gone, _bare) or ())
    yield StoredState(kept.head, None, None, (), unnamed[:3])


def _each(
    rows: tuple[tuple[PastFinding, bool], ...] | None, change: Callable[[PastFinding], PastFinding]
) -> tuple[tuple[PastFinding, bool], ...] | None:
    return None if rows is None else tuple((change(one), flag) for one, flag in rows)


def unknown_finding(fingerprint: str) -> PastFinding:
    """Return a finding of which nothing else is known."""
    return PastFinding(len(SEVERITIES) - 1, "", "", "", fingerprint)


def _bare(one: PastFinding) -> PastFinding:
    return unknown_finding(one.fingerprint)


class _Table:
    """Gives each different value a number."""

    def __init__(self) -> None:
        self.rows: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        return self.rows.setdefault(value, len(self.rows))


def _packed(kept: StoredState) -> dict[str, Any]:
    rules, paths = _Table(), _Table()

    def place(one: PastFinding) -> list[int]:
        rule = rules.number((one.rule[:LONGEST_NAME], one.title[:LONGEST_NAME], one.severity))
        return [rule, paths.number(one.path if len(one.path) <= LONGEST_NAME else "")]

    packed: dict[str, Any] = {
        "head": kept.head,
        "before": kept.before,
        "now": None if kept.now is None else [[*place(one), int(was)] for one, was in kept.now],
        "gone": [[one.fingerprint, *place(one), int(unseen)] for one, unseen in kept.gone],
        "pushes": [
            [
                push.head,
                push.open,
                None if push.counts is None else list(push.counts),
                [[one.fingerprint, *place(one)] for one in push.fixed[:MOST_NAMED]],
            ]
            for push in kept.pushes[:MOST_PUSHES]
        ],
    }
    return packed | {"rules": [list(row) for row in rules.rows], "paths": list(paths.rows)}


def _unpacked(packed: Any, fingerprints: Sequence[str]) -> StoredState:
    """Read the form of ``_packed``. Raises ValueError, TypeError, KeyError, IndexError."""
    rules = [(_text(rule), _text(title), _number(grave, len(SEVERITIES))) for rule, title, grave in packed["rules"]]
    paths = [_text(path) for path in packed["paths"]]

    def known(fingerprint: str, rule: Any, path: Any) -> PastFinding:
        name, title, severity = rules[_number(rule, len(rules))]
        return PastFinding(
            severity, title, paths[_number(path, len(paths))], name, _matching(_FINGERPRINT, fingerprint)
        )

    now, before = packed["now"], packed["before"]
    if now is not None and len(now) != len(fingerprints):
        raise ValueError("another number of findings than in the marker")
    rows = None if now is None else zip(fingerprints, now, strict=True)
    return StoredState(
        _matching(_HEAD, packed["head"]),
        None if before is None or now is None else _matching(_HEAD, before),
        None if rows is None else tuple((known(name, rule, path), _flag(was)) for name, (rule, path, was) in rows),
        () if now is None else tuple((known(*place), _flag(unseen)) for *place, unseen in packed["gone"]),
        tuple(_push(row, known) for row in packed["pushes"][:MOST_PUSHES]),
    )


def _push(row: Any, known: Callable[[Any, Any, Any], PastFinding]) -> Push:
    head, number, counts, fixed = row
    told = None if counts is None else Counts(*(_number(each, _MOST) for each in counts))
    named = tuple(known(*each) for each in fixed[:MOST_NAMED])
    return Push(_matching(_HEAD, head), _number(number, _MOST), told, named)


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise TypeError("no short text")
    return value


def _number(value: Any, below: int) -> int:
    if type(value) is not int or not 0 <= value < below:
        raise TypeError("no such number")
    return value


def _flag(value: Any) -> bool:
    return bool(_number(value, 2))


def _matching(pattern: re.Pattern[str], value: Any) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError("not of the form")
    return value
