"""Facts about files that were symbolic links at the base: compared with the module that each one led to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import was_link
from review_bot.changes.source_file import SourceFile

Fact = TypeVar("Fact")


def behind_links(
    facts: Mapping[str, Fact], gather: Callable[[SourceFile], Fact | None], change: PullRequest, codebase: Codebase
) -> dict[str, Fact]:
    """Return the facts, in which those of a link have been gathered from what it led to."""
    found = dict(facts)
    for file in change.files:
        if file.path in found and was_link(file):
            fact = gather(SourceFile(file, codebase.head.text(file.path), codebase.base.text(file.base_path)))
            if fact is not None:
                found[file.path] = fact
    return found
