"""The world and its git objects: pushing, forking, the change of a pull request, the places of its comments."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from fake_github.anchors import Anchors, anchors, moved
from fake_github.git_store import CommitObject, Content, FileDiff, GitStore, lay_out_bare, read_refs, write_refs
from fake_github.world import Pull, Repository, ReviewComment, World


@dataclass(slots=True)
class Limits:
    """GitHub's limits, to be lowered in tests. Sources: docs "Repository limits", rest/pulls, rest/commits.

    ``response_lines``: after about so many patch lines in one answer the later files come back without patch and with
    0/0/0 (github.com/orgs/community/discussions/213491). ``blob_text``: bytes of ``Blob.text`` in GraphQL before it is
    truncated (orbiting/backends#116). ``content_creation``: content-creating requests a minute, or None for no limit.
    """

    files: int = 3000
    patch_lines: int = 20_000
    patch_bytes: int = 500_000
    response_lines: int = 20_000
    diff_files: int = 300
    diff_lines: int = 20_000
    compare_files: int = 300
    compare_commits: int = 250
    tree_entries: int = 100_000
    tree_bytes: int = 7 << 20
    comment: int = 65_536
    status_description: int = 140
    blob_text: int = 512_000
    contents: int = 1_000_000
    blob: int = 100_000_000
    requests_an_hour: int = 1000
    anonymous_an_hour: int = 60
    points_an_hour: int = 1000
    content_creation: int | None = None


class Change(NamedTuple):
    """What a pull request changes up to a commit: the merge base, and every changed file."""

    base: str | None
    files: tuple[FileDiff, ...]

    def file(self, path: str) -> FileDiff | None:
        """Return the changed file of this (new) name."""
        return next((file for file in self.files if file.path == path), None)


class Hosting:
    """All repositories and what is said in them. Not thread-safe by itself: hold ``lock``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.world = World()
        self.limits = Limits()
        self.lock = threading.RLock()
        self.approvals_follow: Literal["same patch", "any force push", "nothing"] = "same patch"
        self._stores: dict[int, GitStore] = {}
        self._anchors: dict[str, Anchors] = {}

    def close(self) -> None:
        """End what runs."""
        for store in self._stores.values():
            store.close()

    def store(self, repository: Repository) -> GitStore:
        """Return the objects of a repository and all its forks."""
        if repository.network not in self._stores:
            self._stores[repository.network] = GitStore(self.folder / f"{repository.network}.git")
        return self._stores[repository.network]

    def create_repository(self, owner: str, name: str, *, private: bool, default_branch: str) -> Repository:
        """Make an empty repository."""
        self.world.user(owner)
        identity = self.world.next_id()
        repository = Repository(
            identity,
            owner,
            name,
            f"{identity}.git",
            identity,
            self.world.now(),
            private=private,
            default_branch=default_branch,
        )
        self.world.repositories[identity] = repository
        return repository

    def fork(self, repository: Repository, owner: str) -> Repository:
        """Make a fork with all branches; it shares the objects, as at GitHub."""
        fork = self.create_repository(
            owner, repository.name, private=repository.private, default_branch=repository.default_branch
        )
        fork.parent, fork.network = repository.id, repository.network
        fork.refs = {
            name: sha for name, sha in repository.refs.items() if name.startswith(("refs/heads/", "refs/tags/"))
        }
        return fork

    def lay_out(self, repository: Repository) -> Path:
        """Write objects and refs to disk, so that git can be used there, and return the bare repository."""
        store = self.store(repository)
        store.flush()
        folder = self.folder / repository.folder
        if not folder.exists():
            lay_out_bare(folder)
        if folder != store.folder and not (folder / "objects").is_symlink():
            (folder / "objects").rmdir()
            (folder / "objects").symlink_to(Path("..") / store.folder.name / "objects")
        write_refs(folder, repository.refs, repository.default_branch)
        return folder

    def reread_refs(self, repository: Repository) -> None:
        """Take over what git itself changed in the bare repository (a push, a fetch)."""
        found = read_refs(self.folder / repository.folder)
        for name, sha in found.items():
            if repository.refs.get(name) != sha:
                self.set_ref(repository, name, sha)
        for name in set(repository.refs) - set(found):
            self.set_ref(repository, name, None)

    def commit(
        self,
        repository: Repository,
        changes: Mapping[str, Content] | Mapping[bytes, Content],
        *,
        branch: str | None,
        message: str,
        parents: tuple[str, ...],
        date: int | None,
    ) -> str:
        """Commit and move the branch there."""
        moment = self.world.now()
        wanted: dict[str | bytes, Content] = {name: content for name, content in changes.items()}  # noqa: C416 - a wider key
        sha = self.store(repository).commit(wanted, parents, message, moment if date is None else date)
        if branch is not None:
            self.set_ref(repository, f"refs/heads/{branch}", sha)
        return sha

    def set_ref(self, repository: Repository, name: str, sha: str | None) -> None:
        """Move, create or delete a ref; open pull requests from that branch follow."""
        if sha is None:
            repository.refs.pop(name, None)
            return
        repository.refs[name] = sha
        for base in self.world.repositories.values():
            for pull in base.pulls.values():
                if (
                    pull.state == "open"
                    and pull.head_repository == repository.id
                    and name == f"refs/heads/{pull.head_ref}"
                ):
                    self.set_head(base, pull, sha)

    def set_head(self, repository: Repository, pull: Pull, sha: str) -> None:
        """Move a pull request to a new head: its base is looked up again, its comments are placed again."""
        old_head, old_change = pull.head_sha, self.pull_change(repository, pull)
        pull.head_sha = sha
        pull.heads.append(sha)
        pull.base_sha = repository.refs.get(f"refs/heads/{pull.base_ref}", pull.base_sha)
        if old_head not in self.store(repository).ancestors(sha):
            self._carry_approvals(repository, pull, old_head, old_change)
            pull.force_pushes.append((self.world.now(), sha))
        pull.updated = self.world.now()
        repository.refs[f"refs/pull/{pull.number}/head"] = sha
        self.place_comments(repository, pull)

    def _carry_approvals(self, repository: Repository, pull: Pull, old_head: str, old: Change) -> None:
        """Give approvals of the old head the new head's ``commit_id`` after a force push.

        Seen where the rebase left the patch as it was (kamp-us/phoenix#3769, #5215, max-sixty/tend#884,
        Yeachan-Heo/gajae-code#5692); reviews that only comment stay where they were (LTplus-AG/ifc-lite#3729). Whether
        it needs the same patch is not documented: ``approvals_follow`` has both.
        """
        new = self.pull_change(repository, pull)
        is_same = [(file.path, file.patch) for file in old.files] == [(file.path, file.patch) for file in new.files]
        if self.approvals_follow == "any force push" or (self.approvals_follow == "same patch" and is_same):
            for review in repository.reviews.values():
                if (review.number, review.state, review.commit_id) == (pull.number, "APPROVED", old_head):
                    review.commit_id = pull.head_sha

    def resolve(self, repository: Repository, name: str) -> str | None:
        """Return the commit that a branch, tag, ref, or full or short id names; None if it names none."""
        store = self.store(repository)
        for full in (name, f"refs/{name}", f"refs/heads/{name}", f"refs/tags/{name}"):
            if full in repository.refs:
                return repository.refs[full]
        if name == "HEAD":
            return repository.refs.get(f"refs/heads/{repository.default_branch}")
        if len(name) == 40 and store.commit_object(name) is not None:
            return name
        return None

    def change(self, repository: Repository, base: str, head: str) -> Change:
        """Return the three-dot diff of two commits; without a merge base, everything is new."""
        store = self.store(repository)
        merge_base = store.merge_base(base, head)
        old = store.tree_of(merge_base) if merge_base else store.write("tree", b"")
        new = store.tree_of(head)
        return Change(merge_base, store.diff(old or "", new or ""))

    def pull_change(self, repository: Repository, pull: Pull, head: str | None = None) -> Change:
        """Return what a pull request changes, at its head or at an older commit of it."""
        return self.change(repository, pull.base_sha, head or pull.head_sha)

    def pull_commits(self, repository: Repository, pull: Pull) -> list[CommitObject]:
        """Return the commits of a pull request, oldest first."""
        return self.store(repository).commits_between(pull.base_sha, pull.head_sha)

    def test_merge(self, repository: Repository, pull: Pull) -> str | None:
        """Return the test merge commit (refs/pull/N/merge), or None if the pull request has conflicts."""
        base = repository.refs.get(f"refs/heads/{pull.base_ref}")
        if base is None or pull.state != "open":
            return None
        store = self.store(repository)
        tree = store.merge(base, pull.head_sha)
        if tree is None:
            repository.refs.pop(f"refs/pull/{pull.number}/merge", None)
            return None
        message = f"Merge {pull.head_sha} into {base}"
        sha = store.commit_tree(tree, (base, pull.head_sha), message, pull.updated)
        repository.refs[f"refs/pull/{pull.number}/merge"] = sha
        return sha

    def anchors(self, patch: str) -> Anchors:
        """Return which lines of a patch may carry a comment."""
        if patch not in self._anchors:
            self._anchors[patch] = anchors(patch)
        return self._anchors[patch]

    def is_too_large(self, file: FileDiff) -> bool:
        """Return whether GitHub shows no diff of a file (docs "Repository limits": 20,000 lines or 500 KB)."""
        patch = file.patch
        return patch.count("\n") + 1 > self.limits.patch_lines or len(patch) > self.limits.patch_bytes

    def place_comments(self, repository: Repository, pull: Pull) -> None:
        """Let every review comment follow the head: moved with its line, or outdated."""
        ours = [one for one in repository.review_comments.values() if one.number == pull.number]
        for comment in ours:
            if comment.in_reply_to is None:
                self.place(repository, pull, comment)
        for comment in ours:
            if comment.in_reply_to is not None and comment.in_reply_to in repository.review_comments:
                first = repository.review_comments[comment.in_reply_to]
                comment.line, comment.start_line, comment.position = first.line, first.start_line, first.position
                comment.commit_id = first.commit_id

    def place(self, repository: Repository, pull: Pull, comment: ReviewComment) -> None:
        """Place one comment at the present head.

        A comment whose lines are gone or changed gets ``line`` and ``position`` null and keeps the ``original_`` ones
        (github/rest-api-description#5568); one whose lines only moved, moves.
        """
        change = self.pull_change(repository, pull)
        file = change.file(comment.path)
        comment.line = comment.start_line = comment.position = None
        if comment.subject_type == "file":
            if file is not None:
                comment.line = comment.position = 1
                comment.commit_id = pull.head_sha
            return
        if file is None or comment.original_line is None or self.is_too_large(file):
            return
        first = comment.original_start_line or comment.original_line
        placed = []
        for original in range(first, comment.original_line + 1):
            side = comment.start_side if original == first and comment.start_side else comment.side
            placed.append(self._follow(repository, pull, comment, change, original, side))
        allowed = self.anchors(file.patch)
        last = placed[-1]
        if last is None or None in placed or last not in allowed.side(comment.side):
            return
        comment.line = last
        comment.position = allowed.side(comment.side)[last].position
        comment.start_line = placed[0] if comment.original_start_line is not None else None
        comment.commit_id = pull.head_sha

    def _follow(
        self, repository: Repository, pull: Pull, comment: ReviewComment, change: Change, line: int, side: str
    ) -> int | None:
        store = self.store(repository)
        if side == "LEFT":
            old = self.pull_change(repository, pull, comment.original_commit_id).base
            new = change.base
        else:
            old, new = comment.original_commit_id, pull.head_sha
        if old == new:
            return line
        old_tree, new_tree = store.tree_of(old or ""), store.tree_of(new or "")
        if old_tree is None or new_tree is None:
            return None
        for file in store.diff(old_tree, new_tree):
            if comment.path in {file.path, file.previous}:
                is_same = file.path == comment.path and file.status in "MT" and file.patch
                return moved(file.patch, line) if is_same else None
        return line
