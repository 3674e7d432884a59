"""``review`` takes a revision, a range, staged changes and paths, and rules to run, as people type them."""

from __future__ import annotations

import json
import os

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

DEBUGGER = "def f():\n    breakpoint()\n"
SWALLOWED = "def g():\n    try:\n        h()\n    except Exception:\n        pass\n"


@pytest.fixture
def repository(tmp_path):
    """Return a branch with a commit that adds ``src/a.py``, and ``b.py`` in the working tree."""
    made = GitRepository(tmp_path / "clone")
    made.commit({"README.md": "# Halcyon\n"})
    made.git("checkout", "--quiet", "-b", "work")
    made.commit({"src/a.py": DEBUGGER})
    made.write({"b.py": SWALLOWED})
    return made


def run(repository, *arguments, folder="."):
    command = ["review", "--format", "json", *arguments]
    return run_command(command, text=True, cwd=repository.folder / folder, env={**ENVIRONMENT, "CI": "1"})


def found(repository, *arguments, folder="."):
    """Return the paths with a listed finding."""
    done = run(repository, *arguments, folder=folder)
    assert done.returncode in {0, 1}, done.stderr
    return sorted({each["path"] for each in json.loads(done.stdout)["findings"] if not each["counted"]})


@pytest.mark.parametrize(
    ("arguments", "folder", "paths"),
    [
        (["main"], ".", ["b.py", "src/a.py"]),
        (["HEAD"], ".", ["b.py"]),
        (["main..work"], ".", ["src/a.py"]),
        (["src/a.py"], ".", ["src/a.py"]),
        (["main", "src"], ".", ["src/a.py"]),
        (["main", "src", "b.py"], ".", ["b.py", "src/a.py"]),
        (["./"], ".", ["b.py", "src/a.py"]),
        (["a.py"], "src", ["src/a.py"]),
        (["../b.py"], "src", ["b.py"]),
        (["HEAD~1..HEAD", "b.py"], ".", []),
    ],
)
def test_a_revision_a_range_or_paths_name_the_change(repository, arguments, folder, paths):
    assert found(repository, *arguments, folder=folder) == paths


def test_what_is_staged_is_reviewed_and_not_what_the_working_tree_made_of_it(repository):
    assert found(repository, "--staged") == []
    repository.write({"c.py": DEBUGGER, "README.md": "# Halcyon 2\n"})
    repository.git("add", "c.py", "README.md")
    repository.write({"c.py": "x = 1\n"})
    data = json.loads(run(repository, "--staged").stdout)
    assert {each["path"] for each in data["findings"] if not each["counted"]} == {"c.py"}
    assert (data["change"]["files"], data["change"]["added"]) == (2, 3)
    assert found(repository, "--staged", "main") == ["c.py", "src/a.py"]


def test_a_word_that_is_a_revision_and_a_path_is_refused(repository):
    repository.git("branch", "src")
    done = run(repository, "src")
    assert done.returncode == 2
    assert "'src' is both a revision and a path; write `--base src` or `./src`" in done.stderr
    assert found(repository, "./src") == ["src/a.py"]


def test_paths_that_limit_a_report_are_named(repository):
    done = run(repository, "src", "README.md")
    assert "README.md: nothing to review, it has no changes\n" in done.stderr
    assert "Findings outside src, README.md are not reported and do not count.\n" in done.stderr


@pytest.mark.parametrize("word", ["mian", "../elsewhere", "src/nothing.py", "src/aa.py"])
def test_a_word_that_names_nothing_is_refused(repository, word):
    (repository.folder.parent / "elsewhere").touch()
    done = run(repository, word)
    assert done.returncode == 2
    expected = {
        "mian": "did you mean `main`?",
        "../elsewhere": "is outside the repository",
        "src/aa.py": "did you mean `src/a.py`?",
    }
    assert expected.get(word, "is neither a commit in this repository nor a file or folder") in done.stderr


@pytest.mark.parametrize(("folder", "word", "said"), [
    (".", "../../../x", "'../../../x' is outside the repository"),
    ("src", "../../x", "'../../x' is outside the repository"),
    ("src", "../x.py", "'../x.py': no such file or folder; from the root of the repository it is 'x.py'"),
    (".", "src/../../x", "'src/../../x' is outside the repository"),
])  # fmt: skip
def test_a_path_with_steps_up_is_no_range(repository, folder, word, said):
    for arguments in ([word], ["main", word]):
        done = run(repository, *arguments, folder=folder)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert run(repository, "main...work").returncode == 0
    assert run(repository, "..work").returncode == 0


@pytest.mark.parametrize(
    ("revision", "hint"),
    [
        ("HAED", "did you mean `HEAD`?"),
        ("main..HAED", "did you mean `HEAD`?"),
        ("mian~2", "did you mean `main~2`?"),
        ("main~20", "`main` has no such ancestor"),
    ],
)
def test_a_misspelt_revision_is_corrected_with_its_steps(repository, revision, hint):
    done = run(repository, revision)
    assert done.returncode == 2
    assert hint in done.stderr


def test_a_flag_that_the_configuration_overrules_is_named(repository):
    repository.write({".github/review-bot.yml": "fail-on: warning\n"})
    lenient = run(repository, "--fail-on", "never")
    assert lenient.returncode == 1
    assert "--fail-on never has no effect: .github/review-bot.yml sets the stricter 'warning'" in lenient.stderr
    for flag in (["--fail-on", "warning"], ["--fail-on", "info"], ["--on-incomplete", "warn"], []):
        assert "has no effect" not in run(repository, *flag).stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a repository away")
@pytest.mark.parametrize("arguments", [["main"], ["HEAD~1", "m.py"], ["main..work"], []])
def test_a_repository_of_another_user_is_named_as_such(repository, arguments):
    for place in (repository.folder, repository.folder / ".git"):
        os.chown(place, 12345, 12345)
    done = run(repository, *arguments)
    assert done.returncode == 2
    assert "git does not trust" in done.stderr
    assert "safe.directory" in done.stderr


def test_a_reversed_range_says_so(repository):
    done = run(repository, "work..main", "--format", "terminal")
    assert done.returncode == 0
    head = repository.git("rev-parse", "main").decode()[:12]
    said = " ".join(done.stdout.split())
    assert said.startswith(f"Nothing to review: {head} is an ancestor of work, which already has all its commits;")
    assert said.endswith(f"swap the two: {head}..work.")
    assert "is empty" in run(repository, "work..work", "--format", "terminal").stdout


def test_a_second_revision_is_refused_with_the_range_that_was_meant(repository):
    done = run(repository, "main", "HEAD~1")
    assert done.returncode == 2
    assert "'HEAD~1' is a revision, not a path; for a range write main..HEAD~1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        (["--select", "style/debugger-left"], ["src/a.py"]),
        (["--select", "style/*"], ["src/a.py"]),
        (["--select", "errors"], ["b.py"]),
        (["--select", "errors", "--select", "style"], ["b.py", "src/a.py"]),
        (["--ignore", "style"], ["b.py"]),
        (["--select", "style", "--ignore", "style/debugger-left"], []),
    ],
)
def test_rules_are_selected_by_id_pattern_or_family(repository, arguments, paths):
    assert found(repository, *arguments) == paths


@pytest.mark.parametrize("number", ["0", "-3", "2.5", "²", "many"])
def test_a_number_of_processes_that_is_none_is_refused(repository, number):
    done = run(repository, "--jobs", number)
    assert done.returncode == 2
    assert f"must be at least 1, not {number!r}" in done.stderr


def test_a_baseline_takes_all_findings(repository):
    done = run(repository, "--write-baseline", "--select", "errors")
    assert done.returncode == 2
    assert "remove the paths, --select and --ignore" in done.stderr
