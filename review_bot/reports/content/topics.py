"""The findings in reading order: those shown in full, those that share a row, and those that are only counted.

::

    inline and file findings   → comments   most severe first, then path and line; up to three of a rule in a file
                                            are separate, more are one entry with a list of lines
    summary findings, and nits → rows       one for each rule, what harms users first; a nit is never worth a comment
    what is only counted       → counted    one for each rule: its title and a number
    findings on moved lines    → moved      counted
"""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.findings import Finding, Severity, order
from review_bot.records import NamedTuple
from review_bot.review.review import Review
from review_bot.text.listing import count

MOST_ALONE = 3
"""Findings of a rule in one file that are shown separately."""

_BY_HARM = (
    *("Security", "Functional Correctness", "Performance", "Testing"),
    *("Architecture & Design", "Code Quality", "Documentation"),
)
"""The aspects, those first in which a defect reaches users."""


class Topic(NamedTuple):
    """Findings of one rule that are shown together, at least one; of one severity, unless they are only counted."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The first finding, whose title and rule all share."""
        return self.findings[0]

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """The fingerprints of the findings, in their order."""
        return tuple(finding.fingerprint for finding in self.findings)

    @property
    def text(self) -> str:
        """The message if all findings share it, else the rule's title."""
        first = self.first
        return first.message if all(finding.message == first.message for finding in self.findings) else first.title

    @property
    def places(self) -> tuple[Finding, ...]:
        """The findings at each of their places."""
        return tuple(place for finding in self.findings for place in finding.places)

    @property
    def extent(self) -> str:
        """How many findings there are, in how many files, or places if there are more of them: ``3 in 2 files``."""
        places = self.places
        where = (len(places), "place") if len(places) > len(self.findings) else (len({p.path for p in places}), "file")
        return f"{len(self.findings)} in {count(*where)}"


class Outline(NamedTuple):
    """The open findings of a review, arranged for reading."""

    comments: tuple[Topic, ...]
    rows: tuple[Topic, ...]
    moved: tuple[Finding, ...]
    counted: tuple[Topic, ...] = ()

    def of(self, *severities: Severity) -> tuple[Topic, ...]:
        """Return the topics of some severities, most severe first, comments before rows."""
        chosen = [topic for topic in (*self.comments, *self.rows) if topic.first.severity in severities]
        return tuple(sorted(chosen, key=lambda topic: topic.first.rank))


def outline(review: Review) -> Outline:
    """Arrange what is open in a review."""
    full = [finding for finding in review.to_do if _stands_alone(finding)]
    comments: list[Topic] = []
    for topic in group(full, by_path=True):
        separate = len(topic.findings) <= MOST_ALONE
        comments += [Topic((finding,)) for finding in topic.findings] if separate else [topic]
    comments.sort(key=lambda topic: order(topic.first))
    rows = group([finding for finding in review.to_do if not _stands_alone(finding)])
    return Outline(
        tuple(comments),
        rows,
        review.moved,
        group_by_rule(review.counted),
    )


def group(findings: Iterable[Finding], *, by_path: bool = False) -> tuple[Topic, ...]:
    """Put findings of one rule and severity together; ``by_path``: those of one file, on lines or on the whole of it.

    Most severe first; then what harms users comes before what costs authors work; then the rules with most findings.
    """
    topics: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        key = (finding.severity, finding.rule, *((finding.path, finding.placement == "file") if by_path else ()))
        topics.setdefault(key, []).append(finding)
    return _arranged(topics.values())


def group_by_rule(findings: Iterable[Finding]) -> tuple[Topic, ...]:
    """Put findings of one rule together, whatever their severities, in the order of ``group``.

    The first finding of a topic is one of the most severe.
    """
    topics: dict[str, list[Finding]] = {}
    for finding in findings:
        topics.setdefault(finding.rule, []).append(finding)
    return _arranged(topics.values())


def _arranged(topics: Iterable[list[Finding]]) -> tuple[Topic, ...]:
    grouped = [Topic(tuple(sorted(same, key=order))) for same in topics]
    grouped.sort(key=_weight)
    return tuple(grouped)


def _weight(topic: Topic) -> tuple[int, int, int, str, str]:
    first = topic.first
    aspect = _BY_HARM.index(first.aspect) if first.aspect in _BY_HARM else len(_BY_HARM)
    return first.rank, aspect, -len(topic.findings), first.rule, first.path or ""


def _stands_alone(finding: Finding) -> bool:
    return finding.placement != "summary" and finding.severity != "hint"
