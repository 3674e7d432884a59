"""Finds whether a branch merged commits of the base of which neither contains the other (see ``crossed_bases``).

What the query of the overview brings for it: the commits of the branch with their parents. Those parents that are no
commits of the branch are commits of the base; all but the merge base itself must be ones that the merge base contains.
"""

from __future__ import annotations

from collections.abc import Mapping

from review_bot.changes.pull_request import Unreviewed
from review_bot.errors import IncompleteChange
from review_bot.forges.crossed_bases import REASON
from review_bot.forges.github.changed_files import MOST_COMPARED, Comparison
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.trees import Tree
from review_bot.forges.github.wire import Answer

MOST_COMMITS = 100
"""Commits of a branch that are looked at; of a longer branch none is."""

MOST_PARENTS = 100
"""Parents of a commit that GitHub lists at once. A commit with more makes the review incomplete."""

FIELDS = (
    f" history: commits(last: {MOST_COMMITS}) {{ totalCount"
    f" nodes {{ commit {{ oid parents(first: {MOST_PARENTS}) {{ totalCount nodes {{ oid }} }} }} }} }}"
)
"""What to ask of a pull request."""


class _Oid(Answer):
    oid: ObjectId


class _Parents(Answer):
    totalCount: int = 0  # noqa: N815
    nodes: list[_Oid | None] | None = None


class _Commit(Answer):
    oid: ObjectId
    parents: _Parents | None = None


class _Node(Answer):
    commit: _Commit | None = None


class History(Answer):
    """The commits of a branch."""

    totalCount: int = 0  # noqa: N815
    nodes: list[_Node | None] | None = None


def merged_commits(history: History | None) -> frozenset[str]:
    """Return the parents of commits of a branch that are commits of its base; none of a branch with too many commits.

    Raises IncompleteChange if GitHub does not list all.
    """
    if history is None or history.totalCount > MOST_COMMITS:
        return frozenset()
    commits = [node.commit for node in (history.nodes or []) if node and node.commit]
    listed = [(one.parents or _Parents()) for one in commits]
    parents = [each.oid for one in listed for each in (one.nodes or []) if each]
    if len(commits) < history.totalCount or len(parents) < sum(one.totalCount for one in listed):
        raise IncompleteChange(
            "GitHub does not list all parents of the branch's commits, so that it may have merged what no diff shows"
        )
    return frozenset(parents) - {each.oid for each in commits}


def unshown(compared: Mapping[str, Comparison], head: Tree) -> list[Unreviewed]:
    """Return the files of which the diff may not show all that the branch changes. Raises IncompleteChange.

    ``compared``: the merge base with each other commit of the base that the branch merged.
    """
    found: set[str] = set()
    for commit, comparison in compared.items():
        rows = comparison.files
        if comparison.merge_base_commit.sha == commit:
            continue  # the merge base contains it
        if rows is None or len(rows) >= MOST_COMPARED:
            raise IncompleteChange(REASON.replace("changes here", "changes"))
        for row in rows:
            entry = head.entries.get(row.filename)
            is_same = entry is not None and entry.blob == row.sha
            if row.status == "removed":
                is_same = entry is None and head.whole
            found.update([] if is_same else [row.filename])
            if row.status == "renamed" and row.previous_filename in head.entries:
                found.add(row.previous_filename or "")
    return [Unreviewed(path, REASON) for path in sorted(found)]
