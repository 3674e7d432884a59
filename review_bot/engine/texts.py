"""Whole texts of changed files."""

from collections.abc import Mapping

from review_bot.changes import patching
from review_bot.changes.pull_request import ChangedFile
from review_bot.errors import DiffError
from review_bot.records import NamedTuple


class Texts(NamedTuple):
    """Whole texts by index of the file in the pull request: at the head, and at the merge base."""

    new: Mapping[int, str | None]
    old: Mapping[int, str | None]


def text_from_diff(change: ChangedFile) -> str | None:
    """Return the whole new text of a file that the diff contains completely: an added one."""
    if change.status != "added":
        return None
    try:
        return patching.apply("", change.hunks)
    except DiffError:
        return None
