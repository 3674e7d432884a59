"""The environment of a GitHub Action → what to review; a pure function of variables and payload.

=====================================  ==============================================================================
``pull_request``                       the pull request of the payload
``pull_request_target``                the same, by a workflow file that the change cannot edit
``pull_request_review``                the same, so that an approval can count at once
``merge_group``                        the group's own diff, ``base_sha...head_sha``
``workflow_run``                       the pull request that the input ``pr-number`` names (or the payload, for a branch
                                       of the same repository), if its head is the commit that the other run was about
``issue_comment``                      a command, if the comment is one on a pull request
``pull_request_review_comment``        a command, which may be a reply in the thread of a finding
anything else                          the pull request that the input ``pr-number`` names
=====================================  ==============================================================================

What a payload holds: https://docs.github.com/en/webhooks/webhook-events-and-payloads. ``workflow_run.pull_requests`` is
empty for forks (https://github.com/actions/runner/issues/3444).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from review_bot.errors import UsageError
from review_bot.records import NamedTuple

_REPOSITORY = re.compile(r"[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")

PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target", "pull_request_review")

COMMENT_EVENTS = ("issue_comment", "pull_request_review_comment")
"""Events of comments. The second runs the workflow file of the change's merge commit, with a read-only token for forks.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows
"""

_TRUSTED_EVENTS = ("pull_request_target", "workflow_run", "schedule", "issue_comment")
"""Events whose workflow file always comes from the default branch.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows
"""


class PullRequestTarget(NamedTuple):
    """A pull request to review. ``head`` and ``base``: the commits in the payload, if it has them.

    ``base_ref``: the name of the base branch there; ``default_branch``: that of the repository.
    ``is_open``: the payload does not call it closed.
    """

    repository: str
    number: int
    head: str | None = None
    base: str | None = None
    base_ref: str | None = None
    default_branch: str | None = None
    is_open: bool = True


class MergeGroupTarget(NamedTuple):
    """A merge group to review: what the queue adds to ``base``. ``head_ref``: the group's own branch, as written."""

    repository: str
    base: str
    head: str
    base_ref: str
    default_branch: str | None = None
    head_ref: str = ""


class CommandTarget(NamedTuple):
    """A comment on a pull request that is a command. ``body`` is untrusted; ``created``: when, as GitHub writes it.

    ``thread``: the first comment of its thread, None for a comment below the pull request. ``head``: the head of the
    pull request when it was posted, if the payload names it.
    """

    repository: str
    number: int
    comment: int
    author: str
    body: str
    created: str = ""
    thread: int | None = None
    head: str | None = None


class NothingToDo(NamedTuple):
    """An event that is not for us, and why."""

    reason: str


Target = PullRequestTarget | MergeGroupTarget | CommandTarget | NothingToDo


def read_payload(path: str) -> dict[str, Any]:
    """Return the payload of the event; an empty one where there is no file. Raises UsageError."""
    if not path:
        return {}
    try:
        with open(path, "rb") as stream:
            payload = json.loads(stream.read())
    except OSError as error:
        raise UsageError(f"GITHUB_EVENT_PATH names {path!r}, which cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"GITHUB_EVENT_PATH names {path!r}, which is not JSON") from error
    if not isinstance(payload, dict):
        raise UsageError(f"GITHUB_EVENT_PATH names {path!r}, which is not the payload of an event")
    return payload


def target(event: str, payload: Mapping[str, Any], repository: str, pr_number: str, *, command: str) -> Target:
    """Return what to review. ``pr_number``: the input of that name, or ``""``; ``command``: how a command begins.

    Raises UsageError if the event lacks it, or if it is invalid.
    """
    if not _REPOSITORY.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise UsageError(f"GITHUB_REPOSITORY is {repository!r}; it should be OWNER/NAME")
    if event in PULL_REQUEST_EVENTS:
        return _pull_request(event, payload, repository)
    if event == "merge_group":
        return _merge_group(payload, repository)
    if event in COMMENT_EVENTS:
        return _command(event, payload, repository, command)
    if event == "workflow_run":
        return _workflow_run(payload, repository, pr_number)
    if pr_number:
        return PullRequestTarget(repository, number_of(pr_number))
    raise UsageError(
        f"the event {event or '(GITHUB_EVENT_NAME is not set)'!r} does not name the pull request to review; set the "
        "input pr-number, or run on pull_request, pull_request_target or merge_group"
    )


def is_trusted(event: str, payload: Mapping[str, Any]) -> bool:
    """Return whether the workflow file that runs us comes from the default branch, so that the change cannot edit it.

    ``workflow_dispatch`` runs the workflow file of the ref that was chosen, which may be the branch of the change.
    """
    if event != "workflow_dispatch":
        return event in _TRUSTED_EVENTS
    default = _default_branch(payload)
    return default is not None and payload.get("ref") == f"refs/heads/{default}"


def number_of(text: str) -> int:
    """Return the number of a pull request. Raises UsageError."""
    number = text.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 10 and int(number)):
        raise UsageError(f"pr-number is {text!r}; it should be the number of a pull request, such as 19")
    return int(number)


def _pull_request(event: str, payload: Mapping[str, Any], repository: str) -> Target:
    pull = _part(payload, "pull_request", event)
    number = pull.get("number", payload.get("number"))
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise UsageError(f"the payload of {event} has no pull request number")
    base = _inner(pull, "base")
    return PullRequestTarget(
        repository,
        number,
        _sha(_inner(pull, "head")),
        _sha(base),
        _name(base.get("ref")),
        _default_branch(payload),
        is_open=pull.get("state") != "closed",
    )


def _merge_group(payload: Mapping[str, Any], repository: str) -> Target:
    group = _part(payload, "merge_group", "merge_group")
    if payload.get("action") == "destroyed":
        return NothingToDo("the merge group no longer exists")
    base, head = _commit(group.get("base_sha")), _commit(group.get("head_sha"))
    base_ref = group.get("base_ref")
    if base is None or head is None or not isinstance(base_ref, str):
        raise UsageError("the payload of merge_group lacks base_sha, head_sha or base_ref")
    head_ref = group.get("head_ref")
    return MergeGroupTarget(
        repository,
        base,
        head,
        base_ref.removeprefix("refs/heads/"),
        _default_branch(payload),
        head_ref if isinstance(head_ref, str) else "",
    )


def _command(event: str, payload: Mapping[str, Any], repository: str, command: str) -> Target:
    in_thread = event == "pull_request_review_comment"
    about = _part(payload, "pull_request" if in_thread else "issue", event)
    comment, number = _part(payload, "comment", event), about.get("number")
    body, user, comment_id = comment.get("body"), _inner(comment, "user"), comment.get("id")
    if payload.get("action") != "created":
        return NothingToDo("only a new comment is a command")
    if not in_thread and "pull_request" not in about:
        return NothingToDo("the comment is on an issue, not on a pull request")
    if not isinstance(body, str) or not re.match(rf"{re.escape(command)}(?:\s|$)", body):
        return NothingToDo(f"the comment does not start with {command}")
    author = user.get("login")
    if not isinstance(author, str) or not isinstance(number, int) or not isinstance(comment_id, int):
        return NothingToDo("the author of the comment no longer exists")
    if user.get("type") == "Bot":  # two bots would answer each other
        return NothingToDo("the comment was posted by a bot")
    created, first = comment.get("created_at"), comment.get("in_reply_to_id")
    return CommandTarget(
        repository,
        number,
        comment_id,
        author,
        body,
        created if isinstance(created, str) else "",
        (first if isinstance(first, int) else comment_id) if in_thread else None,
        _sha(_inner(about, "head")),
    )


def _workflow_run(payload: Mapping[str, Any], repository: str, pr_number: str) -> Target:
    run = _part(payload, "workflow_run", "workflow_run")
    head = _commit(run.get("head_sha"))
    if head is None:
        raise UsageError("the payload of workflow_run lacks head_sha")
    if pr_number:
        return PullRequestTarget(repository, number_of(pr_number), head)
    pulls = run.get("pull_requests")
    numbers = [pull.get("number") for pull in pulls if isinstance(pull, dict)] if isinstance(pulls, list) else []
    if len(numbers) != 1 or not isinstance(numbers[0], int):
        raise UsageError(
            "the payload of workflow_run does not name one pull request (for forks it never does); set the input "
            "pr-number"
        )
    return PullRequestTarget(repository, numbers[0], head)


def _part(payload: Mapping[str, Any], name: str, event: str) -> Mapping[str, Any]:
    part = payload.get(name)
    if not isinstance(part, dict):
        raise UsageError(f"the payload of {event} has no {name}; check that GITHUB_EVENT_PATH belongs to this event")
    return part


def _inner(part: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    inner = part.get(name)
    return inner if isinstance(inner, dict) else {}


def _default_branch(payload: Mapping[str, Any]) -> str | None:
    return _name(_inner(payload, "repository").get("default_branch"))


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _sha(part: Mapping[str, Any]) -> str | None:
    return _commit(part.get("sha"))


def _commit(value: object) -> str | None:
    return value if isinstance(value, str) and _SHA.fullmatch(value) else None
