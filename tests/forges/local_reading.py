"""Reads the changes of local repositories, for tests."""

from __future__ import annotations

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.forges.local_git import LocalGit
from tests.git_repository import GitRepository


def read(
    repo: GitRepository, base: str | None = None, head: str | None = None, folder: str | None = None
) -> PullRequest:
    source = LocalGit(folder or str(repo.folder), base=base, head=head)
    try:
        return source.read()
    finally:
        source.close()


def texts(
    repo: GitRepository, base: str | None = None, head: str | None = None
) -> dict[str, tuple[str | None, str | None]]:
    """Return (old, new) text by path, as rules get them."""
    source = LocalGit(str(repo.folder), base=base, head=head)
    try:
        change = source.read()
        wanted = [n for n, file in enumerate(change.files) if file.kind == "text"]
        new = source.read_new(n for n in wanted if change.files[n].status != "deleted")
        old = source.read_old(n for n in wanted if change.files[n].status != "added")
        assert new.unreviewed == ()
        return {change.files[n].path: (old.texts.get(n), new.texts.get(n)) for n in wanted}
    finally:
        source.close()


def by_path(change: PullRequest) -> dict[str, ChangedFile]:
    return {file.path: file for file in change.files}


def added(change: PullRequest, path: str) -> list[tuple[int, str]]:
    return list(by_path(change)[path].added_lines())


def removed(change: PullRequest, path: str) -> list[tuple[int, str]]:
    return list(by_path(change)[path].removed_lines())
