"""The other pull requests that were open, as far as a clone's refs show.

::

    A──B──C──▶ default branch       7 is open next to the change X, and changes what P and Q change since C. It counts
       │  └──P──Q  refs/pull/7/head  if neither the base of X nor X contains its head or a commit "... (#7)", which a
       └──X                          squash leaves there.

A clone does not know which pull requests were closed without a merge, nor their titles: the subject of the first own
commit stands for it. Where there is no such ref, nothing is started beyond the question for refs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from review_bot.changes.open_pull_requests import (
    LARGEST_TEXT,
    OpenPullRequest,
    OpenPullRequests,
    TheirFile,
    Want,
    WorkedOn,
)
from review_bot.changes.pull_request import PullRequest
from review_bot.errors import ReviewBotError
from review_bot.forges import git_process
from review_bot.forges.git_objects import BlobReader
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

MOST_PULLS = 50
MOST_REFS = 120
"""Pull requests, the newest by number, whose history is read to find those."""

MOST_BYTES = 8_000_000
"""Bytes of texts that are compared."""

_MOST_STEPS = 3_000
"""Commits of the default branch that are known, the newest."""

REF = LazyRegex(r"refs/(?:remotes/[^/]+/)?(?:pull|pr)/(\d{1,9})(?:/head)?")
"""The head of a pull request, as a clone holds it that fetched those of GitHub."""
_LANDED = LazyRegex(r"\(#(\d{1,9})\)$|^Merge pull request #(\d{1,9})\b")
_WORK: dict[str, WorkedOn] = {"A": "added", "D": "deleted"}
_CLOSED = "A clone does not record which pull requests were closed, so some of these may be."


class _Ref(NamedTuple):
    number: int
    head: str
    date: int


class _Commit(NamedTuple):
    parents: tuple[str, ...]
    date: int
    subject: str


class PullRequestRefs:
    """Reads them. ``folder``: where git runs; ``change``: what was read; ``default`` names the default branch."""

    def __init__(self, folder: str, change: PullRequest, blobs: BlobReader, default: Callable[[], str]) -> None:
        self._folder, self._change, self._blobs, self._default = folder, change, blobs, default
        self._ids: dict[Want, str] = {}
        self._texts: dict[Want, str | None] = {}
        self._left = MOST_BYTES

    def listed(self) -> OpenPullRequests:
        """Return those that were open; what git does not record is one of the limits."""
        try:
            return self._read()
        except ReviewBotError as error:
            return OpenPullRequests(0, (), (f"The pull requests of this clone could not be read: {error}",))

    def text(self, want: Want) -> str | None:
        """Return a text of a file that ``listed`` named, or None."""
        if want not in self._texts:
            blob = self._ids.get(want, "")
            known = self._blobs.look(blob) if blob.strip("0") and self._left > 0 else None
            if known is None or known[0] > LARGEST_TEXT:
                return None
            self._left -= known[0]
            try:
                self._texts[want] = known[1].decode("utf-8")
            except UnicodeDecodeError:
                self._texts[want] = None
        return self._texts[want]

    def renamed_away(self, _number: int, /) -> frozenset[str]:
        """Return nothing: git lists a renamed file under both names."""
        return frozenset()

    def _read(self) -> OpenPullRequests:
        refs, tips = self._refs()
        if not refs or self._change.base is None:
            return OpenPullRequests(0)
        at_head = self._blobs.find_commit(self._change.head or "HEAD")
        if at_head is None:
            return OpenPullRequests(0)
        head = at_head.id
        limits = [_CLOSED]
        if self._change.head is not None and head not in tips:
            began = self._date(head)
            refs = _of_that_time(refs, began)
            limits.append(
                "The head is not the tip of a branch in this clone: pull requests that began after it are left out."
            )
        else:
            began = None
        refs = list({ref.head: ref for ref in sorted(refs, key=lambda ref: -ref.number)}.values())
        if len(refs) > MOST_REFS:
            limits.append(f"Of {len(refs)} pull requests in this clone, only the newest {MOST_REFS} were considered.")
        default = self._blobs.find_commit(self._default()) or at_head
        history = _History(self._folder, self._change.base, default.id, head, [ref.head for ref in refs[:MOST_REFS]])
        found = []
        for ref in refs[:MOST_REFS]:
            beginning = history.beginning(ref.head) if ref.number not in history.landed else None
            if beginning is not None and (began is None or beginning.date <= began):
                found.append((ref, beginning))
        chosen = sorted(found[:MOST_PULLS], key=lambda pair: pair[0].number)
        return OpenPullRequests(len(found), tuple(self._with_files(chosen)), tuple(limits))

    def _refs(self) -> tuple[list[_Ref], set[str]]:
        """Return the refs of pull requests, each number once, and the tips of branches."""
        form = "--format=%(objectname) %(committerdate:unix) %(refname)"
        listed = git_process.output(self._folder, "for-each-ref", form, "refs/pull", "refs/remotes", "refs/heads")
        refs: dict[int, _Ref] = {}
        tips: set[str] = set()
        for line in listed.decode("utf-8", "surrogateescape").split("\n"):
            commit, _, rest = line.partition(" ")
            date, _, name = rest.partition(" ")
            if match := REF.fullmatch(name):
                if date.isdigit():
                    refs[int(match[1])] = _Ref(int(match[1]), commit, int(date))
            elif not name.startswith("refs/pull/"):
                tips.add(commit)
        return list(refs.values()), tips

    def _date(self, commit: str) -> int:
        return int(git_process.output(self._folder, "log", "-1", "--format=%ct", commit, "--").strip() or 0)

    def _with_files(self, chosen: list[tuple[_Ref, _Beginning]]) -> Iterable[OpenPullRequest]:
        if not chosen:
            return []
        wanted = "".join(f"{ref.head} {beginning.merge_base}\n" for ref, beginning in chosen).encode()
        arguments = ("diff-tree", "--stdin", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--full-index")
        answer = git_process.finish(git_process.start(self._folder, arguments, standard_input=wanted))
        if answer.code:
            raise git_process.failure(self._folder, "diff-tree", answer)
        files = self._files(answer.output, {ref.head: ref.number for ref, _ in chosen})
        return [
            OpenPullRequest(
                ref.number, beginning.subject, ref.head, beginning.merge_base, tuple(files.get(ref.number, ()))
            )
            for ref, beginning in chosen
        ]

    def _files(self, output: bytes, numbers: Mapping[str, int]) -> dict[int, list[TheirFile]]:
        """Read ``COMMIT NUL (:MODES IDS STATUS NUL path NUL)*``, and keep the ids of the regular files' texts."""
        files: dict[int, list[TheirFile]] = {}
        number = 0
        fields = iter(output.decode("utf-8", "surrogateescape").split("\0"))
        for field in fields:
            if field[:1] != ":":
                number = numbers.get(field, 0)
                continue
            old_mode, new_mode, old_blob, new_blob, status = field[1:].split(" ")
            path = next(fields)
            if not {old_mode[:3], new_mode[:3]} <= {"100", "000"}:
                continue
            files.setdefault(number, []).append(TheirFile(path, _WORK.get(status, "modified")))
            self._ids[Want(number, "head", path)] = new_blob
            self._ids[Want(number, "merge_base", path)] = old_blob
        return files


class _Beginning(NamedTuple):
    """Where a pull request grew from, and when and how its first own commit was made."""

    merge_base: str
    date: int
    subject: str


class _History:
    """The commits that the base does not hold, and the line of the default branch."""

    def __init__(self, folder: str, base: str, default: str, head: str, heads: Iterable[str]) -> None:
        self._folder, self._base, self._head = folder, base, head
        form = "--format=%H%x00%P%x00%ct%x00%s"
        line = git_process.start(
            folder, ["log", "--first-parent", f"--max-count={_MOST_STEPS}", form, base, default, "--"]
        )
        walk = git_process.start(folder, ["log", form, *dict.fromkeys(heads), head, "--not", base, "--"])
        steps = _commits(folder, git_process.finish(line))
        self._commits = _commits(folder, git_process.finish(walk))
        of_base = _first_parents(base, steps)
        self._rank = {commit: rank for rank, commit in enumerate(_first_parents(default, steps))}
        self._ours = self._reach(head)[0] | {head}
        subjects = [steps[each].subject for each in of_base]
        subjects += [self._commits[each].subject for each in self._ours if each in self._commits]
        self.landed = {int(match[1] or match[2]) for each in subjects if (match := _LANDED.search(each))}
        self._landed_at = self._rank_of_merge(head)

    def beginning(self, head: str) -> _Beginning | None:
        """Return where a pull request began; None if the base or the change holds it, or it holds the change."""
        if head not in self._commits or head in self._ours:
            return None
        own, ends = self._reach(head)
        if not own or self._head in own:
            return None
        first = min(own, key=lambda commit: (self._commits[commit].date, commit))
        merge_base = self._merge_base_of(head, ends)
        if merge_base is None or self._rank.get(merge_base, len(self._rank)) <= self._landed_at:
            return None
        return _Beginning(merge_base, self._commits[first].date, self._commits[first].subject)

    def _rank_of_merge(self, head: str) -> int:
        """Return the rank of the merge that brought a head to the default branch; what grew from there holds it."""
        for commit, rank in reversed(self._rank.items()):
            merged = self._commits[commit].parents[1:] if commit in self._commits else ()
            if commit == head or any(parent == head or head in self._reach(parent)[0] for parent in merged):
                return rank
        return -1

    def _reach(self, head: str) -> tuple[set[str], set[str]]:
        """Return the commits from a head down to the default branch or the base, and where they end."""
        own: set[str] = set()
        ends: set[str] = set()
        waiting = [head]
        while waiting:
            commit = waiting.pop()
            if commit in own or commit in ends:
                continue
            if commit in self._rank or commit not in self._commits:
                ends.add(commit)
            else:
                own.add(commit)
                waiting += self._commits[commit].parents
        return own, ends

    def _merge_base_of(self, head: str, ends: set[str]) -> str | None:
        """Return the newest of the ends: the last on the line of the default branch, or what git finds."""
        ranked = [commit for commit in ends if commit in self._rank]
        if ranked:
            return min(ranked, key=self._rank.__getitem__)
        if len(ends) == 1:
            return next(iter(ends))
        found = git_process.run(self._folder, "merge-base", self._base, head).output.decode("ascii", "replace").split()
        return found[0] if found else None


def _commits(folder: str, answer: git_process.Answer) -> dict[str, _Commit]:
    """Read ``%H NUL %P NUL %ct NUL %s`` lines, newest first."""
    if answer.code:
        raise git_process.failure(folder, "log", answer)
    found = {}
    for line in answer.output.decode("utf-8", "replace").split("\n"):
        if line:
            commit, parents, date, subject = line.split("\0", 3)
            found[commit] = _Commit(tuple(parents.split()), int(date), subject)
    return found


def _first_parents(commit: str, steps: Mapping[str, _Commit]) -> list[str]:
    """Return a commit and its first parents, as far as they are known."""
    found = []
    while commit in steps:
        found.append(commit)
        parents = steps[commit].parents
        if not parents:
            break
        commit = parents[0]
    return found


def _of_that_time(refs: Iterable[_Ref], date: int) -> list[_Ref]:
    """Leave out what was opened long after a moment: numbers rise with time, and a last push may come late."""
    known = list(refs)
    newest = max((ref.number for ref in known if ref.date <= date), default=0)
    return [ref for ref in known if ref.number <= newest + MOST_PULLS]
