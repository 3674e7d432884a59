"""Names that are followed by themselves in functions with more paths than are kept apart, and errors that are logged."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest

from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import absent_values
from review_bot.flow.interpreter import follow

MANY_PATHS = "".join(f"    if self.a{n}:\n        n{n} = None\n    else:\n        n{n} = self.g()\n" for n in range(5))


def absent(code: str) -> list[tuple[str, int, int]]:
    """Return (place, line, line of the handler that only logs it) of what is found, without the lines of many paths."""
    source = SourceFile(ChangedFile("pkg/a.py", None, "added", "text"), code, None).all_added()
    return [(each.place, each.node.lineno, each.logged) for each in absent_values(source)]


def after_many_paths(body: str) -> list[tuple[str, int]]:
    """Return what is found in some lines after many paths, which leave something to forget; lines count from 1."""
    code = f"def f(self, c, d):\n{MANY_PATHS}{indent(dedent(body), '    ')}"
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert follow(function).lost
    before = 1 + MANY_PATHS.count("\n")
    return [(place, line - before) for place, line, _ in absent(code)]


FOUND = [
    ("if n0 is not None:\n  self.g(n0)\nx = self.g(c) if d else None\nn0.y(**x)", [("n0", 4), ("x", 4)]),
    ("x = None\nif c:\n  x = self.g()\nif n1 is None:\n  self.g()\nx.y()", [("x", 6)]),
    ("if n2:\n  self.g()\nif c is not None:\n  self.g(c)\nc.y()", [("c", 5)]),
    (
        "try:\n  if c:\n    x = self.g()\n  else:\n    x = self.h()\n  self.h(x)\nexcept Exception:\n  pass\nreturn x",
        [("x", 9)],
    ),
]
NOT_FOUND = [
    "x = None\nif c:\n  x = self.g()\nif n1 is None:\n  return\nif d:\n  x.y()",
    "x = None\nq = None\nif c:\n  x = q = self.g()\nif q is None:\n  return\nx.y()",
    "x = None\nif c:\n  x = self.g()\nif not c:\n  fail()\nx.y()",
    "x = None\nif c:\n  x = self.g()\nflag = x is not None\nif flag and x.y():\n  return",
    "x = None\nif c:\n  x = self.g()\nassert c\nx.y()",
    "x = None if n0 is None else n0.y\nif n0 is not None:\n  x.y()",
    "x = n0 if n0 is not None else n1\nif n1 is None:\n  return\nx.y()",
    "try:\n  x = self.g()\n  ok = True\nexcept Exception:\n  ok = False\nif ok:\n  return x",
    "try:\n  x = self.g()\nexcept Exception:\n  x = None\nreturn x",
    "while n0 is None:\n  x = self.g()\n  if x:\n    break\nelse:\n  x = 1\nreturn x",
]


@pytest.mark.parametrize(("body", "wanted"), FOUND)
def test_what_other_names_hold_does_not_matter(body: str, wanted: list[tuple[str, int]]) -> None:
    assert after_many_paths(body) == wanted


@pytest.mark.parametrize("body", NOT_FOUND)
def test_what_decides_on_the_name_is_followed_too(body: str) -> None:
    assert after_many_paths(body) == []


HANDLED = [
    ("except Exception as error:\n  logger.error('%s', error)", 5),
    ("except:\n  import traceback\n  traceback.print_exc()", 5),
    ("except ValueError:\n  raise\nexcept Exception:\n  logger.exception('failed')", 7),
    ("except Exception:\n  logger.debug('failed')", None),
    ("except Exception:\n  pass", None),
    ("except Exception:\n  logger.error('failed')\n  return 1", None),
    ("except (TypeError, Exception):\n  logger.error('failed')", None),
    ("except AttributeError:\n  c = 1\nexcept Exception:\n  logger.error('failed')", None),
]


@pytest.mark.parametrize(("handlers", "line"), HANDLED)
def test_an_error_that_is_only_logged_is_one(handlers: str, line: int | None) -> None:
    code = f"def f(c):\n  x = g() if c else None\n  try:\n    x.y()\n{indent(handlers, '  ')}\n"
    assert absent(code) == ([] if line is None else [("x", 4, line)])
