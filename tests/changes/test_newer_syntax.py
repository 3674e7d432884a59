"""Syntax of newer Pythons is told from what no Python can parse."""

from __future__ import annotations

import ast
import glob
import os
import sys
import sysconfig
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes.newer_syntax import Newer, newer_syntax
from review_bot.changes.python_parsing import CannotParse, explained, parse_python
from tests.some import some

NEW = [
    ("def f[T](x: T) -> T:\n    return x\n", 1, 12),
    ("x = 1\nasync def f \\\n [T](x): pass\n", 2, 12),
    ("class A[T]: pass\n", 1, 12),
    ("class A[T = int]: pass\n", 1, 13),
    ("type A = int\n", 1, 12),
    ("if x: type A[T] = list[T]\n", 1, 12),
    ("type A[T = int] = list[T]\n", 1, 13),
    ('x = 1\nf"{d["a"]}"\n', 2, 12),
    ("f'{d['a']}'\n", 1, 12),
    ("f'{'\\n'.join(x)}'\n", 1, 12),
    ("f\"{'\\n'.join(x)}\"\n", 1, 12),
    ('f"""{\n x # why\n}"""\n', 1, 12),
    ('f"{\n x\n}"\n', 1, 12),
    ('f"{f"{f"{1}"}"}"\n', 1, 12),
    ("f'{x:{y:{z}}}'\n", 1, 12),
    ("rf'{d['a']}\\''\n", 1, 12),
    ("t'{name}'\n", 1, 14),
    ("x = Rt'''{name}'''\n", 1, 14),
    ("try: pass\nexcept A, B: pass\n", 2, 14),
    ("try: pass\nexcept* A, B: pass\n", 2, 14),
    ("lazy import json\n", 1, 15),
    ("lazy from json import loads\n", 1, 15),
    ("x = [*a for a in b]\n", 1, 15),
    ("x = {*a for a in b}\n", 1, 15),
]
OLD = [
    "def f(a, b): return a[b]\nclass A(B[int]): pass\n",
    "type = 1\ntype (x)\nprint(type in [1])\nx = [type]\ntype[0] = 2\n",
    "f'{x!r:>{width}} {{}} {d[\"a\"]} {y != 1} {z:%H:%M} {(lambda: 1)()}' rf'\\d{x}\\' f'{x=}'\n",
    'f"""{d["a"]} {x}\n{ y }"""\nf"\\N{DASH} {x}\\{x}"\n',
    "try: pass\nexcept (A, B) as e: f(a, b)\nexcept A: pass\n",
    "lazy = 1\nlazy(x)\nf(*a, *[b for b in c])\nx = [*a, *b]\nt = 1\nprint(t, 't')\n",
    "# def f[T](): pass\n'''\ntype A = int\n'''\nb'{'\nu'x'\n",
]


@pytest.mark.parametrize(("text", "line", "minor"), NEW)
def test_newer_syntax_is_known_with_its_line(text, line, minor):
    assert newer_syntax(text, 11) == Newer(line, minor)
    assert newer_syntax(text, minor) is None


@pytest.mark.parametrize("text", OLD)
def test_older_syntax_is_not_taken_for_it(text):
    assert newer_syntax(text, 11) is None


@pytest.mark.parametrize("text", [text for text, _, _ in NEW])
def test_the_samples_are_what_they_say(text):
    found = newer_syntax(text, sys.version_info.minor)
    if found is None:
        ast.parse(text)
    elif sys.version_info < (3, 15):
        with pytest.raises(CannotParse):
            parse_python(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("f(\n", "'(' was never closed"),
        ("x = = 1\n", "invalid syntax"),
        ("print 1\n", "Missing parentheses"),
        ("x = 'a\n", "unterminated string"),
        ("f'{x' + 1\n", ""),
        ("lazy import json\n", None),
        ("#!/usr/bin/python2\nprint 1\n", None),
        ("{% if x %}\nx = 1\n{% endif %}\n", None),
        ("x = 1\0\n", None),
        ("x = " + "(" * 10_000 + "\n", None),
    ],
)
def test_what_no_python_can_parse_is_told_from_what_is_in_doubt(text, error):
    with pytest.raises(CannotParse) as refused:
        parse_python(text)
    why = explained(refused.value, text)
    assert (why.error is None) == (error is None)
    assert error is None or error in str(why)


def test_every_module_of_this_python_that_an_older_one_could_not_parse_is_known():
    """The standard library of a newer Python uses newer syntax; here each of its files parses, so none is wrong."""
    folder = sysconfig.get_paths()["stdlib"]
    for path in some(sorted(glob.glob(os.path.join(folder, "t*.py")))):
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        newest = newer_syntax(text, 11)
        assert newest is None or newest.minor <= sys.version_info.minor, path


@given(st.text("fFt'\"{}[]()\\\n:=#*! deftypxc,", max_size=60))
def test_any_text_is_scanned(text):
    newer_syntax(text, 11)


@pytest.mark.parametrize(
    "text",
    ["f'{" * 50_000, "[*" * 50_000, "def f[" * 50_000, "except " * 50_000, 'f"{x:{' * 50_000, "f\"{''}\" " * 20_000],
)
def test_any_length_is_scanned_in_little_time(text):
    started = time.process_time()
    newer_syntax(text, 11)
    assert time.process_time() - started < 10
