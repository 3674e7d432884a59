"""Which test files a change should be tried with."""

from __future__ import annotations

from collections.abc import Callable

from review_bot.changes.pull_request import PullRequest
from review_bot.review.surroundings import CoveringTest


def covering_tests(
    change: PullRequest, paths: frozenset[str], read: Callable[[str], str | None]
) -> tuple[CoveringTest, ...]:
    """Return test files at the head that cover the change, those that it edits itself first.

    ``paths``: all files at the head; ``read``: their texts, None where one is not at hand.
    """
    edited = sorted(file.path for file in change.files if file.path in paths and is_test_file(file.path))
    return tuple(CoveringTest(path, (), changed=True) for path in edited if read(path) is not None)


def is_test_file(path: str) -> bool:
    """Tell whether pytest would look for tests in a file, by its default names."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
