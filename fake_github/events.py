"""The payloads of GitHub's webhooks, as an Action finds them at GITHUB_EVENT_PATH (docs "Webhook events")."""

from typing import Any
from urllib.parse import quote

from fake_github.calls import Urls
from fake_github.hosting import Hosting
from fake_github.pulls import issue
from fake_github.shapes import Shapes
from fake_github.world import IssueComment, Pull, Repository, ReviewComment, WorkflowRun, timestamp

QUEUE = "refs/heads/gh-readonly-queue/"


def pull_request(
    hosting: Hosting,
    urls: Urls,
    repository: Repository,
    pull: Pull,
    action: str,
    sender: str | None,
    before: str | None,
) -> dict[str, Any]:
    """Return the payload of ``pull_request``; ``synchronize`` has ``before`` and ``after``."""
    shapes = Shapes(hosting, urls)
    payload = {"action": action, "number": pull.number, "pull_request": shapes.pull(repository, pull)}
    if action == "synchronize":
        payload |= {"before": before or (pull.heads[-2] if len(pull.heads) > 1 else "0" * 40), "after": pull.head_sha}
    if action == "edited":
        payload["changes"] = {}
    return payload | _surroundings(shapes, repository, sender or pull.author or "ghost")


def merge_group(hosting: Hosting, urls: Urls, repository: Repository, head_sha: str, action: str) -> dict[str, Any]:
    """Return the payload of ``merge_group``: no pull request in it; ``base_sha`` is the commit before in the queue."""
    shapes = Shapes(hosting, urls)
    head_ref = next(name for name, sha in repository.refs.items() if name.startswith(QUEUE) and sha == head_sha)
    commit = hosting.store(repository).commit_object(head_sha)
    if commit is None:
        raise LookupError(head_sha)
    person = {"name": "Halcyon", "email": "halcyon@example.org"}
    group = {
        "head_sha": head_sha,
        "head_ref": head_ref,
        "base_sha": head_ref[-40:],
        "base_ref": "refs/heads/" + head_ref.removeprefix(QUEUE).rsplit("/", 1)[0],
        "head_commit": {
            "id": head_sha,
            "tree_id": commit.tree,
            "message": commit.message,
            "timestamp": timestamp(commit.date),
            "author": person,
            "committer": person,
        },
    }
    payload = {"action": action, "merge_group": group}
    return payload | _surroundings(shapes, repository, "github-merge-queue[bot]")


def issue_comment(
    hosting: Hosting, urls: Urls, repository: Repository, comment: IssueComment, action: str
) -> dict[str, Any]:
    """Return the payload of ``issue_comment`` on a pull request: ``issue.pull_request`` is there."""
    shapes = Shapes(hosting, urls)
    payload = {
        "action": action,
        "issue": issue(shapes, repository, repository.pulls[comment.number]),
        "comment": shapes.issue_comment(repository, comment),
    }
    return payload | _surroundings(shapes, repository, comment.author or "ghost")


def review_comment(
    hosting: Hosting, urls: Urls, repository: Repository, comment: ReviewComment, action: str
) -> dict[str, Any]:
    """Return the payload of ``pull_request_review_comment``; its pull request is that of the moment."""
    shapes = Shapes(hosting, urls)
    payload = {
        "action": action,
        "pull_request": shapes.pull(repository, repository.pulls[comment.number], full=False),
        "comment": shapes.review_comment(repository, comment),
    }
    return payload | _surroundings(shapes, repository, comment.author or "ghost")


def workflow_dispatch(
    hosting: Hosting, urls: Urls, repository: Repository, inputs: dict[str, str], ref: str | None, sender: str
) -> dict[str, Any]:
    """Return the payload of ``workflow_dispatch``."""
    shapes = Shapes(hosting, urls)
    payload = {
        "inputs": inputs or None,
        "ref": ref or f"refs/heads/{repository.default_branch}",
        "workflow": ".github/workflows/review-bot.yml",
    }
    return payload | _surroundings(shapes, repository, sender)


def workflow_run(hosting: Hosting, urls: Urls, repository: Repository, run: WorkflowRun, action: str) -> dict[str, Any]:
    """Return the payload of ``workflow_run``; ``pull_requests`` is empty for forks (actions/runner#3444)."""
    shapes = Shapes(hosting, urls)
    api = f"{urls.api}/repos/{repository.full_name}/actions/workflows/1"
    workflow = {
        "id": 1,
        "node_id": "W_1",
        "name": run.name,
        "path": run.path,
        "state": "active",
        "created_at": timestamp(run.created),
        "updated_at": timestamp(run.created),
        "url": api,
        "html_url": f"{urls.html}/{repository.full_name}/blob/{repository.default_branch}/{run.path}",
        "badge_url": f"{urls.html}/{repository.full_name}/workflows/{quote(run.name)}/badge.svg",
    }
    payload = {"action": action, "workflow_run": shapes.run(repository, run), "workflow": workflow}
    return payload | _surroundings(shapes, repository, repository.owner)


def _surroundings(shapes: Shapes, repository: Repository, sender: str) -> dict[str, Any]:
    return {"repository": shapes.repository(repository), "sender": shapes.user(sender)}
