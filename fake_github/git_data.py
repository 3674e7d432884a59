"""REST: compare, trees, blobs, contents, commits, tarballs."""

import base64
from typing import Any
from urllib.parse import quote

from fake_github.calls import Answer, Call, Refusal, Route, not_found
from fake_github.git_store import FOLDER, SUBMODULE, SYMLINK, Entry
from fake_github.shapes import Shapes
from fake_github.world import Repository

KINDS = {FOLDER: "tree", SUBMODULE: "commit"}


def get_compare(call: Call) -> Answer:
    """Answer ``GET compare/{base}...{head}``: three-dot; at most 300 files, on page 1 only (rest/commits)."""
    call.need("contents")
    hosting, repository = call.hosting, call.repository
    base_name, dots, head_name = call.parameters["basehead"].partition("...")
    base, head = _side(call, base_name), _side(call, head_name)
    if not dots or base is None or head is None:
        raise not_found("https://docs.github.com/rest/commits/commits#compare-two-commits")
    store = hosting.store(repository)
    change = hosting.change(repository, base, head)
    if change.base is None:
        # rest/commits: unrelated histories have no merge base
        raise Refusal(404, f"No common ancestor between {base_name} and {head_name}.")
    commits = store.commits_between(base, head)
    behind = len(store.commits_between(head, base))
    accept = call.request.headers.get("accept", "")
    if ".diff" in accept:
        return _diff(call, "".join(file.header + file.patch + "\n" for file in change.files))
    size, number = call.paging(hosting.limits.compare_commits)
    if "per_page" not in call.request.query and "page" not in call.request.query:
        size = hosting.limits.compare_commits  # without paging the first 250 commits are listed
    shapes, paged = Shapes(hosting, call.urls), commits[(number - 1) * size : number * size]
    files = change.files[: hosting.limits.compare_files] if number == 1 else ()
    api, html = f"{call.urls.api}/repos/{repository.full_name}", f"{call.urls.html}/{repository.full_name}"
    found = [store.commit_object(sha) for sha in (base, change.base)]
    status = {(True, False): "ahead", (False, True): "behind", (True, True): "diverged"}.get(
        (bool(commits), bool(behind)), "identical"
    )
    body = {
        "url": f"{api}/compare/{base_name}...{head_name}",
        "html_url": f"{html}/compare/{base_name}...{head_name}",
        "permalink_url": f"{html}/compare/{base}...{head}",
        "diff_url": f"{html}/compare/{base_name}...{head_name}.diff",
        "patch_url": f"{html}/compare/{base_name}...{head_name}.patch",
        "base_commit": shapes.commit(repository, found[0]) if found[0] else None,
        "merge_base_commit": shapes.commit(repository, found[1]) if found[1] else None,
        "status": status,
        "ahead_by": len(commits),
        "behind_by": behind,
        "total_commits": len(commits),
        "commits": [shapes.commit(repository, one) for one in paged],
        "files": shapes.files(repository, head, tuple(files)),
    }
    return Answer(200, body, call.link(len(commits), size, number))


def get_tree(call: Call) -> Answer:
    """Answer ``GET git/trees/{sha}``; past the limits a recursive one is cut, with ``truncated`` (rest/git/trees)."""
    call.need("contents")
    store = call.hosting.store(call.repository)
    sha = call.hosting.resolve(call.repository, call.parameters["sha"]) or call.parameters["sha"]
    tree = store.tree_of(sha)
    if tree is None:
        raise not_found("https://docs.github.com/rest/git/trees#get-a-tree")
    entries = store.entries(tree)
    if "recursive" not in call.request.query:  # any value, also 0 and false, means yes (rest/git/trees)
        entries = {path: entry for path, entry in entries.items() if b"/" not in path}
    api = f"{call.urls.api}/repos/{call.repository.full_name}"
    rows: list[dict[str, Any]] = []
    size = 0
    for path, entry in list(entries.items())[: call.hosting.limits.tree_entries]:
        size += len(path) + 230  # about what a row takes in JSON
        if size > call.hosting.limits.tree_bytes:
            break
        kind = KINDS.get(entry.mode, "blob")
        row: dict[str, Any] = {
            "path": path.decode("utf-8", "replace"),
            "mode": entry.mode,
            "type": kind,
            "sha": entry.sha,
        }
        if kind == "blob":
            row |= {"size": len(store.blob(entry.sha) or b"")}
        if kind != "commit":
            row |= {"url": f"{api}/git/{kind}s/{entry.sha}"}
        rows.append(row)
    is_cut = len(entries) > len(rows)
    return Answer(200, {"sha": sha, "url": f"{api}/git/trees/{sha}", "tree": rows, "truncated": is_cut})


def get_blob(call: Call) -> Answer:
    """Answer ``GET git/blobs/{sha}``: base64 in lines of 60 signs, or the raw bytes (rest/git/blobs, up to 100 MB)."""
    call.need("contents")
    sha = call.parameters["sha"]
    data = call.hosting.store(call.repository).blob(sha)
    if data is None:
        raise not_found("https://docs.github.com/rest/git/blobs#get-a-blob")
    if len(data) > call.hosting.limits.blob:
        errors = [{"resource": "Blob", "field": "data", "code": "too_large"}]
        raise Refusal(403, "This API returns blobs up to 100 MB in size.", errors)
    if "raw" in call.request.headers.get("accept", ""):
        return Answer(200, data, {"Content-Type": "application/vnd.github.raw; charset=utf-8"})
    return Answer(
        200,
        {
            "sha": sha,
            "node_id": f"B_{sha}",
            "size": len(data),
            "url": f"{call.urls.api}/repos/{call.repository.full_name}/git/blobs/{sha}",
            "content": _in_lines(data),
            "encoding": "base64",
        },
    )


def get_contents(call: Call) -> Answer:
    """Answer ``GET contents/{path}``: a file (1 MB at most), a folder, a link or a submodule (rest/repos/contents)."""
    call.need("contents")
    repository, store = call.repository, call.hosting.store(call.repository)
    ref = call.request.query.get("ref", repository.default_branch)
    sha = call.hosting.resolve(repository, ref)
    tree = store.tree_of(sha) if sha else None
    if tree is None:
        raise Refusal(404, f"No commit found for the ref {ref}")
    path = call.parameters.get("path", "").strip("/").encode("utf-8", "surrogateescape")
    entries = store.entries(tree)
    entry = entries.get(path)
    if path and entry is None:
        raise not_found("https://docs.github.com/rest/repos/contents#get-repository-content")
    if entry is None or entry.mode == FOLDER:
        prefix = path + b"/" if path else b""
        names = [one for one in entries if one.startswith(prefix) and b"/" not in one[len(prefix) :]]
        return Answer(200, [_content(call, repository, name, entries[name], ref) for name in names[:1000]])
    data = store.blob(entry.sha) or b""
    if "raw" in call.request.headers.get("accept", ""):
        return Answer(200, data, {"Content-Type": "application/vnd.github.raw; charset=utf-8"})
    row = _content(call, repository, path, entry, ref)
    if entry.mode == SUBMODULE:
        row |= {"type": "submodule", "submodule_git_url": None}
    elif entry.mode == SYMLINK:
        row |= {"type": "symlink", "target": data.decode("utf-8", "replace")}
    elif len(data) > call.hosting.limits.contents:
        row |= {"content": "", "encoding": "none"}
    else:
        row |= {"content": _in_lines(data), "encoding": "base64"}
    return Answer(200, row)


def get_commit(call: Call) -> Answer:
    """Answer ``GET commits/{ref}``."""
    call.need("contents")
    sha = call.hosting.resolve(call.repository, call.parameters["ref"])
    store = call.hosting.store(call.repository)
    commit = store.commit_object(sha or "")
    if commit is None:
        raise Refusal(422, f"No commit found for SHA: {call.parameters['ref']}")
    parent = store.commit_object(commit.parents[0]) if commit.parents else None
    files = store.diff(parent.tree if parent else store.write("tree", b""), commit.tree)
    shapes = Shapes(call.hosting, call.urls)
    added, removed = sum(file.added for file in files), sum(file.removed for file in files)
    body = shapes.commit(call.repository, commit) | {
        "stats": {"total": added + removed, "additions": added, "deletions": removed},
        "files": shapes.files(call.repository, commit.sha, files[: call.hosting.limits.compare_files]),
    }
    return Answer(200, body)


def get_branch(call: Call) -> Answer:
    """Answer ``GET branches/{branch}``."""
    call.need("contents")
    name = call.parameters["branch"]
    sha = call.repository.refs.get(f"refs/heads/{name}")
    commit = call.hosting.store(call.repository).commit_object(sha or "")
    if commit is None:
        raise Refusal(404, "Branch not found")
    api = f"{call.urls.api}/repos/{call.repository.full_name}"
    me = f"{api}/branches/{name}"
    shape = Shapes(call.hosting, call.urls).commit(call.repository, commit)
    links = {"self": me, "html": f"{call.urls.html}/{call.repository.full_name}/tree/{name}"}
    body = {"name": name, "commit": shape, "_links": links, "protected": False}
    return Answer(200, body | {"protection": {"enabled": False}, "protection_url": f"{me}/protection"})


def get_ref(call: Call) -> Answer:
    """Answer ``GET git/ref/{ref}``."""
    call.need("contents")
    name = f"refs/{call.parameters['ref']}"
    sha = call.repository.refs.get(name)
    if sha is None:
        raise not_found("https://docs.github.com/rest/git/refs#get-a-reference")
    api = f"{call.urls.api}/repos/{call.repository.full_name}/git"
    target = {"sha": sha, "type": "commit", "url": f"{api}/commits/{sha}"}
    return Answer(200, {"ref": name, "node_id": f"REF_{sha}", "url": f"{api}/{name}", "object": target})


def get_tarball(call: Call) -> Answer:
    """Answer ``GET tarball/{ref}`` with 302 to the archive host (rest/repos/contents "Download a repository archive").

    For a private repository the address carries its own short-lived token, as GitHub's does.
    """
    call.need("contents")
    ref = call.parameters.get("ref") or call.repository.default_branch
    address = f"{call.urls.archive}/{call.repository.full_name}/legacy.tar.gz/{quote(ref)}"
    if call.repository.private:
        address += f"?token={archive_key(call.repository)}"
    return Answer(302, None, {"Location": address})


def archive_key(repository: Repository) -> str:
    """Return the key that a private archive's address carries."""
    return f"AAAA{repository.id:x}"


def _diff(call: Call, text: str) -> Answer:
    limits = call.hosting.limits
    files, rows = text.count("diff --git "), text.count("\n")
    if files > limits.diff_files or rows > limits.diff_lines:
        raise Refusal(406, "Sorry, this diff is taking too long to generate.")
    return Answer(200, text.encode(), {"Content-Type": "application/vnd.github.diff; charset=utf-8"})


def _side(call: Call, name: str) -> str | None:
    """Return the commit of one side: a ref of this repository, or ``owner:branch`` of a fork."""
    owner, colon, branch = name.partition(":")
    if not colon:
        return call.hosting.resolve(call.repository, name)
    for one in call.hosting.world.repositories.values():
        if one.owner == owner and one.network == call.repository.network:
            return call.hosting.resolve(one, branch)
    return None


def _content(call: Call, repository: Repository, path: bytes, entry: Entry, ref: str) -> dict[str, Any]:
    name = path.decode("utf-8", "replace")
    api, html = f"{call.urls.api}/repos/{repository.full_name}", f"{call.urls.html}/{repository.full_name}"
    kind = "dir" if entry.mode == FOLDER else "symlink" if entry.mode == SYMLINK else "file"
    me = f"{api}/contents/{quote(name)}?ref={quote(ref)}"
    git = f"{api}/git/{'trees' if kind == 'dir' else 'blobs'}/{entry.sha}"
    page = f"{html}/{'tree' if kind == 'dir' else 'blob'}/{ref}/{quote(name)}"
    return {
        "name": name.rsplit("/", 1)[-1],
        "path": name,
        "sha": entry.sha,
        "size": len(call.hosting.store(repository).blob(entry.sha) or b"") if kind != "dir" else 0,
        "url": me,
        "html_url": page,
        "git_url": git,
        "download_url": None if kind == "dir" else f"{html}/raw/{ref}/{quote(name)}",
        "type": kind,
        "_links": {"self": me, "git": git, "html": page},
    }


def _in_lines(data: bytes) -> str:
    text = base64.b64encode(data).decode()
    return "".join(text[at : at + 60] + "\n" for at in range(0, len(text), 60))


ROUTES = (
    Route("GET", "compare/{basehead*}", get_compare),
    Route("GET", "git/trees/{sha*}", get_tree),
    Route("GET", "git/blobs/{sha}", get_blob),
    Route("GET", "git/ref/{ref*}", get_ref),
    Route("GET", "contents/{path*}", get_contents),
    Route("GET", "contents", get_contents),
    Route("GET", "commits/{ref*}", get_commit),
    Route("GET", "branches/{branch*}", get_branch),
    Route("GET", "tarball/{ref*}", get_tarball),
    Route("GET", "tarball", get_tarball),
)
