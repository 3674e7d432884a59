"""Applies the suppression comments of a file to its findings, and reports the comments that do not count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from review_bot.changes.source_file import SourceFile
from review_bot.engine import suppressions
from review_bot.engine.base_findings import BaseFindings, is_about_text
from review_bot.engine.suppressions import PAGE, Comment, Directive, Known
from review_bot.findings import Finding, Severity, Suppressed
from review_bot.fingerprints import fingerprint, normalise
from review_bot.records import NamedTuple
from review_bot.rules.rule import Rule
from review_bot.rules.scope import language_of

if TYPE_CHECKING:
    from review_bot.rules.statements import Code

_NO_COMMENTS = (".rst", ".adoc", ".ipynb", ".patch", ".diff")
_COMMENT_STARTS = ("#", "//", "/*", "*", "--", "<!--", ";", "%")


class Wording(NamedTuple):
    """How to say that a suppression does not count; ``message`` has a place for the detail, or for the rule."""

    title: str
    severity: Severity
    message: str
    instead: str = "Correct the comment, or delete it."


PROBLEMS: Mapping[str, Wording] = {
    "malformed": Wording("Suppression that cannot be read", "warning", "This suppression does not count: {}."),
    "expired": Wording("Expired suppression", "warning", "This suppression no longer counts: {}."),
    "unknown": Wording("Suppression of an unknown rule", "warning", "This suppression does not count: {}."),
    "new": Wording("Suppression that is not in the base", "info", "This suppression does not count: {}."),
    "requested": Wording(
        "Requested suppression",
        "info",
        "This suppression of {} is requested: it comes from a fork, and it counts once a maintainer has approved "
        "exactly this commit.",
        "Ask for that approval, or fix the code and delete the comment.",
    ),
    "unused": Wording("Unused suppression", "info", "This suppression of {} silences nothing."),
}


_NOT_IN_THE_BASE = {
    "base": "the configuration (suppressions: base) accepts only those that are already in the base",
    "queue": (
        "in a merge group, only those count that are in the base, or in a file that is identical in a pull request "
        "whose comments count; update the branch of that pull request"
    ),
}


class Place(NamedTuple):
    """Where a rule saw something, though the change did not touch it: a suppression there is in use."""

    rule: str
    line: int
    column: int | None


class SuppressionFilter:
    """The comments of one file. Nothing is parsed unless the file holds a directive, or a ``noqa`` that may count.

    Where not all comments count, one counts for a finding of which the base holds the comment, the statement and, as
    far as the rule can be asked, the finding. ``entered``: rules (by id) to which the whole file is new.
    """

    def __init__(
        self, source: SourceFile, known: Known, base: BaseFindings, entered: frozenset[str] = frozenset()
    ) -> None:
        self._source = source
        self._known = known
        self._base = base
        self._entered = entered
        self._mode = known.comments_that_count(source.path)
        self._text = source.text if source.text is not None else "\n".join(_known_lines(source).values())
        self._has_directives = suppressions.MARK in self._text
        self.used: set[tuple[int, str]] = set()

    def apply(self, findings: Iterable[Finding], rules: Mapping[str, Rule]) -> tuple[list[Finding], list[Suppressed]]:
        """Return the open findings, and the suppressed ones."""
        kept: list[Finding] = []
        suppressed: list[Suppressed] = []
        for finding in findings:
            silenced = self._silenced(finding, rules[finding.rule])
            if silenced is None:
                kept.append(finding)
            else:
                suppressed.append(silenced)
        return kept, suppressed

    def mark_used(self, places: Iterable[Place]) -> None:
        """Count directives over code that the change did not touch as used."""
        for place in places if self._directives else ():
            directive = self._directive_over(place)
            if directive is not None:
                self.used.add((directive.line, directive.rule))

    def covers(self, place: Place) -> bool:
        """Return whether a directive is over a place, whichever comments count."""
        return bool(self._directives) and self._directive_over(place) is not None

    def _directive_over(self, place: Place) -> Directive | None:
        return self._directive_at(place.rule, *self._statement(place.line, place.column), lambda _line: True)

    def problems(self, used: set[tuple[int, str]], not_tried: frozenset[str]) -> list[Finding]:
        """Return a finding for each directive on an added line that does not count, or that silences nothing.

        ``not_tried``: rules that could not run, so that nothing is known about their findings.
        """
        found: list[Finding] = []
        ordinals: dict[tuple[str, str], int] = {}
        for directive in self._directives:
            if directive.line not in self._source.added:
                continue
            unused = (directive.line, directive.rule) not in used and directive.rule not in not_tried
            problem = directive.problem or ("unused" if unused else None)
            if problem is not None:
                text = self._source.added[directive.line]
                key = (problem, normalise(text))
                ordinals[key] = ordinals.get(key, -1) + 1
                found.append(self._finding(problem, directive, text, ordinals[key]))
        return found

    @property
    def has_directives(self) -> bool:
        """Whether one of the comments addresses us."""
        return bool(self._directives)

    def _silenced(self, finding: Finding, rule: Rule) -> Suppressed | None:
        if finding.line is None or finding.side != "RIGHT" or not rule.suppressible:
            return None
        if not self._directives and not (rule.mirrors and "noqa" in self._text.lower()):
            return None
        first, last = self._statement(finding.line, finding.column)

        def counts(comment: int) -> bool:
            return self._mode == "head" or self._is_at_base(finding, rule, min(first, comment), max(last, comment))

        directive = self._directive_at(finding.rule, first, last, counts)
        if directive is not None:
            self.used.add((directive.line, directive.rule))
            return Suppressed(finding, "comment", directive.reason, directive.line)
        if rule.mirrors and finding.severity != "error":
            line = suppressions.noqa(self._texts, rule.mirrors, first, last, counts)
            if line is not None:
                return Suppressed(finding, "noqa", "noqa", line)
        return None

    def _is_at_base(self, finding: Finding, rule: Rule, first: int, last: int) -> bool:
        """Return whether the base has a finding, with all lines from one to another and its own.

        A finding of a rule about the whole change belongs to the change: what is unchanged around it was right before.
        """
        line = finding.line or first
        first, last = min(first, line), max(last, finding.end_line or line)
        if rule.id in self._entered or not is_about_text(rule) or not self._base.lines.is_unchanged(first, last):
            return False
        old_line = self._base.lines.old_line(line)
        return old_line is not None and self._base.at(rule, old_line) is not None

    def _directive_at(self, rule: str, first: int, last: int, counts: Callable[[int], bool]) -> Directive | None:
        return suppressions.silencing(self._directives, rule, first, last, self._alone, counts)

    def _statement(self, line: int, column: int | None) -> tuple[int, int]:
        return (line, line) if self._code is None else self._code.statement_lines(line, column)

    @cached_property
    def _directives(self) -> list[Directive]:
        if not self._has_directives:
            return []
        found = suppressions.read_directives(self._comments, self._known)
        return [
            self._not_yet(directive)
            if directive.problem is None and self._does_not_count_yet(directive.line)
            else directive
            for directive in found
        ]

    def _not_yet(self, directive: Directive) -> Directive:
        if self._mode == "requested":
            return directive._replace(problem="requested")
        return directive._replace(problem="new", detail=_NOT_IN_THE_BASE[self._mode])

    @cached_property
    def _alone(self) -> frozenset[int]:
        return frozenset(directive.line for directive in self._directives if directive.alone)

    @cached_property
    def _texts(self) -> dict[int, str]:
        """The comments by line."""
        return {comment.line: comment.text for comment in self._comments}

    def _does_not_count_yet(self, line: int) -> bool:
        return self._mode != "head" and self._base.lines.old_line(line) is None

    @cached_property
    def _code(self) -> Code | None:
        language = language_of(self._source.path)
        if self._source.text is None or language is None:
            return None
        from review_bot.rules.statements import Code

        return Code(self._source.text, language)

    @cached_property
    def _comments(self) -> list[Comment]:
        """The comments according to the parser of the language; without one, lines that look like comments."""
        language = language_of(self._source.path)
        if self._code is not None and language != "markdown":
            return [Comment(*comment) for comment in self._code.comments()]
        if self._source.path.endswith(_NO_COMMENTS):
            return []
        starts = ("<!--",) if language == "markdown" else _COMMENT_STARTS
        found = []
        for number, text in _known_lines(self._source).items():
            begin = min((at for start in starts if (at := _comment_start(text, start)) >= 0), default=-1)
            if begin >= 0:
                found.append(Comment(number, text[begin:], alone=not text[:begin].strip()))
        return found

    def _finding(self, problem: str, directive: Directive, text: str, ordinal: int) -> Finding:
        title, severity, message, instead = PROBLEMS[problem]
        shown = self._source.change.commentable(directive.line)
        rule = f"suppression/{problem}"
        return Finding(
            rule=rule,
            title=title,
            severity=severity,
            confidence="high",
            aspect="Code Quality",
            path=self._source.path,
            line=directive.line,
            end_line=directive.line,
            column=None,
            end_column=None,
            side="RIGHT",
            placement="inline" if severity == "warning" and shown else "summary",
            moved=False,
            message=message.format(directive.detail or directive.rule),
            why="The finding stays open, although the comment suggests that it is settled.",
            instead=instead,
            effort_minutes=1,
            fingerprint=fingerprint(rule, text, self._source.change.base_path, ordinal),
            url=f"{PAGE}#{problem}",
        )


def _comment_start(text: str, start: str) -> int:
    """Return where a comment begins in a line: a marker at its start or behind white space."""
    at = text.find(start)
    while at > 0 and not text[at - 1].isspace():
        at = text.find(start, at + 1)
    return at


def _known_lines(source: SourceFile) -> dict[int, str]:
    """Return the lines of the new text that we know: all, or those of the diff."""
    if source.text is not None:
        return dict(enumerate(source.lines, 1))
    known: dict[int, str] = {}
    for hunk in source.change.hunks:
        number = hunk.new_start
        for line in hunk.lines:
            if line[:1] in {"+", " "}:
                known[number] = line[1:]
                number += 1
    return known
