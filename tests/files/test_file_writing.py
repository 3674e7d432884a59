"""Files at a path that a person typed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from review_bot.files.file_writing import NotWritten, write_typed

LIMITED = """
import resource, sys
from review_bot.files.file_writing import NotWritten, write_typed
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_typed(sys.argv[1], "x" * 10_000)
except NotWritten as error:
    sys.exit(str(error))
"""


@pytest.mark.parametrize("before", [None, "an earlier report"])
def test_what_does_not_fit_on_the_disk_leaves_the_file_as_it_was(tmp_path: Path, before: str | None) -> None:
    path = tmp_path / "report.sarif"
    if before is not None:
        path.write_text(before, encoding="utf-8")
    ran = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=False)

    assert ran.returncode == 1, ran.stderr
    assert str(path) in ran.stderr
    assert [each.name for each in tmp_path.iterdir()] == ([] if before is None else [path.name])
    assert before is None or path.read_text(encoding="utf-8") == before


def test_a_link_a_pipe_and_permissions_stay_what_they_are(tmp_path: Path) -> None:
    path, link = tmp_path / "report.json", tmp_path / "latest.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    write_typed(str(link), "new")
    write_typed(os.devnull, "nothing")

    assert link.is_symlink()
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("new", 0o640)
    assert not Path(os.devnull).is_file()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="nowhere"):
        write_typed(str(tmp_path / "nowhere" / "report.json"), "x")
