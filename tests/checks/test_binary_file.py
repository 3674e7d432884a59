"""Binary files that a change adds, and folders that are their place."""

from __future__ import annotations

import json

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

BINARY = "\0" * 64


@pytest.mark.parametrize(("kept", "reported"), [(9, ["pkg/data/b/new.json.gz"]), (10, [])])
def test_where_the_base_keeps_such_files_one_more_is_no_news(tmp_path, kept, reported):
    repository = GitRepository(tmp_path / "clone")
    repository.commit({f"pkg/data/a/{number}.json.gz": BINARY for number in range(kept)})
    repository.git("checkout", "--quiet", "-b", "work")
    repository.commit({"pkg/data/b/new.json.gz": BINARY})

    arguments = ["review", "-C", repository.folder, "--format", "json"]
    printed = run_command(arguments, text=True, env={**ENVIRONMENT, "CI": "1"}).stdout

    found = [each["path"] for each in json.loads(printed)["findings"] if each["rule"] == "pr/binary-or-large-file"]
    assert found == reported
