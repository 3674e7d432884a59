"""``review-bot explain`` as a process: one finding with its steps, and its exit codes."""

from __future__ import annotations

import json

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

OLD = "def attend(query, mask=None):\n    if mask is not None:\n        query = query + mask\n"
MORE = "".join(f"    step_{number}(query)\n" for number in range(12))
NEW = f"{OLD}{MORE}    return query, mask.sum()\n"


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "repository")
    made.commit({"engine/mask.py": f"{OLD}{MORE}    return query\n"})
    made.git("checkout", "-q", "-b", "work")
    made.commit({"engine/mask.py": NEW, "a.txt": "<<<<<<< ours\nx = 1\n<<<<<<< ours\ny = 1\n"})
    return made


def run(repository, *arguments, given=None):
    command = [arguments[0], "-C", repository.folder, *arguments[1:]]
    return run_command(command, text=True, input=given, env={**ENVIRONMENT, "COLUMNS": "100"})


def fingerprints(repository, rule):
    findings = json.loads(run(repository, "review", "--base", "main", "--format", "json").stdout)["findings"]
    return [each["fingerprint"] for each in findings if each["rule"] == rule]


def test_it_prints_the_rule_the_code_and_what_places_hold_at_each_step(repository):
    (fingerprint,) = fingerprints(repository, "errors/none-dereference")
    done = run(repository, "explain", fingerprint[:10], "main..work")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.split("\n")
    assert lines[:2] == ["warning  errors/none-dereference  None dereference", "engine/mask.py:16:19"]
    assert "  >  16 | return query, mask.sum()" in lines
    at = lines.index("  Steps that lead here:")
    assert lines[at + 1 : at + 5] == [
        "    1. engine/mask.py:2  `mask` is tested for None",
        "           2 | if mask is not None:",  # the diff does not show this line
        "       mask: None",
        "    2. engine/mask.py:16:19  here",
    ]
    assert "  Why: Where that path reaches this use, it raises AttributeError or TypeError." in lines
    assert f"  ID {fingerprint}. Rule: review-bot rules show errors/none-dereference" in lines


def test_it_shows_code_that_the_diff_does_not_hold(repository):
    old = f"def scale(query, mask=None):\n{MORE}    return query * mask.size\n"
    repository.commit({"engine/scale.py": old})
    tested = "    if mask is not None:\n        query = query + mask\n"
    repository.commit({"engine/scale.py": old.replace(MORE, tested + MORE)})
    done = run(repository, "explain", "engine/scale.py:16", "HEAD~1..HEAD")
    assert "  >  16 | return query * mask.size" in done.stdout.split("\n"), (done.stdout, done.stderr)


def test_a_finding_without_steps_and_a_diff(repository):
    first, _ = fingerprints(repository, "style/conflict-marker")
    diff = repository.git("diff", "main", "work").decode()
    done = run(repository, "explain", first.upper(), "--diff", "-", given=diff)
    assert done.returncode == 0, done.stderr
    assert "a.txt:1" in done.stdout.split("\n")[1]
    assert "Steps" not in done.stdout


@pytest.mark.parametrize(("change", "said"), [
    (lambda known: known[:-1] + ("0" if known[-1] != "0" else "1"), "; did you mean '{0}'?"),
    (
        lambda known: "nothing",
        "nothing: no finding of the review against main (merge base {1}) has this fingerprint or rule; it has findings of errors/none-dereference",
    ),
    (lambda known: "errors/none-derefernce", "; did you mean 'errors/none-dereference'?"),
    (lambda known: "engine/mask.py:3", "engine/mask.py:3: no finding of the review against main (merge base {1}) is on this line; the nearest in this file: 16\n"),
    (
        lambda known: "mask.py:16",
        "mask.py:16: write the path from the root of the repository: engine/mask.py:16\n",
    ),
    (
        lambda known: "engine/mask.py",
        "engine/mask.py: add the line of a finding, such as engine/mask.py:16; this file has findings on: 16\n",
    ),
    (lambda known: "engine/masks.py:16", "is on a line of this file; did you mean 'engine/mask.py'?\n"),
])  # fmt: skip
def test_an_unknown_fingerprint_names_the_nearest(repository, change, said):
    (fingerprint,) = fingerprints(repository, "errors/none-dereference")
    done = run(repository, "explain", change(fingerprint), "main")
    assert (done.returncode, done.stdout) == (2, "")
    base = repository.git("rev-parse", "--short=12", "main").decode().strip()
    assert said.format(fingerprint, base) in done.stderr


@pytest.mark.parametrize("wanted", ["engine/mask.py:16", "./engine/mask.py:16:19", "errors/none-dereference"])
def test_a_place_or_a_rule_chooses_the_finding(repository, wanted):
    done = run(repository, "explain", wanted, "main")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("warning  errors/none-dereference  None dereference\nengine/mask.py:16:19\n")


@pytest.mark.parametrize("finding", ["engine/mask.py:16", "errors/none-dereference"])
@pytest.mark.parametrize("change", ["main", "main..work", "main..."])
def test_the_range_may_come_first_as_in_review(repository, change, finding):
    done = run(repository, "explain", change, finding)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run(repository, "explain", finding, change).stdout


def test_a_fingerprint_after_the_range_is_the_finding(repository):
    (fingerprint,) = fingerprints(repository, "errors/none-dereference")
    assert run(repository, "explain", "main", fingerprint[:12]).returncode == 0
    done = run(repository, "explain", "main", "nothing")
    assert (done.returncode, "nothing: no finding of the review against main" in done.stderr) == (2, True)


def test_a_path_after_the_finding_stays_a_path(repository):
    done = run(repository, "explain", "errors/none-dereference", "engine/mask.py")
    assert done.returncode == 0, done.stderr
    repository.git("branch", "errors/none-dereference")
    done = run(repository, "explain", "main", "errors/none-dereference")
    assert (done.returncode, "main: the review against errors/none-dereference" in done.stderr) == (2, True)


@pytest.mark.parametrize("finding", ["mask.py:16", "./mask.py:16", "../engine/mask.py:16:19", "engine/mask.py:16"])
def test_a_path_may_be_written_from_the_current_folder(repository, finding):
    command = ["explain", finding, "main"]
    done = run_command(command, text=True, cwd=repository.folder / "engine", env=ENVIRONMENT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("warning  errors/none-dereference  None dereference\nengine/mask.py:16:19\n")


def test_from_a_folder_the_lines_of_a_file_are_named_too(repository):
    for finding, said in (
        ("mask.py", "mask.py: add the line of a finding, such as mask.py:16; this file has findings on: 16\n"),
        ("mask.py:3", "engine/mask.py:3: no finding of the review against main (merge base "),
    ):
        done = run_command(["explain", finding, "main"], text=True, cwd=repository.folder / "engine", env=ENVIRONMENT)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_a_file_without_findings_names_the_range_that_was_reviewed(repository):
    done = run(repository, "explain", "engine/mask.py:16", "HEAD")
    head = repository.git("rev-parse", "--short=12", "HEAD").decode().strip()
    assert f"no finding of the review against HEAD (merge base {head}) is on a line of this file" in done.stderr
    assert "for a review with another base, pass it after the place" in done.stderr


def test_a_rule_with_several_findings_and_a_deleted_line(repository):
    assert run(repository, "explain", "style/conflict-marker", "main").stdout.count("  ID ") == 2
    repository.commit({"m.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n", "n.py": "from m import g\n"})
    repository.git("checkout", "-q", "-b", "more")
    repository.commit({"m.py": "def f():\n    return 1\n"})
    done = run(repository, "explain", "m.py:5", "work..more")
    assert "api/removed-name" in done.stdout.split("\n")[0], done.stderr
    assert run(repository, "explain", "m.py:2", "work..more").stdout == done.stdout, "the line as `concise` prints it"


def test_a_prefix_of_several_names_them(repository):
    one, two = fingerprints(repository, "style/conflict-marker")
    assert one[:16] == two[:16]
    done = run(repository, "explain", one[:16], "main")
    assert done.returncode == 2
    assert f"{one[:16]}: 2 findings start with it: " in done.stderr
    assert f"{one} (style/conflict-marker in a.txt)" in done.stderr


def test_a_review_without_findings(repository):
    done = run(repository, "explain", "0011", "work..work")
    assert done.returncode == 2
    assert "0011: the review against work" in done.stderr
    assert "has no findings" in done.stderr


def test_options_may_stand_between_the_fingerprint_and_the_range(repository):
    (fingerprint,) = fingerprints(repository, "errors/none-dereference")
    done = run_command(["explain", fingerprint, "-C", repository.folder, "main..work"], text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("warning  errors/none-dereference")
