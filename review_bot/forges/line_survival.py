r"""What became of the lines that a pull request added: changed before its merge, or within some days after, or not.

::

    main    A──B──────S──────▶ L     S: what brought the pull request; L: the last commit of the days after S
               └──O──P──H            O: the pull request as it was opened; H: its head

A line of O is changed if the difference between O and L removes or rewrites it; files are followed through
renames. As git remembers no pushes, the first commit of a pull request stands for what was opened.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from review_bot.errors import ForgeError
from review_bot.forges import git_process
from review_bot.forges.base_branch import default_branch
from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.forges.repository_root import find_root
from review_bot.records import NamedTuple

DAYS = 30
"""How long after the merge a change of a line still counts."""

_SECONDS = 86_400
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? ")
_RENAMES = ("-M", "-l2000")


class Step(NamedTuple):
    """A commit of the default branch, and when it got there: seconds since 1970, never falling along the branch."""

    commit: str
    time: int


class LineSurvival:
    """The later life of what pull requests of one clone added. Raises ForgeError if its history cannot be read."""

    def __init__(self, folder: str) -> None:
        self._root, _ = find_root(folder)
        revision, _ = default_branch(self._root)
        answer = git_process.run(self._root, "log", "--first-parent", "--reverse", "--format=%H %ct", revision, "--")
        if answer.code:
            raise ForgeError(f"the history of {revision} cannot be read: {git_process.last_line(answer.error)}")
        self._steps: list[Step] = []
        latest = 0
        for line in answer.output.decode("ascii").split("\n"):
            if line:
                commit, _, time = line.partition(" ")
                latest = max(latest, int(time))
                self._steps.append(Step(commit, latest))
        self._places = {step.commit: place for place, step in enumerate(self._steps)}

    def opened(self, past: MergedPullRequest) -> str:
        """Return the first commit of a pull request, which stands for what was opened; its head if it has no other."""
        answer = git_process.run(
            self._root, "rev-list", "--first-parent", "--no-merges", "--reverse", past.head, f"^{past.base}", "--"
        )
        commits = answer.output.decode("ascii").split("\n") if not answer.code else []
        return next((commit for commit in commits if commit), past.head)

    def end(self, past: MergedPullRequest) -> str | None:
        """Return the commit of the default branch ``DAYS`` after the merge, or None for one that was not merged."""
        place = None if past.landed is None else self._places.get(past.landed)
        if place is None:
            return None
        until = self._steps[place].time + DAYS * _SECONDS
        after = bisect_right(self._steps, until, key=lambda step: step.time)
        return self._steps[max(place, after - 1)].commit

    def changed_lines(self, opened: str, end: str, paths: Iterable[str]) -> dict[str, frozenset[int] | None]:
        """Return, for each path, the lines (1-based, as opened) that are no longer there at the end; None: all of them.

        Raises ForgeError.
        """
        wanted = {path.encode("utf-8", "surrogateescape"): path for path in paths}
        answer = git_process.run(self._root, "diff", "--raw", "-z", "--no-abbrev", *_RENAMES, opened, end, "--")
        if answer.code:
            raise ForgeError(f"{opened} and {end} cannot be compared: {git_process.last_line(answer.error)}")
        changed: dict[str, frozenset[int] | None] = dict.fromkeys(wanted.values(), frozenset())
        for status, blobs, name in _records(answer.output):
            if name in wanted:
                changed[wanted[name]] = None if status in {"D", "T"} else self._taken_away(*blobs)
        return changed

    def _taken_away(self, before: str, after: str) -> frozenset[int]:
        """Return the lines of one blob that another does not have in their place."""
        if before == after:
            return frozenset()
        output = git_process.output(self._root, "diff", "--unified=0", "--text", "--no-ext-diff", before, after, "--")
        lines: set[int] = set()
        for line in output.split(b"\n"):
            if match := _HUNK.match(line):
                start, count = int(match[1]), int(match[2] or b"1")
                lines.update(range(start, start + count))
        return frozenset(lines)


def _records(output: bytes) -> Iterator[tuple[str, tuple[str, str], bytes]]:
    """Yield status, both blobs and the old name of each record of ``git diff --raw -z``."""
    fields = iter(output.split(b"\0"))
    for head in fields:
        if not head:
            return
        _, _, before, after, status = head.decode("ascii").lstrip(":").split(" ")
        name = next(fields)
        if status[0] in "RC":
            next(fields)
        if status[0] not in "AC":
            yield status[0], (before, after), name
