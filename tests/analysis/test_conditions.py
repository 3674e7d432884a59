"""What the text of a condition proves about it: true, false, or nothing."""

from __future__ import annotations

import ast

import pytest

from review_bot.analysis.python.conditions import (
    constant_functions,
    constants_of,
    live_blocks,
    on_newest_python,
    truth,
)

CONSTANTS = {"FAST": True, "NAME": "x", "COUNT": 3, "TYPE_CHECKING": False, "is_hip()": False}


def expression(text):
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    "text",
    [
        "True",
        "1",
        "'x'",
        "not 0",
        "(1, 2)",
        "[x]",
        "{1: x}",
        "{x}",
        "FAST",
        "not TYPE_CHECKING",
        "not is_hip()",
        "FAST or unknown",
        "unknown or 1",
        "COUNT == 3",
        "COUNT > 2",
        "1 < COUNT < 5",
        "NAME != 'y'",
        "None is None",
        "(x := 1)",
        "sys.version_info >= (3, 6)",
        "sys.version_info[0] == 3",
        "sys.version_info.major >= 3",
        "sys.hexversion > 1",
    ],
)
def test_what_is_always_true(text):
    assert truth(expression(text), CONSTANTS) is True


@pytest.mark.parametrize(
    "text",
    [
        "False",
        "0",
        "''",
        "None",
        "not 1",
        "()",
        "[]",
        "{}",
        "TYPE_CHECKING",
        "is_hip()",
        "not FAST",
        "FAST and 0",
        "unknown and False",
        "COUNT == 4",
        "COUNT < 3",
        "1 > 2 > unknown",
        "1 == 2",
        "None is not None",
        "sys.version_info < (3, 6)",
        "sys.version_info[0] == 2",
    ],
)
def test_what_is_never_true(text):
    assert truth(expression(text), CONSTANTS) is False


@pytest.mark.parametrize(
    "text",
    [
        "unknown",
        "not unknown",
        "FAST and unknown",
        "unknown or False",
        "COUNT == unknown",
        "1 < unknown < 5",
        "f()",
        "is_hip(1)",
        "obj.FAST",
        "[*x]",
        "{**x}",
        "COUNT < 'x'",
        "1 in (1, 2)",
        "lambda: 0",
        "x[0]",
        "sys.version_info >= (3, 12)",
        "sys.version_info >= version",
        "sys.version_info[1] > 5",
    ],
)
def test_what_the_text_does_not_prove(text):
    assert truth(expression(text), CONSTANTS) is None


@pytest.mark.parametrize(
    ("imports", "value"),
    [
        ("from sys import version_info", False),
        ("from package import version_info", None),
        ("version_info = tuple(map(int, version.split('.')))", None),
        ("from sys import version_info\nversion_info = read()", None),
    ],
)
def test_a_name_like_that_of_pythons_version(imports, value):
    assert truth(expression("version_info < (3, 8)"), constants_of(ast.parse(imports))) is value


@pytest.mark.parametrize(
    ("text", "constants"),
    [
        ("A = 1\n", {"A": 1}),
        ("A: bool = False\n", {"A": False}),
        ("A = 1\nA = 2\n", {}),
        ("A = 1\ndef f():\n    global A\n    A = 2\n", {}),
        ("A = f()\n", {}),
        ("A = B = 1\n", {}),
        ("if x:\n    A = 1\n", {}),
        ("A = 1\nfrom m import *\n", {}),
        ("from m import *\nA = 1\n", {"A": 1}),
        ("from typing import TYPE_CHECKING\n", {"TYPE_CHECKING": False}),
        ("from typing import TYPE_CHECKING as T\n", {"T": False}),
        ("import typing as t\n", {"t.TYPE_CHECKING": False}),
        ("from other import TYPE_CHECKING\n", {}),
        ("from typing import TYPE_CHECKING\nTYPE_CHECKING = True\n", {}),
        ("import typing\ntyping.TYPE_CHECKING = True\n", {}),
        ("from typing import TYPE_CHECKING\nfrom m import *\n", {}),
    ],
)
def test_the_constants_of_a_module(text, constants):
    assert constants_of(ast.parse(text)) == constants


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("def f():\n    return 1\n", {"f()": 1}),
        ("def f():\n    '''Text.'''\n    return None\n", {"f()": None}),
        ("def f(a):\n    return a\n", {}),
        ("def f():\n    g()\n    return 1\n", {}),
        ("@g\ndef f():\n    return 1\n", {}),
        ("def f():\n    return 1\nf = g\n", {}),
        ("async def f():\n    return 1\n", {}),
    ],
)
def test_functions_that_only_return_a_constant(text, functions):
    assert constant_functions(ast.parse(text)) == functions


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sys.version_info >= (3, 12)", True),
        ("sys.version_info < (3, 11)", False),
        ("sys.version_info[0] == 2", False),
        ("sys.version_info >= version", None),
        ("sys.platform == 'linux'", None),
        ("True", None),
    ],
)
def test_a_current_python(text, value):
    assert on_newest_python(expression(text), {}) is value


@pytest.mark.parametrize(("test", "runs"), [("True", ["a"]), ("False", ["b"]), ("unknown", ["a", "b"])])
def test_the_branches_that_can_run(test, runs):
    (statement,) = ast.parse(f"if {test}:\n    a\nelse:\n    b\n").body
    assert isinstance(statement, ast.If)
    blocks = live_blocks(statement, {})
    assert [ast.unparse(block[0]) for block in blocks] == runs
