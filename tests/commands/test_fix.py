"""``review-bot fix`` as a process, on real repositories: what it writes, what it leaves, and what it says."""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest

from review_bot.forges.file_edits import CannotWrite, replace_text
from tests.command import run_command
from tests.git_repository import GitRepository

HEAD = {
    "pkg/model.py": '"""A model."""\n\nimport os\nimport os\n\n\ndef run(x):  \n    """Run."""\n    \n    return os.fspath(x)',
    "README.md": "# Model\nIt runs.",
    "pkg/same.py": '"""The same."""\n',
}
FIXED = {
    "pkg/model.py": '"""A model."""\n\nimport os\n\n\ndef run(x):\n    """Run."""\n\n    return os.fspath(x)\n',
    "README.md": "# Model\nIt runs.\n",
    "pkg/same.py": '"""The same."""\n',
}


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "repo")
    made.commit({"README.md": "# Model\n", "pkg/same.py": '"""The same."""\n'}, "one")
    made.git("checkout", "--quiet", "-b", "work")
    made.write(HEAD)
    return made


def run(repository, *arguments, command="fix"):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return run_command([command, "-C", repository.folder, *arguments], env=environment)


def findings(repository):
    done = run(repository, "--base", "main", "--format", "json", command="review")
    return json.loads(done.stdout)["findings"]


def texts(repository):
    return {name: (repository.folder / name).read_text() for name in HEAD}


def test_what_is_certain_is_written_and_a_second_run_has_nothing_to_do(repository):
    before = findings(repository)
    done = run(repository)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == (
        "README.md: style/eof-newline\n"
        "pkg/model.py: style/duplicate-import, style/eof-newline, style/trailing-whitespace (2)\n"
        "5 fixes applied in 2 files.\n"
    )
    assert texts(repository) == FIXED
    again = run(repository)
    assert (again.returncode, again.stdout) == (0, b"No automatic fixes available.\n")
    dry = run(repository, "--dry-run")
    assert (dry.returncode, dry.stdout, dry.stderr) == (0, b"", b"No automatic fixes available.\n")
    fixed = Counter(["style/eof-newline"] * 2 + ["style/duplicate-import"] + ["style/trailing-whitespace"] * 2)
    assert Counter(each["rule"] for each in findings(repository)) == Counter(each["rule"] for each in before) - fixed


def test_a_dry_run_prints_a_patch_that_git_applies(repository):
    done = run(repository, "--dry-run")
    assert (done.returncode, done.stderr) == (0, b"5 fixes in 2 files.\n")
    assert texts(repository) == HEAD
    repository.git("apply", "-", given=done.stdout)
    assert texts(repository) == FIXED


def test_a_dry_run_works_for_any_head_and_in_a_bare_repository(repository, tmp_path):
    repository.commit()
    repository.git("checkout", "--quiet", "main")
    patch = run(repository, "--dry-run", "main..work").stdout
    repository.git("checkout", "--quiet", "work")
    repository.git("apply", "--check", "-", given=patch)
    repository.git("clone", "--quiet", "--bare", str(repository.folder), str(tmp_path / "bare"))
    bare = GitRepository.__new__(GitRepository)
    bare.folder = tmp_path / "bare"
    assert run(bare, "--dry-run", "main..work").stdout == patch
    refused = run(bare)
    assert refused.returncode == 2
    assert refused.stdout == b""


def test_rules_can_be_chosen_by_id_and_by_pattern(repository):
    run(repository, "--select", "style/trailing-whitespace")
    changed = texts(repository)
    assert changed["README.md"] == HEAD["README.md"]
    assert "import os\nimport os\n" in changed["pkg/model.py"]
    assert "def run(x):\n" in changed["pkg/model.py"]
    run(repository, "--select", "style/e*,style/tr*", "--select", "style/d*")
    assert texts(repository) == FIXED


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--select", "style/none"], "--select style/none: no such rule; `review-bot rules list` shows all rules"),
        (["--head", "work"], "fix writes to the whole working tree; pass only a base"),
        (["pkg"], "fix applies fixes in all files; remove pkg"),
        (["main..work"], "fix writes to the whole working tree; pass only a base"),
        (["--select", "style/eof-newline", "--config", "off.yml"], "the configuration switches this rule off"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_written(repository, arguments, words):
    config = repository.folder / "off.yml"
    config.write_text("rules:\n  style/eof-newline: off\n")
    done = run(repository, *(str(config) if each == "off.yml" else each for each in arguments))
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert texts(repository) == HEAD


def test_a_suppressed_finding_and_a_baseline_are_left_alone(repository):
    repository.write({"pkg/same.py": '"""The same."""\nX = 1  # review-bot: ignore[style/eof-newline] a test of ends'})
    run(repository, "--select", "style/eof-newline", "--base", "main")
    assert texts(repository)["pkg/same.py"].endswith("of ends")
    repository.write({"README.md": "# Model\nIt runs."})
    run(repository, "--base", "main", "--write-baseline", command="review")
    assert run(repository, "--base", "main").stdout == b"No automatic fixes available.\n"


def test_mode_and_odd_names_are_kept(repository):
    name = 'pkg/a "b"\n c.py'
    repository.write({name: "X = 1  \n"})
    path = repository.folder / name
    path.chmod(0o755)
    done = run(repository)
    assert done.returncode == 0
    assert path.read_text() == "X = 1\n"
    assert path.stat().st_mode & 0o777 == 0o755
    assert b'pkg/a "b"\\u000a c.py: style/trailing-whitespace\n' in done.stdout
    assert [each for each in os.listdir(repository.folder / "pkg") if each.startswith(".")] == []


def test_carriage_returns_and_a_byte_order_mark(repository):
    repository.write({"pkg/crlf.py": b"X = 1  \r\n", "pkg/bom.py": "\ufeffX = 1  \nY = 2  \n"})
    assert run(repository).returncode == 0
    assert (repository.folder / "pkg/crlf.py").read_bytes() == b"X = 1  \r\n"
    assert (repository.folder / "pkg/bom.py").read_text() == "\ufeffX = 1  \nY = 2\n", "no fix begins at the mark"


def test_a_file_whose_line_ends_git_converts_is_left_as_it_is(repository):
    repository.git("config", "core.autocrlf", "true")
    repository.write({"pkg/same.py": b'"""The same."""\r\nX = 1  \r\n'})
    done = run(repository)
    assert done.returncode == 3
    assert b"not written: pkg/same.py: it is not what was reviewed" in done.stderr
    assert (repository.folder / "pkg/same.py").read_bytes() == b'"""The same."""\r\nX = 1  \r\n'
    assert texts(repository)["README.md"] == FIXED["README.md"]


@pytest.mark.parametrize("where", ["file", "folder"])
def test_nothing_is_written_through_a_symbolic_link(tmp_path, where):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text("x\n")
    root = tmp_path / "root"
    (root / "d").mkdir(parents=True)
    if where == "file":
        (root / "d" / "a.py").symlink_to(outside / "a.py")
    else:
        (root / "d").rmdir()
        (root / "d").symlink_to(outside)
    with pytest.raises(CannotWrite):
        replace_text(str(root), "d/a.py", "x\n", "y\n")
    assert (outside / "a.py").read_text() == "x\n"
    assert os.listdir(outside) == ["a.py"]


def test_a_file_that_is_not_what_was_reviewed_stays(tmp_path):
    (tmp_path / "a.py").write_text("z\n")
    with pytest.raises(CannotWrite, match="it is not what was reviewed"):
        replace_text(str(tmp_path), "a.py", "x\n", "y\n")
    with pytest.raises(CannotWrite, match="it cannot be written: No such file"):
        replace_text(str(tmp_path), "b.py", "x\n", "y\n")
    assert os.listdir(tmp_path) == ["a.py"]


def test_findings_without_a_fix_are_named_with_what_to_do(repository):
    repository.write({"pkg/left.py": '"""Left."""\n\n\ndef run():\n    """Run."""\n    breakpoint()'})
    expected = (
        "1 finding needs a manual change; no fix is known:\n  pkg/left.py:6:5 warning style/debugger-left: Remove"
    )
    assert expected in run(repository, "--dry-run").stderr.decode()
    done = run(repository)
    assert (done.returncode, expected in done.stderr.decode()) == (0, True)
    assert b"debugger" not in run(repository, "--select", "style/eof-newline").stderr


@pytest.mark.parametrize("arguments", [[], ["--dry-run"]])
def test_an_incomplete_review_is_named(repository, arguments):
    repository.write({"pkg/left.py": "def run(:\n"})
    repository.write({".github/review-bot.yml": "rules:\n  errors/syntax-error: off\n"})
    assert "Not everything could be reviewed" in run(repository, *arguments).stderr.decode()


def test_the_help_names_no_paths(repository):
    assert b"PATH" not in run(repository, "--help").stdout
