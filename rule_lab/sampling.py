"""Samples the findings of a replay for annotation; the same seed gives the same sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from review_bot.changes.pull_request import ChangedFile, PullRequest, Side
from review_bot.findings import Finding
from review_bot.reports.content.topics import MOST_ALONE
from review_bot.review.review import Review

MOST_IN_A_FILE = 2
"""Maximum number of findings of one rule in one file."""

AROUND = 3
"""Lines before and after a finding that are part of its statement's digest."""


class Candidate(NamedTuple):
    """A finding of the replay with the commits of its change. ``statement``: see ``statement_digest``."""

    pull_request: str
    base: str
    head: str
    finding: Finding
    statement: str


def candidates_of(pull_request: str, review: Review) -> list[Candidate]:
    """Return the findings of a review of the pull request with this name, except those on moved lines."""
    change = review.pull_request
    return [
        Candidate(pull_request, change.merge_base or "", change.head or "", each, statement_digest(change, each))
        for each in review.findings
        if not each.moved
    ]


def statement_digest(pull_request: PullRequest, finding: Finding) -> str:
    """Return 16 hex digits that identify the code of a finding independent of its location.

    The digest covers the lines of the finding and ``AROUND`` more on each side, as far as the diff shows them, without
    white space: a line such as ``except Exception:`` alone is the same everywhere. A finding without a line in the diff
    is identified by its location and message.
    """
    file = next((each for each in pull_request.files if each.path == finding.path), None)
    texts: list[str] = []
    if file is not None and finding.line is not None:
        known = lines_of(file, finding.side)
        texts = [known.get(number, "") for number in range(finding.line - AROUND, finding.last_line + AROUND + 1)]
    squeezed = "\n".join("".join(text.split()) for text in texts).strip("\n")
    what = squeezed or "\0".join([finding.path or "", str(finding.line), pull_request.head or "", finding.message])
    return digest(what)


def lines_of(file: ChangedFile, side: Side) -> dict[int, str]:
    """Return the lines that the diff shows of one side of a file, by line number."""
    known: dict[int, str] = {}
    for hunk in file.hunks:
        other, number = ("-", hunk.new_start) if side == "RIGHT" else ("+", hunk.old_start)
        for line in hunk.lines:
            if line[:1] not in {other, "\\"}:
                known[number] = line[1:].removesuffix("\r")
                number += 1
    return known


def words_digest(finding: Finding) -> str:
    """Return 16 hex digits that identify the text of a comment."""
    return digest(f"{finding.title}\0{finding.message}\0{finding.why}\0{finding.instead}")


def digest(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of a text."""
    result: str = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return result[:16]


def sample(
    candidates: Iterable[Candidate], size: int, *, seed: str, judged: Collection[tuple[str, str]] = frozenset()
) -> list[Candidate]:
    """Return up to ``size`` findings in random order.

    The sample is stratified: rules take turns, and each rule takes from the pull request from which it has taken least.
    Findings with the same rule and statement count once, and not at all if they are ``judged``.
    """
    waiting: dict[str, list[Candidate]] = {}
    in_files: Counter[tuple[str, str | None]] = Counter()
    for each in _distinct(candidates, seed, judged):
        rule, path = each.finding.rule, each.finding.path
        if path is not None and in_files[rule, path] >= MOST_IN_A_FILE:
            continue
        in_files[rule, path] += 1
        waiting.setdefault(rule, []).append(each)
    chosen: list[Candidate] = []
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


def simple_random_sample(
    candidates: Iterable[Candidate], size: int, *, seed: str, judged: Collection[tuple[str, str]] = frozenset()
) -> list[Candidate]:
    """Return up to ``size`` comments on lines and as many rows of the summary, each equally likely.

    Its shares estimate those over all that people see, in which frequent rules weigh more. Findings with the same rule
    and statement count once, and not at all if they are ``judged``. Those of a change that share rule and message are
    one row, and those that share a comment are one comment, which any of them represents.
    """
    given = list(candidates)
    together = Counter(_in_file(each) for each in given if each.finding.placement == "inline")
    distinct = list(_distinct(given, seed, judged))
    comments, rows = dict[object, Candidate](), dict[object, Candidate]()
    for each in distinct:
        if each.finding.placement != "inline":
            rows.setdefault(_row(each), each)
        else:
            shared = together[_in_file(each)] > MOST_ALONE
            comments.setdefault(_in_file(each) if shared else rank(seed, each), each)
    chosen = [*list(comments.values())[:size], *list(rows.values())[:size]]
    return sorted(chosen, key=lambda each: rank(f"{seed}\0order", each))


def _in_file(candidate: Candidate) -> tuple[str, str, str | None, str]:
    """Return what findings share that share a comment, if there are more than ``MOST_ALONE`` of them."""
    finding = candidate.finding
    return candidate.base + candidate.head, finding.rule, finding.path, finding.severity


def _row(candidate: Candidate) -> tuple[str, str, str]:
    """Return what the findings of one row of the summary share."""
    return candidate.base + candidate.head, candidate.finding.rule, candidate.finding.message


def _distinct(candidates: Iterable[Candidate], seed: str, judged: Collection[tuple[str, str]]) -> Iterator[Candidate]:
    """Yield the candidates in the random order of the seed, one per rule and statement, without the judged ones."""
    seen = set(judged)
    for each in sorted(candidates, key=lambda each: rank(seed, each)):
        key = (each.finding.rule, each.statement)
        if key not in seen:
            seen.add(key)
            yield each


def rank(seed: str, candidate: Candidate) -> str:
    """Return the sort key of a candidate in the random order of a seed."""
    finding = candidate.finding
    place = (
        finding.rule,
        candidate.base,
        candidate.head,
        finding.path,
        finding.line,
        finding.side,
        finding.fingerprint,
    )
    return digest("\0".join([seed, *map(str, place)]))
