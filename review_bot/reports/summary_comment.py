"""The one summary of a pull request as it is posted, and the summary of the job.

Both are the plain report (``markdown.py``) with what only a run on GitHub knows: links into the diff, what is new since
the last push, which findings have a comment of their own, and what could not be posted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from review_bot.comments.model import Context
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.findings import Finding
from review_bot.fingerprints import statement_part
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.comments import in_diff
from review_bot.reports.content.unreviewed import consequence
from review_bot.reports.ledger import Ledger, news, view
from review_bot.reports.markdown import LONGEST, SIZES, Code, fitted, prose
from review_bot.reports.summary import MOST_LINES, RenderOptions, in_editor, values, written
from review_bot.review.review import Review
from review_bot.text.listing import count

LONGEST_JOB_SUMMARY = 900_000
"""UTF-8 bytes; GitHub takes 1 MiB of a step: https://docs.github.com/actions/reference/workflow-commands-for-github-actions."""

MOST_IDS = 10
"""Findings without a comment whose IDs are listed; the JSON report has all of them."""

_JOB_SIZES = ((100_000, 100_000), (1_000, 200), (200, 20), *SIZES)
_POSTED_SIZES = (*SIZES, (1, 1), (0, 0))


class WithheldFindings(NamedTuple):
    """Findings that have no comment of their own, and why."""

    number: int
    reason: str


class CommentDelivery(NamedTuple):
    """How the findings reach the reader. ``commented``: those with a comment of their own.

    ``command``: how a command in a comment begins, empty if commands are not available.
    """

    commented: frozenset[Finding] = frozenset()
    held: tuple[WithheldFindings, ...] = ()
    ledger: Ledger = Ledger()
    command: str = ""


def render(review: Review, context: Context, delivery: CommentDelivery, *, label: str = "", room: int = LONGEST) -> str:
    """Return the summary comment without its hidden lines, at most ``room`` UTF-8 bytes."""
    return _render(review, context, delivery, label, _POSTED_SIZES, room, MOST_LINES)


def job_summary(review: Review, context: Context) -> str:
    """Return the full summary, for a job whose token may not comment and for readers of the job."""
    return _render(review, context, CommentDelivery(), "", _JOB_SIZES, LONGEST_JOB_SUMMARY, None)


def _render(
    review: Review,
    context: Context,
    delivery: CommentDelivery,
    label: str,
    sizes: Sequence[tuple[int, int]],
    longest: int,
    most_lines: int | None,
) -> str:
    if said := wording.empty(review):
        extra = [prose(f"Note: {notice}") for notice in context.notices]
        extra += [prose(problem) for problem in context.problems]
        return "\n\n".join(["## Review Bot: nothing to review", prose(said), *extra]) + "\n"

    def read(entries: int, places: int) -> dict[str, Any]:
        options = RenderOptions(
            entries,
            places,
            lambda finding: in_diff(context, finding),
            delivery.commented,
        )
        return values(review, options) | _surroundings(review, context, delivery, label, entries)

    return fitted(lambda given: written(review, given, most_lines), read, sizes, longest)


def _surroundings(
    review: Review, context: Context, delivery: CommentDelivery, label: str, most_entries: int
) -> dict[str, Any]:
    """Return what the template needs besides the findings."""
    since, commit = delivery.ledger.since, wording.revision(review.policy.sha or "")
    return {
        "posted": True,
        "label": label,
        "since": None if since is None else {"head": Code(since.head[:7]), "text": news(since.counts)},
        "ledger": view(delivery.ledger, most_entries),
        "banner": _banner(review),
        "notices": context.notices[: max(most_entries, 1)],
        "problems": context.problems[: max(most_entries, 1)],
        "held": [f"{count(held.number, 'finding')} without a comment: {held.reason}." for held in delivery.held]
        + _declined(review, delivery),
        "decline": Code(f"{delivery.command} decline ID reason"),
        "reply": Code(f"{delivery.command} decline reason") if delivery.command and delivery.commented else None,
        "accept": Code(f"{delivery.command} accept reason")
        if delivery.command and review.policy.accept == "on"
        else None,
        "ids": _ids(review, delivery)[: min(MOST_IDS, most_entries)],
        "head": Code(context.head[:12]),
        "rules_run": review.rules_run,
        "rules_digest": Code(review.rules_digest[:12]),
        "policy": review.policy.source.removesuffix(f" at {commit}"),
        "policy_sha": Code(commit) if commit else None,
        "again": None
        if context.number is None
        else Code(f"review-bot review --pr {context.repository}#{context.number}"),
    }


def _declined(review: Review, delivery: CommentDelivery) -> list[str]:
    """Return a sentence on declined findings, unless the one about the push includes them."""
    number = len(review.listed) - len(review.to_do)
    if not number or delivery.ledger.since is not None:
        return []
    stays = "was declined; it still counts" if number == 1 else "were declined; they still count"
    return [f"{count(number, 'finding')} {stays} in the verdict."]


def _ids(review: Review, delivery: CommentDelivery) -> list[tuple[Code, Code]]:
    """Return ID and place of the errors and warnings without a comment."""
    halves = Counter(statement_part(each.fingerprint) for each in review.listed)
    found = []
    for each in review.to_do:
        if delivery.command and each.serious and each not in delivery.commented:
            half = statement_part(each.fingerprint)
            identity = Code(half if halves[half] == 1 else each.fingerprint)
            found.append((identity, in_editor(each)))
    return found


def _banner(review: Review) -> list[str]:
    """Return the consequence of an incomplete review, and what to do."""
    effect = consequence(review)
    if not effect:
        return []
    advice = []
    if review.unreviewed:
        advice.append(
            "Fix the files listed under “Could not be reviewed”, or ask a maintainer to add them to "
            f"`unreviewed-ok` in `{CONFIG_PATH}` on the base branch."
        )
    if review.examination.failures:
        advice.append(
            "A rule crashed. This is a bug in the rule or in Review Bot, not in your change: re-run the check, and if "
            "it fails again, report the error listed below."
        )
    return [effect, *advice]
