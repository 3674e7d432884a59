r"""Finds what a diff does not show where the branch and the base have more than one merge base.

::

    M0 --- B1 --- main         main merged B1 and B2, and so did the branch by itself; compared with B1 alone,
      \        x               a file that B2 changed and the branch has as in B1 is unchanged, but the merge
       --- B2 --- branch       takes the change of B2 back

A file counts that changed between M0 and one of these bases and is different at the head: nothing shows whether the
branch edited it or took something back.
"""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.changes.pull_request import Unreviewed
from review_bot.forges import git_process

_NAMES = ("diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty", "--name-only", "-z")

REASON = (
    "the branch and the base have more than one merge base, and a diff with one of them may not show what the merge "
    "changes here; merge the base branch into this one"
)


def unshown(folder: str, bases: Sequence[str], head: Sequence[str]) -> list[Unreviewed]:
    """Return the files of which a diff with the first of some merge bases may not show all that the branch changes.

    ``head``: the arguments of ``git diff`` for the new side. Raises ReviewBotError if git fails.
    """
    found: set[bytes] = set()
    for other in bases[1:]:
        start = git_process.run(folder, "merge-base", bases[0], other).output.split(b"\n")[0].decode().strip()
        changed = _differ(folder, start, other) if start else _differ(folder, bases[0], other)
        found |= changed & _differ(folder, other, *head) & _differ(folder, bases[0], other)
    return [Unreviewed(path.decode("utf-8", "replace"), REASON) for path in sorted(found)]


def _differ(folder: str, *sides: str) -> set[bytes]:
    return {*git_process.output(folder, *_NAMES, *sides, "--").split(b"\0")} - {b""}
