"""A fake GitHub with a repository, a pull request and a client."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from fake_github.repository import FakePullRequest, FakeRepository
from fake_github.server import FakeGitHub

BASE = "".join(f"line {number}\n" for number in range(1, 41))


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        yield github


@pytest.fixture
def repo(github: FakeGitHub) -> FakeRepository:
    repo = github.repository("octo/halcyon")
    repo.commit({"a.py": BASE, "gone.py": "old\n", "d/b.py": "b\n"})
    return repo


@pytest.fixture
def pr(repo: FakeRepository) -> FakePullRequest:
    """Lines 2 and 30 of a.py are other, gone.py is gone, n.py is new."""
    text = BASE.replace("line 2\n", "line two\n").replace("line 30\n", "line thirty\nand more\n")
    repo.commit({"a.py": text, "gone.py": None, "n.py": "new\n"}, "feature")
    return repo.open_pull_request("feature", title="Change two lines", author="ada")


@pytest.fixture
def api(github: FakeGitHub) -> Iterator[httpx.Client]:
    """As GITHUB_TOKEN with statuses, below /repos/octo/halcyon."""
    permissions = {"contents": "read", "pull-requests": "write", "statuses": "write"}
    with client(github, github.token(permissions=permissions)) as api:
        yield api


def client(github: FakeGitHub, token: str, *, root: str = "/repos/octo/halcyon", timeout: float = 5.0) -> httpx.Client:
    return httpx.Client(
        base_url=github.url + root, headers={"Authorization": f"Bearer {token}"}, timeout=timeout, trust_env=False
    )
