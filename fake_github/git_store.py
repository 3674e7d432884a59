"""The git objects of one network of forks: written and read in memory, laid out on disk when git itself is asked.

Diffs, merges and archives are git's own; each is computed once per pair of trees.
"""

import hashlib
import os
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from review_bot.errors import ForgeError
from review_bot.forges import git_objects, git_process

FILE, EXECUTABLE_FILE, SYMLINK, SUBMODULE, FOLDER = "100644", "100755", "120000", "160000", "040000"
IDENTITY = "Halcyon <halcyon@example.org>"


class Link(NamedTuple):
    """A symbolic link to ``target``."""

    target: str


class Submodule(NamedTuple):
    """A commit of another repository, by its id."""

    sha: str


class Executable(NamedTuple):
    """A file with the executable bit."""

    content: str | bytes


Content = str | bytes | Link | Submodule | Executable | None


class Entry(NamedTuple):
    """What is at a path of a tree: its mode as git writes it, and the object's id."""

    mode: str
    sha: str


class CommitObject(NamedTuple):
    """A commit, read. ``date`` in seconds since the epoch."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    message: str
    date: int


class FileDiff(NamedTuple):
    """One changed file between two trees, as ``git diff-tree -p -M`` shows it.

    ``status``: A, D, M, R or T. ``patch``: its hunks without header and last line end, "" if there are none.
    """

    status: str
    path: str
    previous: str | None
    old: Entry
    new: Entry
    added: int
    removed: int
    binary: bool
    patch: str
    header: str


class GitStore:
    """The objects of a network of forks, in ``folder`` (a bare repository)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._objects: dict[str, tuple[str, bytes]] = {}
        self._pending: list[str] = []
        self._flat: dict[str, dict[bytes, Entry]] = {}
        self._commits: dict[str, CommitObject] = {}
        self._diffs: dict[tuple[str, str], tuple[FileDiff, ...]] = {}
        self._bases: dict[tuple[str, str], str | None] = {}
        self._merges: dict[tuple[str, str], str | None] = {}
        self._ancestors: dict[str, frozenset[str]] = {}
        self._archives: dict[tuple[str, str], bytes] = {}
        self._trees: dict[bytes, str] = {}
        self._reader = git_objects.BlobReader(str(folder))
        self._lock = threading.RLock()
        self._laid_out = False

    def close(self) -> None:
        """End the process that reads objects."""
        self._reader.close()

    def write(self, kind: str, data: bytes) -> str:
        """Keep an object and return its id."""
        whole = b"%s %d\0" % (kind.encode(), len(data))
        sha = hashlib.sha1(whole + data, usedforsecurity=False).hexdigest()
        with self._lock:
            if sha not in self._objects:
                self._objects[sha] = (kind, data)
                self._pending.append(sha)
        return sha

    def flush(self) -> str:
        """Lay out every object as a loose one for git, and return the repository's path."""
        with self._lock:
            if not self._laid_out:
                lay_out_bare(self.folder)
                self._laid_out = True
            for sha in self._pending:
                kind, data = self._objects[sha]
                place = self.folder / "objects" / sha[:2] / sha[2:]
                place.parent.mkdir(exist_ok=True)
                if not place.exists():
                    place.write_bytes(zlib.compress(b"%s %d\0" % (kind.encode(), len(data)) + data, 1))
            self._pending.clear()
        return str(self.folder)

    def blob(self, sha: str) -> bytes | None:
        """Return the bytes of a blob, or None if there is no such blob."""
        found = self._objects.get(sha)
        if found is not None:
            return found[1] if found[0] == "blob" else None
        with self._lock:
            return self._reader.read(sha) if self._laid_out and _is_hex(sha) else None

    def kind(self, sha: str) -> str | None:
        """Return what an object is (blob, tree, commit), or None if it does not exist."""
        found = self._objects.get(sha)
        if found is not None:
            return found[0]
        if not self._laid_out or not _is_hex(sha):
            return None
        answer = git_process.run(str(self.folder), "cat-file", "-t", sha)
        return answer.output.decode().strip() if answer.code == 0 else None

    def commit_object(self, sha: str) -> CommitObject | None:
        """Return a commit, or None if there is none of this id."""
        if sha in self._commits:
            return self._commits[sha]
        found = self._objects.get(sha)
        if found is None and self._laid_out and _is_hex(sha):
            answer = git_process.run(str(self.folder), "cat-file", "commit", sha)
            found = ("commit", answer.output) if answer.code == 0 else None
        if found is None or found[0] != "commit":
            return None
        head, _, message = found[1].decode("utf-8", "replace").partition("\n\n")
        lines = head.split("\n")
        parents = tuple(line[7:] for line in lines if line.startswith("parent "))
        committer = next(line for line in lines if line.startswith("committer "))
        commit = CommitObject(sha, lines[0][5:], parents, message.rstrip("\n"), int(committer.rsplit(" ", 2)[1]))
        self._commits[sha] = commit
        return commit

    def tree_of(self, sha: str) -> str | None:
        """Return the tree of a commit, or the id itself if it is a tree; None if it is neither."""
        commit = self.commit_object(sha)
        if commit is not None:
            return commit.tree
        return sha if self.kind(sha) == "tree" else None

    def entries(self, tree: str) -> dict[bytes, Entry]:
        """Return every path below a tree, folders included, in git's order."""
        with self._lock:
            if tree not in self._flat:
                self._flat[tree] = dict(self._walk(tree, b"")) if tree in self._objects else self._listed(tree)
            return self._flat[tree]

    def commit(self, changes: Mapping[str | bytes, Content], parents: tuple[str, ...], message: str, date: int) -> str:
        """Make a commit: the tree of the first parent, changed."""
        first = self.commit_object(parents[0]) if parents else None
        files = {} if first is None else self.files(first.tree)
        for path, content in changes.items():
            name = path.encode("utf-8", "surrogateescape") if isinstance(path, str) else path
            if content is None:
                if name not in files:
                    raise KeyError(f"there is no {path!r} to delete")
                del files[name]
            else:
                files[name] = self._entry(content)
        return self.commit_tree(self._make_tree(files), parents, message, date)

    def commit_tree(self, tree: str, parents: tuple[str, ...], message: str, date: int) -> str:
        """Make a commit of a tree."""
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        lines += [f"author {IDENTITY} {date} +0000", f"committer {IDENTITY} {date} +0000", "", message, ""]
        return self.write("commit", "\n".join(lines).encode("utf-8", "surrogateescape"))

    def files(self, tree: str) -> dict[bytes, Entry]:
        """Return every path of a tree that is not a folder."""
        return {path: entry for path, entry in self.entries(tree).items() if entry.mode != FOLDER}

    def ancestors(self, sha: str) -> frozenset[str]:
        """Return a commit and all that it came from."""
        if sha not in self._ancestors:
            seen: set[str] = set()
            rest = [sha]
            while rest:
                one = rest.pop()
                commit = None if one in seen else self.commit_object(one)
                if commit is not None:
                    seen.add(one)
                    rest += commit.parents
            self._ancestors[sha] = frozenset(seen)
        return self._ancestors[sha]

    def commits_between(self, base: str, head: str) -> list[CommitObject]:
        """Return the commits of head that base does not have, oldest first."""
        missing = self.ancestors(head) - self.ancestors(base)
        found = [commit for sha in missing if (commit := self.commit_object(sha)) is not None]
        return sorted(found, key=lambda commit: (commit.date, len(self.ancestors(commit.sha)), commit.sha))

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor of two commits, or None if they have none."""
        pair = (one, other)
        if pair not in self._bases:
            common = self.ancestors(one) & self.ancestors(other)
            best = (
                [sha for sha in common if not any(sha != c and sha in self.ancestors(c) for c in common)]
                if len(common) < 500
                else [git_process.output(self.flush(), "merge-base", one, other).decode().strip()]
            )
            self._bases[pair] = min(best, default=None)
        return self._bases[pair]

    def merge(self, base: str, head: str) -> str | None:
        """Return the tree of the merge of two commits, or None if they are in conflict."""
        pair = (base, head)
        if pair not in self._merges:
            answer = git_process.run(self.flush(), "merge-tree", "--write-tree", base, head)
            self._merges[pair] = answer.output.decode().split("\n")[0] if answer.code == 0 else None
        return self._merges[pair]

    def archive(self, sha: str, prefix: str) -> bytes:
        """Return the tarball of a commit (gzip), as ``git archive`` makes it."""
        key = (sha, prefix)
        if key not in self._archives:
            arguments = ("-c", "tar.tar.gz.command=gzip -cn1", "archive", "--format=tar.gz", f"--prefix={prefix}/", sha)
            self._archives[key] = git_process.output(self.flush(), *arguments)
        return self._archives[key]

    def diff(self, old_tree: str, new_tree: str) -> tuple[FileDiff, ...]:
        """Return what changed between two trees, with renames found, in git's order."""
        pair = (old_tree, new_tree)
        with self._lock:
            if pair not in self._diffs:
                self._diffs[pair] = () if old_tree == new_tree else self._compare(old_tree, new_tree)
            return self._diffs[pair]

    def fetch_into(self, repository: Path, folder: str, refspecs: Sequence[str]) -> None:
        """Bring objects and refs of another repository on this machine into one of this network."""
        self.flush()
        arguments = ["fetch", "--quiet", "--no-tags", "--force", folder, *refspecs]
        answer = git_process.finish(git_process.start(str(repository), arguments, protocols="file"))
        if answer.code:
            raise git_process.failure(str(repository), "fetch", answer)

    def _compare(self, old_tree: str, new_tree: str) -> tuple[FileDiff, ...]:
        flags = ("-r", "-M", "-U3", "-z", "--full-index", "--no-ext-diff", "--no-textconv", "--raw", "--numstat", "-p")
        output = git_process.output(self.flush(), "diff-tree", *flags, old_tree, new_tree)
        return tuple(_parse_diff(output))

    def _entry(self, content: Content) -> Entry:
        if isinstance(content, Submodule):
            return Entry(SUBMODULE, content.sha)
        if isinstance(content, Link):
            return Entry(SYMLINK, self.write("blob", content.target.encode("utf-8", "surrogateescape")))
        mode = EXECUTABLE_FILE if isinstance(content, Executable) else FILE
        data = content.content if isinstance(content, Executable) else content
        if data is None:
            raise TypeError("None deletes; it has no entry")
        return Entry(
            mode, self.write("blob", data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)
        )

    def _make_tree(self, files: Mapping[bytes, Entry]) -> str:
        here: dict[bytes, Entry] = {}
        below: dict[bytes, dict[bytes, Entry]] = {}
        for path, entry in files.items():
            folder, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(folder, {})[rest] = entry
            else:
                here[folder] = entry
        for folder, inside in below.items():
            here[folder] = Entry(FOLDER, self._make_tree(inside))
        rows = sorted(here.items(), key=lambda row: row[0] + b"/" if row[1].mode == FOLDER else row[0])
        return self.write(
            "tree", b"".join(b"%s %s\0%s" % (e.mode.lstrip("0").encode(), n, bytes.fromhex(e.sha)) for n, e in rows)
        )

    def _walk(self, tree: str, prefix: bytes) -> Iterator[tuple[bytes, Entry]]:
        data = self._objects[tree][1]
        at = 0
        while at < len(data):
            end = data.index(b"\0", at)
            mode, _, name = data[at:end].partition(b" ")
            entry = Entry(mode.decode().zfill(6), data[end + 1 : end + 21].hex())
            at = end + 21
            yield prefix + name, entry
            if entry.mode == FOLDER:
                below = (
                    self._walk(entry.sha, b"") if entry.sha in self._objects else iter(self._listed(entry.sha).items())
                )
                for path, inner in below:
                    yield prefix + name + b"/" + path, inner

    def _listed(self, tree: str) -> dict[bytes, Entry]:
        output = git_process.output(self.flush(), "ls-tree", "-r", "-t", "-z", tree)
        found = {}
        for row in output.split(b"\0")[:-1]:
            what, _, path = row.partition(b"\t")
            mode, _, sha = what.decode().split(" ")
            found[path] = Entry(mode, sha)
        return found


def lay_out_bare(folder: Path) -> None:
    """Make an empty bare repository, as ``git init --bare`` does, without a process."""
    (folder / "objects").mkdir(parents=True, exist_ok=True)
    (folder / "refs").mkdir(exist_ok=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (folder / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n", encoding="utf-8")


def write_refs(folder: Path, refs: Mapping[str, str], default_branch: str) -> None:
    """Write all refs of a bare repository at once, in place of what was there."""
    for parent, _, names in os.walk(folder / "refs"):
        for name in names:
            (Path(parent) / name).unlink()
    rows = "".join(f"{sha} {name}\n" for name, sha in sorted(refs.items()))
    (folder / "packed-refs").write_text("# pack-refs with: sorted\n" + rows, encoding="utf-8")
    (folder / "HEAD").write_text(f"ref: refs/heads/{default_branch}\n", encoding="utf-8")


def read_refs(folder: Path) -> dict[str, str]:
    """Return every ref of a repository."""
    rows = git_process.output(str(folder), "for-each-ref", "--format=%(objectname) %(refname)").decode().splitlines()
    return {name: sha for sha, _, name in (row.partition(" ") for row in rows)}


def _is_hex(sha: str) -> bool:
    return len(sha) == 40 and all(sign in "0123456789abcdef" for sign in sha)


def _parse_diff(output: bytes) -> Iterator[FileDiff]:
    raw, at = [], 0

    def field() -> bytes:
        nonlocal at
        end = output.index(b"\0", at)
        value = output[at:end]
        at = end + 1
        return value

    while output[at : at + 1] == b":":
        old_mode, new_mode, old_sha, new_sha, status = field()[1:].decode().split(" ")
        first = field()
        raw.append(
            (
                status[0],
                Entry(old_mode, old_sha),
                Entry(new_mode, new_sha),
                first,
                field() if status[0] in "RC" else None,
            )
        )
    counts = []
    for _, _, _, _, target in raw:
        added, removed, _ = field().split(b"\t", 2)
        if target is not None:
            field()
            field()
        counts.append((added, removed))
    if output[at : at + 1] == b"\0":
        at += 1
    sections = _sections(output[at:])
    for (status, old, new, first, target), (added, removed) in zip(raw, counts, strict=True):
        header, patch = next(sections)
        if status == "T":  # git shows a change of type as a deletion and an addition
            second_header, second = next(sections)
            header, patch = header + second_header, "\n".join(filter(None, (patch, second)))
        path = first if target is None else target
        yield FileDiff(
            status,
            path.decode("utf-8", "replace"),
            None if target is None else first.decode("utf-8", "replace"),
            old,
            new,
            0 if added == b"-" else int(added),
            0 if removed == b"-" else int(removed),
            added == b"-",
            patch,
            header,
        )
    if next(sections, None) is not None:
        raise ForgeError("git printed more patches than changed files")


def _sections(text: bytes) -> Iterator[tuple[str, str]]:
    """Split a patch at its ``diff --git`` lines: no line of a hunk can begin so."""
    parts = (b"\n" + text).split(b"\ndiff --git ")
    for part in parts[1:]:
        header, sign, hunks = part.partition(b"\n@@ ")
        patch = (b"@@ " + hunks).removesuffix(b"\n") if sign else b""
        yield "diff --git " + header.decode("utf-8", "replace") + "\n", patch.decode("utf-8", "replace")
