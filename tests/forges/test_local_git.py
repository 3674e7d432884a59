"""Changes read from real repositories: what counts is that every path and line is right, and nothing is left out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.errors import ConfigError, ForgeError, UsageError
from review_bot.forges.base_branch import default_branch
from review_bot.forges.local_git import LocalGit
from review_bot.forges.repository_root import find_root
from tests.git_repository import ENVIRONMENT, GitRepository


@pytest.fixture(autouse=True)
def no_user_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what a test sets may count."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        if name.startswith("GIT_"):
            monkeypatch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repo")


def read(
    repo: GitRepository, base: str | None = None, head: str | None = None, folder: str | None = None
) -> PullRequest:
    source = LocalGit(folder or str(repo.folder), base=base, head=head)
    try:
        return source.read()
    finally:
        source.close()


def texts(
    repo: GitRepository, base: str | None = None, head: str | None = None
) -> dict[str, tuple[str | None, str | None]]:
    """Return (old, new) text by path, as rules get them."""
    source = LocalGit(str(repo.folder), base=base, head=head)
    try:
        change = source.read()
        wanted = [n for n, file in enumerate(change.files) if file.kind == "text"]
        new = source.read_new(n for n in wanted if change.files[n].status != "deleted")
        old = source.read_old(n for n in wanted if change.files[n].status != "added")
        assert new.unreviewed == ()
        return {change.files[n].path: (old.texts.get(n), new.texts.get(n)) for n in wanted}
    finally:
        source.close()


def by_path(change: PullRequest) -> dict[str, ChangedFile]:
    return {file.path: file for file in change.files}


def added(change: PullRequest, path: str) -> list[tuple[int, str]]:
    return list(by_path(change)[path].added_lines())


def removed(change: PullRequest, path: str) -> list[tuple[int, str]]:
    return list(by_path(change)[path].removed_lines())


# ---------------------------------------------------------------------------------------------------- ranges


def test_a_range_is_compared_with_the_merge_base_not_with_the_tip_of_the_base(repo: GitRepository) -> None:
    start = repo.commit({"a.py": "1\n", "b.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    head = repo.commit({"a.py": "1\n2\n"})
    repo.git("checkout", "-q", "main")
    tip = repo.commit({"b.py": "other\n"})

    change = read(repo, "main", "topic")

    assert [file.path for file in change.files] == ["a.py"]
    assert added(change, "a.py") == [(2, "2")]
    assert (change.base, change.merge_base, change.head, change.base_label) == (tip, start, head, "main")
    assert change.base_date == "2026-03-01"


def test_of_two_merge_bases_the_first_counts(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"t.py": "t\n"})
    topic = repo.git("rev-parse", "HEAD").decode().strip()
    repo.git("checkout", "-q", "main")
    repo.commit({"m.py": "m\n"})
    main = repo.git("rev-parse", "HEAD").decode().strip()
    repo.git("merge", "-q", "--no-edit", topic)
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-edit", main)
    repo.commit({"late.py": "1\n"})
    assert len(repo.git("merge-base", "--all", "main", "topic").split()) == 2

    change = read(repo, "main", "topic")

    expected = repo.git("diff", "--name-only", str(change.merge_base), "topic").decode().split()
    assert [file.path for file in change.files] == expected
    assert "late.py" in expected


def test_a_rename_keeps_both_names_and_its_lines(repo: GitRepository) -> None:
    body = "".join(f"line {n}\n" for n in range(30))
    repo.commit({"old name.py": body})
    repo.git("mv", "old name.py", "new.py")
    repo.commit({"new.py": body + "last\n"})

    file = by_path(read(repo, "HEAD~1", "HEAD"))["new.py"]

    assert (file.status, file.old_path, file.base_path) == ("renamed", "old name.py", "old name.py")
    assert list(file.added_lines()) == [(31, "last")]


def test_an_exact_rename_a_copy_and_a_mode_change_have_no_lines(repo: GitRepository) -> None:
    body = "".join(f"line {n}\n" for n in range(30))
    repo.commit({"a.py": body, "tool.py": "1\n"})
    repo.git("mv", "a.py", "b.py")
    repo.write({"copy.py": body})
    os.chmod(repo.folder / "tool.py", 0o755)
    repo.commit()

    files = by_path(read(repo, "HEAD~1", "HEAD"))

    assert {files["b.py"].status, files["copy.py"].status} == {"renamed", "added"}
    assert (files["tool.py"].old_mode, files["tool.py"].new_mode, files["tool.py"].hunks) == ("100644", "100755", ())


def test_a_file_that_becomes_a_symlink_and_back(repo: GitRepository) -> None:
    repo.commit({"a.py": "import os\nimport sys\n"})
    os.unlink(repo.folder / "a.py")
    os.symlink("/etc/passwd", repo.folder / "a.py")
    repo.commit()
    os.unlink(repo.folder / "a.py")
    repo.commit({"a.py": "import re\n"})

    there = by_path(read(repo, "HEAD~2", "HEAD~1"))["a.py"]
    back = by_path(read(repo, "HEAD~1", "HEAD"))["a.py"]

    assert (there.status, there.kind, there.added, there.removed) == ("retyped", "symlink", 1, 2)
    assert list(there.removed_lines()) == [(1, "import os"), (2, "import sys")]
    assert (back.status, back.kind) == ("retyped", "text")
    assert list(back.added_lines()) == [(1, "import re")]
    assert texts(repo, "HEAD~1", "HEAD")["a.py"] == ("/etc/passwd", "import re\n")


def test_kinds_without_text(repo: GitRepository) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12\n"
    inner = GitRepository(repo.folder.parent / "inner")
    inner.commit({"x": "1"})
    repo.commit({"start": "1"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "sub")
    repo.commit({"w.safetensors": pointer, "i.png": b"\x89PNG\r\n\x1a\n\0\0\0\0\xff\xfe" * 9})

    change = read(repo, "HEAD~1", "HEAD")

    assert {path: file.kind for path, file in by_path(change).items()} == {
        ".gitmodules": "text",
        "i.png": "binary",
        "sub": "submodule",
        "w.safetensors": "lfs",
    }
    assert change.unreviewed == ()


def test_code_that_begins_like_an_lfs_pointer_is_text(repo: GitRepository) -> None:
    repo.commit({"a": "1"})
    repo.commit({"run.sh": "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\nrm -rf /\n"})

    assert by_path(read(repo, "HEAD~1", "HEAD"))["run.sh"].kind == "text"


def test_all_lines_of_a_merge_commit_are_those_against_the_base(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n2\n3\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\n2\n3\ntopic\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "main\n1\n2\n3\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-edit", "main")

    assert added(read(repo, "main", "topic"), "a.py") == [(5, "topic")]


# ------------------------------------------------------------------------------------------ the working tree


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


# ---------------------------------------------------------------------------------------- line ends, encodings


def test_crlf_in_the_repository_keeps_its_carriage_returns(repo: GitRepository) -> None:
    repo.commit({"a.py": b"1\r\n2\r\n"})
    repo.commit({"a.py": b"1\r\n2\r\n3\r\n"})

    assert added(read(repo, "HEAD~1", "HEAD"), "a.py") == [(3, "3\r")]


def test_a_working_tree_with_autocrlf_is_read_as_git_will_store_it(repo: GitRepository) -> None:
    repo.commit({"a.py": b"1\n2\n", "same.py": b"1\n"})
    repo.git("config", "core.autocrlf", "true")
    repo.write({"a.py": b"1\r\n2\r\n3\r\n", "same.py": b"1\r\n", "new.py": b"1\r\n2\r\n"})

    change = read(repo, "HEAD")

    assert [file.path for file in change.files] == ["a.py", "new.py"]
    assert added(change, "a.py") == [(3, "3")]
    assert added(change, "new.py") == [(1, "1"), (2, "2")]
    assert texts(repo, "HEAD")["a.py"] == ("1\n2\n", "1\n2\n3\n")


def test_a_working_tree_encoding_is_read_as_git_will_store_it(repo: GitRepository) -> None:
    repo.commit({".gitattributes": "*.ps1 text working-tree-encoding=UTF-16LE-BOM eol=lf\n"})
    repo.write({"a.ps1": b"\xff\xfe" + "Write-Host ž\n".encode("utf-16-le")})

    assert added(read(repo, "HEAD"), "a.ps1") == [(1, "Write-Host ž")]


def test_utf16_in_the_repository_is_named(repo: GitRepository) -> None:
    repo.commit({"a": "1"})
    repo.commit({"a.ps1": b"\xff\xfe" + "Write-Host\n".encode("utf-16-le")})

    change = read(repo, "HEAD~1", "HEAD")

    assert [entry.path for entry in change.unreviewed] == ["a.ps1"]
    assert "UTF-16" in change.unreviewed[0].reason


def test_invalid_utf8_is_named_and_its_lines_are_read(repo: GitRepository) -> None:
    repo.commit({"a.py": b"1\n", "mended.py": b"x = '\xe9'\n"})
    repo.commit({"a.py": b"1\n# caf\xe9\nprint()\n", "mended.py": "x = 'é'\n"})

    change = read(repo, "HEAD~1", "HEAD")

    assert [entry.path for entry in change.unreviewed] == ["a.py"]
    assert added(change, "a.py") == [(2, "# caf\xe9"), (3, "print()")]
    assert added(change, "mended.py") == [(1, "x = 'é'")]


def test_a_file_whose_text_outside_the_diff_is_no_utf8_is_unreviewed_when_it_is_asked_for(repo: GitRepository) -> None:
    lines = b"".join(b"line %d\n" % n for n in range(20))
    repo.commit({"a.py": b"# \xe9\n" + lines})
    repo.commit({"a.py": b"# \xe9\n" + lines + b"import os\n"})
    source = LocalGit(str(repo.folder), base="HEAD~1", head="HEAD")

    assert source.read().unreviewed == ()
    assert [entry.path for entry in source.read_new([0]).unreviewed] == ["a.py"]
    source.close()


@pytest.mark.parametrize("old", [b"1\n2", b"1\n2\n", b"", b"\n"])
@pytest.mark.parametrize("new", [b"1\n2", b"1\n2\n", b"1\n2\n3", b"1\n3", b"", b"\n", b"\n\n"])
def test_every_form_of_a_missing_final_newline(repo: GitRepository, old: bytes, new: bytes) -> None:
    repo.commit({"a.py": old})
    repo.commit({"a.py": new})

    pairs = texts(repo, "HEAD~1", "HEAD")

    assert pairs == ({} if old == new else {"a.py": (old.decode(), new.decode())})


ODD_LINES = {
    "lone carriage return": "a\rb",
    "form feed": "a\x0cb",
    "vertical tab": "a\x0bb",
    "next line": "a\x85b",
    "line separator": "a\u2028b\u2029c",
    "file separator": "a\x1cb\x1db\x1eb",
    "byte order mark": "\ufeffa",
    "looks like a header": "--- a/x",
    "looks like the other header": "+++ b/x",
    "looks like a hunk": "@@ -1 +1 @@",
    "looks like a section": "diff --git a/x b/x",
    "looks like a marker": "\\ No newline at end of file",
    "looks like a signature": "-- ",
    "empty": "",
    "blanks": "   ",
    "lone surrogate bytes of a high code point": "\U0010ffff",
}


@pytest.mark.parametrize("line", ODD_LINES.values(), ids=ODD_LINES)
def test_an_odd_line_is_one_line_with_the_right_number(repo: GitRepository, line: str) -> None:
    repo.commit({"a.py": f"1\n{line}\n3\n4\n5\n6\n7\n8\n9\n"})
    repo.commit({"a.py": f"1\n3\n{line}{line}\n4\n5\n6\n7\n8\n{line}\nend\n9\n"})

    change = read(repo, "HEAD~1", "HEAD")

    assert added(change, "a.py") == [(3, line * 2), (9, line), (10, "end")]
    assert removed(change, "a.py") == [(2, line)]
    assert change.unreviewed == ()


def test_a_nul_in_a_source_file_hides_nothing(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\nx = '\0'\nimport os\n", "data.bin": bytes(range(256)) * 9})

    change = read(repo, "HEAD~1", "HEAD")

    assert added(change, "a.py") == [(2, "x = '\0'"), (3, "import os")]
    assert by_path(change)["data.bin"].kind == "binary"
    assert change.unreviewed == ()


def test_bytes_that_are_no_text_under_the_name_of_source_are_named(repo: GitRepository) -> None:
    repo.commit({"a": "1"})
    repo.commit({"a.py": b"\0\0\0\0\xff\xfe" * 9})

    assert [entry.path for entry in read(repo, "HEAD~1", "HEAD").unreviewed] == ["a.py"]


# ------------------------------------------------------------------------------------------------------- names

ODD_NAMES = [
    "new\nline.py",
    "tab\tname.py",
    'quote".py',
    "back\\slash.py",
    "x b/y.py",
    "a b/b c.py",
    "-rf.py",
    "--help",
    "blank .py ",
    " lead.py",
    "ž/š.py",
    "caf\u00e9.py",
    "cafe\u0301.py",
    "$(id).py",
    "`id`.py",
    "a;b|c&d.py",
    "\x1b[31m\r.py",
    "::error::x.py",
    "%0A::set-output name=x::y",
    "@org/team.md",
    "\u202ex.py",
    "CON.py",
    "dot.",
    "up/../down.py".replace("..", "…"),
    "*.py",
    "[a].py",
    ":(top)x.py",
    "=>.py",
    "{a => b}.py",
    "\udcff\udc80.py",
    "/".join(["d" * 200] * 15) + "/" + "f" * 200 + ".py",
]


def test_odd_names_come_back_as_they_are(repo: GitRepository) -> None:
    body = "".join(f"line {n}\n" for n in range(9))
    repo.commit(dict.fromkeys(ODD_NAMES, body))
    repo.commit(dict.fromkeys(ODD_NAMES, body + "added\n"))

    change = read(repo, "HEAD~1", "HEAD")

    assert {file.path for file in change.files} == set(ODD_NAMES)
    assert all(list(file.added_lines()) == [(10, "added")] for file in change.files)
    assert set(texts(repo, "HEAD~1", "HEAD").values()) == {(body, body + "added\n")}


def test_odd_names_in_the_working_tree(repo: GitRepository) -> None:
    repo.commit(dict.fromkeys(ODD_NAMES[::2], "1\n"))
    repo.write(dict.fromkeys(ODD_NAMES, "1\n2\n"))

    change = read(repo, "HEAD")

    assert {file.path for file in change.files} == set(ODD_NAMES)
    assert {file.added for file in change.files} == {1, 2}


def test_odd_names_behind_attributes_that_hide_text(repo: GitRepository) -> None:
    repo.commit(dict.fromkeys(ODD_NAMES, "1\n") | {".gitattributes": "* -diff\n"})
    repo.commit(dict.fromkeys(ODD_NAMES, "1\n2\n"))

    change = read(repo, "HEAD~1", "HEAD")

    assert {file.path: file.added for file in change.files} == dict.fromkeys(ODD_NAMES, 1)


# ---------------------------------------------------------------------------------- settings that change output

SETTINGS = [
    "diff.noprefix=true",
    "diff.mnemonicPrefix=true",
    "color.ui=always",
    "color.diff=always",
    "diff.colorMoved=zebra",
    "diff.external=false",
    "diff.orderFile=order",
    "diff.renames=false",
    "diff.renames=copies",
    "diff.suppressBlankEmpty=true",
    "diff.algorithm=patience",
    "diff.context=0",
    "diff.interHunkContext=50",
    "diff.relative=true",
    "diff.indentHeuristic=false",
    "diff.wsErrorHighlight=all",
    "diff.ignoreSubmodules=all",
    "diff.submodule=log",
    "diff.dirstat=lines",
    "diff.autoRefreshIndex=false",
    "diff.driver.textconv=wc",
    "diff.driver.command=false",
    "diff.driver.binary=true",
    "diff.driver.xfuncname=^(.*)$",
    "interactive.diffFilter=false",
    "core.pager=false",
    "core.abbrev=4",
    "core.quotepath=true",
    "core.fsmonitor=false",
    "core.splitIndex=true",
    "core.untrackedCache=true",
    "log.showSignature=true",
    "status.showUntrackedFiles=no",
    "apply.whitespace=error",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_the_user_change_nothing(
    repo: GitRepository, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "".join(f"line {n}\n" for n in range(30))
    repo.commit({"sub/a b.py": body + "\n\n", "sub/old.py": body.upper(), "ž.py": "1\n", "order": "z*\n"})
    repo.git("mv", "sub/old.py", "sub/moved.py")
    repo.write({".git/info/attributes": "*.py diff=driver\n"})
    repo.commit({"sub/a b.py": "new\n" + body + "\n\nend \n", "ž.py": "1\n2\n"})
    repo.write({"z.py": "1\n", "sub/a b.py": "new\n" + body + "\n\nother\n"})
    plain = read(repo, "HEAD~1", "HEAD"), read(repo, "HEAD~1")

    key, _, value = setting.partition("=")
    repo.git("config", key, value)
    monkeypatch.chdir(repo.folder / "sub")

    assert (read(repo, "HEAD~1", "HEAD", "."), read(repo, "HEAD~1", folder=".")) == plain
    assert by_path(plain[0])["sub/moved.py"].status == "renamed"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_DIFF_OPTS", "--unified=0"),
        ("GIT_TRACE", "1"),
        ("GIT_TRACE2", "1"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_PAGER", "false"),
        ("GIT_CONFIG_PARAMETERS", "'diff.noprefix=true' 'diff.renames=false'"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("GIT_ATTR_SOURCE", "HEAD"),
    ],
)
def test_variables_of_the_user_change_nothing(
    repo: GitRepository, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": "1\n2\n3\n", ".gitattributes": "*.py -diff\n"})
    repo.commit({"a.py": "1\n2\n3\n4\n"})
    repo.write({"b.py": "1\n"})
    plain = read(repo, "HEAD~1")

    monkeypatch.setenv(name, value)

    assert read(repo, "HEAD~1") == plain
    assert {file.path for file in plain.files} == {"a.py", "b.py"}


@pytest.mark.parametrize("attribute", ["-diff", "binary", "diff=hidden", "-text", "linguist-generated -diff"])
def test_no_attribute_hides_source(repo: GitRepository, attribute: str) -> None:
    repo.git("config", "diff.hidden.binary", "true")
    repo.commit({".gitattributes": f"*.py {attribute}\n", "gone.py": "1\n", "old.py": "1\n2\n3\n4\n5\n6\n7\n"})
    repo.git("mv", "old.py", "moved.py")
    repo.commit({"a.py": "import os\n", "gone.py": None, "moved.py": "1\n2\n3\n4\n5\n6\n7\n8\n"})
    repo.write({"untracked.py": "import re\n"})

    for change in (read(repo, "HEAD~1", "HEAD"), read(repo, "HEAD~1")):
        assert added(change, "a.py") == [(1, "import os")]
        assert removed(change, "gone.py") == [(1, "1")]
        assert (by_path(change)["moved.py"].status, added(change, "moved.py")) == ("renamed", [(8, "8")])
        assert change.unreviewed == ()
    assert added(change, "untracked.py") == [(1, "import re")]


def test_attributes_of_the_user_do_not_hide_source(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "attributes").write_text("*.py -diff\n")
    repo.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n"})

    assert added(read(repo, "HEAD~1", "HEAD"), "a.py") == [(2, "2")]


# ---------------------------------------------------------------------------------------------- repositories


def test_a_sha256_repository(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo", "--object-format=sha256")
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n", "empty.py": ""})
    repo.write({"b.py": "1\n", "c.py": ""})

    change = read(repo, "HEAD~1")

    assert {path: file.added for path, file in by_path(change).items()} == {
        "a.py": 1,
        "b.py": 1,
        "c.py": 0,
        "empty.py": 0,
    }
    assert texts(repo, "HEAD~1")["a.py"] == ("1\n", "1\n2\n")
    assert texts(repo, "HEAD~1", "HEAD")["a.py"] == ("1\n", "1\n2\n")


def test_a_bare_repository_reviews_its_head_and_reads_settings_from_the_base(
    repo: GitRepository, tmp_path: Path
) -> None:
    repo.commit(
        {"a.py": "1\n", ".github/review-bot.yml": "fail-on: never\n", ".github/review-bot/rules/x.yml": "id: x\n"}
    )
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\n2\n", ".github/review-bot.yml": "fail-on: hint\n"})
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(bare))

    source = LocalGit(str(bare), base="main", head="topic")
    change = source.read()

    assert source.bare
    assert added(change, "a.py") == [(2, "2")]
    assert source.settings(".github/review-bot.yml") == "fail-on: never\n"
    assert source.settings("missing.yml") is None
    assert source.own_files(".github/review-bot/rules") == [(".github/review-bot/rules/x.yml", "id: x\n")]
    repository = source.repository()
    assert repository.head_text("a.py") == "1\n2\n"
    assert repository.base_text("a.py") == "1\n"
    source.close()
    without = LocalGit(str(bare))
    assert without.read().head is not None
    without.close()


def test_a_revision_is_never_an_option(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n"})
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(bare))

    for name in (
        "--help",
        "-h",
        "--output=x",
        "HEAD..HEAD",
        "^HEAD",
        "",
        "HEAD:a.py",
        "HEAD^{tree}",
        "a\nb",
        "nowhere",
    ):
        source = LocalGit(str(bare), base=name)
        for call in (
            source.read,
            lambda source=source: source.settings("x"),
            lambda source=source: source.own_files("x"),
        ):
            with pytest.raises(UsageError, match="is not a commit"):
                call()
        source.close()


def test_a_worktree_and_a_subfolder(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n", "sub/b.py": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "topic")
    (tmp_path / "tree" / "a.py").write_text("1\n2\n")
    (tmp_path / "tree" / "top.py").write_text("1\n")

    assert (tmp_path / "tree" / ".git").is_file()
    change = read(repo, "main", folder=str(tmp_path / "tree" / "sub"))
    assert [file.path for file in change.files] == ["a.py", "top.py"]


def test_git_dir_and_work_tree_from_the_environment(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": "1\n", "sub/b.py": "1\n"})
    elsewhere = tmp_path / "elsewhere"
    os.rename(repo.folder / ".git", elsewhere)
    (repo.folder / "a.py").write_text("1\n2\n")
    (repo.folder / "new.py").write_text("1\n")
    monkeypatch.chdir(repo.folder / "sub")
    monkeypatch.setenv("GIT_DIR", "../../elsewhere")
    monkeypatch.setenv("GIT_WORK_TREE", "..")

    source = LocalGit(".", base="HEAD")
    change = source.read()

    assert source.root == str(repo.folder)
    assert [file.path for file in change.files] == ["a.py", "new.py"]
    source.close()


def test_a_detached_head(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n"})
    repo.git("checkout", "-q", "--detach")
    repo.git("branch", "-q", "-f", "main", "HEAD~1")
    repo.write({"a.py": "1\n2\n3\n"})

    change = read(repo)

    assert change.base_label == "main"
    assert added(change, "a.py") == [(2, "2"), (3, "3")]


def test_an_annotated_tag_is_a_revision(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.git("tag", "-a", "-m", "x", "v1")
    repo.commit({"a.py": "1\n2\n"})

    assert added(read(repo, "v1", "HEAD"), "a.py") == [(2, "2")]


def test_the_base_is_the_default_branch_of_the_remote_then_main_then_master_then_head(
    repo: GitRepository, tmp_path: Path
) -> None:
    root = str(repo.folder)
    repo.commit({"a.py": "1\n"})
    repo.git("branch", "-m", "work")
    assert default_branch(root) == ("HEAD", "HEAD")
    repo.git("branch", "master")
    assert default_branch(root)[1] == "master"
    repo.git("branch", "main")
    assert default_branch(root)[1] == "main"
    repo.git("update-ref", "refs/remotes/upstream/trunk", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/upstream/HEAD", "refs/remotes/upstream/trunk")
    assert default_branch(root)[1] == "upstream/trunk"
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert default_branch(root)[1] == "origin/main"
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    assert default_branch(root)[1] == "origin/main"
    repo.git("update-ref", "refs/remotes/origin/dev", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/dev")
    assert default_branch(root) == ("refs/remotes/origin/dev", "origin/dev")


def test_a_shallow_clone_says_what_to_fetch(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "1\n2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": "1\n"})
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.folder}", str(clone))

    with pytest.raises(UsageError, match=r"shallow.*git fetch --unshallow"):
        read(repo, "origin/main", "origin/topic", str(clone))


def test_unrelated_histories_and_an_empty_repository(repo: GitRepository, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no commit"):
        read(repo)
    with pytest.raises(UsageError, match="is not a commit"):
        read(repo, "main", "HEAD")
    repo.commit({"a.py": "1\n"})
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"a.py": "2\n"})
    with pytest.raises(UsageError, match="no common ancestor"):
        read(repo, "main", "other")


def test_an_empty_commit_and_no_change(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit()

    assert read(repo, "HEAD~1", "HEAD").files == ()
    assert read(repo).files == ()


def test_no_repository_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UsageError, match="is not in a git repository"):
        find_root(str(tmp_path))
    with pytest.raises(UsageError, match="does not exist"):
        find_root(str(tmp_path / "missing"))
    (tmp_path / ".git").mkdir()
    with pytest.raises(UsageError, match="is not in a git repository"):
        LocalGit(str(tmp_path)).read()


def test_a_repository_of_somebody_else(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.py": "1\n"})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(UsageError, match=r"does not trust.*`git config --global --add safe\.directory /"):
        read(repo, "HEAD")


def test_the_git_folder_itself_has_no_working_tree(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    with pytest.raises(UsageError, match="no working tree"):
        read(repo, folder=str(repo.folder / ".git"))


def test_no_git(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ForgeError, match="git is not installed"):
        read(repo, "HEAD")


def test_a_damaged_object_is_an_error_with_words(repo: GitRepository) -> None:
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n"})
    blob = repo.git("rev-parse", "HEAD:a.py").decode().strip()
    path = repo.folder / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(b"junk")
    with pytest.raises(ForgeError, match="or they are damaged"):
        read(repo, "HEAD~1", "HEAD")


# -------------------------------------------------------------------------------------------------- the tree


def test_the_tree_around_a_change(repo: GitRepository) -> None:
    os.symlink("keep.py", repo.folder / "link.py")
    repo.commit({"keep.py": "1\n", "gone.py": "1\n", "odd\nname.py": "odd\n", "change.py": "1\n"})
    repo.commit({"gone.py": None, "change.py": "2\n", "new.py": "new\n"})
    repo.write({"untracked.py": "u\n", "change.py": "3\n"})

    ranged, working = LocalGit(str(repo.folder), base="HEAD~1", head="HEAD"), LocalGit(str(repo.folder), base="HEAD~1")
    for source, change, extra in ((ranged, "2\n", set()), (working, "3\n", {"untracked.py"})):
        source.read()
        tree = source.repository()
        assert tree.head_paths == {"keep.py", "link.py", "odd\nname.py", "change.py", "new.py"} | extra
        assert tree.base_paths == {"keep.py", "link.py", "gone.py", "odd\nname.py", "change.py"}
        assert tree.head_text("change.py") == change
        assert tree.head_text("odd\nname.py") == "odd\n"
        assert tree.head_text("link.py") is None
        assert tree.head_text("gone.py") is None
        assert tree.base_text("gone.py") == "1\n"
        source.close()
    assert working.repository().head_text("untracked.py") == "u\n"


def test_settings_are_read_or_refused(repo: GitRepository, tmp_path: Path) -> None:
    repo.commit({"a.py": "1\n"})
    (tmp_path / "secret.yml").write_text("fail-on: never\n")
    source = LocalGit(str(repo.folder))
    assert source.settings("x.yml") is None
    repo.write({"x.yml": b"\xef\xbb\xbffail-on: hint\n", "bad.yml": b"a: 1\nb: \xe9\n"})
    assert source.settings("x.yml") == "fail-on: hint\n"
    with pytest.raises(ConfigError, match=r"bad\.yml:2: the file is not UTF-8"):
        source.settings("bad.yml")
    os.symlink(tmp_path / "secret.yml", repo.folder / "out.yml")
    with pytest.raises(ConfigError, match="out of the folder"):
        source.settings("out.yml")
    os.mkdir(repo.folder / "folder.yml")
    with pytest.raises(ConfigError, match=r"folder\.yml: it"):
        source.settings("folder.yml")
    os.mkfifo(repo.folder / "pipe.yml")
    with pytest.raises(ConfigError, match="not a regular file"):
        source.settings("pipe.yml")
