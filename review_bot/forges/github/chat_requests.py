"""The requests that commands in comments make: who may use them, which run to restart, which comments to hide."""

from __future__ import annotations

from review_bot.errors import NotFound
from review_bot.forges.github.client import Client, quote
from review_bot.forges.github.wire import Answer

MAY_PUSH = ("admin", "maintain", "write")

VIEWER = "query Viewer { viewer { login databaseId } }"
MINIMIZE = """mutation Minimize($id: ID!) {
  minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) { minimizedComment { isMinimized } }
}"""
UNMINIMIZE = """mutation Unminimize($id: ID!) {
  unminimizeComment(input: {subjectId: $id}) { unminimizedComment { isMinimized } }
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


class Viewer(Answer):
    """The account of the token."""

    login: str
    databaseId: int | None = None  # noqa: N815  # GitHub's name


class _ViewerAnswer(Answer):
    viewer: Viewer


class _Anything(Answer):
    pass


def may_push(client: Client, repository: str, login: str) -> bool:
    """Return True if an account has write access. Raises ForgeError."""
    path = f"/repos/{repository}/collaborators/{quote(login)}/permission"
    try:
        return client.get(path, Permission).permission in MAY_PUSH
    except NotFound:
        return False


def viewer_of(client: Client) -> Viewer:
    """Return the account of the token. Raises ForgeError."""
    return client.query(VIEWER, {}, _ViewerAnswer).viewer


def head_of(client: Client, repository: str, number: int) -> str:
    """Return the head commit of a pull request. Raises ForgeError."""
    return client.get(f"/repos/{repository}/pulls/{number}", _PullRequest).head.sha


def runs_of(client: Client, repository: str, head: str) -> list[WorkflowRun]:
    """Return the newest workflow runs of a commit, at most 100. Raises ForgeError."""
    found = client.get(f"/repos/{repository}/actions/runs", _WorkflowRuns, {"head_sha": head, "per_page": 100})
    return found.workflow_runs


def rerun(client: Client, repository: str, run: int) -> None:
    """Restart a completed workflow run, which needs ``actions: write``. Raises ForgeError."""
    client.send("POST", f"/repos/{repository}/actions/runs/{run}/rerun", {}, None)


def hide(client: Client, repository: str, comment: int) -> None:
    """Minimize a comment in the change. Raises ForgeError."""
    client.mutate(MINIMIZE, {"id": _node_of(client, repository, comment)}, _Anything)


def show(client: Client, repository: str, comment: int) -> None:
    """Undo ``hide``. Raises ForgeError."""
    client.mutate(UNMINIMIZE, {"id": _node_of(client, repository, comment)}, _Anything)


def reply(client: Client, repository: str, number: int, body: str) -> None:
    """Comment below a pull request. Raises Ambiguous, ForgeError."""
    client.send("POST", f"/repos/{repository}/issues/{number}/comments", {"body": body}, _Anything)


def reply_in_thread(client: Client, repository: str, number: int, first: int, body: str) -> None:
    """Reply in the thread that the comment ``first`` began. Raises Ambiguous, ForgeError."""
    client.send("POST", f"/repos/{repository}/pulls/{number}/comments/{first}/replies", {"body": body}, _Anything)


def edit_reply(client: Client, repository: str, comment: int, body: str, *, in_thread: bool) -> None:
    """Edit a comment below a pull request, or a reply in a thread. Raises Ambiguous, ForgeError."""
    kind = "pulls" if in_thread else "issues"
    client.send("PATCH", f"/repos/{repository}/{kind}/comments/{comment}", {"body": body}, _Anything)


def _node_of(client: Client, repository: str, comment: int) -> str:
    return client.get(f"/repos/{repository}/pulls/comments/{comment}", _Node).node_id
