"""A repository's own areas and review questions, through the command line."""

from __future__ import annotations

import json

import pytest

from review_bot.cli import main
from tests.git_repository import GitRepository

CONFIG = """\
areas:
  - id: pools
    title: Block pools
    triggers:
      - paths: ["halcyon/pool*.py"]
cards:
  - id: card/preemption
    title: Preemption
    asks:
      - question: "`{name}` holds {count} blocks. What frees them when the request is preempted?"
        lines: '(?P<name>\\w+) = self\\.pool\\.allocate\\((?P<count>\\w+)\\)'
        unless:
          function: '\\bfree\\({name}\\b'
"""
ASKED = "class Runner:\n    def run(self):\n        blocks = self.pool.allocate(8)\n        return blocks\n"
FREED = ASKED.replace("return blocks", "self.pool.free(blocks)")
"""The same construct where the function answers the question."""


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "clone")
    made.commit({"halcyon/pool.py": "class Runner:\n    pass\n", ".github/review-bot.yml": CONFIG})
    return made


def reviewed(repository, capsys, *paths):
    """Return areas and questions of the change in the working tree."""
    assert main(["review", *paths, "-C", str(repository.folder), "--base", "HEAD", "--format", "json"]) in {0, 1}
    report = json.loads(capsys.readouterr().out)
    return [area["title"] for area in report["focus"]], report["checklist"]


def test_an_area_and_a_question_of_the_repository_are_in_the_report(repository, capsys):
    repository.write({"halcyon/pool.py": ASKED})
    areas, (card,) = reviewed(repository, capsys)
    assert "Block pools" in areas
    assert card["questions"] == ["`blocks` holds 8 blocks. What frees them when the request is preempted?"]
    assert (card["quote"], card["places"][0]["line"]) == ("blocks = self.pool.allocate(8)", 3)


def test_only_the_files_that_a_report_is_limited_to_raise_questions(repository, capsys):
    repository.write({"halcyon/pool.py": ASKED, "docs/a.md": "# A\n"})
    folder = repository.folder
    assert reviewed(repository, capsys, f"{folder}/docs") == ([], [])
    areas, (card,) = reviewed(repository, capsys, f"{folder}/halcyon")
    assert ("Block pools" in areas, card["id"]) == (True, "card/preemption")


def test_a_question_that_the_change_answers_is_not_asked(repository, capsys):
    repository.write({"halcyon/pool.py": FREED})
    assert reviewed(repository, capsys)[1] == []


def test_the_question_is_a_box_of_the_summary(repository, capsys):
    repository.write({"halcyon/pool.py": ASKED})
    main(["review", "-C", str(repository.folder), "--base", "HEAD", "--format", "markdown"])
    text = capsys.readouterr().out
    assert "- [ ] **Preemption.** `blocks` holds 8 blocks. What frees them when the request is preempted?" in text
    assert "`halcyon/pool.py:3`: `blocks = self.pool.allocate(8)`" in text


@pytest.mark.parametrize("command", [["review", "--base", "HEAD"], ["config", "check"]])
@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("{count} blocks", "{size} blocks", 10, "cards.0.asks.0.question: `lines` has no group 'size'"),
        ("(?P<count>\\w+)", "(?=x)", 11, "cards.0.asks.0.lines: RE2 does not accept"),
        ("id: card/preemption", "id: card/tests", 7, "cards.0.id: the id 'card/tests' is taken"),
        ("asks:", "ask:", 9, "did you mean 'asks'?"),
    ],
)
def test_a_mistake_is_an_error_with_file_and_line(repository, capsys, command, before, after, line, words):
    repository.write({".github/review-bot.yml": CONFIG.replace(before, after)})
    assert main([*command, "-C", str(repository.folder)]) == 2
    error = capsys.readouterr().err
    assert f".github/review-bot.yml:{line}: " in error
    assert words in error
