"""Measures and scores of a change, as the command reports them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

MODULE = '"""Steps."""\n\n\ndef first(value: int) -> int:\n    """Return it."""\n    return value\n' + "".join(
    f"\n\ndef step_{n}(value, other):\n    return value + other + {n}\n" for n in range(20)
)
CONFIG = ".github/review-bot.yml"


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "clone")
    made.commit({"a.py": '"""A."""\n'})
    made.git("checkout", "--quiet", "-b", "work")
    made.commit({"halcyon/steps.py": MODULE, "notes.md": "# Notes\n\nOne.\n"})
    return made


def review(repository: GitRepository) -> dict[str, Any]:
    command = ["review", "-C", repository.folder, "--format", "json", "main..work"]
    done = run_command(command, env={**ENVIRONMENT, "CI": "1"})
    assert done.returncode in {0, 1}, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_a_change_has_measures_and_scores(repository):
    data = review(repository)

    assert data["metrics"]["code_lines_added"] == 44
    assert data["metrics"]["lines_added"] == MODULE.count("\n") + 3
    assert data["metrics"]["docstring_coverage"] == {"part": 2, "whole": 22, "percent": 9, "target": 80}
    assert data["metrics"]["type_hint_coverage"] == {"part": 2, "whole": 62, "percent": 3, "target": 90}
    scores = {each["aspect"]: each["score"] for each in data["scorecard"]["aspects"]}
    assert scores["Documentation"] == 1
    assert scores["Code Quality"] == 1
    assert scores["Performance"] is None
    assert data["verdict"]["score"] == data["scorecard"]["score"]
    assert data["focus"][0] == {
        "id": "any",
        "title": "All code",
        "sections": [],
        "lines": 44,
        "paths": ["halcyon/steps.py"],
    }


@pytest.mark.parametrize(("text", "shown"), [(b"", False), (b"scorecard: off\n", False), (b"scorecard: on\n", True)])
def test_the_configuration_puts_the_scores_into_the_summary_folded(repository, tmp_path, text, shown):
    repository.write({CONFIG: text})
    command = ["review", "-C", repository.folder, "--export", tmp_path / "out", "main..work"]
    run_command(command, env={**ENVIRONMENT, "CI": "1"})
    texts = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert (" of 10" in texts["SUMMARY.md"]) is shown
    assert " of 10" in texts["REVIEW.md"]
    assert " of 10" in texts["report.html"]


@pytest.mark.parametrize(
    "setting", ["{ignores: ['halcyon/**']}", "{files: ['other/**']}", "off"], ids=["ignores", "files", "off"]
)
def test_no_line_of_the_checklist_is_ticked_for_a_rule_that_did_not_look_everywhere(repository, setting):
    assert "secrets" in {line["id"] for line in review(repository)["checks"]}
    repository.write({CONFIG: f"rules:\n  security/*: {setting}\n"})
    ticked = {line["id"] for line in review(repository)["checks"]}
    assert "secrets" not in ticked
    assert ticked == {"conflict-markers"}
