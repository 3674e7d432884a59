"""Changes of the working tree, with the index and untracked files."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.forges.local_reading import added, by_path, read, texts
from tests.git_repository import GitRepository

pytestmark = pytest.mark.usefixtures("no_user_settings")


def test_the_working_tree_holds_staged_unstaged_and_untracked(repo: GitRepository) -> None:
    repo.commit({"staged.py": "1\n", "unstaged.py": "1\n", "both.py": "1\n", "gone.py": "1\n", ".gitignore": "*.log\n"})
    repo.write({"staged.py": "1\nstaged\n", "both.py": "1\nstaged\n", "new/deep.py": "new\n", "x.log": "ignored\n"})
    repo.git("add", "staged.py", "both.py")
    repo.write({"unstaged.py": "1\nunstaged\n", "both.py": "1\nstaged\nunstaged\n", "gone.py": None})

    change = read(repo, "HEAD")

    assert [file.path for file in change.files] == ["both.py", "gone.py", "new/deep.py", "staged.py", "unstaged.py"]
    assert added(change, "both.py") == [(2, "staged"), (3, "unstaged")]
    assert by_path(change)["gone.py"].status == "deleted"
    assert by_path(change)["new/deep.py"].status == "added"
    assert change.head is None
    assert texts(repo, "HEAD")["both.py"] == ("1\n", "1\nstaged\nunstaged\n")
    assert texts(repo, "HEAD")["new/deep.py"] == (None, "new\n")


def test_reading_leaves_the_repository_as_it_is(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.write({"new.py": "1\n", "a.py": "2\n"})

    def state() -> list[tuple[str, int, int]]:
        return sorted(
            (str(path), path.lstat().st_mtime_ns, path.lstat().st_size)
            for path in repo.folder.rglob("*")
            if path.is_file() or path.is_symlink()
        )

    before = state()
    read(repo, "HEAD")

    assert state() == before


def test_an_edit_in_the_second_of_the_commit_is_seen_beside_an_untracked_file(repo: GitRepository) -> None:
    while time.time() % 1 > 0.5:  # commit and edit within one second, which is all that git compares
        time.sleep(0.01)
    repo.commit({"a.py": "return a\n"})
    with open(repo.folder / "a.py", "r+", encoding="utf-8") as file:  # in place: another inode would give it away
        file.write("return b\n")
    repo.write({"new.py": "1\n"})
    time.sleep(1.1)

    assert added(read(repo, "HEAD"), "a.py") == [(1, "return b")]


def test_intent_to_add_is_an_added_file(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.write({"b.py": "1\n2\n"})
    repo.git("add", "-N", "b.py")

    change = read(repo, "HEAD")

    assert by_path(change)["b.py"].status == "added"
    assert added(change, "b.py") == [(1, "1"), (2, "2")]


def test_a_file_taken_from_the_index_and_left_on_disk_is_modified_or_unchanged(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n", "same.py": "1\n"})
    repo.git("rm", "-q", "--cached", "a.py", "same.py")
    repo.write({"a.py": "1\n2\n"})

    change = read(repo, "HEAD")

    assert [(file.path, file.status) for file in change.files] == [("a.py", "modified")]
    assert added(change, "a.py") == [(2, "2")]


def test_renames_in_the_working_tree(repo: GitRepository) -> None:
    body = "".join(f"line {n}\n" for n in range(30))
    repo.commit({"a.py": body, "b.py": body.upper()})
    repo.git("mv", "a.py", "moved.py")
    os.rename(repo.folder / "b.py", repo.folder / "untracked.py")

    statuses = {file.path: (file.status, file.old_path) for file in read(repo, "HEAD").files}

    assert statuses == {"moved.py": ("renamed", "a.py"), "untracked.py": ("renamed", "b.py")}


def test_a_merge_conflict_in_progress_shows_its_markers(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n2\n3\n", "z.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\ntopic\n3\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "1\nmain\n3\n", "z.py": "1\nz\n"})
    repo.git("merge", "-q", "topic", check=False)

    change = read(repo, "HEAD~1")

    assert added(change, "z.py") == [(2, "z")]
    assert "<<<<<<< HEAD" in dict(added(change, "a.py")).values()


@pytest.mark.parametrize("kept", ["ours", "theirs"])
def test_a_file_deleted_on_one_side_of_a_conflict_is_not_lost(repo: GitRepository, kept: str) -> None:
    repo.commit({"a.py": "1\n2\n3\n", "m.py": "1\n", "z.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\ntopic\n3\n"} if kept == "theirs" else {"a.py": None})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": None, "z.py": "1\nz\n"} if kept == "theirs" else {"a.py": "1\nmain\n3\n", "z.py": "1\nz\n"})
    repo.git("merge", "-q", "topic", check=False)

    change = read(repo, "HEAD~1")

    named = {file.path for file in change.files} | {entry.path for entry in change.unreviewed}
    assert {"a.py", "z.py"} <= named
    assert added(change, "z.py") == [(2, "z")]


def test_a_type_change_in_the_working_tree(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n", "folder/x.py": "1\n", "flat": "1\n"})
    os.unlink(repo.folder / "a.py")
    os.symlink("flat", repo.folder / "a.py")
    os.unlink(repo.folder / "flat")
    repo.write({"flat/inside.py": "inside\n"})
    os.symlink("/nowhere", repo.folder / "link.py")

    files = by_path(read(repo, "HEAD"))

    assert (files["a.py"].status, files["a.py"].kind) == ("retyped", "symlink")
    assert files["flat"].status == "deleted"
    assert files["flat/inside.py"].status == "added"
    assert (files["link.py"].status, files["link.py"].kind) == ("added", "symlink")


def test_a_repository_inside_the_working_tree_is_named(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    GitRepository(repo.folder / "vendored").commit({"x.py": "1\n"})

    files = by_path(read(repo, "HEAD"))

    assert files["vendored"].kind == "submodule"


def test_an_untracked_file_that_cannot_be_read_is_named(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    with open(repo.folder / "big.txt", "wb") as stream:
        stream.write(b"text\n")
        stream.truncate(50_000_001)
    with open(repo.folder / "big.bin", "wb") as stream:
        stream.write(b"\0\0\0\0")
        stream.truncate(50_000_001)
    with open(repo.folder / "big.py", "wb") as stream:
        stream.write(b"x = 1\n" * 9_000_000)

    change = read(repo, "HEAD")

    assert by_path(change)["big.bin"].kind == "binary"
    assert {entry.path: entry.reason for entry in change.unreviewed}["big.py"] == "larger than 50,000,000 bytes"


def test_an_index_of_its_own_counts(repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.py": "1\n"})
    repo.write({"b.py": "1\n", "c.py": "1\n"})
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.folder / ".git" / "other-index"))
    subprocess.run(["git", "-C", repo.folder, "read-tree", "HEAD"], check=True)
    subprocess.run(["git", "-C", repo.folder, "add", "b.py"], check=True)

    assert [file.path for file in read(repo, "HEAD").files] == ["b.py", "c.py"]
