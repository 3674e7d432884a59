"""Git in the fake GitHub's GraphQL schema: refs, commits, trees and blobs."""

import base64
from typing import Any

from fake_github import graphql_checks
from fake_github.calls import Call
from fake_github.git_store import FOLDER, SUBMODULE, Entry
from fake_github.graphql_nodes import Arguments, Located, Node, Resolver, need, paged, scalar
from fake_github.shapes import node_id
from fake_github.world import Repository, timestamp


def ref(call: Call, repository: Repository, name: str) -> Node | None:
    """Return a ref by its name, ``main`` or ``refs/heads/main``; None if there is none."""
    need(call, repository, "contents")
    full = name if name.startswith("refs/") else f"refs/heads/{name}"
    return Node("Ref", Located(repository, full)) if full in repository.refs else None


def object_of(call: Call, repository: Repository, sha: str | None) -> Node | None:
    """Return a git object by its id; None if there is none."""
    need(call, repository, "contents")
    store = call.hosting.store(repository)
    kind = store.kind(sha) if sha else None
    name = {"blob": "Blob", "tree": "Tree", "commit": "Commit"}.get(kind or "")
    return None if name is None else Node(name, Located(repository, sha))


def _expression(call: Call, repository: Repository, expression: str) -> str | None:
    store = call.hosting.store(repository)
    revision, colon, path = expression.partition(":")
    sha = call.hosting.resolve(repository, revision or "HEAD")
    if not colon:
        return sha or (revision if store.kind(revision) else None)
    tree = store.tree_of(sha or revision)
    if tree is None or not path:
        return tree
    entry = store.entries(tree).get(path.strip("/").encode("utf-8", "surrogateescape"))
    return None if entry is None else entry.sha


def git_object(call: Call, repository: Repository, arguments: Arguments) -> Node | None:
    """Return the object that an ``oid`` or an expression such as ``main:a.py`` names."""
    if arguments.get("oid") is not None:
        return object_of(call, repository, str(arguments["oid"]))
    return object_of(call, repository, _expression(call, repository, str(arguments.get("expression") or "")))


def _tree_entry(repository: Repository, path: bytes, entry: Entry) -> Node:
    return Node("TreeEntry", Located(repository, (path, entry)))


def _file(call: Call, at: Located, arguments: Arguments) -> Node | None:
    store = call.hosting.store(at.repository)
    path = str(arguments.get("path") or "").strip("/").encode("utf-8", "surrogateescape")
    entry = store.entries(store.tree_of(at.value) or "").get(path)
    return None if entry is None else _tree_entry(at.repository, path, entry)


def _tree_entries(call: Call, at: Located, _: Arguments) -> list[Node]:
    rows = call.hosting.store(at.repository).entries(at.value)
    return [_tree_entry(at.repository, path, entry) for path, entry in rows.items() if b"/" not in path]


def _blob(call: Call, at: Located) -> bytes:
    return call.hosting.store(at.repository).blob(at.value) or b""


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[:8000]


def _blob_text(call: Call, at: Located, _: Arguments) -> str | None:
    """Return the text: null if binary, cut at 512,000 bytes, invalid UTF-8 replaced (orbiting/backends#116)."""
    data = _blob(call, at)
    return None if _is_binary(data) else data[: call.hosting.limits.blob_text].decode("utf-8", "replace")


def _commit(call: Call, at: Located) -> Any:
    return call.hosting.store(at.repository).commit_object(at.value)


def _parents(call: Call, at: Located, arguments: Arguments) -> Node:
    return paged("Commit", [Located(at.repository, one) for one in _commit(call, at).parents], arguments)


def _entry_object(call: Call, at: Located, _: Arguments) -> Node | None:
    return object_of(call, at.repository, at.value[1].sha)


def _text_ends(call: Call, at: Located, _: Arguments) -> bool:
    data = _blob(call, at)
    return not _is_binary(data) and len(data) > call.hosting.limits.blob_text


_KINDS = {FOLDER: "tree", SUBMODULE: "commit"}


_OBJECT: dict[str, Resolver] = {
    "id": scalar(lambda at: node_id("GitObject", at.value)),
    "oid": scalar(lambda at: at.value),
    "abbreviatedOid": scalar(lambda at: at.value[:7]),
}

TYPES: dict[str, dict[str, Resolver]] = {
    "Ref": {
        "name": scalar(lambda at: at.value.removeprefix("refs/heads/")),
        "prefix": scalar(lambda at: at.value[: len("refs/heads/")]),
        "target": lambda call, at, _: object_of(call, at.repository, at.repository.refs[at.value]),
    },
    "Commit": _OBJECT
    | {
        "committedDate": lambda call, at, _: timestamp(_commit(call, at).date),
        "authoredDate": lambda call, at, _: timestamp(_commit(call, at).date),
        "committer": lambda _, at, __: Node("GitActor", at),
        "message": lambda call, at, _: _commit(call, at).message,
        "messageHeadline": lambda call, at, _: _commit(call, at).message.split("\n")[0],
        "tree": lambda call, at, _: object_of(call, at.repository, _commit(call, at).tree),
        "file": _file,
        "statusCheckRollup": graphql_checks.rollup,
        "parents": _parents,
    },
    "GitActor": {"date": lambda call, at, _: timestamp(_commit(call, at).date)},  # not turned into UTC, were it so
    "Tree": _OBJECT | {"entries": _tree_entries},
    "Blob": _OBJECT
    | {
        "byteSize": lambda call, at, _: len(_blob(call, at)),
        "isBinary": lambda call, at, _: _is_binary(_blob(call, at)),
        "isTruncated": _text_ends,
        "text": _blob_text,
    },
    "TreeEntry": {
        "name": scalar(lambda at: at.value[0].rsplit(b"/", 1)[-1].decode("utf-8", "replace")),
        "nameRaw": scalar(lambda at: base64.b64encode(at.value[0].rsplit(b"/", 1)[-1]).decode()),
        "path": scalar(lambda at: at.value[0].decode("utf-8", "replace")),
        "pathRaw": scalar(lambda at: base64.b64encode(at.value[0]).decode()),
        "type": scalar(lambda at: _KINDS.get(at.value[1].mode, "blob")),
        "mode": scalar(lambda at: int(at.value[1].mode, 8)),
        "oid": scalar(lambda at: at.value[1].sha),
        "size": lambda call, at, _: len(call.hosting.store(at.repository).blob(at.value[1].sha) or b""),
        "object": _entry_object,
    },
}
