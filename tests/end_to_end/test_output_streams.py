"""Standard output that ends early or is full: no traceback, no false green, and the place is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository

PROGRAM = [sys.executable, "-I", "-m", "review_bot"]


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    made.commit({"a.py": "x = 1\n"})
    made.write({f"m{number}.py": "try:\n    run()\nexcept:\n    pass\n" * 200 for number in range(10)})
    return made


COMMANDS = [("review",), ("review", "--format", "json"), ("review", "--format", "github"), ("rules", "list"), ("brief",), ("fix", "--dry-run"), ("config", "schema"), ("--help",), ("--version",)]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("both", [False, True])
def test_a_reader_that_ends_early_is_met_in_silence(repo, command, both):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, *command],
        cwd=repo.folder,
        env={**ENVIRONMENT},
        stdout=writer,
        stderr=writer if both else subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writer)
    assert done.returncode in {0, 141}
    assert both or "BrokenPipe" not in done.stderr.decode()
    assert both or "defect" not in done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("command", [each for each in COMMANDS if each[0] != "fix"], ids=" ".join)
def test_a_full_disk_is_named(repo, command):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, *command],
            cwd=repo.folder,
            env={**ENVIRONMENT},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 3
    assert "could not write to standard output: No space left on device" in done.stderr
    assert "defect" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_report_on_a_full_disk_names_the_file(repo, tmp_path):
    (tmp_path / "full.json").symlink_to("/dev/full")
    done = subprocess.run(
        [*PROGRAM, "review", "--output", str(tmp_path / "full.json")],
        cwd=repo.folder,
        env={**ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3
    assert f"could not write {tmp_path}/full.json: No space left on device" in done.stderr
