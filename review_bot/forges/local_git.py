"""A branch, a range or a working tree of a local git repository as a pull request.

Names come from ``git diff --raw -z``, counts are checked against ``--numstat``, texts come from git objects. The new
text of a file in the working tree is its old blob with the diff applied, so that what is reviewed is exactly what the
diff says, whatever filters or line-end conversions are set up, and even if the file is written meanwhile.
"""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from review_bot.changes import patching
from review_bot.changes.content import LARGEST_FILE
from review_bot.changes.pull_request import (
    MOST_COMMITS,
    ChangedFile,
    CommitMessage,
    PullRequest,
    Unreviewed,
    WholeTexts,
)
from review_bot.changes.reading import NOT_UTF8, read_texts, text_as_declared, text_at_base
from review_bot.changes.repository import Repository
from review_bot.errors import DiffError, UsageError
from review_bot.forges import base_branch, crossed_bases, folder, git_diff, git_process, untracked
from review_bot.forges.diff_files import DiffFileReader
from review_bot.forges.git_objects import BlobReader, Commit
from review_bot.forges.repository_root import clone_identity, find_root
from review_bot.records import NamedTuple
from review_bot.text import file_name

if TYPE_CHECKING:
    from review_bot.changes.open_pull_requests import OpenPullRequestSource


class _Entry(NamedTuple):
    mode: str
    blob: str


class LocalGit:
    """Reads a change from a local repository. ``base`` None: chosen; ``head`` None: the working tree.

    ``staged``: the head is the index, and the base is HEAD unless it is given.
    """

    def __init__(self, folder: str, *, base: str | None = None, head: str | None = None, staged: bool = False) -> None:
        self.root, self.bare = find_root(folder)
        if staged and self.bare:
            raise UsageError("a bare repository has no staged changes; pass --head")
        self._staged = staged
        base = "HEAD" if staged and base is None else base
        # Variables such as GIT_WORK_TREE may be relative to the folder in which they were set.
        self._git = os.path.abspath(folder) if os.environ.get("GIT_DIR") else self.root
        self._base, self._head = base, head
        if head is None and self.bare:
            self._head = "HEAD"
        self._blobs = BlobReader(self._git)
        self._pull_request = PullRequest(())
        self._chosen: tuple[str, str] | None = None
        self._unambiguous: set[tuple[str, Commit]] = set()
        self._repository: Repository | None = None

    @property
    def in_working_tree(self) -> bool:
        """Return whether the head is the working tree."""
        return self._head is None and not self._staged

    def read(self) -> PullRequest:
        """Read the change. Raises UsageError for a revision that cannot be used, ForgeError if git fails."""
        base, label = self._base_revision()
        if self._head is None and self._blobs.find_commit("HEAD") is None:
            raise UsageError(f"{self.root!r} has no commit on this branch yet; commit first")
        base_commit = self._commit(base)
        head_commit = None if self._head is None else self._commit(self._head)
        ends = [] if head_commit is None else [head_commit.id]
        options = ["--cached"] if self._staged else []
        sides = [*options, base_commit.id, *ends]
        diff = git_process.start(self._git, [*git_diff.ARGUMENTS, "--merge-base", *sides, "--"])
        ancestor = git_process.start(
            self._git, ["merge-base", "--all", base_commit.id, head_commit.id if head_commit else "HEAD"]
        )
        others = untracked.find(self._git, self.root) if self.in_working_tree else untracked.NONE
        merge_base, answer = git_process.finish(ancestor), git_process.finish(diff)
        ancestors = merge_base.output.decode().split()
        ancestor_id = ancestors[0] if ancestors else ""
        if not ancestor_id:
            raise self._no_merge_base(base, merge_base)
        files, unreviewed = list(others.files), list(others.unreviewed)
        index: str | None = None
        try:
            if others.names:
                index = untracked.index_with(self._git, others.names)
            if answer.code or index is not None:
                # Also where two branches have crossed: git diff wants one merge base, and GitHub takes the first.
                sides = [*options, ancestor_id, *ends]
                started = git_process.start(self._git, [*git_diff.ARGUMENTS, *sides, "--"], index=index)
                answer = git_process.finish(started)
            if answer.code:
                raise git_process.failure(self._git, "diff", answer)
            reader = DiffFileReader(self._git, self.root, self._blobs, in_working_tree=self.in_working_tree)
            found, problems = reader.read(answer.output, [*options, ancestor_id, *ends], index)
        finally:
            if index is not None:
                untracked.drop(index)
        files += found
        unreviewed += problems
        if len(ancestors) > 1:
            unreviewed += crossed_bases.unshown(self._git, ancestors, [*options, *ends])
        alike = file_name.shown_alike(file.path for file in files)
        unreviewed += [Unreviewed(path, file_name.SHOWN_ALIKE) for path in alike]
        if self._base is None and not files and not unreviewed and base_branch.is_shallow(self._git):
            raise UsageError(
                f"this clone is shallow, and nothing in it differs from {label}, so there is nothing to review; "
                "pass a base to compare with, such as `--base HEAD~1` after `git fetch --deepen 1`"
            )
        self._repository = None
        self._pull_request = PullRequest(
            files=tuple(sorted(files, key=lambda file: file.path)),
            base=base_commit.id,
            merge_base=ancestor_id,
            head=head_commit.id if head_commit else None,
            base_label=label,
            base_date=base_commit.date or None,
            unreviewed=tuple(unreviewed),
        )
        return self._pull_request

    def read_new(self, wanted: Iterable[int]) -> WholeTexts:
        """Return the texts at the head of files by index; one that does not fit the diff is unreviewed."""
        return read_texts(self._pull_request.files, wanted, self._new_text)

    def read_old(self, wanted: Iterable[int]) -> WholeTexts:
        """Return the texts at the merge base of files by index."""
        files = self._pull_request.files
        return WholeTexts({index: self._text_before(files[index]) for index in wanted})

    def repository(self) -> Repository:
        """Return the tree around the change, texts on demand from git objects."""
        if self._repository is None:
            self._repository = self._tree_around(self._pull_request)
        return self._repository

    def head_paths(self) -> frozenset[str] | None:
        """Return every path at the head."""
        return self.repository().head_paths

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if there is none or it is no UTF-8 text."""
        return self.repository().head_text(path)

    def base_file(self, path: str) -> str | None:
        """Return the text of a file at the merge base, or None. Raises ConfigError if it is not UTF-8 text."""
        data = self._blobs.read(f"{self._pull_request.merge_base}:{path}")
        return None if data is None else folder.decode_settings(data, path)

    def _tree_around(self, change: PullRequest) -> Repository:
        base = self._tree(str(change.merge_base))
        changed = {file.path: file for file in change.files if file.status != "deleted"}
        head = dict(base)  # and what the change made of it, which saves to list the second tree
        for file in change.files:
            if file.status in {"deleted", "renamed"}:
                head.pop(file.base_path, None)
        committed = not self.in_working_tree  # what is not has an id perhaps, but no object
        for path, file in changed.items():
            head[path] = _Entry(file.new_mode, file.new_blob if committed and file.new_blob else "")

        def read_base(path: str) -> str | None:
            return self._entry_text(base[path], path)

        def read_head(path: str) -> str | None:
            if head[path].blob:
                return self._entry_text(head[path], path)
            try:
                return self._new_text(changed[path]) if changed[path].kind == "text" else None
            except DiffError:
                return None

        return Repository(
            frozenset(head),
            frozenset(base),
            read_head,
            read_base,
            available=True,
            identity=self._identity(change),
            opaque=frozenset(path for path, entry in head.items() if not entry.mode.startswith("100")),
        )

    def _identity(self, change: PullRequest) -> str | None:
        """Return what determines the trees of a change, together with its files; None if nothing does.

        Of a file in the working tree whose old text is unknown, the diff does not hold all that is read.
        """
        known = not self.in_working_tree or all(
            file.kind != "text" or file.status in {"added", "deleted"} or self._old_text(file) is not None
            for file in change.files
        )
        clone = clone_identity(self.root, bare=self.bare) if known else None
        return None if clone is None else f"{clone} {change.merge_base}"

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file: from the working tree, or from the base of a bare repository.

        Raises ConfigError if it is there and cannot be read.
        """
        if not self.bare:
            return folder.read_settings(self.root, path)
        data = self._blobs.read(f"{self._commit(self._base_revision()[0]).id}:{path}")
        return None if data is None else folder.decode_settings(data, path)

    def own_files(self, below: str) -> list[tuple[str, str]]:
        """Return (path, text) of a repository's own rules or contracts, from where ``settings`` reads."""
        if not self.bare:
            return folder.yaml_files(self.root, below)
        commit = self._commit(self._base_revision()[0]).id
        if not self._blobs.has(f"{commit}:{below}"):
            return []
        base = self._tree(commit, f"{below}/")
        found = []
        for path, entry in sorted(base.items()):
            data = self._blobs.read(entry.blob) if path.endswith((".yml", ".yaml")) else None
            if data is not None:
                found.append((path, folder.decode_settings(data, path)))
        return found

    def sizes(self, paths: Iterable[str], /) -> Mapping[str, int]:
        """Return the sizes of changed files in bytes, at the head or of deleted ones at the merge base."""
        from review_bot.forges import file_sizes  # asked only for files that could not be reviewed

        return file_sizes.in_repository(self.root, self._pull_request, paths)

    def open_pull_requests(self) -> "OpenPullRequestSource | None":
        """Return what reads the other open pull requests: the refs of this clone."""
        from review_bot.forges.pull_request_refs import PullRequestRefs  # asked for a dossier alone

        return PullRequestRefs(
            self._git, self._pull_request, self._blobs, lambda: base_branch.default_branch(self._git)[0]
        )

    def commits(self) -> tuple[CommitMessage, ...] | None:
        """Return the commits between the merge base and the head, or None if there are more than ``MOST_COMMITS``."""
        change = self._pull_request
        listed = git_process.output(
            self._git,
            *(
                "log",
                "-z",
                "--reverse",
                f"--max-count={MOST_COMMITS}",
                "--no-show-signature",
                "--encoding=UTF-8",
                "--format=%H%n%P%n%B",
            ),
            f"{change.merge_base}..{change.head or 'HEAD'}",
            "--",
        )
        found = []
        for entry in listed.decode("utf-8", "replace").split("\0"):
            sha, _, rest = entry.partition("\n")
            parents, _, message = rest.partition("\n")
            if sha:
                found.append(CommitMessage(sha, message, len(parents.split())))
        return tuple(found) if len(found) < MOST_COMMITS else None

    def close(self) -> None:
        """End the processes that were started."""
        self._blobs.close()

    def _commit(self, revision: str) -> Commit:
        """Return the commit that a revision names. Raises UsageError."""
        found = self._blobs.find_commit(revision)
        if found is None:
            raise base_branch.no_such_commit(self._git, revision)
        if (revision, found) not in self._unambiguous:  # each settings file is read from the same base
            base_branch.refuse_ambiguous(self._git, revision)
            self._unambiguous.add((revision, found))
        return found

    def _base_revision(self) -> tuple[str, str]:
        """Return the base and how to call it."""
        if self._base is not None:
            return self._base, self._base
        if self._chosen is None:
            self._chosen = base_branch.choose_base(self._git, self._head)
        return self._chosen

    def _new_text(self, file: ChangedFile) -> str:
        """Return the whole text at the head. Raises DiffError if it cannot be had or does not fit the diff."""
        if self.in_working_tree:
            return self._working_text(file)
        if file.new_blob is None:
            raise DiffError("git reports no object for its new text")
        text = self._decoded(file.new_blob)
        if text is None:
            raise DiffError(NOT_UTF8)
        line = patching.misfit(text, file.hunks)
        if line is None and file.status == "added" and text != patching.apply("", file.hunks):
            line = file.added + 1
        if line is not None:
            raise DiffError(f"line {line} of its object in git differs from the diff")
        return text

    def _working_text(self, file: ChangedFile) -> str:
        old = "" if file.status == "added" else self._old_text(file)
        if old is not None:
            return patching.apply(old, file.hunks)
        # What was no UTF-8 at the base may be now.
        try:
            data = folder.read_bytes(self.root, file.path)
        except folder.CannotRead as error:
            raise DiffError(str(error)) from error
        try:
            text = (data or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise DiffError(NOT_UTF8) from None
        line = patching.misfit(text, file.hunks)
        if line is not None:
            raise DiffError(f"line {line} differs from the diff; was the file edited during the review?")
        return text

    def _old_text(self, file: ChangedFile) -> str | None:
        has_text = (
            file.old_blob is not None and file.old_mode != "160000"
        )  # a submodule's is a commit of another repository
        return self._decoded(file.old_blob or "") if has_text else None

    def _text_before(self, file: ChangedFile) -> str | None:
        """Return the old text of a file, as far as it is one, though it may not be UTF-8."""
        text = self._old_text(file)
        if text is not None or file.old_blob is None or file.old_mode == "160000" or file.kind != "text":
            return text
        data = self._blobs.read(file.old_blob)
        return None if data is None else text_at_base(data, file.base_path)

    def _decoded(self, blob: str) -> str | None:
        """Return the text of an object, or None if it is too large or no UTF-8. Raises ForgeError if it is not here."""
        found = self._blobs.look(blob)
        if found is None:
            raise git_process.objects_missing(f"{blob} is missing")
        try:
            return found[1].decode("utf-8") if found[0] <= LARGEST_FILE else None
        except UnicodeDecodeError:
            return None

    def _entry_text(self, entry: _Entry, path: str) -> str | None:
        if entry.mode[:3] != "100":
            return None
        text = self._decoded(entry.blob)
        if text is None and path.endswith((".py", ".pyi")):
            return text_as_declared(self._blobs.read(entry.blob) or b"", path)
        return text

    def _tree(self, commit: str, *paths: str) -> dict[str, _Entry]:
        listed = git_process.output(self._git, "ls-tree", "-r", "-z", "--full-tree", commit, *paths)
        tree: dict[str, _Entry] = {}
        for line in listed.decode("utf-8", "surrogateescape").split("\0"):
            facts, tab, path = line.partition("\t")
            if tab:
                mode, _, blob = facts.split(" ")
                tree[path] = _Entry(mode, blob)
        return tree

    def _no_merge_base(self, base: str, answer: git_process.Answer) -> Exception:
        head = self._head or "HEAD"
        if answer.error:
            return git_process.failure(self._git, "merge-base", answer)
        if base_branch.is_shallow(self._git):
            return UsageError(
                f"this clone is shallow and does not reach back to the point where {head} branched off {base}; "
                "run `git fetch --unshallow`, or deepen it"
            )
        return UsageError(f"{base} and {head} have no common ancestor; pass a --base that {head} is based on")
