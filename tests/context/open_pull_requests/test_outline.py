"""The outline of a Python text, compared with what Python's own parser says; any text gives one, in linear time."""

from __future__ import annotations

import ast
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.context.open_pull_requests import outline as outlines
from review_bot.context.open_pull_requests.outline import outline
from tests.some import some

SOURCES = [
    *sorted((Path(__file__).parents[3] / "review_bot").rglob("*.py")),
    *sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:60],
]


def test_it_agrees_with_the_parser_on_real_code():
    for path in some(SOURCES):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "\r" in text or "\f" in text:
            continue
        tree = ast.parse(text)
        found = outline(text)
        expected = _definitions(tree.body)
        assert set(found.parts) == set(expected), path
        for name, lines in expected.items():
            if lines is not None:
                own = found.parts[name].lines
                assert (own[0][0], own[-1][0]) in lines or len(lines) > 1, (path, name)
        taken = [
            (node.lineno, node.module or "", node.level, tuple((alias.name, alias.lineno) for alias in node.names))
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
        ]
        assert sorted((i.line, i.module, i.level, i.names) for i in found.imports if i.names) == sorted(taken), path


def _definitions(body, prefix="", found=None):
    """Return all places of each function by name, None for classes, whose own lines may end before their methods."""
    found = {} if found is None else found
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([statement.lineno, *(each.lineno for each in statement.decorator_list)])
            found.setdefault(prefix + statement.name, []).append((first, statement.end_lineno))
        elif isinstance(statement, ast.ClassDef):
            found[prefix + statement.name] = None
            _definitions(statement.body, f"{prefix}{statement.name}.", found)
        else:
            for field in ("body", "orelse", "finalbody"):
                _definitions(getattr(statement, field, None) or [], prefix, found)
            for handler in getattr(statement, "handlers", ()):
                _definitions(handler.body, prefix, found)
    return found


def test_functions_in_functions_belong_to_the_outer_one():
    found = outline(
        "class A:\n    x = 1\n\n    @property\n    def f(self):\n        def g():\n            return 1\n        return g\n"
    )
    assert {name: [line for line, _ in part.lines] for name, part in found.parts.items()} == {
        "A": [1, 2],
        "A.f": [4, 5, 6, 7, 8],
    }


def test_strings_and_brackets_hide_what_they_hold():
    text = 'S = """\ndef no():\n    pass\n"""\nT = (\n    "def neither(): ("\n)\ndef yes():\n    return """\nat the margin\n"""\n'
    assert list(outline(text).parts) == ["yes"]
    assert [line for line, _ in outline(text).parts["yes"].lines] == [8, 9, 10, 11]
    assert outline(text).names == {"S": 1, "T": 5, "yes": 8}


def test_an_import_tells_its_names_and_their_lines():
    (found,) = outline(
        "from ..engine import (  # what it needs\n    Payload as P,\n    # Old,\n    Other,\n)\n"
    ).imports
    assert (found.module, found.level, found.names) == ("engine", 2, (("Payload", 2), ("Other", 4)))
    assert (found.line, found.end_line, found.guarded) == (1, 5, False)


@pytest.mark.parametrize(
    ("text", "module", "level"),
    [
        ("from . import x", "", 1),
        ("from .. import x", "", 2),
        ("from .import x", "", 1),
        ("from . . a import x", "a", 2),
        ("from \\\n .imports \\\n import x", "imports", 1),
    ],
)
def test_a_relative_import_tells_its_module_and_level(text, module, level):
    (found,) = outline(text).imports
    assert (found.module, found.level, [name for name, _ in found.names]) == (module, level, ["x"])


def test_an_import_in_a_try_is_guarded_and_a_star_leaves_the_names_open():
    found = outline("try:\n    import fast\nexcept ImportError:\n    fast = None\nfrom .names import *\n")
    assert [each.guarded for each in found.imports] == [True, False]
    assert found.open
    assert found.names == {"fast": 2}


def test_a_bracket_that_was_never_closed_hides_no_definition_after_it():
    assert list(outline("x = foo(\n\ndef f():\n    return 1\n").parts) == ["f"]


@given(st.text(alphabet="ab \t\n\\'\"#()[]{}:@.,=*\f" + "é", max_size=300) | st.text(max_size=200))
def test_any_text_has_an_outline(text):
    found = outline(text)
    lines = text.count("\n") + 1
    assert all(1 <= line <= lines for part in found.parts.values() for line, _ in part.lines)


HOSTILE = {
    "blanks": "from" + " " * 1000,
    "dots": "from " + ". " * 1000,
    "quotes": "'''\"\"\"" * 1000,
    "escapes": '\\"' * 1000,
    "open strings": '"""\\' + "'" * 1000,
    "brackets": "([{" * 1000,
    "assignments": "a " * 1000 + ": b",
    "decorators": "@a\n" * 1000,
    "depth": "".join(" " * number + "class A:\n" for number in range(300)),
    "tries": "".join(" " * number + "try:\n" for number in range(300)),
    "aliases": "import " + "a as " * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_costs_no_more_steps_than_twice_for_twice_the_text(name):
    once, twice = _steps(HOSTILE[name]), _steps(HOSTILE[name] * 2)
    assert twice < 2.6 * once + 2000


def _steps(text: str) -> int:
    """Return how many lines of the outline's code ran; regular expressions are possessive, each step a token."""
    count = 0

    def trace(frame, event, _argument):
        nonlocal count
        if frame.f_code.co_filename != outlines.__file__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        outline(text)
    finally:
        sys.settrace(before)
    return count
