"""What GitHub says of a pull request, and the settings on its base and on the default branch, in one GraphQL query.

Settings come from the tips of these two branches as the query resolves them, so that a change cannot alter the rules
that judge it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from review_bot.errors import BadData, IncompleteChange, NotFound
from review_bot.forges.github import merged_commits, pull_request_status, review_threads
from review_bot.forges.github.branch_settings import COMMIT, FRAGMENT, Branch, TipCommit, read_branch
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.pull_request_status import Reported
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple

State = Literal["open", "closed", "merged"]

_REPOSITORY = "viewer { login databaseId } repository(owner: $owner, name: $name)"
_OF_REPOSITORY = f"nameWithOwner databaseId isArchived defaultBranchRef {{ name target {{ {COMMIT} }} }}"
_DOCUMENT = (
    f"query Overview($owner: String!, $name: String!, $number: Int!) {{ {_REPOSITORY} {{ {_OF_REPOSITORY}"
    " pullRequest(number: $number) { number title body state isDraft locked merged headRefOid headRefName baseRefOid"
    " baseRefName changedFiles additions deletions isCrossRepository headRepository { databaseId nameWithOwner }"
    f" author {{ __typename login }} labels(first: 100) {{ nodes {{ name }} }} baseRef {{ target {{ {COMMIT} }} }}"
    " reviews(states: [APPROVED, CHANGES_REQUESTED], last: 100) {"
    " nodes { state submittedAt authorCanPushToRepository author { __typename login } commit { oid } } }"
    f"{pull_request_status.FIELDS}{merged_commits.FIELDS}"
    " timelineItems(itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT], last: 1) {"
    " nodes { ... on HeadRefForcePushedEvent { createdAt } } } } } }"
    f"{FRAGMENT}"
)
_OF_COMMIT = (
    f"query Settings($owner: String!, $name: String!, $oid: GitObjectID!) {{ {_REPOSITORY} {{ {_OF_REPOSITORY}"
    f" object(oid: $oid) {{ {COMMIT} }} }} }}{FRAGMENT}"
)


class Overview(NamedTuple):
    """A pull request as GitHub describes it, or the range of a merge group (then ``number`` is None).

    ``base_sha``: where GitHub counts the change from. ``base``: the branch that the change would be merged to, at its
    tip; for a merge group at the commit that the group is built on. ``default``: the default branch, the same value if
    that is the base. ``reported``: checks and threads, for ``pull_request_status``. ``approved_by``: who may push and
    approved exactly ``head_sha``, None: not known. ``merged``: commits of the base that are parents of commits of the
    branch.
    """

    number: int | None
    title: str | None
    body: str | None
    state: State
    draft: bool
    locked: bool
    archived: bool
    head_sha: str
    head_ref: str
    same_repository: bool
    base_sha: str
    base: Branch
    default: Branch
    changed_files: int
    additions: int
    deletions: int
    viewer_id: int | None
    viewer_login: str
    author: str | None
    approved_by: tuple[str, ...] | None
    labels: tuple[str, ...] = ()
    reported: Reported = Reported()
    merged: frozenset[str] = frozenset()


class _Ref(Answer):
    target: TipCommit | None = None


class _DefaultRef(Answer):
    name: str
    target: TipCommit | None = None


class _Author(Answer):
    typename: str = Field(default="", alias="__typename")
    login: str

    @property
    def account(self) -> str:
        """The login as REST writes it: that of a bot ends with ``[bot]``, which no person's can."""
        return f"{self.login}[bot]" if self.typename == "Bot" and not self.login.endswith("[bot]") else self.login


class _Label(Answer):
    name: str


class _Labels(Answer):
    nodes: list[_Label | None] | None = None


class _Oid(Answer):
    oid: ObjectId


class _ForcePush(Answer):
    createdAt: str | None = None  # noqa: N815


class _ForcePushes(Answer):
    nodes: list[_ForcePush | None] | None = None


class _Review(Answer):
    state: str = "APPROVED"
    submittedAt: str | None = None  # noqa: N815
    authorCanPushToRepository: bool = False  # noqa: N815
    author: _Author | None = None
    commit: _Oid | None = None


class _Reviews(Answer):
    nodes: list[_Review | None] | None = None


class _HeadRepository(Answer):
    nameWithOwner: str  # noqa: N815


class _PullRequest(Answer):
    number: int
    title: str
    body: str | None = None
    state: str
    isDraft: bool  # noqa: N815
    locked: bool
    merged: bool
    headRefOid: ObjectId  # noqa: N815
    headRefName: str  # noqa: N815
    baseRefOid: ObjectId  # noqa: N815
    baseRefName: str  # noqa: N815
    changedFiles: int  # noqa: N815
    additions: int
    deletions: int
    isCrossRepository: bool  # noqa: N815
    headRepository: _HeadRepository | None = None  # noqa: N815
    author: _Author | None = None
    labels: _Labels | None = None
    baseRef: _Ref | None = None  # noqa: N815
    reviews: _Reviews | None = None
    timelineItems: _ForcePushes | None = None  # noqa: N815
    commits: pull_request_status.Commits | None = None
    reviewThreads: review_threads.Threads | None = None  # noqa: N815
    history: merged_commits.History | None = None


class _Repository(Answer):
    nameWithOwner: str  # noqa: N815
    isArchived: bool  # noqa: N815
    defaultBranchRef: _DefaultRef | None = None  # noqa: N815
    pullRequest: _PullRequest | None = None  # noqa: N815
    object: TipCommit | None = None


class _Viewer(Answer):
    login: str
    databaseId: int | None = None  # noqa: N815


class _Answer(Answer):
    viewer: _Viewer
    repository: _Repository | None = None


def read_overview(client: Client, repository: str, number: int) -> Overview:
    """Read what GitHub says of a pull request. Raises NotFound, ForgeError."""
    owner, _, name = repository.partition("/")
    variables = {"owner": owner, "name": name, "number": number}
    answer = client.query(_DOCUMENT, variables, _Answer, partial=pull_request_status.ROLLUP)
    found = answer.repository.pullRequest if answer.repository is not None else None
    if answer.repository is None or found is None:
        raise NotFound(f"{repository}#{number} does not exist, or the token cannot read it")
    tip = found.baseRef.target if found.baseRef is not None else None
    if tip is None:  # the branch is gone; what it was is still there
        tip = _read_commit(client, repository, found.baseRefOid)[2]
    base, default = _branches(client, repository, answer.repository, found.baseRefName, tip)
    return Overview(
        number=found.number,
        title=found.title,
        body=found.body,
        state=_state(found),
        draft=found.isDraft,
        locked=found.locked,
        archived=answer.repository.isArchived,
        head_sha=found.headRefOid,
        head_ref=found.headRefName,
        same_repository=not found.isCrossRepository and found.headRepository is not None,
        base_sha=found.baseRefOid,
        base=base,
        default=default,
        changed_files=found.changedFiles,
        additions=found.additions,
        deletions=found.deletions,
        viewer_id=answer.viewer.databaseId,
        viewer_login=answer.viewer.login,
        author=found.author.account if found.author is not None else None,
        labels=tuple(each.name for each in (found.labels.nodes or []) if each) if found.labels is not None else (),
        approved_by=_approved_by(found),
        reported=pull_request_status.reported(found.headRefOid, found.commits, found.reviewThreads),
        merged=merged_commits.merged_commits(found.history),
    )


def _state(found: _PullRequest) -> State:
    """Return the state of a pull request. Raises BadData if GitHub contradicts itself: a merged one is not reviewed."""
    states: dict[tuple[str, bool], State] = {
        ("OPEN", False): "open",
        ("CLOSED", False): "closed",
        ("MERGED", True): "merged",
    }
    state = states.get((found.state, found.merged))
    if state is None:
        raise BadData(
            f"GitHub reports the state {found.state!r} of pull request {found.number}, merged: {found.merged}"
        )
    return state


def _approved_by(found: _PullRequest) -> tuple[str, ...]:
    """Return the people who may push and approved the head: after it was pushed, and without asking for changes since.

    After a force push GitHub may let an approval of the old head name the new one
    (https://github.com/max-sixty/tend/issues/884), so one that is older than the last force push does not count.
    """
    pushes = [push for push in (found.timelineItems.nodes or []) if push] if found.timelineItems is not None else []
    approvals: dict[str, bool] = {}
    for review in (found.reviews.nodes or []) if found.reviews is not None else []:
        if review is None or review.author is None or not review.authorCanPushToRepository:
            continue
        if review.author.typename != "User":  # a workflow that approves what comes has not read it
            continue
        of_head = review.commit is not None and review.commit.oid == found.headRefOid
        # Both are UTC in the one form that GitHub writes, so that the texts are in the order of the times.
        since = all(push.createdAt is not None and (review.submittedAt or "") > push.createdAt for push in pushes)
        approvals[review.author.login] = review.state == "APPROVED" and of_head and since
    return tuple(sorted(login for login, counts in approvals.items() if counts))


def read_range(client: Client, repository: str, base_sha: str, head_sha: str, base_ref: str) -> Overview:
    """Return the frame of a merge group, without approvals. Raises NotFound, ForgeError."""
    answer, found, commit = _read_commit(client, repository, base_sha)
    base, default = _branches(client, repository, found, base_ref, commit)
    return Overview(
        number=None,
        title=None,
        body=None,
        state="open",
        draft=False,
        locked=False,
        archived=found.isArchived,
        head_sha=head_sha,
        head_ref="",
        same_repository=True,
        base_sha=base_sha,
        base=base,
        default=default,
        changed_files=0,
        additions=0,
        deletions=0,
        viewer_id=answer.viewer.databaseId,
        viewer_login=answer.viewer.login,
        author=None,
        approved_by=(),
    )


def _branches(
    client: Client, repository: str, found: _Repository, base_name: str, base_commit: TipCommit
) -> tuple[Branch, Branch]:
    """Return the base and the default branch with their settings. Raises IncompleteChange, ForgeError."""
    default = found.defaultBranchRef
    if default is None or default.target is None:
        raise IncompleteChange(f"GitHub reports no default branch of {repository}, from which the policy is read")

    base = read_branch(client, repository, base_name, base_commit)
    if default.name == base_name:
        return base, base
    return base, read_branch(client, repository, default.name, default.target)


def _read_commit(client: Client, repository: str, commit: str) -> tuple[_Answer, _Repository, TipCommit]:
    owner, _, name = repository.partition("/")
    answer = client.query(_OF_COMMIT, {"owner": owner, "name": name, "oid": commit}, _Answer)
    if answer.repository is None or answer.repository.object is None:
        raise NotFound(f"{repository} has no commit {commit} that this token can read")
    return answer, answer.repository, answer.repository.object
