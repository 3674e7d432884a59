"""A branch, a range or a working tree of a local git repository as a pull request.

Names come from ``git diff --raw -z``, counts are checked against ``--numstat``, texts come from git objects. The new
text of a file in the working tree is its old blob with the diff applied, so that what is reviewed is exactly what the
diff says, whatever filters or line-end conversions are set up and whoever writes the file meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from review_bot.changes import patching, unified_diff
from review_bot.changes.pull_request import ABSENT_MODE, ChangedFile, Kind, PullRequest, Status, Unreviewed
from review_bot.changes.repository import Repository
from review_bot.errors import ConfigError, DiffError, ForgeError, UsageError
from review_bot.forges import git_process
from review_bot.forges.git_process import BlobReader

_DIFF = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "-M", "--full-index",
    "--no-relative", "--diff-algorithm=myers", "--unified=3", "--inter-hunk-context=0", "--ignore-submodules=none",
    "--submodule=short", "--raw", "--numstat", "-z", "-p",
)  # fmt: skip
_STATUS: dict[str, Status] = {
    "A": "added", "M": "modified", "D": "deleted", "R": "renamed", "C": "copied", "T": "retyped",
}  # fmt: skip
_NULL_BLOB = "0" * 40
_SNIFFED = 8000
"""Bytes in which git looks for a NUL to tell binary from text (see gitattributes(5), "diff")."""

LARGEST_BLOB = 50_000_000
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class _Raw(NamedTuple):
    """One record of ``git diff --raw -z``, with its counts of ``--numstat`` (None: binary)."""

    status: str
    path: str
    old_path: str | None
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    added: int | None = None
    removed: int | None = None


class LocalGit:
    """Reads a change from a local repository. ``base`` None: chosen; ``head`` None: the working tree."""

    def __init__(self, folder: str, *, base: str | None = None, head: str | None = None) -> None:
        self.root, self.bare = find_root(folder)
        self._base, self._head = base, head
        if head is None and self.bare:
            self._head = "HEAD"
        self._blobs = BlobReader(self.root)
        self._pull_request = PullRequest(())
        self._untracked: dict[str, bytes] = {}

    @property
    def in_working_tree(self) -> bool:
        """Tell whether the head is the working tree."""
        return self._head is None

    def read(self) -> PullRequest:
        """Read the change. Raises UsageError for a revision that cannot be used, ForgeError if git fails."""
        base, label = (self._base, self._base) if self._base is not None else choose_base(self.root)
        for revision in (base, self._head):
            if revision is not None and revision.startswith("-"):
                raise UsageError(f"{revision!r} is not a revision")
        sides = [base] if self._head is None else [base, self._head]
        diff = git_process.start(self.root, [*_DIFF, "--merge-base", *sides, "--"])
        ancestor = git_process.start(self.root, ["merge-base", base, self._head or "HEAD"])
        log = git_process.start(
            self.root, ["log", "--no-walk=unsorted", "--format=%H %cs", *(f"{side}^{{commit}}" for side in sides), "--"]
        )
        commits, merge_base, answer = map(git_process.finish, (log, ancestor, diff))
        if commits.code:
            for side in sides:
                git_process.resolve(self.root, side)
            raise ForgeError(f"`git log` failed: {git_process.last_line(commits.error)}")
        ancestor_id = merge_base.output.decode().split("\n")[0].strip()
        if not ancestor_id:
            raise UsageError(self._no_merge_base(base))
        if answer.code:
            raise ForgeError(f"`git diff` failed: {git_process.last_line(answer.error) or answer.code}")
        shas = [line.split(" ") for line in commits.output.decode().split("\n") if line]
        records, patch = _split_answer(answer.output)
        files, unreviewed = self._files(records, patch, [ancestor_id, *([self._head] if self._head else [])])
        if self._head is None:
            untracked, too = self._read_untracked()
            files += untracked
            unreviewed += too
        self._pull_request = PullRequest(
            files=tuple(sorted(files)),
            base=shas[0][0],
            merge_base=ancestor_id,
            head=shas[1][0] if len(shas) > 1 else None,
            base_label=label,
            base_date=shas[0][1],
            unreviewed=tuple(unreviewed),
        )
        return self._pull_request

    def read_new(self, wanted: Iterable[int]) -> dict[int, str | None]:
        """Return the texts at the head of files by index; None for one that cannot be read as UTF-8."""
        texts: dict[int, str | None] = {}
        for index in wanted:
            file = self._pull_request.files[index]
            if self._head is not None and file.new_blob is not None:
                texts[index] = _decode(self._blobs.read(file.new_blob))
                continue
            old = "" if file.status == "added" else self._old_text(file)
            try:
                texts[index] = None if old is None else patching.apply(old, file.hunks)
            except DiffError:
                texts[index] = None
        return texts

    def read_old(self, wanted: Iterable[int]) -> dict[int, str | None]:
        """Return the texts at the merge base of files by index."""
        return {index: self._old_text(self._pull_request.files[index]) for index in wanted}

    def repository(self) -> Repository:
        """Return the tree around the change, texts on demand from git objects."""
        change = self._pull_request
        base = _listed(
            git_process.output(self.root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", str(change.merge_base))
        )
        if self._head is not None:
            head = _listed(
                git_process.output(self.root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", str(change.head))
            )
        else:
            tracked = _listed(git_process.output(self.root, "ls-files", "-z", "--cached", "--full-name"))
            gone = {file.base_path for file in change.files if file.status in {"deleted", "renamed"}}
            head = (tracked - gone) | {file.path for file in change.files if file.status != "deleted"}

        def read_head(path: str) -> str | None:
            if self._head is not None:
                return _decode(self._blobs.read(f"{change.head}:{path}"))
            return _decode(_read_file(self.root, path))

        def read_base(path: str) -> str | None:
            return _decode(self._blobs.read(f"{change.merge_base}:{path}"))

        return Repository(frozenset(head), frozenset(base), read_head, read_base, available=True)

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file: from the working tree, or from the base of a bare repository."""
        if self.bare:
            base = self._base if self._base is not None else choose_base(self.root)[0]
            return _decode(self._blobs.read(f"{base}:{path}"))
        return _decode(_read_file(self.root, path))

    def own_rules(self, folder: str) -> list[tuple[str, str]]:
        """Return (path, text) of a repository's own rule files, from where ``settings`` reads."""
        if not self.bare:
            return rule_files(self.root, folder)
        base = self._base if self._base is not None else choose_base(self.root)[0]
        listed = _listed(git_process.output(self.root, "ls-tree", "-r", "-z", "--name-only", base, f"{folder}/"))
        texts = [(path, self.settings(path)) for path in sorted(listed) if path.endswith((".yml", ".yaml"))]
        return [(path, text) for path, text in texts if text is not None]

    def close(self) -> None:
        """End the processes that were started."""
        self._blobs.close()

    def _old_text(self, file: ChangedFile) -> str | None:
        return None if file.old_blob is None else _decode(self._blobs.read(file.old_blob))

    def _files(self, records: list[_Raw], patch: bytes, sides: list[str]) -> tuple[list[ChangedFile], list[Unreviewed]]:
        sections = _split_patch(patch)
        files: list[ChangedFile] = []
        unreviewed: list[Unreviewed] = []
        position = 0
        for record in records:
            if record.status == "U":
                unreviewed.append(Unreviewed(record.path, "it has merge conflicts; resolve them first"))
                continue
            taken = 2 if record.status == "T" and _is_split(sections, position) else 1
            mine = sections[position : position + taken]
            position += taken
            if record.added is None and record.status != "D" and self._hides_text(record):
                found = self._diff_as_text(record, sides)
                if found is None:
                    unreviewed.append(Unreviewed(record.path, "UTF-16 text, which is not read; save it as UTF-8"))
                    continue
                record, mine = found
            file, problem = _read_file_sections(record, mine)
            files.append(file)
            if problem:
                unreviewed.append(Unreviewed(record.path, problem))
        if position != len(sections):
            raise ForgeError(
                f"`git diff` lists {len(records)} files and prints {len(sections)}; this is a defect of Review Bot, "
                "please report it with `git diff --raw` of this change"
            )
        return files, unreviewed

    def _hides_text(self, record: _Raw) -> bool:
        """Tell whether git calls a file binary only because an attribute says so: no side holds a NUL."""
        if "160000" in {record.old_mode, record.new_mode}:
            return False
        samples = []
        if record.new_blob.strip("0"):
            samples.append(self._blobs.read(record.new_blob))
        elif record.new_mode != ABSENT_MODE:
            samples.append(_read_file(self.root, record.path))
        if any(sample is not None and sample.startswith(_UTF16) for sample in samples):
            return True
        if record.old_blob.strip("0"):
            samples.append(self._blobs.read(record.old_blob))
        return all(sample is not None and b"\0" not in sample[:_SNIFFED] for sample in samples)

    def _diff_as_text(self, record: _Raw, sides: list[str]) -> tuple[_Raw, list[bytes]] | None:
        paths = [f":(top,literal){path}" for path in (record.old_path, record.path) if path is not None]
        answer = git_process.output(self.root, *_DIFF, "--text", *sides, "--", *paths)
        records, patch = _split_answer(answer)
        sections = _split_patch(patch)
        if len(records) != 1 or not sections or b"\0" in patch:
            return None
        return records[0], sections

    def _read_untracked(self) -> tuple[list[ChangedFile], list[Unreviewed]]:
        names = _listed(
            git_process.output(self.root, "ls-files", "--others", "--exclude-standard", "-z", "--full-name")
        )
        files: list[ChangedFile] = []
        unreviewed: list[Unreviewed] = []
        for name in sorted(names):
            if name.endswith("/"):
                continue  # a repository inside this one, which is not part of the change
            file, problem = _untracked_file(self.root, name)
            if file is not None:
                files.append(file)
            if problem:
                unreviewed.append(Unreviewed(name, problem))
        return files, unreviewed

    def _no_merge_base(self, base: str) -> str:
        head = self._head or "HEAD"
        shallow = git_process.run(self.root, "rev-parse", "--is-shallow-repository").output.strip() == b"true"
        if shallow:
            return (
                f"this clone is shallow and does not reach back to where {head} left {base}; "
                "run `git fetch --unshallow`, or deepen it"
            )
        if git_process.run(self.root, "rev-parse", "--verify", "--quiet", "HEAD").code:
            return "this repository has no commit yet; make one, or review a diff with --diff"
        return f"{base} and {head} have no common ancestor; give a --base that {head} grew from"


def find_root(folder: str) -> tuple[str, bool]:
    """Return (root of the repository around a folder, whether it is bare). Raises UsageError."""
    if not os.path.isdir(folder):
        raise UsageError(f"the folder {folder!r} does not exist")
    current = os.path.abspath(folder)
    if not os.environ.get("GIT_DIR"):
        while True:
            if os.path.exists(os.path.join(current, ".git")):
                return current, False
            parent = os.path.dirname(current)
            if parent == current or _looks_bare(current):
                break
            current = parent
    answer = git_process.run(folder, "rev-parse", "--is-bare-repository", "--show-toplevel")
    lines = answer.output.decode("utf-8", "surrogateescape").split("\n")
    if lines and lines[0] == "true":
        return folder, True
    if answer.code == 0 and len(lines) > 1 and lines[1]:
        return lines[1], False
    if "dubious ownership" in answer.error:
        raise UsageError(
            f"git does not trust {folder!r}, which belongs to another user; see `safe.directory` in git-config(1)"
        )
    raise UsageError(
        f"{folder!r} is not in a git repository; go into one, use -C DIR, or review a diff with --diff FILE"
    )


def choose_base(root: str) -> tuple[str, str]:
    """Return (revision, how to call it): the remote's default branch, else ``main``, else ``master``, else ``HEAD``."""
    names = ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master",
             "refs/heads/main", "refs/heads/master")  # fmt: skip
    listed = git_process.run(root, "for-each-ref", "--format=%(refname) %(symref)", *names, "refs/remotes/*/HEAD")
    refs = dict(
        line.partition(" ")[::2] for line in listed.output.decode("utf-8", "surrogateescape").split("\n") if line
    )
    for name in (*names, *sorted(refs)):
        if name in refs:
            target = refs[name] or name
            return target, target.removeprefix("refs/remotes/").removeprefix("refs/heads/")
    return "HEAD", "HEAD"


def rule_files(root: str, folder: str) -> list[tuple[str, str]]:
    """Return (path from ``root``, text) of every YAML file below a folder of a tree, sorted."""
    found = []
    for parent, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".yml", ".yaml")):
                path = os.path.relpath(os.path.join(parent, name), root).replace(os.sep, "/")
                text = _decode(_read_file(root, path))
                if text is None:
                    raise ConfigError("cannot be read as UTF-8; save it as UTF-8", path=path)
                found.append((path, text))
    return found


def _looks_bare(folder: str) -> bool:
    return all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))


def _listed(output: bytes) -> set[str]:
    return {name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name}


def _split_answer(output: bytes) -> tuple[list[_Raw], bytes]:
    """Divide ``--raw --numstat -z -p`` output into records with their counts, and the patch."""
    records: list[_Raw] = []
    position = 0

    def field() -> str:
        nonlocal position
        end = output.index(b"\0", position)
        text = output[position:end].decode("utf-8", "surrogateescape")
        position = end + 1
        return text

    while output[position : position + 1] == b":":
        old_mode, new_mode, old_blob, new_blob, status = field()[1:].split(" ")
        first = field()
        second = field() if status[0] in "RC" else None
        path = first if second is None else second
        records.append(_Raw(status[0], path, None if second is None else first, old_mode, new_mode, old_blob, new_blob))
    numbers: dict[str, tuple[int | None, int | None]] = {}
    for _ in range(len(records)):
        if position >= len(output) or output[position : position + 1] == b"\0":
            break
        added, removed, name = field().split("\t", 2)
        if not name:
            field()
            name = field()
        numbers[name] = (None if added == "-" else int(added), None if removed == "-" else int(removed))
    with_counts = []
    for record in records:
        added_count, removed_count = numbers.get(record.path, (0, 0))
        with_counts.append(record._replace(added=added_count, removed=removed_count))
    return with_counts, output[position:].removeprefix(b"\0")


def _split_patch(patch: bytes) -> list[bytes]:
    """Split a patch into one piece per file. Inside hunks every line has a marker, so this header is unmistakable."""
    if not patch:
        return []
    pieces = patch.split(b"\ndiff --git ")
    pieces = [pieces[0].removeprefix(b"diff --git "), *pieces[1:]]
    ended = [piece + b"\n" for piece in pieces[:-1]] + [pieces[-1]]
    return [piece for piece in ended if not piece.startswith(b"* Unmerged path")]


def _is_split(sections: list[bytes], position: int) -> bool:
    """Tell whether git wrote a change of type as a deletion and an addition."""
    return position + 1 < len(sections) and b"\ndeleted file mode " in sections[position][:4096] + b"\n"


def _read_file_sections(record: _Raw, sections: list[bytes]) -> tuple[ChangedFile, str | None]:
    file = ChangedFile(
        path=record.path,
        old_path=None if record.status == "A" else record.old_path or record.path,
        status=_STATUS.get(record.status, "modified"),
        kind="binary" if record.added is None else "text",
        old_mode=record.old_mode,
        new_mode=record.new_mode,
        old_blob=record.old_blob if record.old_blob.strip("0") else None,
        new_blob=record.new_blob if record.new_blob.strip("0") else None,
    )
    if "160000" in {record.old_mode, record.new_mode}:
        return file._replace(kind="submodule"), None
    if file.kind == "binary":
        return file, None
    bodies = [_body(section) for section in sections]
    problem = None
    texts = []
    for body in bodies:
        try:
            texts.append(body.decode("utf-8"))
        except UnicodeDecodeError:
            texts.append(body.decode("latin-1"))
            problem = "not UTF-8; only line patterns were tried on it"
    try:
        hunks = [unified_diff.read_hunks(text) for text in texts]
    except DiffError as error:
        return file, str(error)
    added = sum(unified_diff.counts(each)[0] for each in hunks)
    removed = sum(unified_diff.counts(each)[1] for each in hunks)
    if (added, removed) != (record.added, record.removed):
        return file, f"the diff shows +{added} -{removed} lines, git counts +{record.added} -{record.removed}"
    new = hunks[-1] if hunks else ()
    mode = record.old_mode if record.status == "D" else record.new_mode
    kind: Kind = unified_diff.kind_of(mode, new)
    return file._replace(hunks=new, added=added, removed=removed, kind=kind), problem


def _body(section: bytes) -> bytes:
    start = section.find(b"\n@@ -")
    return section[start + 1 :] if start >= 0 else b""


def _untracked_file(root: str, name: str) -> tuple[ChangedFile | None, str | None]:
    path = os.path.join(root, name)
    plain = ChangedFile(name, None, "added", "text", new_mode="100644")
    try:
        if os.path.islink(path):
            return plain._replace(kind="symlink", new_mode="120000"), None
        if not os.path.isfile(path):
            return None, None
        if os.path.getsize(path) > LARGEST_BLOB:
            return plain, f"larger than {LARGEST_BLOB:,} bytes"
        data = _read_file(root, name) or b""
        if os.access(path, os.X_OK):
            plain = plain._replace(new_mode="100755")
    except OSError as error:
        return plain, f"cannot be read: {error.strerror}"
    if b"\0" in data[:_SNIFFED]:
        return plain._replace(kind="binary"), None
    try:
        text, problem = data.decode("utf-8"), None
    except UnicodeDecodeError:
        text, problem = data.decode("latin-1"), "not UTF-8; only line patterns were tried on it"
    hunks = patching.whole_file_hunks(text)
    added = unified_diff.counts(hunks)[0]
    return plain._replace(hunks=hunks, added=added, kind=unified_diff.kind_of("100644", hunks)), problem


def _read_file(root: str, name: str) -> bytes | None:
    try:
        with open(os.path.join(root, name), "rb") as stream:
            return stream.read(LARGEST_BLOB)
    except OSError:
        return None


def _decode(data: bytes | None) -> str | None:
    if data is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
