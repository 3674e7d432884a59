"""``/review-bot accept``: a person with write access lets a finding pass the gate, for one commit."""

from __future__ import annotations

from review_bot.comments import marker
from review_bot.comments.command import is_named
from review_bot.comments.model import Accepted, Posted
from review_bot.findings import SEVERITIES
from review_bot.forges.github.pull_requests import GitHubPullRequest
from review_bot.github_action import review_run
from review_bot.github_action.command_context import LONGEST_REASON, Asked, Said
from review_bot.publishing import memory
from review_bot.publishing.memory import StoredState
from review_bot.reports.markdown import code, prose
from review_bot.reports.wording import one_line

_SHOWN = 12


def accept(asked: Asked) -> Said:
    """Record an acceptance for the commit that the person has seen reviewed. It counts from the next run on.

    Raises ForgeError, and ConfigError if the configuration cannot be read.
    """
    if not asked.command.reason or not (asked.command.finding or asked.in_thread):
        return asked.usage("reason")
    source = GitHubPullRequest(asked.client, asked.target.repository, asked.target.number)
    overview = source.open()
    policy = review_run.read_policy(source, asked.overrides, overview).policy
    if policy.accept != "on":
        return Said(
            "The configuration of this repository does not let comments accept findings; "
            f"{code('accept: on')} would allow it.",
            "accept: not allowed by the configuration",
        )
    posted = asked.posted()
    comments = asked.meant(posted)
    if not comments:
        return asked.unknown()
    every = dict.fromkeys(name for each in comments for name in each.fingerprints)
    names = tuple(each for each in every if not asked.command.finding or is_named(each, asked.command.finding))
    state, updated = _last_review(posted)
    if state is None:
        return Said(
            "Accepting needs the summary comment, which records the reviewed commit: set "
            f"{code('summary: always')}, run the review again, then comment again.",
            "accept: no summary comment",
        )
    seen = _seen(asked, state, updated)
    if seen is None or seen != overview.head_sha:
        newest = code(overview.head_sha[:_SHOWN])
        return Said(
            f"It is not certain that this comment is about the newest commit, {newest}. Read the review of that "
            "commit, then comment again.",
            "accept: the head has moved" if seen else "accept: no review of the head before the comment",
        )
    return _recorded(asked, names, seen, state)


def _recorded(asked: Asked, names: tuple[str, ...], head: str, state: StoredState) -> Said:
    open_there = {one.fingerprint: SEVERITIES[one.severity] for one in state.open or ()}
    if all(open_there.get(name) == "error" for name in names):
        return Said(
            "An error cannot be accepted. Fix it, or suppress it in the code with a reason.",
            "accept: rejected, an error",
        )
    name, by, reason = asked.name, asked.target.author, one_line(asked.command.reason, LONGEST_REASON)
    line = marker.write_accepted(name, Accepted(names, by, reason, head, asked.target.comment))
    said = prose(f"Accepted by {by} for commit `{head[:_SHOWN]}`: {reason}")
    then = "From the next run on, the finding does not fail the gate. An error stays, and a new push undoes this."
    again = f"To review the commit again, comment {code(f'/{name} rerun')}."
    back = f"To undo, comment {code(f'/{name} reopen {asked.command.finding}'.rstrip())}."
    return Said(f"{said}\n\n{then} {again} {back}\n\n{line}", f"accept: recorded for {head[:_SHOWN]}")


def _last_review(posted: Posted) -> tuple[StoredState | None, str]:
    """Return what the summary says of the last review, and when it was updated."""
    for comment in posted.comments:
        if comment.kind == "summary":
            return memory.read(comment.body, comment.fingerprints), comment.updated
    return None, ""


def _seen(asked: Asked, state: StoredState, updated: str) -> str | None:
    """Return the commit that the person saw reviewed when they commented, None if that is not certain.

    The event of a reply names the head of that moment, which must be the reviewed one. The event of a comment below
    does not: there the summary must have been as it is now, and within one second, which is as exact as GitHub is,
    either may have come first.
    """
    reviewed = asked.target.head
    if reviewed is not None:
        return reviewed if state.head == reviewed else None
    return state.head if updated and updated < asked.target.created else None
