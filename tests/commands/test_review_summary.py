"""The form of the summary as a repository sets it, through the real command."""

from __future__ import annotations

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

KEPT = {**ENVIRONMENT, "CI": "", "REVIEW_BOT_NO_CACHE": ""}
"""An environment in which a review keeps what it reads."""
CONFIG = """\
layout:
  sections: [next-steps, about]
  intro: "Our guide is {{ 7 * 7 }} pages; ask @ada, see https://evil.example."
"""
BARE = "import lib\n\n\n@lib.mark\ndef f():\n    try:\n        g()\n    except:\n        h()\n"


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "clone")
    made.commit({"a.py": '"""A."""\n', ".github/review-bot.yml": CONFIG})
    made.git("checkout", "--quiet", "-b", "work")
    made.commit({"b.py": BARE})
    return made


def summary(repository: GitRepository, *arguments: str) -> str:
    command = ["review", "-C", repository.folder, "--format", "markdown", *arguments]
    done = run_command(command, text=True, env=KEPT | {"HOME": str(repository.folder.parent)})
    assert done.returncode in {0, 1}, done.stderr
    printed: str = done.stdout
    return printed


def test_the_configuration_chooses_the_parts_and_its_text_is_shown_as_it_is_written(repository):
    text = summary(repository, "main..work")
    assert "\nOur guide is \\{\\{ 7 \\* 7 \\}\\} pages; ask @\u200bada, see https:\u200b//evil.example.\n" in text
    assert "### Warnings (should fix)" in text
    assert "Run locally" in text
    for left_out in ("Merge criteria", "Checklist", "Scorecard"):
        assert left_out not in text


def test_the_memory_of_configurations_keeps_the_form(repository):
    first = summary(repository, "main..work")
    assert list(repository.folder.parent.glob(".cache/review-bot/settings-*.json"))
    assert summary(repository, "main..work") == first
