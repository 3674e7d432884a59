"""The pull requests that a clone remembers, each as a range of commits.

A pull request is known by its ref (``refs/pull/15/head``, which `git fetch origin "+refs/pull/*/head:refs/pull/*/head"`
brings) or, without one, by what its merge left on the default branch::

    merged by a merge commit    A──B──C──M──▶ main    from C, the first parent of M, to Q, its second
                                   └──P──Q
    squashed                    A──B──S──▶ main       from B to S, whose subject ends in "(#15)"

A ref from before the history was rewritten has no commit in common with the default branch: there the squash counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping

from review_bot.errors import ForgeError
from review_bot.forges import git_process
from review_bot.forges.base_branch import default_branch
from review_bot.forges.pull_request_refs import REF
from review_bot.forges.repository_root import find_root
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_MERGED = LazyRegex(r"Merge pull request #(\d{1,9})\b")
_SQUASHED = LazyRegex(r"\(#(\d{1,9})\)$")
_FROM_DEFAULT = LazyRegex(r"Merge (?:remote-tracking )?branch '(?:[^']*/)?(?:main|master|trunk|develop)'")


class MergedPullRequest(NamedTuple):
    """One pull request: its first and last commit. ``number`` is None for a merge without one.

    ``merged``: the default branch contains it; ``landed`` is the commit of that branch which brought it, and
    ``title`` the subject of that commit.
    """

    number: int | None
    base: str
    head: str
    title: str
    merged: bool
    landed: str | None = None

    @property
    def name(self) -> str:
        """How to call it."""
        return f"#{self.number}" if self.number is not None else self.head[:10]


class Skipped(NamedTuple):
    """A pull request whose range cannot be known, and why. ``newer``: how many known ones were merged after it."""

    name: str
    reason: str
    newer: int = 0


class History(NamedTuple):
    """What a clone remembers. ``pull_requests``: the last merged first, then what is not merged, by falling number."""

    branch: str
    pull_requests: tuple[MergedPullRequest, ...]
    skipped: tuple[Skipped, ...]


class _Step(NamedTuple):
    """One commit of the default branch, along first parents."""

    commit: str
    parents: tuple[str, ...]
    subject: str


def read_history(folder: str) -> History:
    """Find the pull requests of a clone. Raises UsageError if it is not a repository, ForgeError if git fails."""
    root, _ = find_root(folder)
    revision, branch = default_branch(root)
    steps = _steps(root, revision)
    squashed = {int(match[1]): step for step in reversed(steps) if (match := _squash_number(step))}
    heads = _heads(root)
    unrelated = _unrelated(root, revision) if heads else frozenset()
    heads = {number: head for number, head in heads.items() if number not in squashed or head not in unrelated}
    brought_by = _brought_by(root, revision, steps) if heads else {}
    position = {step.commit: index for index, step in enumerate(steps)}
    found: list[tuple[int, MergedPullRequest]] = []
    skipped: list[tuple[int, Skipped]] = []
    unmerged: list[MergedPullRequest] = []
    for number, head in heads.items():
        step = brought_by.get(head) or squashed.get(number)
        if step is None:
            unmerged.append(MergedPullRequest(number, revision, head, "", merged=False))
        elif step.commit == head or (head in brought_by and not step.parents):
            reason = f"its head is on {branch}, and its starting point is unknown"
            skipped.append((position[step.commit], Skipped(f"#{number}", reason)))
        else:
            base = step.parents[0] if head in brought_by else revision
            title = "" if _MERGED.match(step.subject) else step.subject
            past = MergedPullRequest(number, base, head, title, merged=True, landed=step.commit)
            found.append((position[step.commit], past))
    for index, step in enumerate(steps):
        alone = _from_step(step)
        if alone is not None and alone.number not in heads:
            found.append((index, alone))
    found.sort(key=lambda pair: (pair[0], -(pair[1].number or 0)))
    unmerged.sort(key=lambda each: -(each.number or 0))
    places = [place for place, _ in found]
    left_out = tuple(each._replace(newer=bisect_left(places, place)) for place, each in skipped)
    return History(branch, (*(past for _, past in found), *unmerged), left_out)


def _from_step(step: _Step) -> MergedPullRequest | None:
    """Return the pull request that one commit of the default branch is the merge of, or None."""
    if len(step.parents) == 2 and not _FROM_DEFAULT.match(step.subject):
        number = _MERGED.match(step.subject) or _SQUASHED.search(step.subject)
        base, head = step.parents
        named = int(number[1]) if number else None
        return MergedPullRequest(named, base, head, step.subject, merged=True, landed=step.commit)
    if match := _squash_number(step):
        return MergedPullRequest(
            int(match[1]), step.parents[0], step.commit, step.subject, merged=True, landed=step.commit
        )
    return None


def _squash_number(step: _Step) -> re.Match[str] | None:
    return _SQUASHED.search(step.subject) if len(step.parents) == 1 else None


def _steps(root: str, revision: str) -> list[_Step]:
    """Return the commits of the default branch, newest first. Raises ForgeError."""
    answer = git_process.run(root, "log", "--first-parent", "--format=%H%x00%P%x00%s", revision, "--")
    if answer.code:
        raise ForgeError(f"the history of {revision} cannot be read: {git_process.last_line(answer.error)}")
    lines = answer.output.decode("utf-8", "replace").split("\n")
    records = [line.split("\0", 2) for line in lines if line]
    return [_Step(commit, tuple(parents.split()), subject) for commit, parents, subject in records]


def _heads(root: str) -> dict[int, str]:
    """Return the head of each pull request that has a ref, by rising number."""
    listed = git_process.output(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/pull", "refs/remotes")
    heads: dict[int, str] = {}
    for line in listed.decode("utf-8", "surrogateescape").split("\n"):
        commit, _, name = line.partition(" ")
        if match := REF.fullmatch(name):
            heads[int(match[1])] = commit
    return dict(sorted(heads.items()))


def _unrelated(root: str, revision: str) -> frozenset[str]:
    """Return the heads of pull requests that reach a first commit which the default branch does not have."""
    refs = ("--glob=refs/pull", "--glob=refs/remotes")
    first = git_process.output(root, "rev-list", "--max-parents=0", *refs, "--not", revision, "--").decode("ascii")
    containing = (arg for commit in first.split() for arg in ("--contains", commit))
    listed = ("for-each-ref", "--format=%(objectname)", *containing, "refs/pull", "refs/remotes")
    return frozenset(git_process.output(root, *listed).decode("ascii").split()) if first else frozenset()


def _brought_by(root: str, revision: str, steps: Iterable[_Step]) -> Mapping[str, _Step]:
    """Return, for each commit that the default branch contains, the step that first contained it."""
    parents: dict[str, list[str]] = {}
    for line in git_process.output(root, "rev-list", "--parents", revision, "--").decode("ascii").split("\n"):
        commit, *above = line.split(" ")
        parents[commit] = above
    brought: dict[str, _Step] = {}
    for step in reversed(list(steps)):
        waiting = [step.commit]
        while waiting:
            commit = waiting.pop()
            if commit not in brought:
                brought[commit] = step
                waiting += parents.get(commit, ())
    return brought
