"""The contract of a rule: plain records that the engine obeys; that of a check in Python is in ``check.py``.

A rule file (``rule_file.py``) is compiled to a ``Rule``; its matcher is one of these:

``structural``    an ast-grep rule over the new text of a file
``text``          a regular expression (RE2) over added lines, file names, or what people write about the change
``removed``       either of the two over the old text: what this change deletes
``pull_request``  a relation in the whole change
``check``         Python code under ``review_bot/checks/``
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from review_bot.changes.pull_request import Side
from review_bot.findings import SERIOUS, Confidence, Related, Severity, Suggestion, at_least
from review_bot.records import NamedTuple
from review_bot.rules.matchers import (
    ChangedTogether,
    Checked,
    FileName,
    Matcher,
    PullRequestText,
    RemovedCode,
    RemovedLine,
    Structural,
    TextLine,
)

MatcherKind = Literal["structural", "text", "removed", "pull_request", "check"]
Lines = Literal["first", "any", "most", "file"]
Scope = Literal["library", "tests", "all", "any"]
Show = Literal["line", "summary", "count"]
"""On the line, as a row of the summary, or in the one line of the summary that only counts."""
OnePer = Literal["place", "function", "evidence", "message"]
Need = Literal["tree", "text"]

Options = Mapping[str, Any]
"""The ``options`` of a check's rule file, as plain data."""

NO_VALUES: Mapping[str, str] = MappingProxyType({})


class Rule(NamedTuple):
    """A rule, ready to run.

    ``opening`` (see ``changes.vocabulary``): one alternative must be on added lines (for ``removed``: on removed
    ones), or the rule need not be tried. ``literals``: one must be in the text it looks at. None: nothing can be said.

    ``mirrors``: codes of linters, for ``# noqa``. ``mirror``: it sees what those see, and nothing else, so
    that it is left to a linter of the repository that answers for one of them. ``chosen``: the repository set its
    severity, which no check lowers. ``placed``: the repository set where its findings are shown. ``opt_in``: it runs
    only if the configuration switches it on by name. ``one_per``: what its findings share that are reported as one,
    with the other places: the Python function around them (or being outside all functions), that and the lines that
    they rest on (``Hit.related``), or the whole message.
    """

    id: str
    title: str
    severity: Severity
    message: str
    instead: str
    why: str
    aspect: str
    confidence: Confidence
    show: Show
    lines: Lines
    scope: Scope
    languages: tuple[str, ...]
    files: tuple[str, ...]
    ignores: tuple[str, ...]
    required_imports: tuple[str, ...]
    needs: tuple[Need, ...]
    suppressible: bool
    mirrors: tuple[str, ...]
    effort: int
    url: str
    matcher: Matcher
    literals: tuple[tuple[str, ...], ...] | None
    opening: tuple[tuple[str, ...], ...] | None
    builtin: bool = True
    mirror: bool = False
    chosen: bool = False
    placed: bool = False
    opt_in: bool = False
    one_per: OnePer = "place"

    @property
    def kind(self) -> MatcherKind:
        """The key of the rule file that says what the rule looks for."""
        return _KINDS[type(self.matcher)]

    @property
    def is_about_all(self) -> bool:
        """Whether it looks at the change as a whole, and at no file by itself."""
        return isinstance(self.matcher, ChangedTogether | PullRequestText)

    @property
    def advisory(self) -> bool:
        """Whether it reads what people write about the change, so that its findings never fail the gate."""
        return isinstance(self.matcher, PullRequestText) or (
            isinstance(self.matcher, Checked) and self.matcher.reads_description
        )

    @property
    def reads_old(self) -> bool:
        """Whether it looks at removed lines or the old text."""
        return isinstance(self.matcher, RemovedCode | RemovedLine) or (
            isinstance(self.matcher, Checked) and self.matcher.reads_old
        )

    @property
    def reads_names(self) -> bool:
        """Whether it looks at the names of files alone."""
        return isinstance(self.matcher, FileName) or (isinstance(self.matcher, Checked) and self.matcher.new_names)

    @property
    def on_lines(self) -> bool:
        """Whether its findings are on lines of the new text, where a comment can suppress them."""
        if isinstance(self.matcher, Checked):
            return self.matcher.on_lines
        return isinstance(self.matcher, Structural | TextLine)


_KINDS: Mapping[type[Matcher], MatcherKind] = {
    Structural: "structural",
    TextLine: "text",
    FileName: "text",
    RemovedCode: "removed",
    RemovedLine: "removed",
    ChangedTogether: "pull_request",
    PullRequestText: "text",
    Checked: "check",
}


def place_of(rule: Rule, severity: Severity, lowest: Severity = "info") -> Show:
    """Return where findings of a rule are shown that have this severity, if their lines are in the diff.

    ``lowest``: the severity from which they are on their lines (``comment-on``), unless the repository has placed them.
    No value of ``comment-on`` puts a hint there.
    """
    if rule.show == "count" and severity not in SERIOUS:
        return "count"
    if rule.show != "line" or rule.is_about_all:
        return "summary"
    return "line" if rule.placed or at_least(severity, lowest) else "summary"


class Hit(NamedTuple):
    """What a matcher saw. Lines and columns are 1-based, columns count code points.

    ``values`` fill the ``{{ name }}`` places of the rule's message. ``severity`` may lower the rule's, never raise it.
    ``statement`` is the text that identifies the hit across pushes; None takes the text of its first line.
    ``path`` is needed from ``relate`` only; None there means the whole pull request. ``subject``: the thing that lacks
    something, by the rule, as the rule names it wherever it says so; see ``CheckTraits.doubted``. ``message`` and
    ``instead`` replace the rule's message and advice. ``missing``: see ``Finding``.
    """

    line: int | None
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None
    values: Mapping[str, str] = NO_VALUES
    severity: Severity | None = None
    side: Side = "RIGHT"
    suggestion: Suggestion | None = None
    related: tuple[Related, ...] = ()
    statement: str | None = None
    path: str | None = None
    message: str | None = None
    subject: str | None = None
    instead: str | None = None
    missing: tuple[str, ...] = ()


class Span(NamedTuple):
    """A stretch of a file. Lines and columns are 1-based, columns count code points."""

    line: int
    end_line: int
    column: int
    end_column: int


def hit_over(span: Span, **more: Any) -> Hit:
    """Return a hit on a stretch of a file. ``more`` are further fields of it."""
    return Hit(*span, **more)


def quoted(place: re.Match[str], value: str) -> str:
    """Return the value for a place of a message; backticks in it become apostrophes if the place is in backticks."""
    before, after = place.string[max(0, place.start() - 1) : place.start()], place.string[place.end() : place.end() + 1]
    return value.replace("`", "'") if before == after == "`" else value
