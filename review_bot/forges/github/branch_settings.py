"""The settings on a branch of GitHub: configuration, baseline, rules, contracts, linters' settings and code owners.

One fragment of GraphQL asks for all of them at the tip of a branch. A content is believed only if it is what its id
says; else it is fetched on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname

from review_bot.context.code_owners import PLACES as OWNER_FILES
from review_bot.errors import IncompleteChange, NotFound
from review_bot.files.policy_paths import BASELINE_PATH, CONFIG_PATHS, CONTRACTS_FOLDER, OWN_FOLDERS, RULES_FOLDER
from review_bot.forges.github.blobs import Blobs, Lacking, Unreadable, Want
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.trees import Entry, read_tree
from review_bot.forges.github.wire import HOW_TO_AUTHENTICATE, Answer
from review_bot.forges.settings_files import SettingsFile, settings_text, yaml_files
from review_bot.linters.claims import FILES as LINTER_FILES
from review_bot.records import NamedTuple

POLICY_FILES = (*CONFIG_PATHS, BASELINE_PATH)
OTHER_FILES = (*LINTER_FILES, *OWNER_FILES, ".gitattributes")
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
COMMIT = "oid ...Settings"
"""What to ask of the commit at the tip of a branch, in a document that ends with ``FRAGMENT``."""

FRAGMENT = (
    " fragment Settings on Commit { committedDate committer { date }"
    + "".join(f' file{n}: file(path: "{path}") {{ mode object {{ {_BLOB} }} }}' for n, path in enumerate(_FILES))
    + f' above: file(path: "{dirname(RULES_FOLDER)}") {{ mode }}'
    + "".join(
        f' {name}: file(path: "{path}") {{ mode object {{ oid'
        f" ... on Tree {{ entries {{ name type mode object {{ oid {_BLOB} }} }} }} }} }}"
        for name, path in (("rules", RULES_FOLDER), ("contracts", CONTRACTS_FOLDER))
    )
    + " }"
)
_OF_FILE = (
    "query SettingsFile($owner: String!, $name: String!, $oid: GitObjectID!, $path: String!)"
    f" {{ repository(owner: $owner, name: $name) {{"
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


class _OwnObject(Answer):
    oid: ObjectId | None = None
    entries: list[_Entry] | None = None


class _OwnFolder(Answer):
    mode: int
    object: _OwnObject | None = None


class _File(Answer):
    mode: int
    object: _Object | None = None


class _Committer(Answer):
    date: str | None = None


class _Folder(Answer):
    mode: int


class TipCommit(Answer, extra="allow"):
    """The commit at the tip of a branch; the files of ``FRAGMENT`` are in its extra fields ``file0``, ``file1``, ..."""

    __pydantic_extra__: dict[str, _File | None]
    oid: ObjectId
    committedDate: str | None = None  # noqa: N815
    committer: _Committer | None = None
    above: _Folder | None = None
    rules: _OwnFolder | None = None
    contracts: _OwnFolder | None = None

    def file(self, number: int) -> _File | None:
        """Return the file that was asked for under a number, or None if there is none."""
        return self.__pydantic_extra__.get(f"file{number}")


class _FileRepository(Answer):
    object: TipCommit | None = None


class _FileAnswer(Answer):
    repository: _FileRepository | None = None


class BranchSettings:
    """The settings on a branch of GitHub; it is a ``SettingsSource``."""

    def __init__(self, client: Client, repository: str, branch: Branch) -> None:
        self._client, self._name, self._branch = client, repository, branch

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file at the tip of the branch. Raises ConfigError, ForgeError."""
        known = self._branch.files
        if path not in KNOWN_FILES:
            known = read_settings_file(self._client, self._name, self._branch.tip, path)
        return settings_text(known, path)

    def own_files(self, below: str) -> list[tuple[str, str]]:
        """Return (path, text) of the files below a folder at the tip of the branch. Raises ConfigError."""
        return yaml_files(self._branch.files, below)


def read_branch(client: Client, repository: str, name: str, commit: TipCommit) -> Branch:
    """Return a branch with its settings; what the query did not hold of them is fetched. Raises ForgeError."""
    settings = {
        **_other_files(client, repository, commit),
        **_fetched(client, repository, _listed(client, repository, commit)),
    }
    return Branch(name, commit.oid, _day(commit), settings)


def read_public_branch(client: Client, repository: str, name: str, tip: str, date: str | None) -> Branch:
    """Return a branch of a public repository with its settings, by REST alone. Raises ForgeError."""
    entries = _whole_tree(client, repository, tip)
    below = tuple(f"{folder}/" for folder in OWN_FOLDERS)
    own = [path for path in entries if path.startswith(below) and path.endswith((".yml", ".yaml"))]
    settings = _fetched(client, repository, _listed_in(entries, [*_FILES, *own]))
    for folder in OWN_FOLDERS:
        if entries.keys() & {dirname(folder), folder}:
            settings |= _fetched(client, repository, [(folder, 0, None)])
    return Branch(name, tip, date[:10] if date else None, settings)


def _whole_tree(client: Client, repository: str, commit: str) -> Mapping[str, Entry]:
    tree = read_tree(client, repository, commit)
    if not tree.whole:
        raise IncompleteChange(
            f"the tree of {repository} is larger than GitHub lists, and reading its settings one by one needs a "
            f"token: {HOW_TO_AUTHENTICATE}"
        )
    return tree.entries


def _listed_in(entries: Mapping[str, Entry], paths: Iterable[str]) -> Iterator[tuple[str, int, _Object | None]]:
    """Yield (path, mode, blob) of the files that a tree has, and of folders in the place of one."""
    folders = {above for path in entries for above in _folders_above(path)}
    for path in paths:
        entry = entries.get(path)
        if entry is not None:
            yield path, int(entry.mode, 8), _Object(oid=entry.blob)
        elif path in folders and path in POLICY_FILES:
            yield path, _FOLDER, None


def _folders_above(path: str) -> Iterator[str]:
    while path := dirname(path):
        yield path


def read_settings_file(client: Client, repository: str, commit: str, path: str) -> dict[str, SettingsFile]:
    """Read one more file of a commit by its path; an empty answer if there is none. Raises NotFound, ForgeError."""
    if client.anonymous:
        return _fetched(client, repository, _listed_in(_whole_tree(client, repository, commit), [path]))
    owner, _, name = repository.partition("/")
    variables = {"owner": owner, "name": name, "oid": commit, "path": path}
    answer = client.query(_OF_FILE, variables, _FileAnswer)
    found = answer.repository.object if answer.repository is not None else None
    if found is None:
        raise NotFound(f"{repository} has no commit {commit} that this token can read")
    file = found.file(0)
    return _fetched(client, repository, [(path, file.mode, file.object)] if file is not None else [])


def read_blobs(client: Client, repository: str, listed: Iterable[tuple[str, str, str]]) -> dict[str, SettingsFile]:
    """Read files by (path, mode, blob). Raises ForgeError."""
    return _fetched(client, repository, ((path, int(mode, 8), _Object(oid=blob)) for path, mode, blob in listed))


def _day(commit: TipCommit) -> str | None:
    """Return the committer's date. ``committedDate`` is in UTC, ``committer.date`` is as it was written."""
    date = (commit.committer.date if commit.committer is not None else None) or commit.committedDate
    return date[:10] if date else None


def _other_files(client: Client, repository: str, commit: TipCommit) -> dict[str, SettingsFile]:
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
        if path in OWN_FOLDERS:
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


def _listed(client: Client, repository: str, commit: TipCommit) -> Iterator[tuple[str, int, _Object | None]]:
    """Yield (path, mode, what the query says of the content) of each settings file."""
    for number, path in enumerate(POLICY_FILES):
        file = commit.file(number)
        if file is not None:
            yield path, file.mode, file.object
    for folder, found in ((RULES_FOLDER, commit.rules), (CONTRACTS_FOLDER, commit.contracts)):
        yield from _listed_below(client, repository, folder, [commit.above, found])


def _listed_below(
    client: Client, repository: str, folder: str, found: list[_Folder | _OwnFolder | None]
) -> Iterator[tuple[str, int, _Object | None]]:
    """Yield the same of a folder of own files. ``found``: the folder above it, and itself."""
    for each in found:
        if each is not None and each.mode & _KIND != _FOLDER:
            yield folder, each.mode, None
    own = found[-1].object if isinstance(found[-1], _OwnFolder) else None
    if own is None or own.entries is None:
        return
    if any(entry.type == "tree" for entry in own.entries) and own.oid is not None:
        tree = read_tree(client, repository, own.oid)
        if not tree.whole:
            raise IncompleteChange(f"{folder} contains more files than GitHub lists")
        for name, listed in tree.entries.items():
            if name.endswith((".yml", ".yaml")):
                yield f"{folder}/{name}", int(listed.mode, 8), _Object(oid=listed.blob)
    else:
        for entry in own.entries:
            if entry.name.endswith((".yml", ".yaml")):
                yield f"{folder}/{entry.name}", entry.mode, entry.object
