"""``config check`` and ``rules`` read the settings that ``review`` reads, with the same result."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

CONFIG = ".github/review-bot.yml"
OWN = ".github/review-bot/rules/own.yml"
RULE = "id: no-print\nlanguage: python\nseverity: info\nmessage: No.\nrule: {pattern: print($A)}\n"
COMMANDS = (("review",), ("config", "check"), ("rules", "list"), ("rules", "show", "no-print"))


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "clone")
    repository.commit({"engine/a.py": "x = 1\n", OWN: RULE})
    return repository


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_command(arguments, text=True, cwd=folder, env=ENVIRONMENT)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_built_in_card_can_be_switched_off(clone, command):
    clone.write({CONFIG: "rules: {card/constants: off, card/test: on}\n"})
    wrong = run(clone.folder, *command)
    assert wrong.returncode == 2
    assert f"{CONFIG}:1: rules.card/test: there is no card 'card/test'; did you mean 'card/tests'?" in wrong.stderr
    clone.write({CONFIG: "rules: {card/constants: off}\n"})
    assert run(clone.folder, *command).returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_the_settings_of_the_root_count_in_a_folder_below(clone, command):
    clone.write({CONFIG: "rules: {no/such: off}\n"})
    done = run(clone.folder / "engine", *command)
    assert (done.returncode, f"{CONFIG}:1: rules.no/such" in done.stderr) == (2, True)


def test_own_rules_are_found_from_a_folder_below(clone):
    clone.write({CONFIG: "rules: {no-print: error}\n"})
    [own] = json.loads(run(clone.folder / "engine", "rules", "list", "--origin", "own", "--format", "json").stdout)
    assert (own["id"], own["severity"]) == ("no-print", "error")
    said = run(clone.folder / "engine", "rules", "show", "no-print").stdout
    assert f"\n{CONFIG} sets: `error` instead of `info`" in said
    checked = run(clone.folder, "config", "check", "-C", "engine").stdout
    assert checked.startswith(f".github/review-bot/rules: 1 valid rule file of your own\n{CONFIG}: valid; ")


@pytest.mark.parametrize("name", [CONFIG, OWN, ".github/review-bot-baseline.json"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_that_leads_out_of_the_repository_is_refused(clone, tmp_path, command, name):
    (tmp_path / "outside").write_text("")
    (clone.folder / name).unlink(missing_ok=True)
    (clone.folder / name).symlink_to(tmp_path / "outside")
    done = run(clone.folder, *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"review-bot: {name}: a symbolic link leads out of the folder\n"


@pytest.mark.parametrize("command", [("review", "--config"), ("config", "check")])
def test_a_configuration_that_a_person_names_may_be_anywhere(clone, tmp_path, command):
    (tmp_path / "strict.yml").write_text("fail-on: info\n")
    assert "fail-on: info" in run(clone.folder, "config", "check", "../strict.yml").stdout
    (tmp_path / "strict.yml").write_text("fail-on: errors\n")
    done = run(clone.folder, *command, "../strict.yml")
    assert (done.returncode, "../strict.yml:1: fail-on: " in done.stderr) == (2, True)


def test_a_folder_outside_of_every_repository_has_settings_too(tmp_path):
    (tmp_path / OWN).parent.mkdir(parents=True)
    (tmp_path / OWN).write_text(RULE)
    (tmp_path / CONFIG).write_text("rules: {no-print: warning}\n")
    [own] = json.loads(run(tmp_path, "rules", "list", "--origin", "own", "--format", "json").stdout)
    assert (own["id"], own["severity"]) == ("no-print", "warning")
    assert f"{CONFIG}: valid; " in run(tmp_path, "config", "check").stdout
    assert run(tmp_path, "rules", "list", "-C", "nowhere").returncode == 2


def test_a_bare_repository_has_the_settings_of_its_base(clone, tmp_path):
    clone.commit({CONFIG: "rules: {no-print: error}\n"})
    subprocess.run(["git", "clone", "-q", "--bare", clone.folder, tmp_path / "bare"], check=True, env=ENVIRONMENT)
    said = run(tmp_path, "config", "check", "-C", "bare").stdout
    assert "  no-print: error, fails the check, comment on the line\n" in said
