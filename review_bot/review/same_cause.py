"""Reports findings of a rule that have one cause as one: a person decides about them, and fixes them, together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.findings import Finding, Placement, Severity
from review_bot.fingerprints import statement_part
from review_bot.records import NamedTuple

_LONGEST = 50
"""Lines of a finding up to which it is compared with others."""


class _Shared(NamedTuple):
    """What findings share that are reported as one: their cause, or message and text."""

    rule: str
    severity: Severity
    placement: Placement
    what: tuple[str, ...]


class SameCause:
    """Groups the findings of a change by their causes.

    One cause have what the rule declares to have one (``Finding.cause``), an equal message that quotes the code of one
    file, and copies in other files, unless they are errors: an equal message on equal added lines, with an equal added
    line before and after them. A declined finding is not reported as one with other statements.

    ``declined``: the fingerprints of the declined findings.
    """

    def __init__(self, change: PullRequest, declined: Iterable[str] = ()) -> None:
        self._declined = frozenset(declined)
        self._files = {file.path: file for file in change.files}
        self._added: dict[str, dict[int, str]] = {}

    def groups(self, findings: Sequence[Finding]) -> list[list[Finding]]:
        """Return the findings that are reported as one together, each group in the place of its first finding.

        Moved, counted and fixable findings stay alone, and so do those that differ in severity or placement. Findings
        of the summary that share a message stay alone too: its row lists the places of all.
        """
        groups: list[list[Finding]] = []
        of_cause: dict[_Shared, list[Finding]] = {}
        copied: dict[_Shared, list[Finding]] = {}
        for finding in findings:
            if not _may_share(finding):
                groups.append([finding])
                continue
            cause, text = self._cause(finding), self._text(finding)
            group = None if cause is None else of_cause.get(cause)
            if group is None and text is not None and text in copied and copied[text][0].path != finding.path:
                group = copied[text]
            if group is None:
                group = []
                groups.append(group)
            group.append(finding)
            if cause is not None:
                of_cause.setdefault(cause, group)
            if text is not None:
                copied.setdefault(text, group)
        if not self._declined:
            return groups
        at = {finding: number for number, finding in enumerate(findings)}
        return sorted((part for group in groups for part in self._parts(group)), key=lambda part: at[part[0]])

    def _parts(self, group: list[Finding]) -> Iterator[list[Finding]]:
        """Yield what of a group has the statement of a declined finding, and the rest."""
        apart = {statement_part(each.fingerprint) for each in group if each.fingerprint in self._declined}
        for is_apart in (False, True):
            part = [each for each in group if (statement_part(each.fingerprint) in apart) is is_apart]
            if part:
                yield part

    def one_of_each(self, findings: Sequence[Finding]) -> list[Finding]:
        """Return the first finding of each cause, with the places of the others."""
        return [
            first._replace(also_at=tuple(each.place for each in others)) for first, *others in self.groups(findings)
        ]

    def _cause(self, finding: Finding) -> _Shared | None:
        if finding.cause is not None:
            return _Shared(*self._kind(finding), (finding.cause,))
        quotes = finding.line is not None and finding.path is not None and "`" in finding.message
        return _Shared(*self._kind(finding), (finding.path or "", finding.message)) if quotes else None

    def _text(self, finding: Finding) -> _Shared | None:
        """Return the message and lines of a finding, with one line around; None unless the change added them all."""
        file = self._files.get(finding.path or "")
        if file is None or finding.line is None or finding.side != "RIGHT" or finding.severity == "error":
            return None
        last = max(finding.line, finding.end_line or 0)
        added = self._added_lines(file) if last - finding.line <= _LONGEST else {}
        around = [added.get(number) for number in range(finding.line - 1, last + 2)]
        lines = [line.strip() for line in around if line is not None]
        return _Shared(*self._kind(finding), (finding.message, *lines)) if len(lines) == len(around) else None

    def _added_lines(self, file: ChangedFile) -> dict[int, str]:
        if file.path not in self._added:
            self._added[file.path] = dict(file.added_lines())
        return self._added[file.path]

    def _kind(self, finding: Finding) -> tuple[str, Severity, Placement]:
        return finding.rule, finding.severity, finding.placement


def _may_share(finding: Finding) -> bool:
    in_row = finding.placement == "summary" and finding.cause in {None, finding.message}
    return finding.path is not None and finding.listed and finding.suggestion is None and not in_row
