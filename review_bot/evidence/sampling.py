"""Which findings of a replay a person is asked to judge: a sample that the same seed gives again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import NamedTuple

from review_bot.changes.pull_request import ChangedFile, PullRequest, Side
from review_bot.findings import Finding

MOST_IN_A_FILE = 2
"""Findings of one rule in one file: a third says nothing new about the rule."""

AROUND = 3
"""Lines before and after a finding that tell a copied statement from a common one."""


class Sighting(NamedTuple):
    """A finding of the replay, and the commits between which it was seen. ``statement``: see ``statement_digest``."""

    pull_request: str
    base: str
    head: str
    finding: Finding
    statement: str


def statement_digest(pull_request: PullRequest, finding: Finding) -> str:
    """Return 16 hex digits that stand for the code under a finding, wherever that code stands.

    Hashed are its lines and ``AROUND`` more at each side, as far as the diff shows them, without white space; the place
    itself where no line of the diff is meant. A line such as ``except Exception:`` alone would be equal all over.
    """
    file = next((each for each in pull_request.files if each.path == finding.path), None)
    texts: list[str] = []
    if file is not None and finding.line is not None:
        known = lines_of(file, finding.side)
        last = max(finding.end_line or finding.line, finding.line)
        texts = [known.get(number, "") for number in range(finding.line - AROUND, last + AROUND + 1)]
    squeezed = "\n".join("".join(text.split()) for text in texts).strip("\n")
    what = squeezed or "\0".join([finding.path or "", str(finding.line), pull_request.head or "", finding.message])
    return digest(what)


def lines_of(file: ChangedFile, side: Side) -> dict[int, str]:
    """Return what the diff shows of one side of a file, by line number."""
    known: dict[int, str] = {}
    for hunk in file.hunks:
        other, number = ("-", hunk.new_start) if side == "RIGHT" else ("+", hunk.old_start)
        for line in hunk.lines:
            if line[:1] not in {other, "\\"}:
                known[number] = line[1:].removesuffix("\r")
                number += 1
    return known


def words_digest(finding: Finding) -> str:
    """Return 16 hex digits that stand for the words of a comment."""
    return digest(f"{finding.title}\0{finding.message}\0{finding.why}\0{finding.instead}")


def digest(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of a text."""
    result: str = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return result[:16]


def sample(
    sightings: Iterable[Sighting], size: int, *, seed: str, judged: Collection[tuple[str, str]] = frozenset()
) -> list[Sighting]:
    """Choose up to ``size`` findings, in an order that says nothing about them.

    Rules take turns, so that a rare rule has as many as a frequent one while they last; each takes what stands in the
    pull request that it has taken least from. Copies count once: equal (rule, statement); so do those ``judged``.
    """
    waiting: dict[str, list[Sighting]] = {}
    seen = set(judged)
    in_files: Counter[tuple[str, str | None]] = Counter()
    for each in sorted(sightings, key=lambda each: rank(seed, each)):
        rule, path = each.finding.rule, each.finding.path
        if (rule, each.statement) in seen or (path is not None and in_files[rule, path] >= MOST_IN_A_FILE):
            continue
        seen.add((rule, each.statement))
        in_files[rule, path] += 1
        waiting.setdefault(rule, []).append(each)
    chosen: list[Sighting] = []
    taken: Counter[tuple[str, str]] = Counter()
    while waiting and len(chosen) < size:
        for rule in sorted(waiting, key=lambda rule: digest(f"{seed}\0{rule}")):
            if len(chosen) == size:
                break
            queue = waiting[rule]
            least = min(queue, key=lambda each: (taken[rule, each.pull_request], taken["", each.pull_request]))
            queue.remove(least)
            taken[rule, least.pull_request] += 1
            taken["", least.pull_request] += 1
            chosen.append(least)
        waiting = {rule: queue for rule, queue in waiting.items() if queue}
    return sorted(chosen, key=lambda each: rank(f"{seed}\0order", each))


def rank(seed: str, sighting: Sighting) -> str:
    """Return a number by which findings are put in an order that the seed alone decides."""
    finding = sighting.finding
    place = (finding.rule, sighting.base, sighting.head, finding.path, finding.line, finding.side, finding.fingerprint)
    return digest("\0".join([seed, *map(str, place)]))
