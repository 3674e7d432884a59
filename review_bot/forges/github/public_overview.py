"""What GitHub says of a pull request of a public repository to anyone who has no token: by REST, as GraphQL needs one.

Reviews, checks and conversations are not read, to spare requests: GitHub allows 60 an hour without a token. No
approval counts then, so that suppressions which a fork adds are requests.
"""

from __future__ import annotations

from functools import partial

from review_bot.errors import IncompleteChange, NotFound
from review_bot.forges.github import branch_settings
from review_bot.forges.github.branch_settings import Branch
from review_bot.forges.github.client import Client, quote
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.overview import Overview
from review_bot.forges.github.wire import Answer


class _Account(Answer):
    login: str


class _Repository(Answer):
    full_name: str
    default_branch: str
    archived: bool = False


class _End(Answer):
    ref: str
    sha: ObjectId
    repo: _Repository | None = None


class _Label(Answer):
    name: str


class _PullRequest(Answer):
    """See https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request."""

    number: int
    title: str
    body: str | None = None
    state: str
    draft: bool = False
    locked: bool = False
    merged: bool = False
    head: _End
    base: _End
    user: _Account | None = None
    labels: tuple[_Label, ...] = ()
    changed_files: int
    additions: int
    deletions: int


class _Committer(Answer):
    date: str | None = None


class _CommitText(Answer):
    committer: _Committer | None = None


class _Commit(Answer):
    sha: ObjectId
    commit: _CommitText


class _Branch(Answer):
    commit: _Commit


def read_public_overview(client: Client, repository: str, number: int) -> Overview:
    """Read what GitHub says of a pull request. Raises NotFound, IncompleteChange, ForgeError."""
    found = client.get(f"/repos/{repository}/pulls/{number}", _PullRequest)
    if found.base.repo is None:
        raise IncompleteChange(f"GitHub reports no default branch of {repository}, from which the policy is read")
    default_name, base_name = found.base.repo.default_branch, found.base.ref
    names = list(dict.fromkeys((base_name, default_name)))
    gone = {base_name: found.base.sha}  # where the branch is gone, what it was is still there
    branches = client.together(*(partial(_read_branch, client, repository, each, gone.get(each)) for each in names))
    same = found.head.repo is not None and found.head.repo.full_name == found.base.repo.full_name
    return Overview(
        number=found.number,
        title=found.title,
        body=found.body,
        state="merged" if found.merged else "open" if found.state == "open" else "closed",
        draft=found.draft,
        locked=found.locked,
        archived=found.base.repo.archived,
        head_sha=found.head.sha,
        head_ref=found.head.ref,
        same_repository=same,
        base_sha=found.base.sha,
        base=branches[0],
        default=branches[-1],
        changed_files=found.changed_files,
        additions=found.additions,
        deletions=found.deletions,
        viewer_id=None,
        viewer_login="",
        author=found.user.login if found.user is not None else None,
        labels=tuple(each.name for each in found.labels),
        approved_by=None,
    )


def _read_branch(client: Client, repository: str, name: str, gone: str | None) -> Branch:
    """Read a branch at its tip, or at the commit ``gone`` if there is no such branch any more."""
    try:
        tip = client.get(f"/repos/{repository}/branches/{quote(name)}", _Branch).commit
    except NotFound:
        if gone is None:
            raise
        tip = client.get(f"/repos/{repository}/commits/{gone}", _Commit)
    date = tip.commit.committer.date if tip.commit.committer is not None else None
    return branch_settings.read_public_branch(client, repository, name, tip.sha, date)
