"""Commands in comments: ``/review-bot rerun``, ``decline ID reason``, ``reopen ID`` and ``help``.

None of them changes a verdict, and the run that answers them reports none: a job started by ``issue_comment`` runs on
the default branch, so its exit code is not a check of the head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from review_bot.comments import marker
from review_bot.comments.model import Declined, Posted, PostedComment
from review_bot.errors import Ambiguous, Forbidden, ForgeError, NotFound
from review_bot.fingerprints import FORM, STATEMENT
from review_bot.forges.github import chat_requests, conversation
from review_bot.forges.github.chat_requests import WorkflowRun
from review_bot.forges.github.client import Client
from review_bot.forges.github.event import CommandTarget
from review_bot.publishing import memory
from review_bot.reports import wording
from review_bot.reports.markdown import code, prose
from review_bot.reports.wording import one_line

_FINGERPRINT = re.compile(rf"{FORM}|{STATEMENT}")

LONGEST_REASON = 500
"""Characters of a reason; the summary of every push shows it."""


class _Said(NamedTuple):
    """The reply in the pull request, as Markdown, and the line for the log."""

    reply: str
    log: str


def answer(client: Client, target: CommandTarget, name: str, server_url: str) -> str:
    """Carry out a command, answer it with one comment, and return a sentence for the log. Raises ForgeError."""
    words = target.body.split("\n", 1)[0].split()[1:]
    verb = words[0].lower() if words else "help"
    if verb not in {"rerun", "decline", "reopen"}:
        said = _help(name)
    elif not chat_requests.may_push(client, target.repository, target.author):
        said = _Said(
            f"Only people with write access can use {code(f'/{name} {verb}')}.", f"{verb}: rejected, no write access"
        )
    elif verb == "rerun":
        said = _rerun(client, target, name, server_url)
    elif verb == "decline":
        said = _decline(client, target, name, words[1:])
    else:
        said = _reopen(client, target, name, words[1:])
    _reply(client, target, said.reply)
    return said.log


def _help(name: str) -> _Said:
    lines = [
        f"- {code(f'/{name} rerun')} re-runs the review of this pull request.",
        f"- {code(f'/{name} decline ID reason')} lists a finding as declined and hides its comment.",
        f"- {code(f'/{name} reopen ID')} undoes a decline.",
    ]
    return _Said("Commands for people with write access:\n\n" + "\n".join(lines), "help: listed the commands")


def _rerun(client: Client, target: CommandTarget, name: str, server_url: str) -> _Said:
    checks = f"{server_url}/{target.repository}/pull/{target.number}/checks"
    by_hand = f"Open [the checks of this pull request]({checks}), select the review and click **Re-run jobs**."
    head = chat_requests.head_of(client, target.repository, target.number)
    try:
        run = _own_run(chat_requests.runs_of(client, target.repository, head), name)
        if run is None:
            return _Said(
                f"The review run of {code(head[:12])} could not be identified. {by_hand}", "rerun: no run found"
            )
        if run.status not in {None, "completed"}:  # GitHub re-runs only completed runs
            return _Said(
                f"The review of {code(head[:12])} is already running: {run.html_url}", "rerun: already running"
            )
        chat_requests.rerun(client, target.repository, run.id)
    except (Forbidden, NotFound):
        return _Said(
            f"This job cannot re-run workflows ({code('actions: write')} is missing). {by_hand}", "rerun: not permitted"
        )
    return _Said(f"Re-running the review of {code(head[:12])}: {run.html_url}", f"rerun: run {run.id} restarted")


def _own_run(runs: list[WorkflowRun], name: str) -> WorkflowRun | None:
    """Return the newest run of the workflow that reviews, if the runs leave no doubt which one that is."""
    of_pull_requests = [run for run in runs if run.event in {"pull_request", "pull_request_target"}]
    named = [run for run in of_pull_requests if name in f"{run.path} {run.name}".lower().replace(" ", "-")]
    chosen = named or of_pull_requests
    return max(chosen, key=lambda run: run.id) if len({run.path for run in chosen}) == 1 else None


def _decline(client: Client, target: CommandTarget, name: str, words: list[str]) -> _Said:
    if len(words) < 2 or not _FINGERPRINT.fullmatch(words[0]):
        return _Said(f"Usage: {code(f'/{name} decline ID reason')}", "decline: invalid arguments")
    posted = _posted(client, target, name)
    meant = [comment for comment in posted.comments if comment.kind != "summary" and _names(comment, words[0])]
    told = meant or [row for each in posted.comments if (row := _row(each, words[0])) is not None]
    if not told:
        return _Said(f"No finding has the ID {code(words[0])}.", "decline: no such finding")
    for comment in meant:
        chat_requests.hide(client, target.repository, comment.id)
    reason = one_line(" ".join(words[1:]), LONGEST_REASON)
    names = tuple(dict.fromkeys(fingerprint for each in told for fingerprint in each.fingerprints))
    line = marker.write_declined(name, Declined(names, target.author, reason, told[0].path))
    what = "Its comment is now hidden." if meant else "It has no comment to hide."
    then = "The next run will list it as declined in the summary. The verdict does not change."
    back = f"To undo, comment {code(f'/{name} reopen {words[0]}')}."
    said = prose(f"Declined by {target.author}: {reason}")
    return _Said(f"{said}\n\n{what} {then} {back}\n\n{line}", f"decline: {wording.count(len(meant), 'comment')} hidden")


def _reopen(client: Client, target: CommandTarget, name: str, words: list[str]) -> _Said:
    """Undo a decline. The comment is shown before our reply is edited, so a retry completes an interrupted command."""
    if not words or not _FINGERPRINT.fullmatch(words[0]):
        return _Said(f"Usage: {code(f'/{name} reopen ID')}", "reopen: invalid arguments")
    posted = _posted(client, target, name)
    records = [each for each in posted.declined if _is_named(each.fingerprints, words[0])]
    if not records:
        return _Said(f"No declined finding has the ID {code(words[0])}.", "reopen: no such finding")
    names = {fingerprint for record in records for fingerprint in record.fingerprints}
    hidden = [each for each in posted.comments if each.kind != "summary" and names & {*each.fingerprints}]
    for comment in hidden:
        chat_requests.show(client, target.repository, comment.id)
    for record in records:
        body = record.body.replace("\r\n", "\n").replace(record.line, prose(f"Reopened by {target.author}."))
        chat_requests.edit_reply(client, target.repository, record.id, body)
    return _Said(
        prose(f"Reopened by {target.author}.") + " The next run will list it as open in the summary.",
        f"reopen: {wording.count(len(hidden), 'comment')} shown",
    )


def _posted(client: Client, target: CommandTarget, name: str) -> Posted:
    viewer = chat_requests.viewer_of(client)
    talk = conversation.fetch(client, target.repository, target.number, threads=False, requests=False)
    return talk.ours(viewer.databaseId, viewer.login, name)


def _names(comment: PostedComment, fingerprint: str) -> bool:
    return _is_named(comment.fingerprints, fingerprint)


def _is_named(fingerprints: Iterable[str], wanted: str) -> bool:
    return any(each == wanted or each.startswith(f"{wanted}-") for each in fingerprints)


def _row(comment: PostedComment, wanted: str) -> PostedComment | None:
    """Return the summary as if it were the comment about one finding that has none, None if it does not name it."""
    names = tuple(each for each in comment.fingerprints if _is_named((each,), wanted))
    if comment.kind != "summary" or not names:
        return None
    past = memory.read(comment.body, comment.fingerprints)
    known = [] if past is None else [one for one in past.open or () if one.fingerprint in names]
    return comment._replace(fingerprints=names, path=known[0].path or None if known else None)


def _reply(client: Client, target: CommandTarget, body: str) -> None:
    try:
        chat_requests.reply(client, target.repository, target.number, body)
    except Ambiguous as error:
        raise ForgeError(
            "the command succeeded, but GitHub did not confirm the reply; it is not posted again to avoid a duplicate"
        ) from error
