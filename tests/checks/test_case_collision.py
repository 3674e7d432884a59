"""Names that some file systems take for one."""

from __future__ import annotations

import pytest

from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.repository import Repository, closed
from review_bot.checks.pr import case_collision
from review_bot.checks.pr.case_collision import folded


def twins(new: list[str], tree: list[str] | None = None) -> list[tuple[str | None, str]]:
    files = tuple(ChangedFile(path, None, "added", "text") for path in new)
    repository = Repository() if tree is None else closed([*tree, *new], tree)
    facts = {path: folded(path) for path in new}
    hits = case_collision.relate(facts, Codebase(repository, PullRequest(files)))
    return [(hit.path, hit.values["twin"]) for hit in hits]


def test_a_new_name_meets_one_that_was_there() -> None:
    assert twins(["pkg/Cache.py"], ["pkg/cache.py", "pkg/other.py"]) == [("pkg/Cache.py", "pkg/cache.py")]
    assert twins(["pkg/Cache.py"], ["PKG/cache.py"]) == [("pkg/Cache.py", "PKG/cache.py")]
    assert twins(["pkg/caches.py"], ["pkg/cache.py"]) == []


def test_of_two_new_names_one_is_told() -> None:
    trees: tuple[list[str] | None, ...] = ([], None)
    for tree in trees:
        assert twins(["b.py", "B.py"], tree) == [("b.py", "B.py")]
        assert twins(["caf\u00e9", "cafe\u0301"], tree) == [("caf\u00e9", "cafe\u0301")]


@pytest.mark.parametrize(
    ("one", "other"), [("\u00df", "SS"), ("\u212bngstr\u00f6m", "a\u030angstro\u0308m"), ("\u0130", "i\u0307")]
)
def test_letters_that_fold_to_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)
