"""The report as workflow commands: GitHub Actions shows them next to the lines of the change.

::

    ::error file=a.py,line=3,endLine=3,col=5,title=error%3A Conflict marker (style/conflict-marker)::A merge ...

The runner shows ten of a kind for a step, so the worst ten are annotations and the rest are plain lines of the log, of
which the last are counted. Each place of a finding has its own; findings that are only counted, or moved, have none.
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.findings import SEVERITIES, Finding, Severity
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.content.topics import outline
from review_bot.review.review import Review
from review_bot.text.console import disarm
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import count

MOST_OF_A_KIND = 10
"""Annotations of a kind that the runner keeps for a step. Source: `_maxCountPerIssueType` in
https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs"""

MOST_LINES = 50
"""Further findings that are listed in the log."""

LONGEST_MESSAGE = 4000
"""Code points; the runner cuts a message at 4,096."""

_KINDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice", "hint": "notice"}
_COMMAND = LazyRegex(r"##(?=\[)|:(?=:)")


class Annotation(NamedTuple):
    """One workflow command, not yet escaped."""

    kind: str
    title: str
    message: str
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    column: int | None = None


class AlreadyPosted(NamedTuple):
    """What a pull request says already: the summary's address, and the findings that have a comment of their own."""

    summary_url: str
    commented: frozenset[str]


def render(review: Review, posted: AlreadyPosted | None = None) -> str:
    """Return the commands, each on a line of its own, then the verdict in plain words.

    GitHub shows an annotation in the diff, like comments. So what has a comment there gets no annotation,
    and neither does what is only to be considered, where the summary lists it. One annotation then says why a failed
    check has failed.
    """
    shown = review if posted is None else review._replace(findings=_without_comment(review, posted))
    annotations = [*_failure(review, posted), *_problems(review), *_findings(shown)]
    lines: list[str] = []
    rest: list[Annotation] = []
    for kind in ("error", "warning", "notice"):
        same = [annotation for annotation in annotations if annotation.kind == kind]
        lines += [_command(annotation) for annotation in same[:MOST_OF_A_KIND]]
        rest += same[MOST_OF_A_KIND:]
    if rest:
        numbers = [(kind, sum(each.kind == kind for each in rest)) for kind in ("error", "warning", "notice")]
        more = ", ".join(count(number, f"more {kind}") for kind, number in numbers if number)
        lines.append(f"{more} (GitHub shows at most {MOST_OF_A_KIND} annotations of each kind):")
        lines += [_line(annotation) for annotation in rest[:MOST_LINES]]
    if len(rest) > MOST_LINES:
        lines.append(f"{count(len(rest) - MOST_LINES, 'more finding')}, only in the report")
    lines.append(plain(wording.empty(review) or wording.verdict(review)))
    counts = wording.severity_counts(review.findings)
    if counts:
        lines.append("; ".join(filter(None, (counts, wording.time(review)))))
    if posted is not None:
        lines.append(plain(f"Full review: {posted.summary_url}"))
    return "\n".join(lines) + "\n"


def command(kind: str, title: str, message: str) -> str:
    """Return one workflow command that belongs to no file: ``error``, ``warning`` or ``notice``, with its line end."""
    return _command(Annotation(kind, title, message)) + "\n"


def plain(text: str) -> str:
    """Return one line of a log in which the runner finds no command, in neither of its two grammars."""
    return _broken(disarm(wording.one_line(text, LONGEST_MESSAGE)))


def _broken(text: str) -> str:
    """Return a text with what could be a command of the runner pulled apart."""
    return _COMMAND.sub(lambda match: match[0] + "\u200b", text)


def _failure(review: Review, posted: AlreadyPosted | None) -> Iterator[Annotation]:
    if posted is not None and review.verdict.exit_code:
        yield Annotation("error", "Review Bot", f"{wording.verdict(review)}. Full review: {posted.summary_url}")


def _without_comment(review: Review, posted: AlreadyPosted) -> tuple[Finding, ...]:
    return tuple(
        finding
        for finding in review.findings
        if finding.serious and posted.commented.isdisjoint(place.fingerprint for place in finding.places)
    )


def _problems(review: Review) -> Iterator[Annotation]:
    for entry in review.unreviewed:
        yield Annotation("error", "Not reviewed", entry.reason, entry.path)
    for failure in review.examination.failures:
        yield Annotation("error", f"Rule failed ({failure.rule})", failure.error, failure.path)


def _findings(review: Review) -> Iterator[Annotation]:
    findings = [each for topic in outline(review).of(*SEVERITIES) for each in topic.findings]
    for finding, first in [(each, "") for each in findings] + [
        (place, f"Same problem as {wording.place(each)}.") for each in findings for place in each.places[1:]
    ]:
        on_line = finding.line is not None and finding.side == "RIGHT"
        yield Annotation(
            kind=_KINDS[finding.severity],
            title=f"{finding.severity}: {finding.title} ({finding.rule})",
            message=" ".join(filter(None, (finding.message, first, finding.instead and f"Instead: {finding.instead}"))),
            path=finding.path,
            line=finding.line if on_line else None,
            end_line=finding.end_line if on_line else None,
            column=finding.column if on_line else None,
        )


def _line(annotation: Annotation) -> str:
    """Return an annotation as a plain line of the log."""
    path = "" if annotation.path is None else annotation.path + (f":{annotation.line}" if annotation.line else "")
    return plain(f"  {annotation.kind} {path}  {annotation.title}: {annotation.message}")


def _command(annotation: Annotation) -> str:
    properties: list[tuple[str, str | int | None]] = [
        ("line", annotation.line),
        ("endLine", annotation.end_line),
        # The runner drops the column of an annotation over several lines.
        ("col", annotation.column if annotation.end_line in {None, annotation.line} else None),
        ("title", annotation.title),
    ]
    given = ",".join(f"{name}={_property(plain(str(value)))}" for name, value in properties if value is not None)
    if annotation.path is not None:  # to the letter: blanks belong to a name
        given = f"file={_property(_broken(disarm(annotation.path)))}," + given
    return f"::{annotation.kind} {given}::{_data(plain(annotation.message))}"


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
