"""Commands in comments: ``/review-bot explain``, ``rerun``, ``decline``, ``accept``, ``reopen`` and ``help``.

A reply in the thread of a finding means that finding; elsewhere an ID names it. The run that answers a command reports
no verdict: a job started by ``issue_comment`` runs on the default branch, so its exit code is not a check of the head.
"""

from __future__ import annotations

from review_bot.comments import marker
from review_bot.comments.command import is_named, parse
from review_bot.comments.model import Accepted, Declined
from review_bot.configuration.inputs import Overrides
from review_bot.errors import Ambiguous, Forbidden, ForgeError, NotFound, Rejected, UsageError
from review_bot.forges.github import chat_requests
from review_bot.forges.github.chat_requests import WorkflowRun
from review_bot.forges.github.client import Client
from review_bot.forges.github.event import CommandTarget
from review_bot.github_action.accept_command import accept
from review_bot.github_action.command_context import LONGEST_REASON, Asked, Said
from review_bot.github_action.explain_command import explain
from review_bot.reports.markdown import code, prose
from review_bot.reports.wording import one_line
from review_bot.text.listing import count
from review_bot.text.near_names import did_you_mean


def answer(client: Client, target: CommandTarget, name: str, server_url: str, overrides: Overrides) -> str:
    """Carry out a command, answer it with one comment, and return a sentence for the log.

    Raises ForgeError; UsageError where GitHub lets this event write nothing.
    """
    asked = Asked(client, target, parse(target.body), name, server_url, overrides)
    try:
        said = _carry_out(asked)
        _reply(asked, said.reply)
    except Forbidden as error:
        if not asked.in_thread:
            raise
        raise UsageError(
            "the token of this job cannot write, as is always so for line comments on a pull request from a fork; "
            f"post the command with its ID as a comment below the pull request ({error})"
        ) from error
    return said.log


def _carry_out(asked: Asked) -> Said:
    verb = asked.command.verb
    known = {"rerun": _rerun, "decline": _decline, "accept": accept, "reopen": _reopen}
    if verb == "explain":
        return explain(asked)
    if verb not in known:
        return _help(asked)
    if not chat_requests.may_push(asked.client, asked.target.repository, asked.target.author):
        return Said(_refusal(asked), f"{verb}: rejected, no write access")
    return known[verb](asked)


def _refusal(asked: Asked) -> str:
    """Return the answer to a person without write access, which names the command that everyone can use instead."""
    name, verb = asked.name, asked.command.verb
    said = f"Only people with write access can use {code(f'/{name} {verb}')}."
    if verb not in {"decline", "accept"}:
        return said
    explained = code(f"/{name} explain" if asked.in_thread else f"/{name} explain ID")
    return f"{said} Everyone can use {explained}; the answer says how to suppress or dispute the finding."


def _help(asked: Asked) -> Said:
    name, verb = asked.name, asked.command.verb
    lines = [
        f"- {code(f'/{name} explain ID')} or {code(f'/{name} explain RULE')} explains a finding; everyone may use it.",
        f"- {code(f'/{name} rerun')} re-runs the review of this pull request.",
        f"- {code(f'/{name} decline ID reason')} lists a finding as declined and hides its comment.",
        f"- {code(f'/{name} accept ID reason')} lets a finding pass the gate for this commit; never an error.",
        f"- {code(f'/{name} reopen ID')} undoes either.",
    ]
    near = did_you_mean(verb, ("explain", "rerun", "decline", "accept", "reopen", "help")) or "."
    unknown = "" if verb == "help" else f"There is no command {code(one_line(verb, 40))}{near}\n\n"
    text = "\n".join(lines)
    return Said(
        f"{unknown}Commands for people with write access; in a reply to a comment of Review Bot, leave out the ID:\n\n"
        f"{text}",
        "help: listed the commands",
    )


def _rerun(asked: Asked) -> Said:
    client, target = asked.client, asked.target
    checks = f"{asked.server_url}/{target.repository}/pull/{target.number}/checks"
    by_hand = f"Open [the checks of this pull request]({checks}), select the review and click **Re-run jobs**."
    head = chat_requests.head_of(client, target.repository, target.number)
    try:
        run = _own_run(chat_requests.runs_of(client, target.repository, head), asked.name)
        if run is None:
            return Said(
                f"The review run of {code(head[:12])} could not be identified. {by_hand}", "rerun: no run found"
            )
        if run.status not in {None, "completed"}:  # GitHub re-runs only completed runs
            return Said(f"The review of {code(head[:12])} is already running: {run.html_url}", "rerun: already running")
        chat_requests.rerun(client, target.repository, run.id)
    except (Forbidden, NotFound):
        return Said(
            f"This job cannot re-run workflows ({code('actions: write')} is missing). {by_hand}", "rerun: not permitted"
        )
    return Said(f"Re-running the review of {code(head[:12])}: {run.html_url}", f"rerun: run {run.id} restarted")


def _own_run(runs: list[WorkflowRun], name: str) -> WorkflowRun | None:
    """Return the newest run of the workflow that reviews, if the runs leave no doubt which one that is."""
    of_pull_requests = [run for run in runs if run.event in {"pull_request", "pull_request_target"}]
    named = [run for run in of_pull_requests if name in f"{run.path} {run.name}".lower().replace(" ", "-")]
    chosen = named or of_pull_requests
    return max(chosen, key=lambda run: run.id) if len({run.path for run in chosen}) == 1 else None


def _decline(asked: Asked) -> Said:
    finding, words = asked.command.finding, asked.command.reason
    if not words or not (finding or asked.in_thread):
        return asked.usage("reason")
    client, target, name = asked.client, asked.target, asked.name
    comments = asked.meant(asked.posted())
    if not comments:
        return asked.unknown()
    meant = [each for each in comments if each.kind != "summary"]
    for comment in meant:
        chat_requests.hide(client, target.repository, comment.id)
    reason = one_line(words, LONGEST_REASON)
    names = tuple(dict.fromkeys(fingerprint for each in comments for fingerprint in each.fingerprints))
    line = marker.write_declined(name, Declined(names, target.author, reason, comments[0].path))
    what = "Its comment is now hidden." if meant else "It has no comment to hide."
    then = "The next run will list it as declined in the summary. The verdict does not change."
    back = f"To undo, comment {code(f'/{name} reopen {finding}'.rstrip())}."
    said = prose(f"Declined by {target.author}: {reason}")
    return Said(f"{said}\n\n{what} {then} {back}\n\n{line}", f"decline: {count(len(meant), 'comment')} hidden")


def _reopen(asked: Asked) -> Said:
    """Undo a decline or an acceptance.

    The comment is shown before our reply is edited, so a retry completes an interrupted command.
    """
    client, target, finding = asked.client, asked.target, asked.command.finding
    if not finding and not asked.in_thread:
        return asked.usage("")
    posted = asked.posted()
    wanted = (finding,) if finding else tuple(name for each in asked.meant(posted) for name in each.fingerprints)
    if not wanted:
        return asked.unknown()
    every: list[Declined | Accepted] = [*posted.declined, *posted.accepted]
    records = [each for each in every if any(is_named(name, one) for name in each.fingerprints for one in wanted)]
    if not records:
        which = (
            f"No declined or accepted finding has the ID {code(finding)}."
            if finding
            else "This finding is neither declined nor accepted."
        )
        return Said(which, "reopen: no such finding")
    names = {fingerprint for record in records for fingerprint in record.fingerprints}
    hidden = [each for each in posted.comments if each.kind != "summary" and names & {*each.fingerprints}]
    for comment in hidden:
        chat_requests.show(client, target.repository, comment.id)
    said = prose(f"Reopened by {target.author}.")
    for record in records:
        body = record.body.replace("\r\n", "\n").replace(record.line, said)
        chat_requests.edit_reply(client, target.repository, record.id, body, in_thread=record.in_thread)
    return Said(
        f"{said} The next run will list it as open in the summary.",
        f"reopen: {count(len(hidden), 'comment')} shown",
    )


def _reply(asked: Asked, body: str) -> None:
    """Answer where the command was posted; below the pull request if its thread is gone or takes no reply."""
    client, target = asked.client, asked.target
    try:
        if target.thread is not None:
            try:
                chat_requests.reply_in_thread(client, target.repository, target.number, target.thread, body)
                return
            except (NotFound, Rejected):  # a pending review of ours keeps GitHub from taking replies
                pass
        chat_requests.reply(client, target.repository, target.number, body)
    except Ambiguous as error:
        raise ForgeError(
            "the command succeeded, but GitHub did not confirm the reply; it is not posted again to avoid a duplicate"
        ) from error
