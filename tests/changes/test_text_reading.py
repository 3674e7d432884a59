"""What a text is, and how it is read: tables of values, and git as the judge of lines and columns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes.content import content_of
from review_bot.changes.lfs_pointer import is_pointer, shows_pointer
from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.changes.reading import is_new_to_its_readers, read_otherwise
from review_bot.changes.source_file import SourceFile
from review_bot.changes.text_kinds import is_read_otherwise, text_kind
from review_bot.configuration import rule_registry
from review_bot.forges.github.archive import is_read_by_checks
from review_bot.forges.local_git import LocalGit
from review_bot.rules.scope import LANGUAGE_SUFFIXES
from tests.git_repository import GitRepository


def added(text: str, path: str = "a.py", start: int = 1) -> ChangedFile:
    lines = tuple("+" + line for line in text.split("\n"))
    return ChangedFile(path, None, "added", "text", (Hunk(0, 0, start, len(lines), lines),), len(lines))


@pytest.mark.parametrize(
    ("path", "data", "content"),
    [
        ("a.xyz", b"", "text"),
        ("a.xyz", b"plain", "text"),
        ("a.xyz", b"caf\xe9", "text"),
        ("a.xyz", b"x" * 8000 + b"\0\1\2\3", "text"),
        ("a.xyz", b"one \0 two", "text"),
        ("a.xyz", b"one \0\xff two and some more words", "text"),
        ("a.xyz", b"\0\xff\xfe\1\2 token", "binary"),
        ("a.xyz", b"\0\0\0\0", "binary"),
        ("a.py", b"\0\0\0\0", "text"),
        ("a.py", b"\0\xff\xfe\1\2 token", "text"),
        ("Dockerfile", b"\0\xff\xfe\1\2 token", "text"),
        (".env.production", b"\0\xff\xfe\1\2 token", "text"),
        ("a.py", "x = 1\n".encode("utf-16"), "utf-16"),
        ("a.bin", "x = 1\n".encode("utf-16"), "utf-16"),
        ("a.py", "x = 1\n".encode("utf-16-le"), "text"),
        ("a.tar", b"x" * 100 + b"\0" * 157 + b"ustar\x0000", "binary"),
        ("a.tgz", b"x" * 100 + b"\0" * 157 + b"ustar\x0000", "text"),
        ("a.tar.sh", b"x" * 100 + b"\0" * 157 + b"ustar\x0000", "text"),
    ],
)
def test_content(path: str, data: bytes, content: str) -> None:
    assert content_of(path, data, len(data)) == content
    if content == "text":
        assert content_of(path, data, len(data) + 1) == "large"


def test_every_kind_that_a_rule_names_is_known_as_text() -> None:
    names = {suffix.lstrip(".") for suffixes in LANGUAGE_SUFFIXES.values() for suffix in suffixes}
    for rule in rule_registry.builtin_rulebook().rules:
        for pattern in rule.files:
            ending = re.search(r"\*?\.([a-z0-9]+)$", pattern)
            names |= {ending[1]} if ending else set()
    assert {name for name in names if text_kind(f"a.{name}") is None} == set()
    assert is_read_by_checks("setup.cfg")
    for name in ("Makefile", ".gitignore", "BUILD", "Pipfile", "justfile", "x.Dockerfile", "Dockerfile.gpu", "a.pyx"):
        assert is_read_by_checks(name)
        assert text_kind(name) is not None, name


FORMAT = "Format:"
"""Behind a dollar sign, what ``git archive`` replaces where ``export-subst`` applies."""


@pytest.mark.parametrize(
    ("path", "ends"),
    [
        ("a/b.py", "\r"), ("a.json", ""), ("a.txt", ""), ("docs/requirements.txt", "\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"),
        ("requirements/dev.txt", "\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"), ("requirements/logo.png", None),
        ("requirements/readme.md", "\r"), ("constraints.txt", "\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"),
        ("a.ts", "\r\u2028\u2029"), ("A.YML", "\r\x85\u2028\u2029"), ("docker/Dockerfile-arm", "\r"), ("a.unknown", None),
        ("noname", None), (".DS_Store", None), (".npmrc", "\r"), (".gitattributes", "\r"), ("CMakeLists.txt", "\r"), ("a.dockerfile.png", None),
    ],
)  # fmt: skip
def test_line_ends_of_kinds(path: str, ends: str | None) -> None:
    kind = text_kind(path)
    assert (None if kind is None else kind.line_ends) == ends


@pytest.mark.parametrize(
    ("path", "text", "start"),
    [
        (
            "a.py",
            "x\rimport os",
            "line 1 contains a lone carriage return (U+000D), which ends a line for Python but not",
        ),
        ("a.py", "x\n\ny\r\r", "line 3 contains a lone carriage return"),
        ("a.js", "x\n// \u2028y", "line 2 contains U+2028 (line separator), which ends a line for JavaScript but not"),
        ("a.txt", "x\ny\0", "line 2 contains a NUL byte, so git and GitHub do not show this file as text"),
        ("a.py", "x\ny\0", "line 2 contains a NUL byte, so git and GitHub do not show this file as text"),
        ("a.py", "\ufeff# coding: utf-7", "it declares the encoding utf-7, so Python may run different code"),
        ("a.py", "#!python\n# vim: set fileencoding=utf-16 :", "it declares the encoding utf-16,"),
        ("a.py", "#\n#\n# coding: utf-7", None),
        ("a.py", "# coding: latin-1\r\nx\r\ny = '\u2028\x85\x0c'", None),
        ("a.txt", "x\ry\u2028", None),
        ("a.unknown", "x\ry\u2028", None),
        ("requirements.txt", "# coding: utf-7", "it declares the encoding utf-7, so pip may read different lines"),
        ("requirements.txt", "# coding: latin-1", None),
        ("notes.txt", "# coding: utf-7", None),
        (
            ".gitattributes",
            "*.py text\n*.py working-tree-encoding=IBM1047",
            "line 2 makes git write files in the encoding IBM1047,",
        ),
        ("a/.gitattributes", "[attr]x -text working-tree-encoding=UTF-16LE", "line 1 makes git write files in the"),
        (".gitattributes", "*.ps1 working-tree-encoding=UTF-16LE-BOM\n*.c working-tree-encoding=latin1", None),
        (
            ".gitattributes",
            '"*.py"working-tree-encoding=IBM1047',
            "line 1 makes git write files in the encoding IBM1047,",
        ),
        (".gitattributes", "[attr]x.csv working-tree-encoding=UTF-16LE\n*.py x.csv", "line 1 makes git write"),
        (".gitattributes", '"a.csv b/*.py" working-tree-encoding=UTF-16LE', "line 1 makes git write"),
        (".gitattributes", "a.csv\u00a0b/*.py working-tree-encoding=UTF-16LE", "line 1 makes git write"),
        (".gitattributes", "x\n\u00a0#/*.py working-tree-encoding=IBM1047", "line 2 makes git write"),
        (".gitattributes", "*.ps1 working-tree-encoding=UTF-16LE", "line 1 makes git write"),
        (".gitattributes", "*.csv working-tree-encoding=UTF-16LE\n* working-tree-encoding=utf8", None),
        (".gitattributes", "*.c working-tree-encoding=UTF-8-MAC", "line 1 makes git write"),
        (".gitattributes", "*.js working-tree-encoding=cp1252", "line 1 makes git write"),
        (".gitattributes", "*.py working-tree-encoding=latin1", "line 1 makes git write"),
        (".gitattributes", "*.txt working-tree-encoding=latin1", "line 1 makes git write"),
        (".gitattributes", "* working-tree-encoding=latin1", "line 1 makes git write"),
        (".gitattributes", "\ufeff# *.py working-tree-encoding=IBM1047", None),
        (".gitattributes", "  # *.py working-tree-encoding=UTF-7\n*.py -working-tree-encoding", None),
        ("a.py", f"x\n# ${FORMAT}%nimport os$", "line 2 contains a placeholder that `git archive` replaces"),
        ("a.py", f'VERSION = "${FORMAT}%H%d$"', None),
        ("a.md", f"${FORMAT}%b$", None),
        ("a.py", f'V = "${FORMAT}%x22;import os#$"', "line 1 contains a placeholder that `git archive` replaces"),
        ("a.py", f'V = "${FORMAT}%an$"', "line 1 contains a placeholder that `git archive` replaces"),
        ("script", f"x\n# ${FORMAT}%s$", "line 2 contains a placeholder that `git archive` replaces"),
        ("a.py", 'x\na = "$' + "Id:\"+'$\"; import os#'", "line 2 contains text between `$Id:` and `$`"),
        ("a.py", "# $" + "Id$ $" + "Id: $ $" + "Id: a.c,v 1.1 ada $ $" + f"Id: {'ab' * 20} $", None),
    ],
)
def test_what_is_read_otherwise(path: str, text: str, start: str | None) -> None:
    reason = read_otherwise(added(text, path))
    assert reason is None if start is None else (reason or "").startswith(start)
    assert read_otherwise(ChangedFile(path, "b", "renamed", "text"), text) == reason


def test_lines_are_counted_from_where_a_hunk_begins() -> None:
    assert (read_otherwise(added("x\ny\rz", start=40)) or "").startswith("line 41 contains")


def test_untouched_lines_make_nothing_unreviewed() -> None:
    lines = (" # a\rb", "-c\rd", "+e", " # coding: utf-7")
    hunk = Hunk(3, 3, 3, 3, lines)
    assert read_otherwise(ChangedFile("a.py", "a.py", "modified", "text", (hunk,))) is None
    assert read_otherwise(ChangedFile("a.py", "a.py", "modified", "text", (Hunk(1, 3, 1, 3, lines[2:]),))) is not None


@pytest.mark.parametrize(
    ("old", "new", "otherwise"),
    [
        ("a.txt", "a.py", True), ("a.py", "b.py", False), ("a.js", "a.py", True), ("a.js", "a.sh", False), ("a", "a.sh", True),
        ("a.sh", "a.js", True), ("a.md", "a.txt", False), ("a.py", "a.bin", False), ("a.json", "a.csv", False),
        ("a.cfg", ".gitattributes", True), ("a.rst", "requirements.txt", True),
    ],
)  # fmt: skip
def test_renames_to_other_readers(old: str, new: str, otherwise: bool) -> None:
    assert is_read_otherwise(old, new) is otherwise
    assert is_new_to_its_readers(ChangedFile(new, old, "renamed", "text")) is otherwise
    assert not is_new_to_its_readers(ChangedFile(new, old, "modified", "text"))


OID = "oid sha256:" + "4d" * 32
POINTER = f"version https://git-lfs.github.com/spec/v1\n{OID}\nsize 12345\n"
EXTENSION = "ext-{} sha256:" + "ab" * 32 + "\n"


def extended(*names: str) -> str:
    return POINTER.replace(OID, "".join(EXTENSION.format(name) for name in names) + OID)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (POINTER, True),
        (extended("0-foo"), True),
        (extended("0-foo", "1-bar.baz"), True),
        (extended("1-bar", "0-foo"), False),
        (extended("0-bar", "0-foo"), False),
        (extended("10-bar"), False),
        (extended("0-a || rm -rf /"), False),
        (extended("0-Foo"), False),
        (POINTER.replace("size 12345", "size 0"), True),
        (POINTER.replace("size 12345", "size 01"), False),
        (POINTER.replace("size 12345", "size -1"), False),
        (POINTER.replace("size 12345", "size 1 "), False),
        (POINTER.replace("size 12345", "size \u0661"), False),
        (POINTER.replace("\n", "\r\n"), False),
        (POINTER.removesuffix("\n"), False),
        (POINTER + "\n", False),
        (POINTER + "x 1\n", False),
        (POINTER.replace("4d", "4D"), False),
        (POINTER.replace("4d4d", "4d", 1), False),
        (POINTER.replace("sha256", "sha512"), False),
        (POINTER.replace("https", "http"), False),
        (POINTER.replace("spec/v1", "spec/v2"), False),
        ("\ufeff" + POINTER, False),
        (extended(*(f"{n}-{'a' * 50}" for n in range(9))), False),
        ("", False),
    ],
)
def test_pointers_of_git_lfs(text: str, fits: bool) -> None:
    assert is_pointer(text) is fits


def test_a_pointer_is_seen_only_where_all_of_it_is_shown() -> None:
    lines = POINTER.split("\n")[:-1]
    changed = (f" {lines[0]}", "-oid sha256:old", f"+{lines[1]}", f" {lines[2]}")
    assert shows_pointer((Hunk(1, 3, 1, 3, changed),), old=False)
    assert not shows_pointer((Hunk(1, 3, 1, 3, changed),), old=True)
    assert not shows_pointer((Hunk(2, 3, 2, 3, changed),), old=False)
    assert not shows_pointer((Hunk(1, 3, 1, 3, (*changed, "\\ No newline at end of file")),), old=False)
    context = ("-x", *(f" {line}" for line in lines))
    assert not shows_pointer((Hunk(1, 4, 1, 3, context),), old=False)
    many = (*(f"-old {number}" for number in range(400)), *(f"+{line}" for line in lines))
    assert shows_pointer((Hunk(1, 400, 1, 3, many),), old=False)


ODD = [
    "\ufeff",
    "\r",
    "\r\n",
    "\n",
    "\n",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\u2028",
    "\u2029",
    "\ufeff",
    "\u00e9",
    "\U0001f600",
]


@settings(max_examples=25, deadline=None, database=None)
@given(st.lists(st.lists(st.sampled_from([*ODD, "MARK", "a"]), min_size=1, max_size=12), min_size=2, max_size=2))
def test_lines_and_columns_are_those_of_git(tmp_path_factory: pytest.TempPathFactory, parts: list[list[str]]) -> None:
    """``git grep`` names lines and byte columns of first matches; ours count code points, and no byte order mark at the start."""
    repo = GitRepository(tmp_path_factory.mktemp("lines") / "repo")
    old, new = ("".join(each) for each in parts)
    repo.commit({"a.xyz": old.encode(), "keep": "x"})
    repo.commit({"a.xyz": new.encode() + b"MARK"})
    new += "MARK"
    found = repo.git("grep", "-n", "--column", "-a", "MARK", "HEAD", "--", "a.xyz", check=False).split(b"\n")
    places = set()
    for row in filter(None, found):
        _, _, line, column, _ = row.split(b":", 4)
        raw = new.encode().split(b"\n")[int(line) - 1][: int(column) - 1].decode()
        places.add((int(line), len(raw.removeprefix("\ufeff") if line == b"1" else raw) + 1))
    local = LocalGit(str(repo.folder), base="HEAD~1", head="HEAD")
    try:
        change = local.read()
        (file,) = change.files
        source = SourceFile(file, local.read_new([0]).texts[0], local.read_old([0]).texts[0])
    finally:
        local.close()

    def ours(lines: dict[int, str]) -> set[tuple[int, int]]:
        return {(number, at) for number, line in lines.items() if (at := line.find("MARK") + 1)}

    assert ours(dict(enumerate(source.lines, 1))) == places
    assert ours(source.added) <= places
    numbered = {number: source.lines[number - 1] for number in source.added}
    assert source.added == numbered
