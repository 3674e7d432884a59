"""What takes no part in the verdict, by the reason why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_bot.findings import NotRun
from review_bot.records import NamedTuple
from review_bot.reports.content.items import Item, item
from review_bot.review import baseline
from review_bot.review.review import Review
from review_bot.text.listing import count


class SetAside(NamedTuple):
    """Findings, files or rules of one kind: a heading with their number, and each of them; at least one."""

    heading: str
    entries: tuple[Item, ...]


def set_aside(review: Review) -> tuple[SetAside, ...]:
    """Return each kind of which there is something."""
    seen = review.examination
    suppressed = [
        item(each.finding, each.reason if each.reason == baseline.NO_REASON else f"{each.by}: {each.reason}")
        for each in review.suppressed
        if each.by != "accepted"
    ]
    accepted = [item(each.finding, each.reason) for each in review.suppressed if each.by == "accepted"]
    known = {finding.fingerprint: finding for finding in review.listed}
    declined = [
        item(known[each.fingerprint], f"{each.by}: {each.reason}")
        for each in review.context.declined
        if each.fingerprint in known
    ]
    allowed = [Item(each.path, each.reason) for each in review.allowed_unreviewed]
    kinds = (
        ("finding", "declined, still counted in the verdict", declined),
        ("finding", "accepted for this commit", accepted),
        ("finding", "on moved lines", [item(finding) for finding in review.moved]),
        ("finding", "suppressed", suppressed),
        ("file", "checked by no language-specific rule", [Item(*each) for each in review.reach.without_rules]),
        ("file", "of data, checked by no language-specific rule", [Item(path) for path in review.reach.data_files]),
        ("file", "not reviewed, allowed by the configuration", allowed),
        ("rule", "not run", _rules_not_run(seen.not_run)),
        ("file", "without text", [Item(*each) for each in seen.no_text]),
        ("file", "ignored by the configuration", [Item(path) for path in seen.ignored]),
        ("file", "checked for errors only", [Item(*each) for each in seen.left_out]),
    )
    return tuple(_kind(noun, rest, entries) for noun, rest, entries in kinds if entries)


def _rules_not_run(entries: Iterable[NotRun]) -> list[Item]:
    """Return each rule once, with all its reasons: one part of it may have lacked a file, and another the tree."""
    reasons: dict[str, list[str]] = {}
    for each in entries:
        reasons.setdefault(each.rule, []).append(each.reason)
    return [Item(rule, "; ".join(dict.fromkeys(said))) for rule, said in reasons.items()]


def _kind(noun: str, rest: str, entries: Sequence[Item]) -> SetAside:
    return SetAside(f"{count(len(entries), noun)} {rest}", tuple(entries))
