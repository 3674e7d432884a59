"""What was found, and where. A finding knows no rule: it carries the texts of its rule as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import Side, Unreviewed
from review_bot.records import NamedTuple

Severity = Literal["error", "warning", "info", "hint"]
Confidence = Literal["high", "medium", "low"]
Placement = Literal["inline", "file", "summary"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "hint")
"""From most to least severe."""

_CONFIDENCES: tuple[Confidence, ...] = ("high", "medium", "low")

SERIOUS: frozenset[Severity] = frozenset({"error", "warning"})
"""What must or should be fixed."""

SEVERITY_WORDS: dict[Severity, str] = {
    "error": "must fix",
    "warning": "should fix",
    "info": "consider",
    "hint": "nit",
}
"""The words for severities in reports."""

ASPECTS = (
    "Architecture & Design",
    "Code Quality",
    "Functional Correctness",
    "Testing",
    "Documentation",
    "Security",
    "Performance",
)
"""The seven aspects of the scorecard."""


def at_least(severity: Severity, threshold: Severity) -> bool:
    """Return whether ``severity`` is at least as severe as ``threshold``."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(threshold)


LONGEST_SUGGESTION = 50
"""Lines of a suggestion."""


class Suggestion(NamedTuple):
    """Replaces the whole lines ``start_line`` to ``end_line`` (1-based, at the head) with ``replacement``.

    The replacement has no final line end.
    """

    start_line: int
    end_line: int
    replacement: str


class Fix(NamedTuple):
    """A suggestion that can be applied with all others: it replaces whole lines of ``path`` at the head.

    ``fingerprints``: the findings that it resolves.
    """

    path: str
    rule: str
    fingerprints: tuple[str, ...]
    suggestion: Suggestion


class SkippedFix(NamedTuple):
    """A suggestion that is not applied together with the others, and why."""

    fix: Fix
    reason: str


class Fixes(NamedTuple):
    """``proven``: applying all of them, in this order, resolves their findings and adds no new ones.

    They are ordered by path and line, and no two of them touch the same lines.
    """

    proven: tuple[Fix, ...] = ()
    skipped: tuple[SkippedFix, ...] = ()


class Held(NamedTuple):
    """What a name, an attribute or a condition of the code holds at a step, in words."""

    place: str
    value: str


class Related(NamedTuple):
    """Another place that belongs to a finding, such as the twin of a duplicate, or a step that leads to it.

    Steps come in the order of the path. ``holds``: what places hold after the step; None: the place is no step.
    """

    path: str
    line: int | None
    note: str
    holds: tuple[Held, ...] | None = None


class OtherPlace(NamedTuple):
    """Another place of a finding: what a finding of the same rule, severity and cause says there."""

    path: str
    line: int | None
    end_line: int | None
    column: int | None
    end_column: int | None
    side: Side
    message: str
    fingerprint: str


class Finding(NamedTuple):
    """One observation. Lines and columns are 1-based; columns count code points, ``end_column`` is one after the end.

    About the whole pull request: ``path`` and ``line`` are None. About a whole file: ``line`` is None.
    ``counted``: reports for people give its number alone, and it takes no part in the verdict. ``baseline_entry``: the
    fingerprint under which a baseline holds it; None if none can, or if there is no baseline. ``always_on_line``: the
    configuration puts it on its line, whatever ``comment-on`` is. ``advisory``: it depends on what people write about
    the change, and never fails the gate. ``cause``: findings of a rule that share it are reported as one; None for
    rules that report each place (see ``Rule.one_per``). ``also_at``: the places of the findings that a review
    reports as one with it. ``missing``: the module, or the names of one, that it reports as missing.
    """

    rule: str
    title: str
    severity: Severity
    confidence: Confidence
    aspect: str
    path: str | None
    line: int | None
    end_line: int | None
    column: int | None
    end_column: int | None
    side: Side
    placement: Placement
    moved: bool
    message: str
    why: str
    instead: str
    effort_minutes: int
    fingerprint: str
    url: str
    related: tuple[Related, ...] = ()
    suggestion: Suggestion | None = None
    counted: bool = False
    baseline_entry: str | None = None
    always_on_line: bool = False
    advisory: bool = False
    cause: str | None = None
    also_at: tuple[OtherPlace, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Finding, ...]:
        """The finding, then itself at each of its other places, there alone."""
        return (self, *(self.at(each)._replace(also_at=()) for each in self.also_at))

    @property
    def place(self) -> OtherPlace:
        """Its own place, as a finding that is reported as one with it holds it."""
        return OtherPlace._make(getattr(self, field) for field in OtherPlace._fields)

    def at(self, place: OtherPlace) -> Finding:
        """Return the finding with one of its other places as its own, there without steps and suggestion."""
        others = (self.place, *(each for each in self.also_at if each != place))
        return self._replace(**place._asdict(), also_at=others, related=(), suggestion=None)

    @property
    def listed(self) -> bool:
        """Whether reports list it and it counts in the verdict: it is neither moved nor counted."""
        return not self.moved and not self.counted

    @property
    def last_line(self) -> int:
        """The last line; 0 for a finding without a line."""
        return max(self.line or 0, self.end_line or 0)

    @property
    def steps(self) -> tuple[Related, ...]:
        """The steps that lead to it, in the order of the path."""
        return tuple(each for each in self.related if each.holds is not None)

    @property
    def see_also(self) -> tuple[Related, ...]:
        """The related places that are no steps."""
        return tuple(each for each in self.related if each.holds is None)

    @property
    def same_elsewhere(self) -> tuple[Related, ...]:
        """Its other places, for reports that list them among the related ones."""
        return tuple(Related(each.path, each.line, "same problem") for each in self.also_at)

    @property
    def serious(self) -> bool:
        """Whether it must or should be fixed."""
        return self.severity in SERIOUS

    @property
    def rank(self) -> int:
        """Its severity as a number; 0 is the most severe."""
        return SEVERITIES.index(self.severity)


def order(finding: Finding) -> tuple[int, int, str, int, int, str, str]:
    """Return the sort key of findings: most severe and most certain first, then in reading order."""
    place = (finding.path or "", finding.line or 0, finding.column or 0)
    return finding.rank, _CONFIDENCES.index(finding.confidence), *place, finding.rule, finding.fingerprint


INTERNAL = frozenset({"advisory", "also_at", "always_on_line", "baseline_entry", "cause", "missing"})
"""Fields of a finding that no report holds as they are; ``also_at`` is among the related places."""

CONFIDENTIAL = frozenset({"security/hardcoded-secret"})
"""Rules whose findings mark a text that must not be repeated."""


class Suppressed(NamedTuple):
    """A finding that someone silenced, with the reason that was given."""

    finding: Finding
    by: Literal["comment", "baseline", "noqa", "accepted"]
    reason: str
    line: int | None


class NoText(NamedTuple):
    """A changed file without text of its own."""

    path: str
    kind: Literal["binary", "symlink", "submodule", "lfs"]


ONLY_DIFF_KNOWN = "only the diff is known"
LEFT_TO, LINTERS = " left to ", "linters"
"""How the reason names findings that are left to a linter, and what ``rule`` is for the files of linters."""


class NotRun(NamedTuple):
    """A rule that lacked what it needs (whole files, the tree); named, and no reason to fail."""

    rule: str
    reason: str

    @property
    def lacks_files(self) -> bool:
        """Whether the rule would have run with the files around the diff."""
        return ONLY_DIFF_KNOWN in self.reason

    @property
    def concerns_linters(self) -> bool:
        """Whether it ran, and this says what was left to a linter, or whose configuration could not be used."""
        return self.rule == LINTERS or LEFT_TO in self.reason


class Failure(NamedTuple):
    """A rule that crashed; the review is incomplete."""

    rule: str
    path: str | None
    error: str


class LeftOut(NamedTuple):
    """A file in which only rules that nothing suppresses ran, and why: it is generated, vendored, or skipped."""

    path: str
    reason: str


class Examination(NamedTuple):
    """Everything that the engine found in a change. Findings are in the order of path, line, rule.

    ``no_text`` holds the files without text of their own; ``ignored`` the paths that the configuration leaves out;
    ``left_out`` those that are generated, vendored or skipped;
    ``profiles`` what was counted in each file, in the order of the paths. ``fixes``: the suggestions that
    were proven together, None if not requested.
    """

    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    unreviewed: tuple[Unreviewed, ...] = ()
    no_text: tuple[NoText, ...] = ()
    ignored: tuple[str, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    failures: tuple[Failure, ...] = ()
    profiles: tuple[FileProfile, ...] = ()
    fixes: Fixes | None = None
    left_out: tuple[LeftOut, ...] = ()


def within(examination: Examination, paths: Sequence[str], changed: Sequence[str]) -> Examination:
    """Return what was seen in some files and folders; what is about the whole change is left out, failures are not.

    ``changed``: the path of each file of the change, by index.
    """
    prefixes = tuple(f"{path}/" for path in paths)

    def has(path: str | None) -> bool:
        return path is not None and (path in paths or path.startswith(prefixes))

    return examination._replace(
        findings=tuple(each for each in examination.findings if has(each.path)),
        suppressed=tuple(each for each in examination.suppressed if has(each.finding.path)),
        unreviewed=tuple(each for each in examination.unreviewed if has(each.path)),
        no_text=tuple(each for each in examination.no_text if has(each.path)),
        left_out=tuple(each for each in examination.left_out if has(each.path)),
        ignored=tuple(path for path in examination.ignored if has(path)),
        failures=tuple(each for each in examination.failures if each.path is None or has(each.path)),
        profiles=tuple(each for each in examination.profiles if has(changed[each.file])),
    )
