"""The other open pull requests on GitHub: one query for their files, one for texts worth reading.

::

    round 1   read()    the 50 that changed last, with their first 100 files
    round 2   calls()   where files overlap, or bring or take what this change imports: at most 20 texts

They are sent in parallel with other calls of their rounds, and fail nothing: what cannot be read is reported. The head
of a fork's pull request can be read in the repository itself, which keeps it as ``refs/pull/N/head``:
https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/checking-out-pull-requests-locally
"""

from __future__ import annotations

from collections.abc import Callable

from review_bot.changes.open_pull_requests import (
    LARGEST_TEXT,
    OpenPullRequest,
    OpenPullRequests,
    TheirFile,
    Want,
    WorkedOn,
)
from review_bot.changes.pull_request import PullRequest
from review_bot.context.open_pull_requests.change_imports import imports_of_hunks
from review_bot.context.open_pull_requests.comparison import may_be_gone, wanted
from review_bot.errors import ForgeError
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId, blob_id
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple

MOST_PULLS = 50
MOST_FILES = 100
MOST_TEXTS = 20
MOST_LOOKED_FOR = 40
"""Files that others may have renamed; only a look at each of them shows it."""

_LIST = (
    "query OpenPullRequests($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {"
    f" pullRequests(states: [OPEN], first: {MOST_PULLS}, orderBy: {{field: UPDATED_AT, direction: DESC}})"
    " { totalCount nodes { number title headRefOid baseRefName"
    f" files(first: {MOST_FILES}) {{ totalCount nodes {{ path changeType }} }}"
    " commits(first: 1) { nodes { commit { parents(first: 1) { nodes { oid } } } } } } } } }"
)
_TEXT = "... on Blob { oid isBinary isTruncated text }"
_WORK: dict[str, WorkedOn] = {"ADDED": "added", "COPIED": "added", "RENAMED": "added", "DELETED": "deleted"}


class _Oid(Answer):
    oid: ObjectId


class _Parents(Answer):
    nodes: list[_Oid | None] | None = None


class _Commit(Answer):
    parents: _Parents


class _Node(Answer):
    commit: _Commit


class _Commits(Answer):
    nodes: list[_Node | None] | None = None


class _File(Answer):
    path: str
    changeType: str  # noqa: N815  # GitHub's own names, here and below


class _Files(Answer):
    totalCount: int = 0  # noqa: N815
    nodes: list[_File | None] | None = None


class _Pull(Answer):
    number: int
    title: str
    headRefOid: ObjectId  # noqa: N815
    baseRefName: str  # noqa: N815
    files: _Files | None = None
    commits: _Commits | None = None


class _Pulls(Answer):
    totalCount: int  # noqa: N815
    nodes: list[_Pull | None] | None = None


class _Repository(Answer):
    pullRequests: _Pulls | None = None  # noqa: N815


class _List(Answer):
    repository: _Repository | None = None


class _Blob(Answer):
    oid: ObjectId | None = None
    isBinary: bool | None = None  # noqa: N815
    isTruncated: bool = False  # noqa: N815
    text: str | None = None


class _Texts(Answer):
    repository: dict[str, _Blob | None] | None


class _Asked(NamedTuple):
    """What the second query asks: texts, and places where files may be no more."""

    texts: list[Want]
    places: list[Want]


class GitHubOpenPullRequests:
    """The open ones of one repository other than number ``own``."""

    def __init__(self, client: Client, repository: str, own: int) -> None:
        self._client, self._name, self._own = client, repository, own
        self._found: _Pulls | None = None
        self._ones: OpenPullRequests | None = None
        self._limits: list[str] = []
        self._texts: dict[Want, str] = {}
        self._gone: dict[int, set[str]] = {}

    def read(self) -> None:
        """Read who is open, once."""
        if self._found is not None or self._limits:
            return
        if self._client.anonymous:
            self._limits.append("Other open pull requests were not compared: reading them needs a token.")
            return
        owner, _, name = self._name.partition("/")
        try:
            answer = self._client.query(_LIST, {"owner": owner, "name": name}, _List, partial=True, tries=2)
        except ForgeError as error:
            self._limits.append(f"Other open pull requests could not be read ({error.code}).")
            return
        self._found = answer.repository.pullRequests if answer.repository is not None else None
        if self._found is None:
            self._limits.append("Other open pull requests could not be read: GitHub does not list them.")

    def calls(self, change: PullRequest, base_ref: str) -> list[Callable[[], object]]:
        """Return the call that fetches what a comparison needs, if it needs any. ``change``: as far as it is known."""
        if self._ones is not None:
            return []
        self._ones = self._of_base(base_ref)
        imports = imports_of_hunks(change)
        texts = wanted(change, imports, self._ones)[:MOST_TEXTS]
        paths = list(dict.fromkeys(may_be_gone(change, imports)))
        places = [Want(one.number, "head", path) for one in self._ones.pulls if one.renames for path in paths]
        asked = _Asked([want for want in texts if self._place(want)], places[:MOST_LOOKED_FOR])
        return [lambda: self._fetch(asked)] if asked.texts or asked.places else []

    def listed(self) -> OpenPullRequests:
        """Return those that ``calls`` compared; none before it was asked."""
        ones = self._ones or OpenPullRequests(0)
        return ones._replace(limits=(*ones.limits, *self._limits))

    def text(self, want: Want) -> str | None:
        """Return a text that was fetched, or None."""
        return self._texts.get(want)

    def renamed_away(self, number: int, /) -> frozenset[str]:
        """Return the paths that were looked for, there where it began, and no more at its head."""
        return frozenset(self._gone.get(number, ()))

    def _of_base(self, base_ref: str) -> OpenPullRequests:
        if self._found is None:
            return OpenPullRequests(0)
        nodes = [node for node in self._found.nodes or [] if node is not None]
        others = [node for node in nodes if node.number != self._own]
        pulls = [_open_one(node) for node in others if node.baseRefName == base_ref]
        limits = [
            f"Only the first {MOST_FILES} files of #{one.number} were compared." for one in pulls if not one.whole
        ]
        beyond = max(0, self._found.totalCount - len(others) - 1)  # this one is open too
        if beyond:
            names = "The least recently updated open pull request was"
            if beyond > 1:
                names = f"The {beyond} least recently updated open pull requests were"
            limits.append(f"{names} not compared.")
        pulls.sort(key=lambda one: one.number)
        return OpenPullRequests(len(pulls) + beyond, tuple(pulls), tuple(limits))

    def _place(self, want: Want) -> str | None:
        """Return what GitHub calls a place: ``COMMIT:path``; None where the commit is not known."""
        one = next(one for one in (self._ones or OpenPullRequests(0)).pulls if one.number == want.number)
        commit = one.head if want.side == "head" else one.merge_base
        return f"{commit}:{want.path}" if commit else None

    def _fetch(self, asked: _Asked) -> None:
        places = [(want, _TEXT) for want in asked.texts]
        for want in asked.places:
            places += [(want, "oid"), (want._replace(side="merge_base"), "oid")]
        expressions = {f"e{number}": self._place(want) or "" for number, (want, _) in enumerate(places)}
        declared = "".join(f", ${name}: String!" for name in expressions)
        aliases = "".join(
            f" {name}: object(expression: ${name}) {{ {fields} }}"
            for name, (_, fields) in zip(expressions, places, strict=True)
        )
        document = (
            f"query OpenTexts($owner: String!, $name: String!{declared})"
            f" {{ repository(owner: $owner, name: $name) {{{aliases} }} }}"
        )
        owner, _, name = self._name.partition("/")
        try:
            variables = {"owner": owner, "name": name, **expressions}
            answer = self._client.query(document, variables, _Texts, partial=True, tries=2)
        except ForgeError as error:
            self._limits.append(f"Files of other open pull requests could not be read ({error.code}).")
            return
        nodes = answer.repository or {}
        for number, want in enumerate(asked.texts):
            self._keep(want, nodes.get(f"e{number}"))
        for number, want in enumerate(asked.places):
            at = len(asked.texts) + 2 * number
            if f"e{at}" in nodes and nodes[f"e{at}"] is None and nodes.get(f"e{at + 1}") is not None:
                self._gone.setdefault(want.number, set()).add(want.path)

    def _keep(self, want: Want, node: _Blob | None) -> None:
        """Keep a text if it is whole, and what its id says."""
        if node is None or node.oid is None or node.text is None or node.isTruncated:
            return
        data = node.text.encode("utf-8", "surrogatepass")
        if len(data) <= LARGEST_TEXT and blob_id(data, node.oid) == node.oid:
            self._texts[want] = node.text


def _open_one(node: _Pull) -> OpenPullRequest:
    files = [file for file in (node.files.nodes or [] if node.files is not None else []) if file is not None]
    first = next(iter((node.commits.nodes or []) if node.commits is not None else []), None)
    parents = [each for each in (first.commit.parents.nodes or [] if first is not None else []) if each is not None]
    return OpenPullRequest(
        node.number,
        node.title,
        node.headRefOid,
        parents[0].oid if parents else "",
        tuple(sorted(TheirFile(file.path, _WORK.get(file.changeType, "modified")) for file in files)),
        renames=any(file.changeType == "RENAMED" for file in files),
        whole=node.files is not None and node.files.totalCount <= len(files),
    )
