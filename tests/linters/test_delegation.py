"""Findings that a linter of the repository reports itself are left to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fake_github.git_store import Content, Link
from fake_github.server import FakeGitHub
from review_bot import pipeline
from review_bot.configuration import effective_config
from review_bot.configuration.inputs import Overrides
from review_bot.forges.github.branch_settings import KNOWN_FILES
from review_bot.forges.github.client import Client
from review_bot.forges.github.overview import Overview, read_overview
from review_bot.forges.local_git import LocalGit
from review_bot.forges.settings_files import settings_text
from review_bot.linters.claims import FILES
from tests.git_repository import GitRepository

if TYPE_CHECKING:
    from pathlib import Path

    from review_bot.review.review import Review

RULE = "style/lambda-assign"
RUFF = "[tool.ruff.lint]\nselect = ['E']\n"


def review(folder: Path, settings: dict[str, str], code: str = "to_gib = lambda b: b / 2**30\n") -> Review:
    """Review one new line in a repository with these settings."""
    repository = GitRepository(folder)
    repository.commit({"a.py": "a = 1\n", **settings})
    repository.write({"a.py": "a = 1\n" + code})
    source = LocalGit(str(folder), base="HEAD")
    try:
        rules = effective_config.read(source, Overrides())
        return pipeline.run_review(source, pipeline.ReviewRequest(rules.rulebook, rules.policy, linters=rules.linters))
    finally:
        source.close()


def rules_of(found: Review) -> set[str]:
    return {finding.rule for finding in found.findings}


def test_without_a_linter_the_rule_speaks(tmp_path: Path) -> None:
    found = review(tmp_path, {})

    assert RULE in rules_of(found)
    assert found.examination.not_run == ()


def test_what_a_linter_reports_is_left_to_it_and_named(tmp_path: Path) -> None:
    found = review(tmp_path, {"pyproject.toml": RUFF}, "f = lambda b: b\ng = lambda b: b\n")

    assert RULE not in rules_of(found)
    assert [tuple(entry) for entry in found.examination.not_run] == [
        (RULE, "2 places left to ruff: pyproject.toml configures E731"),
    ]


@pytest.mark.parametrize("wish", ["on", "info"])
def test_a_rule_that_the_configuration_names_speaks_all_the_same(tmp_path: Path, wish: str) -> None:
    config = f"rules:\n  {RULE}: {wish}\n"

    assert RULE in rules_of(review(tmp_path, {"pyproject.toml": RUFF, ".github/review-bot.yml": config}))


def test_a_pattern_names_no_single_rule(tmp_path: Path) -> None:
    config = "rules:\n  style/*: info\n"

    assert RULE not in rules_of(review(tmp_path, {"pyproject.toml": RUFF, ".github/review-bot.yml": config}))


def test_a_broken_configuration_of_a_linter_is_named_and_nothing_is_left_to_it(tmp_path: Path) -> None:
    found = review(tmp_path, {"pyproject.toml": "[tool.ruff\n"})

    assert RULE in rules_of(found)
    (entry,) = found.examination.not_run
    assert entry.rule == "linters"
    assert entry.reason.startswith("pyproject.toml was ignored, so findings may repeat what a linter reports: ")


def test_a_broken_configuration_that_nobody_asked_for_is_not_named(tmp_path: Path) -> None:
    assert review(tmp_path, {"pyproject.toml": "[tool.ruff\n"}, "b = 2\n").examination.not_run == ()


def overview_of(github: FakeGitHub) -> Overview:
    with Client(github.url, github.token(), graphql_url=github.graphql_url) as client:
        return read_overview(client, "octo/halcyon", 1)


def test_on_github_the_files_come_with_the_overview_from_the_base() -> None:
    with FakeGitHub() as github:
        repo = github.repository("octo/halcyon")
        repo.commit({"a.py": "a = 1\n", **dict.fromkeys(FILES, "# as it is\n")})
        repo.commit({"a.py": "a = 2\n", "pyproject.toml": "[tool.ruff]\n"}, branch="feature")
        repo.open_pull_request("feature")
        found = overview_of(github)

    assert set(FILES) <= KNOWN_FILES
    assert {settings_text(found.base.files, path) for path in FILES} == {"# as it is\n"}


def test_on_github_a_file_that_is_a_link_or_too_long_is_not_fetched() -> None:
    with FakeGitHub() as github:
        repo = github.repository("octo/halcyon")
        files: dict[str, Content] = {"ruff.toml": Link("pyproject.toml"), "pyproject.toml": "#" * 600_000}
        repo.commit({"a.py": "a = 1\n", **files})
        repo.commit({"a.py": "a = 2\n"}, branch="feature")
        repo.open_pull_request("feature")
        settings = overview_of(github).base.files

    assert settings["ruff.toml"].problem == "it is a symbolic link, which is not followed here"
    assert settings["pyproject.toml"].problem == "GitHub does not return its full text"


UNBOUND = "def patched(x):\n    return rotate_half(x)\n"


@pytest.mark.parametrize(
    ("ignored", "reported"),
    [
        ("{'a.py' = ['F821']}", False),
        ("{'*.py' = ['E501', 'F821']}", False),
        ("{'b.py' = ['F821']}", True),
        ("{'!a.py' = ['F821']}", True),
        ("{'a.py' = ['F', 'E501']}", True),  # a family is no decision about this code
        ("{'a.py' = ['F401']}", True),
    ],
)
def test_a_defect_is_left_alone_only_in_files_that_are_exempt_from_its_code(
    tmp_path: Path, ignored: str, reported: bool
) -> None:
    found = review(tmp_path, {"pyproject.toml": f"[tool.ruff.lint]\nper-file-ignores = {ignored}\n"}, UNBOUND)

    assert ("errors/undefined-name" in rules_of(found)) is reported
    words = "1 place left to ruff: pyproject.toml exempts the file from F821"
    assert (("errors/undefined-name", words) in map(tuple, found.examination.not_run)) is not reported


def test_a_defect_is_not_left_to_a_linter_that_ignores_its_code_everywhere(tmp_path: Path) -> None:
    found = review(tmp_path, {"pyproject.toml": "[tool.ruff.lint]\nignore = ['F821']\n"}, UNBOUND)

    assert "errors/undefined-name" in rules_of(found)
