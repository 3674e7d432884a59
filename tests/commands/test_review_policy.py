"""What a repository's configuration lets pass: files that stay unreviewed, and suppressions."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

LATIN_1 = b"# caf\xe9\n" + b"x" * 93
BARE = "def f():\n    try:\n        g()\n    except:{}\n        h()\n"
SUPPRESSED = BARE.format("  # review-bot: ignore[errors/bare-except] g may raise anything, see #4")
STRICT = "suppressions: base\n"


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "clone")
    made.commit({"a.py": '"""A."""\n'})
    made.git("checkout", "--quiet", "-b", "work")
    return made


def review(repository: GitRepository, *arguments: str, given: bytes | None = None) -> dict[str, Any]:
    command = ["review", "-C", repository.folder, "--format", "json", *arguments]
    done = run_command(command, input=given, env={**ENVIRONMENT, "CI": "1"})
    assert done.returncode in {0, 1, 3}, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def allow(path: str, most: int | None) -> str:
    limit = "" if most is None else f", max-bytes: {most}"
    return f'unreviewed-ok:\n  - {{path: "{path}", reason: kept in Latin-1{limit}}}\n'


def unreviewed(data: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(entry["path"], entry["allowed"]) for entry in data["unreviewed"]]


@pytest.mark.parametrize(("most", "allowed"), [(None, True), (100, True), (99, False), (0, False)])
@pytest.mark.parametrize("state", ["untracked", "staged", "committed"])
def test_a_largest_size_bounds_what_may_stay_unreviewed(repository, state, most, allowed):
    repository.write({"odd [1] é.py": LATIN_1})
    if state != "untracked":
        repository.git("add", "--all")
    if state == "committed":
        repository.commit()
    config = repository.folder.parent / "config.yml"
    config.write_text(allow("**/*.py", most))
    data = review(repository, "--config", str(config), *(["main..work"] if state == "committed" else []))
    assert unreviewed(data) == [("odd [1] é.py", allowed)]
    assert data["verdict"]["passed"] is allowed


def test_a_diff_alone_tells_no_size(repository, tmp_path):
    diff = b"--- /dev/null\n+++ b/odd.py\n@@ -0,0 +1,1 @@\n+# caf\xe9\n"
    source = tmp_path / "source"
    source.mkdir()
    (source / "odd.py").write_bytes(b"# caf\xe9\n")
    config = tmp_path / "config.yml"
    config.write_text(allow("odd.py", 1000))
    flags = ("--diff", "-", "--config", str(config))
    assert unreviewed(review(repository, *flags, given=diff)) == [("odd.py", False)]
    beside = review(repository, *flags, "--source", str(source), given=diff)
    assert unreviewed(beside) == [("odd.py", True)]


def test_in_strict_mode_a_suppression_that_the_change_adds_does_not_count(repository):
    repository.commit({".github/review-bot.yml": STRICT, "m.py": SUPPRESSED})
    rules = [finding["rule"] for finding in review(repository, "main..work")["findings"]]
    assert {"errors/bare-except", "suppression/new"} <= set(rules)


def test_in_strict_mode_a_suppression_of_the_base_silences_no_other_statement(repository):
    repository.git("checkout", "--quiet", "main")
    alone = "# review-bot: ignore[errors/bare-except] g may raise anything, see #4\n    "
    repository.commit({"m.py": "def f():\n    try:\n        g()\n    " + alone + "except ValueError:\n        h()\n"})
    repository.git("checkout", "--quiet", "-B", "work")
    repository.commit(
        {
            ".github/review-bot.yml": STRICT,
            "m.py": "def f():\n    try:\n        g()\n    " + alone + "except:\n        h()\n",
        }
    )
    data = review(repository, "main..work")
    assert data["suppressed"] == []
    assert "errors/bare-except" in {finding["rule"] for finding in data["findings"]}


def test_in_strict_mode_a_suppression_of_the_base_counts_for_the_statement_that_it_stood_at(repository):
    """A function that becomes longer is a finding of the whole function, whose first line the change leaves alone."""
    repository.git("checkout", "--quiet", "main")
    comment = "# review-bot: ignore[own-step] measured, see #4\n"
    rule = (
        "id: own-step\nlanguage: python\nmessage: A step.\nrule: {kind: function_definition}\nmetadata: {lines: any}\n"
    )
    step = f"{comment}def step(n):\n    return n\n"
    files = {".github/review-bot.yml": STRICT, ".github/review-bot/rules/step.yml": rule}
    repository.commit({**files, "m.py": f"X = 1\n{step}", "n.py": step})
    repository.git("checkout", "--quiet", "-B", "work")
    repository.commit({"m.py": f"X = 2\n{step}", "n.py": step.replace("return n", "return n + 1")})
    data = review(repository, "main..work")
    assert [(entry["path"], entry["rule"]) for entry in data["suppressed"]] == []
    assert [entry["path"] for entry in data["findings"] if entry["rule"] == "own-step"] == ["n.py"]


@pytest.mark.parametrize(("config", "counts"), [("", True), ("suppressions: head\n", True), (STRICT, False)])
def test_a_noqa_counts_as_a_suppression_does(repository, config, counts):
    repository.commit({".github/review-bot.yml": config, "m.py": BARE.format("  # noqa: E722")})
    data = review(repository, "main..work")
    assert ("errors/bare-except" in {finding["rule"] for finding in data["findings"]}) is not counts


def write_baseline(repository: GitRepository) -> subprocess.CompletedProcess[str]:
    command = ["review", "-C", repository.folder, "--write-baseline"]
    return run_command(command, text=True, env={**ENVIRONMENT, "CI": "1"})


def test_a_baseline_written_again_keeps_what_it_held(repository):
    repository.commit({"m.py": BARE.format("")})
    assert "accepted in .github/review-bot-baseline.json\n" in write_baseline(repository).stdout
    first = {entry["fingerprint"] for entry in review(repository)["suppressed"]}
    assert first
    repository.commit({"n.py": BARE.format("")})
    done = write_baseline(repository)
    assert f"in addition to {len(first)} accepted before" in done.stdout
    assert done.returncode == 0
    data = review(repository)
    assert not data["findings"]
    assert first < {entry["fingerprint"] for entry in data["suppressed"]}


def test_a_first_baseline_without_findings_says_how_to_accept_old_code(repository):
    repository.commit({"m.py": BARE.format("")})
    repository.git("branch", "-f", "main")
    done = write_baseline(repository)
    assert (done.returncode, done.stdout) == (0, "0 findings accepted in .github/review-bot-baseline.json\n")
    assert "--base $(git rev-list --max-parents=0 HEAD | tail -1) --write-baseline" in done.stderr
    (repository.folder / ".github/review-bot-baseline.json").unlink()
    first = repository.git("rev-list", "--max-parents=0", "HEAD").strip()
    command = ["review", "-C", repository.folder, "--base", first, "--write-baseline"]
    done = run_command(command, text=True, env=ENVIRONMENT)
    assert not done.stdout.startswith("0 findings")
    assert not done.stderr


def test_a_baseline_names_what_it_cannot_accept(repository):
    whole = "id: own-whole\nseverity: warning\nmessage: No page.\npull_request: {when: {changed: ['**/*.py']}}\n"
    repository.commit({".github/review-bot/rules/whole.yml": whole, "m.py": BARE.format(""), "n.txt": "a\u202eb\n"})
    kept = "1 belongs to the change as a whole and cannot be accepted (own-whole)"
    first = write_baseline(repository).stdout
    assert re.fullmatch(
        rf"[1-9]\d* findings? accepted in [^;]+; {re.escape(kept)}; 1 cannot be suppressed \(.+\)\n", first
    )
    again = write_baseline(repository).stdout
    assert again.startswith("0 findings accepted in ")
    assert kept in again
    assert [finding["rule"] for finding in review(repository)["findings"] if finding["path"] is None] == ["own-whole"]


def test_a_baseline_of_an_incomplete_review_says_so(repository):
    repository.commit({"odd.py": LATIN_1})
    done = write_baseline(repository)
    assert done.returncode == 3
    assert "Not everything could be reviewed" in done.stderr


def test_a_folder_for_temporary_files_that_is_missing_is_named(repository):
    repository.write({"new.py": '"""New."""\n'})
    environment = {**ENVIRONMENT, "TMPDIR": str(repository.folder / "none")}
    done = run_command(["review", "-C", repository.folder], text=True, env=environment)
    assert done.returncode == 3
    assert "the untracked files need a temporary copy of the index" in done.stderr
