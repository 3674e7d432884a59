"""What ``init`` writes can be used and edited, and what is said of a repository's own rules is true of them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from review_bot.commands import init
from review_bot.configuration.settings import Settings
from review_bot.setting import all_declared
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

OWN = ".github/review-bot/rules"
WHOLE_CHANGE = """\
id: changelog
message: no changelog
pull_request:
  when: {changed: ["**/*.py"]}
  without: {changed: ["CHANGELOG.md"]}
"""
DELETED = """\
id: assert-gone
message: gone
removed: {language: python, rule: {kind: assert_statement}}
"""
ADDED = "id: fixme\nmessage: fix it\ntext: {regex: FIXME}\n"


@pytest.fixture
def folder(tmp_path):
    GitRepository(tmp_path)
    (tmp_path / OWN).mkdir(parents=True)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_command(arguments, text=True, cwd=folder, env=ENVIRONMENT)


def test_workflows_are_named_where_the_name_of_one_is_missing(folder):
    done = run(folder, "init", "--workflow")
    assert done.returncode == 2
    assert f"--workflow: expected one argument (choose from {', '.join(init.WORKFLOWS)})" in done.stderr


def test_the_policy_names_rules_of_the_repository_also_without_a_configuration(folder):
    (folder / OWN / "fixme.yml").write_text(ADDED)
    (folder / "a.py").write_text("x = 1\n")
    subprocess.run(["git", "-C", folder, "add", "."], check=True, env=ENVIRONMENT)
    subprocess.run(["git", "-C", folder, "commit", "-qm", "start"], check=True, env=ENVIRONMENT)
    (folder / "a.py").write_text("x = 2\n")
    assert f"Policy: built-in (no .github/review-bot.yml), with {OWN}/" in " ".join(
        run(folder, "review").stdout.split()
    )


def test_the_configuration_that_init_writes_can_be_used_also_with_its_examples_switched_on(folder):
    assert run(folder, "init").returncode == 0
    path = folder / ".github/review-bot.yml"
    assert run(folder, "config", "check").returncode == 0
    switched_on = re.sub(r"(?m)^# (?=[a-z-]+:( |$)(?!.*\$schema)|  )", "", path.read_text())
    assert "\nrules:\n  style/*: off\n" in switched_on
    assert "\nsuppressions: head\n" in switched_on
    keys = {each.name for each in all_declared(Settings)}
    assert keys == set(re.findall(r"(?m)^([a-z-]+):", switched_on))
    path.write_text(switched_on)
    done = run(folder, "config", "check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", init.WORKFLOWS)
def test_a_workflow_is_written_beside_the_configuration(folder, name):
    done = run(folder, "init", "--workflow", name)
    assert done.returncode == 0, done.stderr
    assert (folder / ".github/review-bot.yml").is_file()
    written = folder / ".github/workflows" / init.WORKFLOWS[name]
    assert written.read_text() == init.workflow(name)
    assert f"{written.relative_to(folder)} written" in done.stdout
    head = written.read_text().partition("\nname: ")[0]
    assert ("which check to require" in done.stdout) is ("require" in head)
    assert ("so do not require it" in done.stdout) is ("require" not in head)
    assert "forty zeros" in done.stdout
    assert "comments: summary" in done.stdout


def test_a_workflow_names_the_commit_that_was_given(folder):
    commit = "0123456789abcdef" * 2 + "01234567"
    done = run(folder, "init", "--workflow", "two-jobs", "--pin", commit)
    text = (folder / ".github/workflows/review-bot.yml").read_text()
    assert text.count(f"uses: review-bot/review-bot@{commit}\n") == 2
    assert "0000" not in text
    assert "forty zeros" not in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [("--pin", "v1"), ("--workflow", "trusted", "--pin", "v1"), ("--pin", 40 * "a"), ("--workflow", "none")],
)
def test_a_pin_is_a_commit_and_a_workflow_is_one_that_there_is(folder, arguments):
    assert run(folder, "init", *arguments).returncode == 2
    assert not (folder / ".github/review-bot.yml").exists()


def test_a_configuration_that_is_there_stays_when_a_workflow_is_added(folder):
    (folder / ".github/review-bot.yml").write_text("fail-on: never\n")
    done = run(folder, "init", "--workflow", "trusted", "--workflow", "commands")
    assert done.returncode == 0, done.stderr
    assert "already exists and is unchanged" in done.stdout
    assert (folder / ".github/review-bot.yml").read_text() == "fail-on: never\n"
    assert len(os.listdir(folder / ".github/workflows")) == 2


def test_nothing_is_replaced_without_force_and_then_nothing_else_is_written_either(folder):
    taken = folder / ".github/workflows/review-bot.yml"
    taken.parent.mkdir(parents=True)
    taken.write_text("mine\n")
    for arguments in (("--workflow", "trusted"), ("--workflow", "commands", "--workflow", "trusted")):
        done = run(folder, "init", *arguments)
        assert done.returncode == 2
        assert "review-bot.yml already exists" in done.stderr
    assert (taken.read_text(), os.listdir(taken.parent)) == ("mine\n", ["review-bot.yml"])
    assert not (folder / ".github/review-bot.yml").exists()
    assert run(folder, "init", "--workflow", "trusted", "--force").returncode == 0
    assert taken.read_text() == init.workflow("trusted")


@pytest.mark.parametrize("name", ["review-bot.yml", "review-bot.yaml"])
def test_a_workflow_is_refreshed_without_the_configuration(folder, name):
    (folder / ".github" / name).write_text("fail-on: never\n")
    for _ in range(2):
        done = run(folder, "init", "--workflow", "trusted", "--force")
        assert f".github/{name} already exists and is unchanged." in done.stdout
    assert (folder / ".github" / name).read_text() == "fail-on: never\n"
    done = run(folder, "init")
    assert (done.returncode, f".github/{name} already exists" in done.stderr) == (2, True)
    assert sorted(os.listdir(folder / ".github")) == sorted([name, "review-bot", "workflows"])


def test_two_workflows_of_one_name_are_refused(folder):
    done = run(folder, "init", "--workflow", "trusted", "--workflow", "two-jobs")
    assert done.returncode == 2
    assert "choose one" in done.stderr


@pytest.mark.parametrize(("rule", "comment"), [(WHOLE_CHANGE, False), (DELETED, False), (ADDED, True)])
def test_a_page_names_a_comment_only_where_one_can_silence(folder, rule, comment):
    (folder / OWN / "own.yml").write_text(rule)
    shown = run(folder, "rules", "show", "--all", rule.split()[1]).stdout
    assert ("review-bot: ignore[" in shown) is comment
    assert ("not on a line of the new code" in shown) is not comment


def test_an_own_rule_that_takes_a_built_in_id_does_not_pass_its_test(folder):
    (folder / OWN / "own.yml").write_text(ADDED.replace("fixme", "errors/bare-except"))
    for place in (OWN, f"{OWN}/own.yml"):
        done = run(folder, "rules", "test", place)
        assert done.returncode == 2
        assert "a built-in rule has the id 'errors/bare-except'" in done.stderr


def test_a_built_in_id_does_not_pass_a_test_in_another_folder_either(folder):
    (folder / "own.yml").write_text(ADDED.replace("fixme", "errors/bare-except"))
    done = run(folder, "rules", "test", "own.yml")
    assert done.returncode == 2
    assert "own.yml:1: id: a built-in rule has the id 'errors/bare-except'" in done.stderr


def test_an_own_rule_shows_the_files_that_it_reads(folder):
    rule = "id: no-eval\nlanguage: python\nmessage: No.\nrule: {pattern: eval($X)}\n"
    (folder / OWN / "own.yml").write_text(rule)
    assert "\nWhere: all Python files, where" in run(folder, "rules", "show", "no-eval").stdout
    (folder / OWN / "own.yml").write_text(rule + 'files: ["tools/**"]\n')
    assert "\nWhere: Python files that match `tools/**`, where" in run(folder, "rules", "show", "no-eval").stdout


def test_a_configuration_that_is_not_there_is_named_once(folder):
    done = run(folder, "config", "check", "none.yml")
    assert (done.returncode, done.stderr) == (2, "review-bot: none.yml: it cannot be read: No such file or directory\n")


def test_the_configuration_is_checked_under_both_names_and_refused_under_two(folder):
    (folder / ".github/review-bot.yaml").write_text("fail-on: warning\n")
    done = run(folder, "config", "check")
    assert "fail-on: warning; on-incomplete: fail (built-in)" in done.stdout, done.stderr
    (folder / ".github/review-bot.yml").write_text("fail-on: warning\n")
    done = run(folder, "config", "check")
    assert done.returncode == 2
    assert "review-bot.yaml: .github/review-bot.yml exists too; delete one of them" in done.stderr


@pytest.mark.parametrize(("fix", "noted"), [("log($A)", False), ("log($A", True), ("print($A, 1) and print($A)", True)])
def test_a_fix_that_is_never_offered_is_named_to_the_author_of_its_rule(folder, fix, noted):
    rule = f"id: own\nlanguage: python\nseverity: hint\nmessage: No.\nrule: {{pattern: print($A)}}\nfix: '{fix}'\n"
    (folder / OWN / "own.yml").write_text(rule + 'metadata: {examples: {bad: ["print(1)\\n"], good: ["log(1)\\n"]}}\n')
    done = run(folder, "rules", "test", OWN)
    assert done.returncode == 0
    assert ("own.yml: own: note: its fix applies to none of the bad examples" in done.stderr) is noted
