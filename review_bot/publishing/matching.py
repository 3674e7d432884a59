"""Which comment is about which finding.

::

    1. comments of ours that are copies of another one are set apart
    2. a finding goes to the comment that names its fingerprint; of several, to an open one, then to the oldest
    3. what is left over goes by rule and statement (the first half of the fingerprint), to open comments only: the
       ordinal in the file has changed, or a file that the pull request adds was renamed between two pushes

Each finding and each fingerprint of a comment is used once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_bot.changes.pull_request import ChangedFile
from review_bot.comments.model import PostedComment
from review_bot.findings import Finding
from review_bot.fingerprints import statement_part
from review_bot.records import NamedTuple
from review_bot.reports import comments
from review_bot.review.declined import renamed


class MatchedComment(NamedTuple):
    """A comment of ours and the state of the findings it names.

    ``findings``: those that it is about now. ``gone``: fingerprints that were no longer found. ``elsewhere``: how many
    of its fingerprints an older comment is about.
    """

    posted: PostedComment
    findings: tuple[Finding, ...]
    gone: tuple[str, ...]
    elsewhere: int


class Matched(NamedTuple):
    """Every thread, oldest first; the findings without a comment; and the copies of older comments."""

    threads: tuple[MatchedComment, ...]
    rest: tuple[Finding, ...]
    copies: tuple[PostedComment, ...]


def match(posted: Iterable[PostedComment], findings: Sequence[Finding], files: Sequence[ChangedFile]) -> Matched:
    """Match comments with findings, most severe first. The order of the comments does not matter."""
    own, copies = _without_copies(posted)
    by_fingerprint: dict[str, Finding] = {}
    for finding in findings:
        by_fingerprint.setdefault(finding.fingerprint, finding)
    taken: dict[int, list[Finding]] = {comment.id: [] for comment in own}
    gone: dict[int, list[str]] = {comment.id: [] for comment in own}
    elsewhere = dict.fromkeys(taken, 0)
    used: set[str] = set()
    for comment in sorted(own, key=lambda each: (comments.settled(each.body) is not None, each.id)):
        for fingerprint in dict.fromkeys(comment.fingerprints):
            if fingerprint in used:
                elsewhere[comment.id] += 1
            elif fingerprint in by_fingerprint:
                taken[comment.id].append(by_fingerprint[fingerprint])
                used.add(fingerprint)
            else:
                gone[comment.id].append(fingerprint)
    rest = [finding for fingerprint, finding in by_fingerprint.items() if fingerprint not in used]
    left = _by_statement(rest)
    present = {file.path: file for file in files}
    for comment in own:
        if comments.settled(comment.body) is None:
            gone[comment.id] = [
                fingerprint
                for fingerprint in gone[comment.id]
                if not _carried(comment, left.get(statement_part(fingerprint), []), present, taken[comment.id])
            ]
    kept = {finding.fingerprint for same in left.values() for finding in same}
    threads = tuple(
        MatchedComment(comment, tuple(taken[comment.id]), tuple(gone[comment.id]), elsewhere[comment.id])
        for comment in own
    )
    return Matched(threads, tuple(finding for finding in rest if finding.fingerprint in kept), copies)


def _without_copies(posted: Iterable[PostedComment]) -> tuple[list[PostedComment], tuple[PostedComment, ...]]:
    """Separate the comments from copies: those that name the same findings as one that is kept.

    The oldest is kept, or the oldest of those where a person replied; no comment with a reply is deleted.
    """
    ordered = sorted(posted, key=lambda each: each.id)
    stays: dict[frozenset[str], int] = {}
    for comment in sorted(ordered, key=lambda each: not each.replied):
        stays.setdefault(frozenset(comment.fingerprints), comment.id)
    copies = tuple(
        comment
        for comment in ordered
        if comment.fingerprints and not comment.replied and stays[frozenset(comment.fingerprints)] != comment.id
    )
    copied = {comment.id for comment in copies}
    return [comment for comment in ordered if comment.id not in copied], copies


def _by_statement(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    left: dict[str, list[Finding]] = {}
    for finding in findings:
        left.setdefault(statement_part(finding.fingerprint), []).append(finding)
    return left


def _carried(
    comment: PostedComment, left: list[Finding], present: dict[str, ChangedFile], taken: list[Finding]
) -> bool:
    """Give a comment the first remaining finding of a statement that may be the one it was about."""
    for finding in left:
        if finding.path == comment.path or renamed(comment.path, finding.path, present):
            left.remove(finding)
            taken.append(finding)
            return True
    return False
