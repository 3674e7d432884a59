"""Commands in comments: ``/review-bot rerun``, ``/review-bot decline ID reason``, ``/review-bot help``.

None of them changes a verdict, and the run that answers them says nothing of one: a job that ``issue_comment`` started
runs on the default branch, so its exit code is no check of the head.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from review_bot.errors import Ambiguous, Forbidden, ForgeError, NotFound
from review_bot.forges.github import conversation
from review_bot.forges.github.client import Client, quote
from review_bot.forges.github.event import CommandTarget
from review_bot.forges.github.wire import Answer
from review_bot.publication import PostedComment
from review_bot.reports.markdown import code, prose

MAY_PUSH = ("admin", "maintain", "write")

_FINGERPRINT = re.compile(r"[0-9a-f]{16}-[0-9a-f]{8}|[0-9a-f]{16}")

VIEWER = "query Viewer { viewer { login databaseId } }"
MINIMIZE = """mutation Minimize($id: ID!) {
  minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) { minimizedComment { isMinimized } }
}"""


class Permission(Answer):
    """https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user."""

    permission: str


class _Head(Answer):
    sha: str


class _PullRequest(Answer):
    head: _Head


class WorkflowRun(Answer):
    """https://docs.github.com/en/rest/actions/workflow-runs#list-workflow-runs-for-a-repository."""

    id: int
    name: str | None = None
    path: str | None = None
    event: str
    status: str | None = None
    html_url: str


class _WorkflowRuns(Answer):
    workflow_runs: list[WorkflowRun]


class _Node(Answer):
    node_id: str


class _Viewer(Answer):
    login: str
    databaseId: int | None = None  # noqa: N815  # GitHub's name


class _ViewerAnswer(Answer):
    viewer: _Viewer


class _Said(NamedTuple):
    """What to answer in the pull request, as Markdown, and what to say in the log."""

    reply: str
    log: str


def answer(client: Client, target: CommandTarget, name: str, server_url: str) -> str:
    """Carry out a command, answer it with one comment, and return a sentence for the log. Raises ForgeError."""
    words = target.body.split("\n", 1)[0].split()[1:]
    verb = words[0].lower() if words else "help"
    if verb not in {"rerun", "decline"}:
        said = _help(name)
    elif not _may_push(client, target):
        said = _Said(
            f"Only people with write access may use {code(f'/{name} {verb}')}.", f"{verb}: refused, no write access"
        )
    elif verb == "rerun":
        said = _rerun(client, target, name, server_url)
    else:
        said = _decline(client, target, name, words[1:])
    _reply(client, target, said.reply)
    return said.log


def _help(name: str) -> _Said:
    lines = [
        f"- {code(f'/{name} rerun')} runs the review of this pull request again.",
        f"- {code(f'/{name} decline ID reason')} hides a comment (ID: its fingerprint); the verdict stays.",
    ]
    return _Said("People with write access may say:\n\n" + "\n".join(lines), "help was asked for")


def _may_push(client: Client, target: CommandTarget) -> bool:
    path = f"/repos/{target.repository}/collaborators/{quote(target.author)}/permission"
    try:
        return client.get(path, Permission).permission in MAY_PUSH
    except NotFound:
        return False


def _rerun(client: Client, target: CommandTarget, name: str, server_url: str) -> _Said:
    checks = f"{server_url}/{target.repository}/pull/{target.number}/checks"
    by_hand = f"Open [the checks of this pull request]({checks}), choose the review and press Re-run."
    head = client.get(f"/repos/{target.repository}/pulls/{target.number}", _PullRequest).head.sha
    try:
        found = client.get(
            f"/repos/{target.repository}/actions/runs", _WorkflowRuns, {"head_sha": head, "per_page": 100}
        ).workflow_runs
        run = _own_run(found, name)
        if run is None:
            return _Said(
                f"No single run of the review was found for {code(head[:12])}. {by_hand}", "rerun: no run found"
            )
        if run.status not in {None, "completed"}:  # GitHub runs again only what has ended
            return _Said(
                f"The review of {code(head[:12])} is running already: {run.html_url}", "rerun: it runs already"
            )
        client.send("POST", f"/repos/{target.repository}/actions/runs/{run.id}/rerun", {}, None)
    except (Forbidden, NotFound):
        return _Said(
            f"This job may not re-run workflows (it needs {code('actions: write')}). {by_hand}", "rerun: not permitted"
        )
    return _Said(f"Running the review of {code(head[:12])} again: {run.html_url}", f"rerun: run {run.id} started again")


def _own_run(runs: list[WorkflowRun], name: str) -> WorkflowRun | None:
    """Return the newest run of the workflow that reviews, if the runs leave no doubt which one that is."""
    of_pull_requests = [run for run in runs if run.event in {"pull_request", "pull_request_target"}]
    named = [run for run in of_pull_requests if name in f"{run.path} {run.name}".lower().replace(" ", "-")]
    chosen = named or of_pull_requests
    return max(chosen, key=lambda run: run.id) if len({run.path for run in chosen}) == 1 else None


def _decline(client: Client, target: CommandTarget, name: str, words: list[str]) -> _Said:
    if len(words) < 2 or not _FINGERPRINT.fullmatch(words[0]):
        return _Said(f"Say which comment and why: {code(f'/{name} decline ID reason')}.", "decline: not understood")
    viewer = client.query(VIEWER, {}, _ViewerAnswer).viewer
    talk = conversation.fetch(client, target.repository, target.number, threads=False, requests=False)
    posted = talk.ours(viewer.databaseId, viewer.login, name)
    meant = [comment for comment in posted.comments if comment.kind != "summary" and _names(comment, words[0])]
    if not meant:
        return _Said(f"No comment here has the fingerprint {code(words[0])}.", "decline: no such comment")
    for comment in meant:
        node = client.get(f"/repos/{target.repository}/pulls/comments/{comment.id}", _Node).node_id
        client.mutate(MINIMIZE, {"id": node}, _Anything)
    by = prose(f"Declined by {target.author}: {' '.join(words[1:])}")
    return _Said(f"{by}\n\nThe comment is hidden. The verdict stays as it is.", f"decline: {len(meant)} comment hidden")


class _Anything(Answer):
    pass


def _names(comment: PostedComment, fingerprint: str) -> bool:
    return any(each == fingerprint or each.startswith(f"{fingerprint}-") for each in comment.fingerprints)


def _reply(client: Client, target: CommandTarget, body: str) -> None:
    path = f"/repos/{target.repository}/issues/{target.number}/comments"
    try:
        client.send("POST", path, {"body": body}, _Anything)
    except Ambiguous as error:
        raise ForgeError(
            "the command was carried out; whether the answer to it was posted is not known, and it is not sent twice"
        ) from error
