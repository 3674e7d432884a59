"""What tests of local repositories share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository


@pytest.fixture
def no_user_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what a test sets may count."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        if name.startswith("GIT_"):
            monkeypatch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repo")
