"""A diff with and without the new files beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from review_bot.changes.pull_request import PullRequest
from review_bot.errors import ConfigError, DiffError
from review_bot.forges.diff_text import DiffText
from tests.git_repository import GitRepository


def read(diff: bytes, source: Path | None = None) -> PullRequest:
    return DiffText(diff, source=None if source is None else str(source)).read()


def reasons(change: PullRequest) -> dict[str, str]:
    return {entry.path: entry.reason for entry in change.unreviewed}


def test_texts_come_from_the_folder_and_from_the_diff_undone(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n2", "gone.py": "g\n", "old.py": "".join(f"{n}\n" for n in range(9)), "keep.py": "k\n"})
    repo.git("mv", "old.py", "moved.py")
    repo.commit({"a.py": "1\n2\n3", "gone.py": None, "new.py": "n\n", "moved.py": "".join(f"{n}\n" for n in range(10))})

    source = DiffText(repo.git("diff", "HEAD~1", "HEAD"), source=str(repo.folder))
    change = source.read()

    paths = [file.path for file in change.files]
    assert paths == ["a.py", "gone.py", "moved.py", "new.py"]
    assert source.read_new(range(4)).texts == {0: "1\n2\n3", 1: None, 2: "".join(f"{n}\n" for n in range(10)), 3: "n\n"}
    assert source.read_old(range(4)).texts == {0: "1\n2", 1: "g\n", 2: "".join(f"{n}\n" for n in range(9)), 3: None}
    tree = source.repository()
    assert tree.available
    assert tree.head_paths == {"a.py", "keep.py", "moved.py", "new.py"}
    assert tree.base_paths == {"a.py", "gone.py", "keep.py", "old.py"}
    assert (tree.base_text("a.py"), tree.base_text("gone.py"), tree.base_text("keep.py")) == ("1\n2", "g\n", "k\n")
    assert (tree.head_text("a.py"), tree.head_text("gone.py")) == ("1\n2\n3", None)


def test_without_a_folder_only_added_and_deleted_files_are_whole(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n", "gone.py": "g\n"})
    repo.commit({"a.py": "2\n", "gone.py": None, "new.py": "n\n"})

    source = DiffText(repo.git("diff", "HEAD~1", "HEAD"))
    source.read()

    assert source.read_new(range(3)).texts == {0: None, 1: None, 2: "n\n"}
    assert source.read_old(range(3)).texts == {0: None, 1: "g\n", 2: None}
    assert not source.repository().available
    assert source.settings("x.yml") is None
    assert source.own_files("rules") == []


def test_a_folder_with_dos_line_ends_fits_a_diff_of_unix_ones(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n2\n"})
    repo.commit({"a.py": "1\n2\n3\n", "new.py": "n\n"})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    repo.write({"a.py": b"1\r\n2\r\n3\r\n", "new.py": b"n\r\n"})

    source = DiffText(diff, source=str(repo.folder))

    assert source.read().unreviewed == ()
    assert source.read_new([0, 1]).texts == {0: "1\n2\n3\n", 1: "n\n"}


def test_a_diff_that_lacks_a_hunk_is_noticed(repo: GitRepository) -> None:
    lines = [f"{n}\n" for n in range(40)]
    repo.commit({"a.py": "".join(lines)})
    repo.commit({"a.py": "".join(["first\n", *lines, "last\n"])})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    cut = diff[: diff.index(b"\n@@", diff.index(b"@@ -1")) + 1]
    assert cut.count(b"@@ -") == 1

    assert "is incomplete" in reasons(read(cut, repo.folder))["a.py"]
    assert reasons(read(diff, repo.folder)) == {}


def test_an_added_file_that_is_not_the_object_of_its_header_is_noticed(repo: GitRepository) -> None:
    repo.commit()
    repo.commit({"a.py": "1\n2\n"})
    diff = repo.git("diff", "HEAD~1", "HEAD")

    assert reasons(read(diff)) == {}
    assert "is incomplete" in reasons(read(diff.replace(b"+2", b"+3")))["a.py"]


def test_a_folder_that_is_the_base(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n", "gone.py": "1\n"})
    repo.commit({"a.py": "1\n", "gone.py": None})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    repo.git("checkout", "-q", "HEAD~1")

    with pytest.raises(DiffError, match=r"it deletes gone\.py, which exists there"):
        read(diff, repo.folder)


def test_symbolic_links_are_never_followed_out_of_the_folder(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.py").write_text("1\n2\n")
    repo.commit({"sub/a.py": "1\n", "b.py": "1\n"})
    repo.commit({"sub/a.py": "1\n2\n", "b.py": "1\n2\n"})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    source = tmp_path / "source"
    source.mkdir()
    os.symlink(tmp_path / "secret", source / "sub")
    os.symlink(tmp_path / "secret" / "a.py", source / "b.py")
    os.symlink(tmp_path / "secret" / "a.py", source / "config.yml")

    door = DiffText(diff, source=str(source))
    change = door.read()

    assert set(reasons(change)) == {"sub/a.py", "b.py"}
    assert all("a symbolic link leads out of the folder" in reason for reason in reasons(change).values())
    assert door.read_new([0, 1]).texts == {0: None, 1: None}
    assert door.repository().head_text("b.py") is None
    with pytest.raises(ConfigError, match="out of the folder"):
        door.settings("config.yml")


def test_a_symlink_in_the_diff_is_compared_and_not_followed(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    os.unlink(repo.folder / "a.py")
    os.symlink("/etc/passwd", repo.folder / "a.py")
    repo.commit()

    change = read(repo.git("diff", "HEAD~1", "HEAD"), repo.folder)

    assert [(file.kind, file.status) for file in change.files] == [("symlink", "retyped")]
    assert change.unreviewed == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_diff_saved_by_windows_tools(repo: GitRepository, encoding: str) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\nž\n", "š.py": "1\n"})
    text = repo.git("-c", "core.quotePath=off", "diff", "HEAD~1", "HEAD").decode().replace("\n", "\r\n")
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")

    change = read(mark + text.encode(encoding))

    assert [file.path for file in change.files] == ["a.py", "š.py"]
    assert list(change.files[0].added_lines()) == [(2, "ž")]
    assert change.unreviewed == ()


def test_one_file_that_is_no_utf8_does_not_touch_the_others(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n", "b.py": b"\xe9\n"})
    repo.commit({"a.py": "1\nž\n", "b.py": "é\n", "c.py": b"caf\xe9\n", "d\udcff.py": "1\n"})

    change = read(repo.git("-c", "core.quotePath=off", "diff", "HEAD~1", "HEAD"))

    assert set(reasons(change)) == {"c.py"}
    lines = {file.path: list(file.added_lines()) for file in change.files}
    assert lines == {"a.py": [(2, "ž")], "b.py": [(1, "é")], "c.py": [(1, "caf\xe9")], "d\udcff.py": [(1, "1")]}


def test_source_that_attributes_hide_is_named(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n", "i.png": b"\x89PNG\0\0\0\0\xff" * 9, "t.txt": "1\n", ".gitattributes": "* -diff\n"})
    repo.commit({"a.py": "1\n2\n", "i.png": b"\x89PNG\0\0\0\0\xfe" * 9, "t.txt": "2\n"})
    diff = repo.git("diff", "HEAD~1", "HEAD")

    assert set(reasons(read(diff))) == {"a.py", "t.txt"}
    assert set(reasons(read(diff, repo.folder))) == {"a.py", "t.txt"}
