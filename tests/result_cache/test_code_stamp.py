"""The stamp of the code: every edit shows, also one that leaves size and time as they were."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import review_bot
from review_bot.files.stamp import stamp_of
from review_bot.result_cache.code_stamp import LIBRARIES, code_stamp


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "checks").mkdir()
    (tmp_path / "__pycache__").mkdir()
    for name in ("one.py", "rules.json", "native.so", "checks/two.py", "notes.txt", "__pycache__/one.pyc"):
        (tmp_path / name).write_text("a = 1\n")
    return tmp_path


def _same_size_and_time(path: Path) -> None:
    status = path.stat()
    path.write_text("a = 2\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


EDITS = {
    "an edit": lambda package: (package / "one.py").write_text("a = 10\n"),
    "an edit of the same size and time": lambda package: _same_size_and_time(package / "one.py"),
    "an edit in a folder": lambda package: _same_size_and_time(package / "checks/two.py"),
    "an edit of the rules": lambda package: _same_size_and_time(package / "rules.json"),
    "an edit of a library": lambda package: _same_size_and_time(package / "native.so"),
    "a new file": lambda package: (package / "checks/three.py").write_text(""),
    "a file less": lambda package: (package / "checks/two.py").unlink(),
    "a new name": lambda package: (package / "one.py").rename(package / "other.py"),
}


@pytest.mark.parametrize("what", EDITS)
def test_every_edit_shows(package, what):
    before = stamp_of(str(package))
    assert stamp_of(str(package)) == before
    EDITS[what](package)
    assert stamp_of(str(package)) != before


def test_what_is_no_code_does_not_show(package):
    before = stamp_of(str(package))
    (package / "notes.txt").write_text("more")
    (package / "__pycache__/one.pyc").write_text("more")
    assert stamp_of(str(package)) == before


def test_every_library_that_computes_results_shows():
    root = Path(review_bot.__file__).parent
    found: set[str] = set()
    for folder in ("analysis", "changes", "checks", "engine", "flow"):
        for path in (root / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                found.update(each.partition(".")[0] for each in names)
    assert found - sys.stdlib_module_names - {"review_bot"} == {*LIBRARIES}


def test_how_python_was_started_shows():
    program = "from review_bot.result_cache.code_stamp import code_stamp; print(code_stamp())"
    found = set()
    for options in ([], ["-O"], ["-W", "error"], ["-X", "utf8=1"]):
        command = [sys.executable, *options, "-c", program]
        found.add(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert len(found) == 4
    assert "None\n" not in found
    assert code_stamp() == code_stamp()
