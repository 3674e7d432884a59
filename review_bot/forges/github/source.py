"""A change on GitHub as a source of the pipeline: what a pull request and a merge group have in common.

::

    round 1   open()       overview with settings · rows of files · merge base, if both commits are known
    round 2   prefetch()   both trees · whole texts that the plan wants · the archive, if rules need all texts
    round 3                what is left: binaries, texts that were cut off, old texts that the hunks do not give
              read()       the change, proved;  read_new(), read_old(), repository() know all they need by then
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from review_bot.changes import patching, unified_diff
from review_bot.changes.open_pull_requests import OpenPullRequestSource
from review_bot.changes.pull_request import ChangedFile, CommitMessage, PullRequest, Unreviewed, WholeTexts
from review_bot.changes.reading import NOT_UTF8, read_texts, text_at_base
from review_bot.changes.repository import Repository
from review_bot.changes.text_kinds import text_kind
from review_bot.engine.plan import Plan
from review_bot.errors import (
    DiffError,
    IncompleteChange,
)
from review_bot.forges.github import branch_settings, changed_files, merged_commits
from review_bot.forges.github.archive import (
    is_read_by_checks,
)
from review_bot.forges.github.blobs import Blobs, Want
from review_bot.forges.github.branch_settings import Branch, BranchSettings
from review_bot.forges.github.change import read_files
from review_bot.forges.github.changed_files import FileRow
from review_bot.forges.github.client import Client
from review_bot.forges.github.overview import Overview
from review_bot.forges.github.tree_diff import TreeChange, match_rows
from review_bot.forges.github.tree_texts import TreeTexts
from review_bot.forges.github.trees import MOST_LOOKED_UP, Entry, Tree, look_up, read_tree
from review_bot.forges.settings_files import SettingsFile, settings_text

MOST_UNLISTED = 1_000
"""Changed files without a row of GitHub that are fetched."""

MOST_SINGLE_REQUESTS = 5
"""Files that are fetched one by one without a token; for more, one archive costs fewer of the requests it allows."""

_MOST_ROUNDS = 8
_SUBMODULE = "160000"
_NOTHING_PLANNED = Plan((), (), needs_tree=False, needs_tree_text=False)


class GitHubSource(ABC):
    """Reads a change from GitHub, and proves by the trees of both its ends that nothing of it is missing."""

    def __init__(self, client: Client, repository: str) -> None:
        self._client, self._name = client, repository
        self._blobs = Blobs(client, repository)
        self._overview: Overview | None = None
        self._rows: list[FileRow] = []
        self._lists_all = True
        self._unlisted: str | None = None
        self._merge_base: str | None = None
        self._merged: dict[str, changed_files.Comparison] = {}
        self._trees: dict[str, Tree] = {}
        self._looked_up: dict[str, dict[str, Entry]] = {}
        self._texts: set[str] = set()
        self._tree_texts = TreeTexts(client, repository, self._blobs, self._ends, self._both_trees)
        self._change: PullRequest | None = None

    @abstractmethod
    def open(self) -> Overview:
        """Read what GitHub says of the change, and its rows. Raises ForgeError."""

    def overview(self) -> Overview:
        """Return what ``open`` read."""
        return self._overview if self._overview is not None else self.open()

    def provisional(self) -> PullRequest:
        """Return the change according to the rows alone, modes guessed: good enough to plan what to fetch."""
        frame = self._frame()
        base, head = changed_files.trees_of(self._rows)
        files = []
        for each in match_rows(self._rows, base, head)[0]:
            try:
                hunks = changed_files.hunks_of(each.row) if each.row is not None else ()
            except DiffError:
                hunks = ()
            files.append(unified_diff.with_hunks(each.file(), hunks))
        return frame._replace(files=tuple(files))

    def prefetch(self, plan: Plan) -> None:
        """Fetch all that ``plan`` (made of ``provisional``) and the proof need. Raises ForgeError."""
        frame = self.provisional()
        files = frame.files
        wanted = {files[task.file].path for task in plan.tasks if task.needs_text or task.needs_old_text}
        wanted |= {files[index].path for index in plan.helpful}
        self._texts |= wanted
        self._blobs.leave_query(
            *(row.sha for row in self._rows if row.sha and row.patch and changed_files.is_damaged(row.patch))
        )
        unplanned = {row.filename for row in self._rows if _is_unplanned(row)}
        self._tree_texts.wanted |= plan.needs_tree_text
        self._change = None
        early = [
            Want(row.sha, whole=False)
            for row in self._rows
            if row.sha is not None
            and (row.filename in unplanned or (row.filename in wanted and row.status not in {"added", "removed"}))
        ]
        if self._client.anonymous and (self._tree_texts.wanted or len(early) > MOST_SINGLE_REQUESTS):
            self._tree_texts.take_along(file.path for file in files)
            early = []
        calls = [*self._tree_calls(), *self._tree_texts.archive_calls(), *self._blobs.calls(early)]
        self._together([*calls, *self._parallel_calls(frame)])
        self._settle()

    def prepare(self, plan_of: Callable[[PullRequest], Plan]) -> Plan:
        """Fetch what the plan of the change needs, and return the plan of what ``read`` returns. Raises ForgeError.

        The rows do not show every line, so the plan of ``read`` may need the texts of the tree where theirs did not.
        """
        self.prefetch(plan_of(self.provisional()))
        plan = plan_of(self.read())
        if plan.needs_tree_text and not self._tree_texts.wanted:
            self._tree_texts.wanted = True
            plan = plan_of(self._settle())
        return plan

    def commits(self) -> tuple[CommitMessage, ...] | None:
        """Return None: the commits of a merge group belong to its pull requests."""
        return None

    def read(self) -> PullRequest:
        """Return the change, proved. Raises ForgeError if that cannot be done."""
        if not self._trees:
            self.prefetch(_NOTHING_PLANNED)
        return self._change or self._settle()

    def read_new(self, wanted: Iterable[int]) -> WholeTexts:
        """Return the texts at the head of files by index; one that cannot be had, or does not fit, is unreviewed."""
        change = self.read()
        chosen = list(wanted)
        files = [change.files[index] for index in chosen]
        self._fetch(Want(file.new_blob) for file in files if file.new_blob and file.new_mode != _SUBMODULE)
        return read_texts(change.files, chosen, self._new_text)

    def read_old(self, wanted: Iterable[int]) -> WholeTexts:
        """Return the texts at the merge base of files by index; one that cannot be had is unreviewed.

        A file that GitHub calls binary has none, unless its name is one of a text.
        """
        change = self.read()
        chosen = {index: change.files[index] for index in wanted}
        unknown = [file for file in chosen.values() if file.old_blob is None and file.status != "added"]
        self._fetch(Want(file.new_blob) for file in unknown if file.new_blob and file.new_mode != _SUBMODULE)
        undone = {index: self._undone(file) for index, file in chosen.items()}
        old = {file.path: file for file in chosen.values() if file.old_blob and file.old_mode != _SUBMODULE}
        self._fetch(
            Want(file.old_blob, whole=text_kind(file.base_path) is not None) for file in old.values() if file.old_blob
        )
        named = {each.path for each in change.unreviewed}
        lost = {path: self._blobs.problem(file.old_blob or "") for path, file in old.items() if path not in named}
        return WholeTexts(
            {index: self._text_before(file) if file.old_blob else undone[index] for index, file in chosen.items()},
            tuple(Unreviewed(path, f"{why} (as it was before this change)") for path, why in lost.items() if why),
        )

    def repository(self) -> Repository:
        """Return the tree around the change as closed data: nothing is fetched for it any more.

        Raises ForgeError if texts are missing that GitHub would give out on another day: rules that need them might
        find something then.
        """
        self.read()
        return self._tree_texts.repository()

    def settings_on(self, branch: Branch) -> BranchSettings:
        """Return the settings on the base or on the default branch."""
        return BranchSettings(self._client, self._name, branch)

    def settings_files_on(self, branch: Branch, path: str | None) -> dict[str, SettingsFile]:
        """Return the settings files on a branch, and the one at ``path`` where a caller names another configuration."""
        if path is None or path in branch_settings.KNOWN_FILES:
            return dict(branch.files)
        return {**branch.files, **branch_settings.read_settings_file(self._client, self._name, branch.tip, path)}

    def settings_at_head(self, files: Iterable[ChangedFile]) -> dict[str, SettingsFile]:
        """Return what the change makes of settings files, by path, as they would be read on a branch."""
        listed = ((file.path, file.new_mode, file.new_blob) for file in files)
        return branch_settings.read_blobs(
            self._client, self._name, ((path, mode, blob) for path, mode, blob in listed if blob is not None)
        )

    def head_paths(self) -> frozenset[str] | None:
        """Return every path at the head, or None where the tree is too large for GitHub to list."""
        tree = self._both_trees()[1]
        return frozenset(tree.entries) if tree.whole else None

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head if it was fetched for something else; no call goes out."""
        entry = self._both_trees()[1].entries.get(path)
        return self._blobs.text(entry.blob) if entry is not None and entry.mode[:3] == "100" else None

    def base_file(self, path: str) -> str | None:
        """Return the text of a known file at the tip of the base branch, or None. Raises ConfigError."""
        return settings_text(self.overview().base.files, path)

    def open_pull_requests(self) -> OpenPullRequestSource | None:
        """Return None: a merge queue has its own order."""
        return None

    def sizes(self, paths: Iterable[str], /) -> Mapping[str, int]:
        """Return the sizes of changed files in bytes, where the trees list them."""
        base, head = self._both_trees()
        found: dict[str, int] = {}
        for path in paths:
            entry = head.entries.get(path) or base.entries.get(path)
            if entry is not None and entry.size is not None:
                found[path] = entry.size
        return found

    def close(self) -> None:  # noqa: B027  # no source has anything to end
        """Nothing to end: the client belongs to the caller."""

    def _parallel_calls(self, _change: PullRequest) -> list[Callable[[], object]]:
        """Return calls of the second round that are for no rule."""
        return []

    def _frame(self) -> PullRequest:
        frame = self.overview()
        return PullRequest(
            files=(),
            base=frame.base_sha,
            merge_base=self._merge_base,
            head=frame.head_sha,
            repository=self._name,
            number=frame.number,
            title=frame.title,
            body=frame.body,
            author=frame.author,
            labels=frame.labels,
            base_label=frame.base.name,
            base_date=max((date for date in (frame.base.date, frame.default.date) if date), default=None),
        )

    def _settle(self) -> PullRequest:
        """Fetch until nothing is lacking, and read the change."""
        for _ in range(_MOST_ROUNDS):
            calls = self._tree_calls()
            if not calls:
                self._tree_texts.unpack()
                pairs, unreviewed = _within_reach(*self._pairs())
                asked_for = {each.path for each in pairs if _is_asked_for(each)} if self._tree_texts.wanted else set()
                texts = self._texts | asked_for
                found = read_files(pairs, self._blobs, frozenset(texts))
                if not found.wanted:
                    self._tree_texts.turn_to_base()
                wanted = {*found.wanted, *self._tree_texts.single_texts(found.wanted)}
                calls = [*self._tree_texts.archive_calls(), *self._blobs.calls(wanted)]
                if not calls and not found.wanted:
                    hidden = merged_commits.unshown(self._merged, self._both_trees()[1])
                    problems = tuple(sorted({*unreviewed, *found.unreviewed, *self._tree_texts.lost_texts(), *hidden}))
                    self._change = self._frame()._replace(files=found.files, unreviewed=problems)
                    return self._change
            self._together(calls)
        raise IncompleteChange("GitHub's list does not end; run the review again")

    def _tree_calls(self) -> list[Callable[[], object]]:
        frame = self.overview()
        calls: list[Callable[[], object]] = []
        commits = [frame.head_sha]
        if self._merge_base is None:
            calls.append(self._find_merge_base)
        else:
            commits.append(self._merge_base)
            others = sorted(frame.merged - {self._merge_base, *self._merged})
            calls += [partial(self._compare_merged, self._merge_base, other) for other in others]
        calls += [partial(self._read_tree, commit) for commit in commits if commit not in self._trees]
        return calls or self._look_ups()

    def _look_ups(self) -> list[Callable[[], object]]:
        """Return the calls that find the changed paths in trees that are too large to be listed."""
        if self._looked_up or all(tree.whole for tree in self._both_trees()):
            return []
        names = sorted({name for row in self._rows for name in (row.filename, row.previous_filename) if name})
        self._looked_up = {commit: {} for commit in self._ends()}
        return [
            partial(self._look_up, commit, names[start : start + MOST_LOOKED_UP])
            for commit in self._looked_up
            for start in range(0, len(names), MOST_LOOKED_UP)
        ]

    def _look_up(self, commit: str, paths: list[str]) -> None:
        self._looked_up[commit].update(look_up(self._client, self._name, commit, paths))

    def _find_merge_base(self) -> None:
        frame = self.overview()
        comparison = changed_files.compare(self._client, self._name, frame.base_sha, frame.head_sha)
        self._merge_base = comparison.merge_base_commit.sha

    def _compare_merged(self, merge_base: str, other: str) -> None:
        self._merged[other] = changed_files.compare(self._client, self._name, merge_base, other, with_files=True)

    def _read_tree(self, commit: str) -> None:
        self._trees[commit] = read_tree(self._client, self._name, commit)

    def _both_trees(self) -> tuple[Tree, Tree]:
        """Return the trees of the merge base and of the head."""
        base, head = self._ends()
        return self._trees[base], self._trees[head]

    def _ends(self) -> tuple[str, str]:
        """Return the commits of the merge base and of the head."""
        return self._merge_base or "", self.overview().head_sha

    def _pairs(self) -> tuple[list[TreeChange], list[Unreviewed]]:
        base, head = self._both_trees()
        if base.whole and head.whole:
            return match_rows(self._rows, base, head, unlisted=self._unlisted)
        if not self._lists_all:
            raise IncompleteChange(
                f"GitHub lists only {len(self._rows):,} files of this change, and the repository's tree is too "
                "large for it to list; split the change"
            )
        if base.whole:  # or a change could switch off the rules that need the tree
            raise IncompleteChange(
                "this change makes the repository's tree larger than GitHub lists, so rules that need it cannot "
                "run; split the change, or shorten its file names"
            )
        return match_rows(self._rows, *(Tree(self._looked_up[commit], whole=False) for commit in self._ends()))

    def _new_text(self, file: ChangedFile) -> str:
        """Return the whole text at the head. Raises DiffError if it cannot be had or does not fit the diff."""
        if self._blobs.get(file.new_blob) is None:
            raise DiffError(self._blobs.problem(file.new_blob or "") or "GitHub does not return its text")
        text = self._blobs.text(file.new_blob)
        if text is None:
            raise DiffError(NOT_UTF8)
        line = patching.misfit(text, file.hunks)
        if line is not None:
            raise DiffError(f"line {line} of its object on GitHub differs from the diff")
        return text

    def _text_before(self, file: ChangedFile) -> str | None:
        """Return the old text of a file, as far as it is one, though it may not be UTF-8."""
        data = self._blobs.get(file.old_blob)
        if data is None or file.kind != "text":
            return self._blobs.text(file.old_blob)
        return text_at_base(data, file.base_path)

    def _undone(self, file: ChangedFile) -> str | None:
        """Return the old text computed from the new one and the hunks, and keep it if its id matches."""
        text = self._blobs.text(file.new_blob)
        if text is None or file.status == "added":
            return None
        try:
            old = patching.undo(text, file.hunks)
        except DiffError:
            return None
        if file.old_blob is not None:
            self._blobs.keep(file.old_blob, old.encode("utf-8", "surrogatepass"))
        return old

    def _fetch(self, wanted: Iterable[Want]) -> None:
        chosen = set(wanted)
        for _ in range(2):  # by query, then one by one
            self._together(self._blobs.calls(chosen))

    def _together(self, calls: Iterable[Callable[[], object]]) -> None:
        started = list(calls)
        if started:
            self._client.together(*started)


def _is_unplanned(row: FileRow) -> bool:
    """Return whether a row is not enough to plan with: only its blob shows its text, or whether it has one."""
    if row.status == "unchanged":
        return False
    if not row.patch or changed_files.is_damaged(row.patch):
        return True
    try:
        changed_files.hunks_of(row)
    except DiffError:
        return True
    return False


def _within_reach(pairs: list[TreeChange], unreviewed: list[Unreviewed]) -> tuple[list[TreeChange], list[Unreviewed]]:
    """Name the files beyond the first ones that only their contents reveal, so that fetching them ends."""
    unlisted = {each.path for each in [each for each in pairs if each.row is None][MOST_UNLISTED:]}
    named = [Unreviewed(path, f"more than {MOST_UNLISTED:,} files that GitHub does not list") for path in unlisted]
    return [each for each in pairs if each.path not in unlisted], [*unreviewed, *named]


def _is_asked_for(each: TreeChange) -> bool:
    return is_read_by_checks(each.path) or is_read_by_checks(each.old_path or "")
