"""Where a deleted line was, for readers that know only the lines of the head."""

from __future__ import annotations

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.findings import Finding
from review_bot.records import NamedTuple


class HeadPlace(NamedTuple):
    """A path and a 1-based line of it at the head."""

    path: str
    line: int


def place_at_head(change: PullRequest, finding: Finding) -> HeadPlace | None:
    """Return the line at the head that follows the deleted line of a finding, or the last one before it.

    Line 1 of a file that is gone or whose hunks lack the line; None if the finding is on no deleted line.
    """
    if finding.side != "LEFT" or finding.line is None or finding.path is None:
        return None
    file = next((each for each in change.files if each.base_path == finding.path and each.status != "copied"), None)
    if file is None or file.status == "deleted":
        return HeadPlace(finding.path, 1)
    return HeadPlace(file.path, _line_at_head(file, finding.line))


def _line_at_head(file: ChangedFile, line: int) -> int:
    for hunk in file.hunks:
        old, new = hunk.old_start, hunk.new_start if hunk.new_count else hunk.new_start + 1
        last = hunk.new_start + hunk.new_count - 1 if hunk.new_count else hunk.new_start
        for text in hunk.lines:
            if text[:1] in {" ", "-"}:
                if old == line:
                    return max(min(new, last), 1)
                old += 1
            if text[:1] in {" ", "+"}:
                new += 1
    return 1
