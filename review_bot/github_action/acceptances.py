"""Which acceptances count: of all that our answers record, those that hold against what GitHub says now.

::

    the answer of ours     names the findings, the commit, and the comment that gave the command
    that comment           is there, unedited, by the same person, gives the same reason, and means these findings
    that person            is no bot and has write access now
    the commit             is the head under review

The answer alone accepts nothing: other workflows write with our account too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.changes.pull_request import PullRequest
from review_bot.comments.command import is_named, parse
from review_bot.comments.model import Accepted, Declined, Posted
from review_bot.errors import ForgeError
from review_bot.fingerprints import is_of_file, shared_fingerprints
from review_bot.forges.github import chat_requests, conversation, merge_group
from review_bot.forges.github.client import Client
from review_bot.forges.github.conversation import Conversation, IssueComment, ReviewComment
from review_bot.forges.github.overview import Overview
from review_bot.github_action.command_context import LONGEST_REASON
from review_bot.records import NamedTuple
from review_bot.reports.wording import one_line
from review_bot.review.acceptance import NOTHING_ACCEPTED, Acceptance
from review_bot.review.review import Review
from review_bot.text.listing import count

VERB = "accept"


class Acceptances(NamedTuple):
    """What is accepted, by fingerprint, in some files alone if not None, and sentences on what does not count.

    ``declined``: what was declined in the pull request that a merge group merges, and so is not accepted with others.
    """

    findings: Mapping[str, Acceptance] = NOTHING_ACCEPTED
    notices: tuple[str, ...] = ()
    files: frozenset[str] | None = None
    declined: tuple[Declined, ...] = ()


def read_acceptances(client: Client, repository: str, name: str, overview: Overview, talk: Conversation) -> Acceptances:
    """Return what people with write access accepted for the head. ``name``: that of Review Bot in commands."""
    head, posted = overview.head_sha, talk.ours(overview.viewer_id, overview.viewer_login, name)
    found: dict[str, Acceptance] = {}
    notices = []
    every: list[IssueComment | ReviewComment] = [*talk.comments, *talk.review_comments]
    said = {each.id: each for each in every}
    outdated = sum(record.head != head for record in posted.accepted)
    if outdated:
        notices.append(
            f"{count(outdated, 'acceptance')} of an earlier commit no longer {'counts' if outdated == 1 else 'count'}."
        )
    may: dict[str, bool | ForgeError] = {}
    for record in (each for each in posted.accepted if each.head == head):
        comment = said.get(record.command)
        names = () if comment is None else _meant(comment, record, name, posted)
        if not names:
            notices.append(
                f"An acceptance by {record.by} does not count: the comment with the command is gone or was changed."
            )
            continue
        if record.by not in may:
            may[record.by] = _may_push(client, repository, record.by)
        answer = may[record.by]
        if isinstance(answer, ForgeError):
            notices.append(
                f"An acceptance by {record.by} does not count: GitHub did not say whether {record.by} has write access "
                f"({answer.code})."
            )
        elif not answer:
            notices.append(f"An acceptance by {record.by} does not count: {record.by} has no write access.")
        else:
            found |= dict.fromkeys(names, Acceptance(record.by, record.reason))
    return Acceptances(found, tuple(notices))


def queued_acceptances(
    client: Client, repository: str, name: str, group: tuple[str, str], change: PullRequest
) -> Acceptances:
    """Return what was accepted in the pull request that a merge group merges, in files that are the same in both.

    ``group``: its head commit, and its branch. A finding about the whole change counts if all files are the same.
    Raises ForgeError.
    """
    head, branch = group
    pull = merge_group.pull_request_of(client, repository, branch)
    if pull is None:
        return Acceptances()
    talk = conversation.fetch(client, repository, pull.number or 0, threads=False, requests=False)
    accepted = read_acceptances(client, repository, name, pull, talk).findings
    if not accepted:
        return Acceptances()
    paths = [file.path for file in change.files if file.status != "deleted"]
    same = merge_group.same_files(client, repository, head, pull.head_sha, paths)
    known = {file.base_path for file in change.files if file.path in same}
    files = frozenset(known).union(same)
    if len(same) == len(change.files):
        known.add("")
    found = {each: by for each, by in accepted.items() if any(is_of_file(each, path) for path in known)}
    return Acceptances(found, files=files, declined=talk.ours(pull.viewer_id, pull.viewer_login, name).declined)


def refused(judged: Review, accepted: Mapping[str, Acceptance]) -> Iterator[str]:
    """Yield a sentence for each finding that was accepted and counts all the same."""
    shared = shared_fingerprints(each.fingerprint for each in judged.findings)
    for finding in judged.listed:
        if finding.fingerprint in accepted:
            what = "an error" if finding.severity == "error" else "a finding that nothing suppresses"
            what = "one of several findings with the same ID" if finding.fingerprint in shared else what
            by = accepted[finding.fingerprint].by
            yield f"The acceptance of `{finding.rule}` by {by} does not count: {what} cannot be accepted."


def _meant(comment: IssueComment | ReviewComment, record: Accepted, name: str, posted: Posted) -> tuple[str, ...]:
    """Return the findings of a record that its command means; none if the comment does not say what was recorded."""
    user = comment.user
    if user is None or user.type == "Bot" or user.login != record.by or comment.created_at != comment.updated_at:
        return ()
    body = comment.body or ""
    if not body.startswith("/") or body.split()[0] != f"/{name}":
        return ()
    command = parse(body)
    if command.verb != VERB or one_line(command.reason, LONGEST_REASON) != record.reason:
        return ()
    if command.finding:
        return tuple(each for each in record.fingerprints if is_named(each, command.finding))
    first = comment.in_reply_to_id if isinstance(comment, ReviewComment) else None
    thread = {each for one in posted.comments if one.id == first and one.kind != "summary" for each in one.fingerprints}
    return tuple(each for each in record.fingerprints if each in thread)


def _may_push(client: Client, repository: str, login: str) -> bool | ForgeError:
    try:
        return chat_requests.may_push(client, repository, login)
    except ForgeError as error:
        return error
