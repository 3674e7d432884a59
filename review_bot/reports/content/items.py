"""One line of a list: a path or a rule, and why it is there. Plain text, not yet escaped."""

from __future__ import annotations

from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.reports import wording


class Item(NamedTuple):
    """``subject``: a path, a rule or both; ``kind``: a word before it, if it needs one."""

    subject: str
    reason: str = ""
    kind: str = ""


def item(finding: Finding, reason: str = "") -> Item:
    """Return places and rule of a finding."""
    if finding.path is None:
        return Item(finding.rule, reason, wording.place(finding))
    return Item(f"{wording.places(finding)} {finding.rule}", reason)
