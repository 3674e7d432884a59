"""What GitHub says of a pull request, and the settings of its base."""

from __future__ import annotations

from typing import Any

import pytest

from fake_github.git_store import Content, Link
from fake_github.server import FakeGitHub
from review_bot.errors import ConfigError
from review_bot.forges.github.client import Client
from review_bot.forges.github.overview import Overview, read_overview
from review_bot.forges.settings_files import settings_text, yaml_files

CONFIG = ".github/review-bot.yml"
RULES = ".github/review-bot/rules"


def overview_of(github: FakeGitHub, number: int = 1) -> Overview:
    with Client(github.url, github.token(), graphql_url=github.graphql_url) as client:
        return read_overview(client, "octo/halcyon", number)


def test_what_is_said_of_a_pull_request() -> None:
    with FakeGitHub() as github:
        repo = github.repository("octo/halcyon")
        start = repo.commit({"a.py": "a = 1\n"})
        head = repo.commit({"a.py": "a = 2\nb = 1\n"}, branch="feature")
        pull = repo.open_pull_request("feature", title="Twice", body="Because.", author="ada", draft=True)
        tip = repo.commit({"later.py": ""})
        repo.collaborator("grace")
        pull.approve_as("grace")
        pull.approve_as("mallory")  # who may not push
        found = overview_of(github)

    assert (found.number, found.title, found.body, found.state) == (1, "Twice", "Because.", "open")
    assert (found.draft, found.locked, found.archived) == (True, False, False)
    assert (found.head_sha, found.head_ref) == (head, "feature")
    assert found.same_repository
    assert (found.base_sha in {start, tip}, found.base.tip, found.base.name) == (True, tip, "main")
    assert found.base.date == "2026-03-01"
    assert (found.changed_files, found.additions, found.deletions) == (1, 2, 1)
    assert (found.default.name, found.author, found.approved_by) == ("main", "ada", ("grace",))
    assert found.viewer_login.startswith("github-actions")
    assert found.base.files == {}
    assert found.base is found.default


def test_only_an_approval_of_this_head_that_still_stands_counts() -> None:
    with FakeGitHub() as github:
        repo = github.repository("octo/halcyon")
        repo.commit({"a.py": "a = 1\n"})
        repo.commit({"a.py": "a = 2\n"}, branch="feature")
        pull = repo.open_pull_request("feature")
        for login in ("grace", "edsger", "barbara"):
            repo.collaborator(login)
            pull.approve_as(login)
        pull.push({"a.py": "a = 3\n"})
        pull.approve_as("edsger")
        pull.approve_as("barbara")
        pull.review_as("barbara", event="REQUEST_CHANGES", body="No.")

        assert overview_of(github).approved_by == ("edsger",)


def test_settings_come_from_the_tip_of_the_base() -> None:
    long = "# " + "x" * 2_000 + "\n"
    with FakeGitHub() as github:
        github.limits.blob_text = 1_000
        repo = github.repository("octo/halcyon")
        repo.commit({"a.py": "a = 1\n", CONFIG: "fail-on: never\n"})
        repo.commit({CONFIG: "fail-on: info\n", f"{RULES}/evil.yml": "id: evil\n"}, branch="feature")
        repo.open_pull_request("feature")
        repo.commit({CONFIG: "\ufefffail-on: error\n", ".github/review-bot-baseline.json": long, f"{RULES}/one.yml": "id: one\n",
                     f"{RULES}/README.md": "text"})  # fmt: skip
        found = overview_of(github).base.files
        assert settings_text(found, CONFIG) == "fail-on: error\n"
        assert settings_text(found, ".github/review-bot-baseline.json") == long
        assert settings_text(found, "elsewhere") is None
        assert yaml_files(found, RULES) == [(f"{RULES}/one.yml", "id: one\n")]

        repo.commit({f"{RULES}/deep/er/two.yaml": "id: two\n"})
        assert yaml_files(overview_of(github).base.files, RULES) == [
            (f"{RULES}/deep/er/two.yaml", "id: two\n"),
            (f"{RULES}/one.yml", "id: one\n"),
        ]


def test_settings_that_cannot_be_used_are_an_error() -> None:
    with FakeGitHub() as github:
        repo = github.repository("octo/halcyon")
        files: dict[str, Content] = {"a.py": "a = 1\n", CONFIG: b"fail-on: caf\xe9\n", RULES: Link("/etc")}
        repo.commit(files)
        repo.commit({"a.py": "a = 2\n"}, branch="feature")
        repo.open_pull_request("feature")
        found = overview_of(github).base.files
        with pytest.raises(ConfigError, match="not UTF-8"):
            settings_text(found, CONFIG)
        with pytest.raises(ConfigError, match="symbolic link"):
            yaml_files(found, RULES)
        repo.commit({CONFIG: Link("elsewhere.yml")})
        with pytest.raises(ConfigError, match="symbolic link"):
            settings_text(overview_of(github).base.files, CONFIG)


def test_a_base_branch_that_is_gone() -> None:
    with FakeGitHub() as github:
        repo = github.repository("octo/halcyon")
        repo.commit({"a.py": "a = 1\n"})
        stacked = repo.commit({"b.py": "b = 1\n", CONFIG: "fail-on: info\n"}, branch="lower")
        repo.commit({"a.py": "a = 2\n"}, branch="upper", parent=stacked)
        repo.open_pull_request("upper", base="lower")
        repo.set_branch("lower", None)
        found = overview_of(github)

    assert found.base.tip == found.base_sha == stacked
    assert settings_text(found.base.files, CONFIG) == "fail-on: info\n"
    assert (found.default.name, settings_text(found.default.files, CONFIG)) == ("main", None)


@pytest.mark.parametrize("follow", ["same patch", "any force push"])
def test_an_approval_that_a_force_push_carried_over_does_not_count(follow: Any) -> None:
    with FakeGitHub() as github:
        github.hosting.approvals_follow = follow
        repo = github.repository("octo/halcyon")
        repo.commit({"a.py": "a = 1\n"})
        repo.commit({"b.py": "b = 1\n"}, branch="feature")
        pull = repo.open_pull_request("feature", title="More", author="ada")
        repo.collaborator("grace")
        pull.approve_as("grace")
        repo.commit({"c.py": "c = 1\n"})
        pull.rebase()
        assert pull.reviews[0].commit_id == pull.head_sha  # GitHub lets it name a commit that nobody saw
        assert overview_of(github).approved_by == ()
        pull.approve_as("grace")
        assert overview_of(github).approved_by == ("grace",)
