"""What GitHub says of a pull request, and the settings on its base and on the default branch, in one GraphQL query.

Settings come from the tips of these two branches as the query resolves them, so that a change cannot alter the rules
that judge it. A content is believed only if it is what its id says; else it is fetched on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname
from typing import Literal, NamedTuple

from review_bot.context.code_owners import PLACES as OWNER_FILES
from review_bot.errors import IncompleteChange, NotFound
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATHS, RULES_FOLDER
from review_bot.forges.github import pull_request_status, review_threads
from review_bot.forges.github.blobs import Blobs, Lacking, Unreadable, Want
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.pull_request_status import Reported
from review_bot.forges.github.trees import read_tree
from review_bot.forges.github.wire import Answer
from review_bot.forges.settings_files import SettingsFile
from review_bot.linters.claims import FILES as LINTER_FILES

State = Literal["open", "closed", "merged"]

POLICY_FILES = (*CONFIG_PATHS, BASELINE_PATH)
OTHER_FILES = (*LINTER_FILES, *OWNER_FILES)
"""Files that are read where the overview holds them whole; no further call is made for one."""

_FILES = (*POLICY_FILES, *OTHER_FILES)

_KIND = 0o170000
_SYMLINK = 0o120000
_FOLDER = 0o040000
IS_FOLDER = "it is a folder; make it a file"
_UNUSABLE = {
    _SYMLINK: "it is a symbolic link, which is not followed here; make it a file",
    0o160000: "it is a submodule; make it a file",
    _FOLDER: IS_FOLDER,
}
"""Why an entry of a tree that is not a file cannot be used as settings, by the kind in its mode."""

_BLOB = "... on Blob { oid byteSize isBinary isTruncated text }"
_COMMIT = "oid ...Settings"
_SETTINGS = (
    " fragment Settings on Commit { committedDate committer { date }"
    + "".join(f' file{n}: file(path: "{path}") {{ mode object {{ {_BLOB} }} }}' for n, path in enumerate(_FILES))
    + f' above: file(path: "{dirname(RULES_FOLDER)}") {{ mode }}'
    f' rules: file(path: "{RULES_FOLDER}") {{ mode object {{ oid'
    f" ... on Tree {{ entries {{ name type mode object {{ oid {_BLOB} }} }} }} }} }}"
    " }"
)
_REPOSITORY = "viewer { login databaseId } repository(owner: $owner, name: $name)"
_OF_REPOSITORY = f"nameWithOwner databaseId isArchived defaultBranchRef {{ name target {{ {_COMMIT} }} }}"
_DOCUMENT = (
    f"query Overview($owner: String!, $name: String!, $number: Int!) {{ {_REPOSITORY} {{ {_OF_REPOSITORY}"
    " pullRequest(number: $number) { number title body state isDraft locked merged headRefOid headRefName baseRefOid"
    " baseRefName changedFiles additions deletions isCrossRepository headRepository { databaseId nameWithOwner }"
    f" author {{ login }} baseRef {{ target {{ {_COMMIT} }} }}"
    " reviews(states: [APPROVED, CHANGES_REQUESTED], last: 100) {"
    " nodes { state submittedAt authorCanPushToRepository author { login } commit { oid } } }"
    f"{pull_request_status.FIELDS}"
    " timelineItems(itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT], last: 1) {"
    " nodes { ... on HeadRefForcePushedEvent { createdAt } } } } } }"
    f"{_SETTINGS}"
)
_OF_COMMIT = (
    f"query Settings($owner: String!, $name: String!, $oid: GitObjectID!) {{ {_REPOSITORY} {{ {_OF_REPOSITORY}"
    f" object(oid: $oid) {{ {_COMMIT} }} }} }}{_SETTINGS}"
)
_OF_FILE = (
    "query SettingsFile($owner: String!, $name: String!, $oid: GitObjectID!, $path: String!)"
    f" {{ {_REPOSITORY} {{ nameWithOwner isArchived"
    f" object(oid: $oid) {{ oid ... on Commit {{ file0: file(path: $path) {{ mode object {{ {_BLOB} }} }} }} }} }} }}"
)


KNOWN_FILES = frozenset(_FILES)
"""Files of a branch whose presence an overview shows."""


class Branch(NamedTuple):
    """A branch as it was read: the commit at its tip, the committer's date there, and its settings by path."""

    name: str
    tip: str
    date: str | None
    files: Mapping[str, SettingsFile]


class Overview(NamedTuple):
    """A pull request as GitHub describes it, or the range of a merge group (then ``number`` is None).

    ``base_sha``: where GitHub counts the change from. ``base``: the branch that the change would be merged to, at its
    tip; for a merge group at the commit that the group is built on. ``default``: the default branch, the same value if
    that is the base. ``reported``: checks and threads, for ``pull_request_status``. ``approved_by``: who may push and
    approved exactly ``head_sha``. ``head_repository``: None where it was deleted.
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
    head_repository: str | None
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
    approved_by: tuple[str, ...]
    reported: Reported = Reported()


class _Object(Answer):
    oid: ObjectId | None = None
    byteSize: int | None = None  # noqa: N815  # GitHub's own names, here and below
    isTruncated: bool = False  # noqa: N815
    text: str | None = None


class _Entry(Answer):
    name: str
    type: str
    mode: int
    object: _Object | None = None


class _RulesObject(Answer):
    oid: ObjectId | None = None
    entries: list[_Entry] | None = None


class _Rules(Answer):
    mode: int
    object: _RulesObject | None = None


class _File(Answer):
    mode: int
    object: _Object | None = None


class _Committer(Answer):
    date: str | None = None


class _Folder(Answer):
    mode: int


class _Commit(Answer, extra="allow"):
    """What is asked for under ``file0``, ``file1`` and so on is in ``model_extra``."""

    __pydantic_extra__: dict[str, _File | None]
    oid: ObjectId
    committedDate: str | None = None  # noqa: N815
    committer: _Committer | None = None
    above: _Folder | None = None
    rules: _Rules | None = None

    def file(self, number: int) -> _File | None:
        return self.__pydantic_extra__.get(f"file{number}")


class _Ref(Answer):
    target: _Commit | None = None


class _DefaultRef(Answer):
    name: str
    target: _Commit | None = None


class _Author(Answer):
    login: str


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
    baseRef: _Ref | None = None  # noqa: N815
    reviews: _Reviews | None = None
    timelineItems: _ForcePushes | None = None  # noqa: N815
    commits: pull_request_status.Commits | None = None
    reviewThreads: review_threads.Threads | None = None  # noqa: N815


class _Repository(Answer):
    nameWithOwner: str  # noqa: N815
    isArchived: bool  # noqa: N815
    defaultBranchRef: _DefaultRef | None = None  # noqa: N815
    pullRequest: _PullRequest | None = None  # noqa: N815
    object: _Commit | None = None


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
        raise NotFound(f"{repository}#{number} does not exist, or the token may not read it")
    tip = found.baseRef.target if found.baseRef is not None else None
    if tip is None:  # the branch is gone; what it was is still there
        tip = _read_commit(client, repository, found.baseRefOid)[2]
    base, default = _branches(client, repository, answer.repository, found.baseRefName, tip)
    return Overview(
        number=found.number,
        title=found.title,
        body=found.body,
        state="merged" if found.merged else "open" if found.state == "OPEN" else "closed",
        draft=found.isDraft,
        locked=found.locked,
        archived=answer.repository.isArchived,
        head_sha=found.headRefOid,
        head_ref=found.headRefName,
        head_repository=found.headRepository.nameWithOwner if found.headRepository is not None else None,
        same_repository=not found.isCrossRepository and found.headRepository is not None,
        base_sha=found.baseRefOid,
        base=base,
        default=default,
        changed_files=found.changedFiles,
        additions=found.additions,
        deletions=found.deletions,
        viewer_id=answer.viewer.databaseId,
        viewer_login=answer.viewer.login,
        author=found.author.login if found.author is not None else None,
        approved_by=_approved_by(found),
        reported=pull_request_status.reported(found.headRefOid, found.commits, found.reviewThreads),
    )


def _approved_by(found: _PullRequest) -> tuple[str, ...]:
    """Return who may push and approved the head: after it was pushed, and without asking for changes since.

    After a force push GitHub may let an approval of the old head name the new one
    (https://github.com/max-sixty/tend/issues/884), so one that is older than the last force push does not count.
    """
    pushes = [push for push in (found.timelineItems.nodes or []) if push] if found.timelineItems is not None else []
    approvals: dict[str, bool] = {}
    for review in (found.reviews.nodes or []) if found.reviews is not None else []:
        if review is None or review.author is None or not review.authorCanPushToRepository:
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
        head_repository=repository,
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
    client: Client, repository: str, found: _Repository, base_name: str, base_commit: _Commit
) -> tuple[Branch, Branch]:
    """Return the base and the default branch with their settings. Raises IncompleteChange, ForgeError."""
    default = found.defaultBranchRef
    if default is None or default.target is None:
        raise IncompleteChange(f"GitHub reports no default branch of {repository}, from which the policy is read")

    def branch(name: str, commit: _Commit) -> Branch:
        return Branch(name, commit.oid, _day(commit), _settings(client, repository, commit))

    base = branch(base_name, base_commit)
    return base, base if default.name == base_name else branch(default.name, default.target)


def read_settings_file(client: Client, repository: str, commit: str, path: str) -> dict[str, SettingsFile]:
    """Read one more file of a commit by its path; an empty answer if there is none. Raises NotFound, ForgeError."""
    owner, _, name = repository.partition("/")
    variables = {"owner": owner, "name": name, "oid": commit, "path": path}
    answer = client.query(_OF_FILE, variables, _Answer)
    found = answer.repository.object if answer.repository is not None else None
    if found is None:
        raise NotFound(f"{repository} has no commit {commit} that this token may read")
    file = found.file(0)
    return _fetched(client, repository, [(path, file.mode, file.object)] if file is not None else [])


def read_blobs(client: Client, repository: str, listed: Iterable[tuple[str, str, str]]) -> dict[str, SettingsFile]:
    """Read files by (path, mode, blob). Raises ForgeError."""
    return _fetched(client, repository, ((path, int(mode, 8), _Object(oid=blob)) for path, mode, blob in listed))


def _read_commit(client: Client, repository: str, commit: str) -> tuple[_Answer, _Repository, _Commit]:
    owner, _, name = repository.partition("/")
    answer = client.query(_OF_COMMIT, {"owner": owner, "name": name, "oid": commit}, _Answer)
    if answer.repository is None or answer.repository.object is None:
        raise NotFound(f"{repository} has no commit {commit} that this token may read")
    return answer, answer.repository, answer.repository.object


def _day(commit: _Commit) -> str | None:
    """Return the committer's date. ``committedDate`` is in UTC, ``committer.date`` is as it was written."""
    date = (commit.committer.date if commit.committer is not None else None) or commit.committedDate
    return date[:10] if date else None


def _settings(client: Client, repository: str, commit: _Commit) -> dict[str, SettingsFile]:
    """Return configuration, baseline and rule files, those that configure linters, and CODEOWNERS."""
    return {
        **_other_files(client, repository, commit),
        **_fetched(client, repository, _listed(client, repository, commit)),
    }


def _other_files(client: Client, repository: str, commit: _Commit) -> dict[str, SettingsFile]:
    """Return what the query held of ``OTHER_FILES``: no further call is made for one."""
    blobs = Blobs(client, repository)
    found: dict[str, SettingsFile] = {}
    for number, path in enumerate(OTHER_FILES, len(POLICY_FILES)):
        file = commit.file(number)
        if file is None or file.object is None or file.object.oid is None:
            continue
        text, oid = file.object.text, file.object.oid
        data = (text or "").encode("utf-8", "surrogatepass")
        if file.mode & _KIND == _SYMLINK:
            found[path] = SettingsFile(b"", "it is a symbolic link, which is not followed here")
        elif text is None or file.object.isTruncated or not blobs.keep(oid, data):
            found[path] = SettingsFile(b"", "GitHub does not return its full text")
        else:
            found[path] = SettingsFile(data)
    return found


def _fetched(
    client: Client, repository: str, listed: Iterable[tuple[str, int, _Object | None]]
) -> dict[str, SettingsFile]:
    """Return files by path; what the query did not hold whole is fetched."""
    blobs = Blobs(client, repository)
    wanted: dict[str, str] = {}
    found: dict[str, SettingsFile] = {}
    for path, mode, item in listed:
        if path == RULES_FOLDER:
            found[path] = SettingsFile(
                b"", "it or its folder is a symbolic link, a submodule or a file; make it a folder"
            )
        elif mode & _KIND in _UNUSABLE:
            found[path] = SettingsFile(b"", _UNUSABLE[mode & _KIND])
        elif item is not None and item.oid is not None:
            wanted[path] = item.oid
            if item.text is not None and not item.isTruncated:
                blobs.keep(item.oid, item.text.encode("utf-8", "surrogatepass"))
    for _ in range(2):  # by query, then one by one
        calls = blobs.calls(Want(blob) for blob in wanted.values())
        if calls:
            client.together(*calls)
    for path, blob in wanted.items():
        try:
            found[path] = SettingsFile(blobs.need(Want(blob))[0] or b"")
        except Unreadable as error:
            found[path] = SettingsFile(b"", str(error))
        except Lacking:
            found[path] = SettingsFile(b"", "it could not be fetched")
    return found


def _listed(client: Client, repository: str, commit: _Commit) -> Iterator[tuple[str, int, _Object | None]]:
    """Yield (path, mode, what the query says of the content) of each settings file."""
    for number, path in enumerate(POLICY_FILES):
        file = commit.file(number)
        if file is not None:
            yield path, file.mode, file.object
    for folder in (commit.above, commit.rules):
        if folder is not None and folder.mode & _KIND != _FOLDER:
            yield RULES_FOLDER, folder.mode, None
    rules = commit.rules.object if commit.rules is not None else None
    if rules is None or rules.entries is None:
        return
    if any(entry.type == "tree" for entry in rules.entries) and rules.oid is not None:
        tree = read_tree(client, repository, rules.oid)
        if not tree.whole:
            raise IncompleteChange(f"{RULES_FOLDER} contains more files than GitHub lists")
        for name, listed in tree.entries.items():
            if name.endswith((".yml", ".yaml")):
                yield f"{RULES_FOLDER}/{name}", int(listed.mode, 8), _Object(oid=listed.blob)
    else:
        for entry in rules.entries:
            if entry.name.endswith((".yml", ".yaml")):
                yield f"{RULES_FOLDER}/{entry.name}", entry.mode, entry.object
