"""Bad input, given to the real command: one plain sentence that says what, where and what to do, and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

DIFF = """diff --git a/a.py b/a.py
index 1191247..01e79c3 100644
--- a/a.py
+++ b/a.py
@@ -1,2 +1,3 @@
 1
 2
+3
"""


class Answer(NamedTuple):
    code: int
    out: str
    error: str


MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""
"""Runs a command, and prints the most memory that one of its processes took, in KiB on Linux."""


def review(
    folder: Path, *arguments: str, given: bytes | None = None, measured: bool = False, **environment: str
) -> Answer:
    """Run the command as a process, in a folder."""
    variables = {**ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(folder.parent), **environment}
    if measured:
        command = [sys.executable, "-c", MEASURED, sys.executable, "-m", "review_bot", "review", *arguments]
        answer = subprocess.run(
            command, cwd=folder, input=given or b"", capture_output=True, check=False, env=variables, timeout=120
        )
    else:
        answer = run_command(["review", *arguments], cwd=folder, input=given, env=variables)
    return Answer(answer.returncode, answer.stdout.decode("utf-8"), answer.stderr.decode("utf-8"))


def is_one_sentence(text: str) -> bool:
    return text.startswith("review-bot: ") and text.count("\n") == 1 and "Traceback" not in text and len(text) < 600


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    repo = GitRepository(tmp_path / "repo")
    repo.commit({"a.py": "1\n"})
    return repo


# ------------------------------------------------------------------------------------------- an empty change


def test_an_empty_change_is_exit_0_with_one_sentence(repo: GitRepository) -> None:
    for arguments in ((), ("HEAD..HEAD",), ("--diff", "-"), ("--diff", os.devnull)):
        answer = review(repo.folder, *arguments)
        assert (answer.code, answer.error) == (0, "")
        assert answer.out.count("\n") == 1
        assert "empty" in answer.out
    assert json.loads(review(repo.folder, "--format", "json").out)["verdict"]["passed"] is True
    assert review(repo.folder, "--diff", "-", given=b"\n \n").code == 0


# ------------------------------------------------------------------------- usage and revisions: exit code 2


def test_no_repository(tmp_path: Path) -> None:
    answer = review(tmp_path)
    assert answer.code == 2
    assert is_one_sentence(answer.error)
    assert "not in a git repository" in answer.error
    assert "--diff FILE" in answer.error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-C", "missing"), "the folder 'missing' does not exist"),
        (("-C", "a.py"), "the folder 'a.py' does not exist"),
        (("--base", "nowhere"), "'nowhere' is not a commit"),
        (("--head", "nowhere"), "'nowhere' is not a commit"),
        (("nowhere..HEAD",), "'nowhere' is not a commit"),
        (("HEAD..HEAD..HEAD",), "is not a commit"),
        (("nothing",), "'nothing' is neither a commit in this repository nor a file or folder"),
        (("HEAD", "--base", "HEAD"), "is a revision to compare with, and so is --base HEAD"),
        (("--staged", "--head", "HEAD"), "--head and --staged each set the head"),
        (("--select", "style/none"), "--select style/none: no such rule; `review-bot rules list` shows all rules"),
        (("--ignore", "stile"), "--ignore stile: no such rule; did you mean 'style'?"),
        (("--select", "style", "--ignore", "style"), "leave no rule to run"),
        (("--base=--output=x",), "is not a commit"),
        (("--base", ""), "'' is not a commit"),
        (("--base", "HEAD", "HEAD..HEAD"), "pass either BASE..HEAD or"),
        (("--source", "."), "--source only works with --diff"),
        (("--diff", "missing.diff"), "missing.diff: No such file"),
        (("--diff", "."), "Is a directory"),
        (("--diff", "-", "--source", "missing"), "--source missing: there is no such folder"),
        (("--diff", "-", "--base", "HEAD"), "remove --base"),
        (("--output", "report.doc"), "unknown suffix"),
        (("--config", "missing.yml"), "missing.yml: it cannot be read: No such file"),
    ],
)
def test_usage(repo: GitRepository, arguments: tuple[str, ...], words: str) -> None:
    answer = review(repo.folder, *arguments, given=DIFF.encode())
    assert answer.code == 2
    assert words in answer.error
    assert is_one_sentence(answer.error)
    assert answer.out == ""


def test_unrelated_histories(repo: GitRepository) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"a.py": "2\n"})

    answer = review(repo.folder, "main..other")

    assert answer.code == 2
    assert is_one_sentence(answer.error)
    assert "no common ancestor" in answer.error


def test_an_empty_repository(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    repo.write({"a.py": "1\n"})

    answer = review(repo.folder)

    assert answer.code == 2
    assert is_one_sentence(answer.error)
    assert "has no commit" in answer.error


def test_a_shallow_clone(repo: GitRepository, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\n2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": "1\n"})
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.folder}", str(clone))

    answer = review(clone, "origin/main..origin/topic")

    assert answer.code == 2
    assert is_one_sentence(answer.error)
    assert "git fetch --unshallow" in answer.error


# ----------------------------------------------------------------- configuration and rules: exit code 2

MISTAKES: dict[str, tuple[str | bytes, str]] = {
    "not YAML": ("fail-on: [", "review-bot.yml:1"),
    "unknown key": ("fail-on: error\nfail-onn: error\n", "review-bot.yml:2: fail-onn: "),
    "wrong value": ("\nfail-on: sometimes\n", "review-bot.yml:2: fail-on"),
    "wrong type": ("rules: 3\n", "review-bot.yml:1: rules"),
    "two documents": ("fail-on: error\n---\nfail-on: hint\n", "one document"),
    "not a mapping": ("- a\n", "is a mapping"),
    "a key twice": ("fail-on: error\nfail-on: hint\n", "review-bot.yml:2"),
    "an unknown rule": ("rules:\n  no/such-rule: off\n", "review-bot.yml:2"),
    "an alias": ("a: &x 1\nb: *x\n", "review-bot.yml"),
    "a tag": ("a: !!python/object:os.system 1\n", "review-bot.yml"),
    "many brackets": ("[" * 20_000, "review-bot.yml"),
    "not UTF-8": (b"fail-on: error\n# caf\xe9\n", "review-bot.yml:2: the file is not UTF-8"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_configuration_with_a_mistake(repo: GitRepository, name: str) -> None:
    text, words = MISTAKES[name]
    repo.write({".github/review-bot.yml": text})

    answer = review(repo.folder)

    assert (answer.code, answer.out) == (2, "")
    assert words in answer.error
    assert is_one_sentence(answer.error)


RULE_MISTAKES: dict[str, tuple[str | bytes, str]] = {
    "not YAML": ("id: [", "x.yml:1"),
    "no id": ("language: python\nmessage: m\nrule: {pattern: f()}\n", "x.yml"),
    "unknown language": ("id: a\nlanguage: cobol\nmessage: m\nrule: {pattern: f()}\n", "x.yml"),
    "unknown kind": ("id: a\nlanguage: python\nmessage: m\nrule: {kind: no_such_kind}\n", "x.yml"),
    "a bad regex": ("id: a\nmessage: m\ntext: {regex: '('}\n", "x.yml"),
    "two matchers": ("id: a\nlanguage: python\nmessage: m\nrule: {pattern: f()}\ntext: {regex: x}\n", "x.yml"),
    "the id of a built-in rule": (
        "id: style/conflict-marker\nlanguage: python\nmessage: m\nrule: {pattern: f()}\n",
        "x.yml:1: id",
    ),
    "not UTF-8": (b"id: a\n# \xe9\n", "x.yml:2: the file is not UTF-8"),
}


@pytest.mark.parametrize("name", RULE_MISTAKES)
def test_a_rule_with_a_mistake(repo: GitRepository, name: str) -> None:
    text, words = RULE_MISTAKES[name]
    repo.write({".github/review-bot/rules/x.yml": text})

    answer = review(repo.folder)

    assert (answer.code, answer.out) == (2, "")
    assert words in answer.error
    assert is_one_sentence(answer.error)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": "other"}', '{"schema": "review-bot/baseline/v1", "findings": [1]}']
)
def test_a_baseline_with_a_mistake(repo: GitRepository, text: str) -> None:
    repo.write({".github/review-bot-baseline.json": text})

    answer = review(repo.folder)

    assert (answer.code, answer.out) == (2, "")
    assert is_one_sentence(answer.error)
    assert "review-bot-baseline.json" in answer.error


# -------------------------------------------------------------------------------------- diffs: exit code 3

DIFFS: dict[str, tuple[str | bytes, str]] = {
    "HTML": ("<!DOCTYPE html>\n<html><body>diff</body></html>\n", "this is an HTML page"),
    "JSON": ('{"message": "Not Found"}\n', "this is JSON"),
    "JSON with a diff in it": (json.dumps({"diff": DIFF}), "this is JSON"),
    "words": ("hello\nworld\n", "not a unified diff"),
    "random bytes": (bytes(range(256)) * 20, "not a unified diff"),
    "cut off in a hunk": (DIFF[:-4], "line 5 of the diff: the hunk that begins here does not match"),
    "a count too small": (DIFF.replace("+1,3", "+1,2"), "line 8 of the diff"),
    "a count too large": (DIFF.replace("+1,3", "+1,30"), "line 5 of the diff"),
    "a huge count": (DIFF.replace("+1,3", "+1,100000000000000000000"), "line 5 of the diff"),
    "a hunk without a header": ("@@ -1 +1 @@\n-a\n+b\n", "without a file header"),
    "a combined diff": (
        "diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n++b\n",
        "line 1 of the diff: this is a combined diff of a merge",
    ),
    "colours": ("\x1b[1mdiff --git a/a.py b/a.py\x1b[m\n", "git diff --no-color"),
    "half a UTF-16 file": (b"\xff\xfed\0i", "invalid UTF-16"),
}


@pytest.mark.parametrize("name", DIFFS)
def test_what_is_no_diff(tmp_path: Path, name: str) -> None:
    text, words = DIFFS[name]

    answer = review(tmp_path, "--diff", "-", given=text if isinstance(text, bytes) else text.encode())

    assert (answer.code, answer.out) == (3, "")
    assert words in answer.error
    assert is_one_sentence(answer.error)


UNREVIEWED: dict[str, tuple[str | bytes, str, str]] = {
    "a header without its hunks": ("".join(DIFF.splitlines(keepends=True)[:4]), "a.py", "its hunks are missing"),
    "a name that leaves the folder": (
        DIFF.replace("a/a.py", "a/../../etc/passwd").replace("b/a.py", "b/../../etc/passwd"),
        "../../etc/passwd",
        "leaves the repository",
    ),
    "two sections": (DIFF + DIFF, "a.py", "a second section"),
    "two names": (DIFF.replace("+++ b/a.py", "+++ b/b.py"), "b.py", "names two different files"),
    "bytes that are no UTF-8": (DIFF.encode().replace(b"+3", b"+caf\xe9"), "a.py", "not UTF-8"),
    "source said to be binary": (
        "diff --git a/a.py b/a.py\nindex 1191247..01e79c3 100644\nBinary files a/a.py and b/a.py differ\n",
        "a.py",
        "git diff --text",
    ),
}


@pytest.mark.parametrize("name", UNREVIEWED)
def test_what_cannot_be_reviewed_is_named(tmp_path: Path, name: str) -> None:
    text, path, words = UNREVIEWED[name]

    answer = review(
        tmp_path, "--diff", "-", "--format", "json", given=text if isinstance(text, bytes) else text.encode()
    )

    assert (answer.code, answer.error) == (3, "")
    report = json.loads(answer.out)
    assert report["verdict"]["decision"] == "incomplete"
    assert [entry["path"] for entry in report["unreviewed"]] == [path]
    assert words in report["unreviewed"][0]["reason"]
    assert path in review(tmp_path, "--diff", "-", given=text if isinstance(text, bytes) else text.encode()).out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "a.py is not there"),
        ("1\n2\n", "line 3 there differs from the diff"),
        ("1\n2\n4\n", "line 3 there differs from the diff"),
        ("1\n2\n3\n4\n", "is not the object 01e79c3"),
    ],
)
def test_a_source_that_the_diff_does_not_fit(tmp_path: Path, content: str | None, words: str) -> None:
    (tmp_path / "source").mkdir()
    if content is not None:
        (tmp_path / "source" / "a.py").write_text(content)

    answer = review(tmp_path, "--diff", "-", "--source", "source", given=DIFF.encode())

    assert (answer.code, answer.out) == (3, "")
    assert is_one_sentence(answer.error)
    assert "does not match --source" in answer.error
    assert words in answer.error


# ---------------------------------------------------------------------------------- size, names, environment


def test_one_line_of_50_megabytes(repo: GitRepository) -> None:
    line = b"x = '" + b"a" * 50_000_000 + b"'\n"
    start = repo.git("rev-parse", "HEAD").decode().strip()
    repo.commit({"b.py": line})
    diff = repo.folder.parent / "x.diff"
    diff.write_bytes(repo.git("diff", "--text", start, "HEAD"))

    for arguments in ((f"{start}..HEAD",), ("--diff", str(diff))):
        answer = review(repo.folder, *arguments, "--format", "json", measured=True)
        assert (answer.code, answer.error.strip().isdecimal()) == (3, True), answer.error
        assert [entry["path"] for entry in json.loads(answer.out)["unreviewed"]] == ["b.py"]
        assert int(answer.error) < 1_000_000


def test_a_file_just_below_the_limit_ends(repo: GitRepository) -> None:
    repo.commit({"b.txt": b"a" * 30_000_000 + b"\n"})

    answer = review(repo.folder, "HEAD~1..HEAD", "--format", "json")

    assert answer.error == ""
    assert answer.code in {0, 3}


def test_names_that_are_no_utf8_come_out_as_text_and_as_json(repo: GitRepository) -> None:
    repo.commit({b"n\xff\n.py".decode("utf-8", "surrogateescape"): "lazy import os\n"})

    for encoding in ("utf-8", "ascii", "latin-1"):
        text = review(repo.folder, "HEAD~1..HEAD", PYTHONIOENCODING=encoding)
        assert (text.code, text.error) == (3, "")
    report = review(repo.folder, "HEAD~1..HEAD", "--format", "json")
    assert report.out.isascii()
    assert json.loads(report.out)["unreviewed"][0]["path"] == "n\\xff\n.py"
    for name in ("markdown", "sarif", "github"):
        assert review(repo.folder, "HEAD~1..HEAD", "--format", name).error == ""


def test_git_is_not_installed(repo: GitRepository) -> None:
    answer = review(repo.folder, PATH="/nonexistent")

    assert (answer.code, answer.out) == (3, "")
    assert is_one_sentence(answer.error)
    assert "git is not installed" in answer.error


def test_output_that_cannot_be_written(repo: GitRepository) -> None:
    repo.commit({"b.py": "1\n"})

    answer = review(repo.folder, "HEAD~1..HEAD", "--output", "missing/report.json")

    assert answer.code == 3
    assert is_one_sentence(answer.error)
    assert "missing/report.json" in answer.error


def test_an_unknown_option_and_a_wrong_choice_are_usage(repo: GitRepository) -> None:
    for arguments in (("--frobnicate",), ("--format", "pdf"), ("--fail-on", "always"), ("--jobs", "many")):
        answer = review(repo.folder, *arguments)
        assert answer.code == 2
        assert "Traceback" not in answer.error
