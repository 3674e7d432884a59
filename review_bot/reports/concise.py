"""The report for editors and grep: one finding a line, ``path:line:column: severity rule message``.

A finding about a whole file is at its line 1; one about the whole change has ``(change)`` in place of a path. One on a
deleted line is at the line of the head that took its place, and its message begins with the line of the base. A finding
with several places has a line for each, and all but the first name the first.
"""

from __future__ import annotations

from review_bot.findings import Finding
from review_bot.reports import wording
from review_bot.reports.content.deleted_lines import place_at_head
from review_bot.reports.content.unreviewed import unreviewed
from review_bot.review.review import Review
from review_bot.text.console import disarm


def render(review: Review, *, everything: bool = False) -> str:
    """Return the findings in the order of path and line, then what could not be reviewed; empty if there is nothing.

    ``everything``: with those that other reports only count.
    """
    findings = review.open if everything else review.listed
    placed = [(place, each) for each in findings for place in each.places]
    lines = [_line(review, place, each) for place, each in sorted(placed, key=lambda pair: _order(pair[0]))]
    for each in unreviewed(review):
        place = "(change)" if each.kind else f"{disarm(each.subject)}:1:1"
        what = f"{each.kind} {each.subject}: {each.reason}" if each.kind else each.reason
        lines += [f"{place}: error incomplete {disarm(wording.one_line(what))}"]
    return "".join(f"{line}\n" for line in lines)


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path or "", finding.line or 0, finding.column or 0, finding.rule


def _line(review: Review, finding: Finding, reported: Finding) -> str:
    place, message = "(change)", disarm(wording.one_line(finding.message))
    if finding.fingerprint != reported.fingerprint:
        message = f"(same problem as {disarm(wording.place(reported))}) {message}"
    there = place_at_head(review.pull_request, finding)
    if there is not None:
        place, message = f"{disarm(there.path)}:{there.line}:1", f"(deleted line {finding.line}) {message}"
    elif finding.path is not None:
        place = f"{disarm(finding.path)}:{finding.line or 1}:{finding.column or 1}"
    return f"{place}: {finding.severity} {disarm(finding.rule)} {message}"
