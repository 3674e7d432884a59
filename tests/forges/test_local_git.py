"""Changes read from real repositories: what counts is that every path and line is right, and nothing is left out."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from review_bot.errors import ConfigError
from review_bot.forges.local_git import LocalGit
from tests.forges.local_reading import added, by_path, read, removed, texts
from tests.git_repository import GitRepository

pytestmark = pytest.mark.usefixtures("no_user_settings")


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


def test_texts_that_were_no_utf_8_are_read_as_they_were(repo: GitRepository) -> None:
    declared = "# coding: cp1251\nx = '\u0416'\n"
    files = {"a.py": declared.encode("cp1251"), "b.cpp": b"// \xe9\n\xc3\xa9\n", "c.py": declared.encode("cp1251")}
    repo.commit(dict(files))
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"a.py": "x = 1\n", "b.cpp": "x\n"})
    with contextlib.closing(LocalGit(str(repo.folder), base="main", head="topic")) as source:
        source.read()
        assert source.read_old([0, 1]).texts == {0: declared, 1: "// \xe9\n\xe9\n"}
        assert source.repository().base_text("a.py") == source.repository().head_text("c.py") == declared


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


@pytest.mark.parametrize("takes_back", [True, False])
def test_what_a_diff_with_one_of_two_merge_bases_hides_is_unreviewed(repo: GitRepository, takes_back: bool) -> None:
    repo.commit({"a.py": "broken\n", "b.py": "1\n"})
    repo.git("checkout", "-q", "-b", "fix")
    repo.commit({"a.py": "fixed\n"})
    repo.git("checkout", "-q", "main")
    parent = repo.commit({"b.py": "2\n"})
    repo.git("merge", "-q", "--no-ff", "--no-edit", "fix")
    repo.git("checkout", "-q", "-b", "topic", parent)
    repo.git("merge", "-q", "--no-ff", "--no-commit", "fix")
    repo.commit({"a.py": "broken\n"} if takes_back else {"c.py": "3\n"})
    repo.git("commit", "-q", "--allow-empty", "-m", "later")

    for change in (read(repo, "main", "topic"), read(repo, "main")):
        hidden = [each.path for each in change.unreviewed]
        shown = [file.path for file in change.files]
        assert hidden == (["a.py"] if takes_back else [])
        assert "a.py" not in shown or not takes_back or change.merge_base != parent


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
