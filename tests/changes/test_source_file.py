"""Line numbers and columns of a file are those of git, whatever its bytes."""

from __future__ import annotations

import ast
import warnings

import pytest

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.changes.python_parsing import CannotParse, parse_python
from review_bot.changes.source_file import SourceFile


def source(text: str, hunks: tuple[Hunk, ...] = ()) -> SourceFile:
    return SourceFile(ChangedFile("a.py", "a.py", "modified", "text", hunks), text, None)


@pytest.mark.parametrize("odd", ["\r", "\x0c", "\x85", "\u2028", "\x1c"])
def test_the_tree_counts_lines_as_git_does(odd: str) -> None:
    text = f"# a{odd}b\nx = 1\n"
    file = source(text)

    assert file.tree.body[0].lineno == 2
    assert file.lines[1] == "x = 1"


def test_dos_line_ends_and_a_byte_order_mark() -> None:
    file = source("\ufeffž = f(1)\r\ny = 2\r\n")
    first, second = file.tree.body
    assert isinstance(first, ast.Assign)

    assert (first.lineno, second.lineno) == (1, 2)
    assert file.column(1, first.value.col_offset) == file.lines[0].index("f") + 1
    assert file.column(1, 0) == 1
    assert file.column(9, 3) == 1


def test_columns_count_code_points() -> None:
    file = source("x = 'é😀', f()\n")
    call = next(node for node in ast.walk(file.tree) if isinstance(node, ast.Call))

    assert file.column(1, call.col_offset) == file.lines[0].index("f()") + 1


@pytest.mark.parametrize(
    "text", ["x = \0\n", "def f(:\n", "(" * 5000, "x = 1\ry = 2\n", "-" * 50_000 + "1\n", "\ud800\n"]
)
def test_what_cannot_be_parsed_is_said(text: str) -> None:
    with pytest.raises(CannotParse):
        parse_python(text)


def test_code_under_review_prints_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_python("x = '\\d'\nif x is 'a': pass\n")


def test_added_and_removed_lines_by_number() -> None:
    file = source("1\nnew\n3\n", (Hunk(1, 3, 1, 3, (" 1", "-old", "+new", " 3")),))

    assert (file.added, file.removed) == ({2: "new"}, {2: "old"})
    assert file.any_added(1, 2)
    assert not file.any_added(3, 9)
    assert not file.mostly_added(1, 3)
    assert file.mostly_added(2, 2)
    assert source("").lines == [""]
