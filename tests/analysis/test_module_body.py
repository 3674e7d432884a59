"""Which names a module has after its own statements ran, as far as its text proves it."""

from __future__ import annotations

import ast

import pytest

from review_bot.analysis.python.module_body import top_level_names

FAILING = [
    "load = load\n",
    "load = load or 1\n",
    "load: int = load\n",
    "load = [each for each in load]\n",
    "load = {1: (size := 2), load: size}\n",
    "(load := load)\n",
    "load = other = 1 < load\n",
    "@load\ndef load(): ...\n",
    "def load(a=load): ...\n",
    "def load(*, a, b=load): ...\n",
    "class load(load): ...\n",
    "class load(metaclass=load): ...\n",
    "for load in load: ...\n",
    "with load as load: ...\n",
    "if True:\n    load = load\n",
    "for _ in (1,):\n    load = load\n",
    "load = later\nlater = 1\n",
    "load = later()\ndef later(): ...\n",
]
BOUND = [
    "load = 1\nload = load\n",
    "load = (load := 1) + load\n",
    "load = {1: (load := 2), load: 3}\n",
    "load = [(load := 1), load]\n",
    "load = lambda: load\n",
    "load = [load for load in (1, 2)]\n",
    "load = True or load\n",
    "load = 1 if True else load\n",
    "load = 1 < 0 < load\n",
    "def load(): return load\n",
    "from __future__ import annotations\nclass load:\n    def copy(self) -> load: ...\n",
    "from json import *\nload = load\n",
    "from json import load\nload = load\n",
    "if len(__name__):\n    load = 1\nload = load\n",
    "try:\n    load = load\nexcept NameError:\n    load = 1\n",
    "from contextlib import suppress\nload = 1\nwith suppress(NameError):\n    load = later\nlater = 1\n",
    "def start():\n    global load\n    load = 1\nstart()\nload = load\n",
    "class Start:\n    global load\n    load = 1\nload = load\n",
    "load = open\nopen = load\n",
    "load = __name__\n__name__ = 'core'\n",
    "class Owner:\n    global load\n    load = 1\n    del load\n    def load(): ...\n",
    "class Owner:\n    global load\n    class Inner:\n        load = 1\n    load = Inner.load\n",
    "load = 1\nclass Owner:\n    load = 1\n    del load\n",
    "load = 1\nif len(''):\n    class Owner:\n        global load\n        del load\n",
]
DELETED = [
    "load = 1\nclass Owner:\n    global load\n    del load\n",
    "load = 1\nclass Owner:\n    class Inner:\n        global load\n        del load\n",
    "load = 1\nclass Owner:\n    global load, other\n    if True:\n        del load\n    other = 2\n",
]


def names_after(text: str) -> set[str]:
    """Return the names that a module has once Python has run its text."""
    found: dict[str, object] = {"__name__": "core"}
    exec(compile(text, "core.py", "exec"), found)  # the texts above
    return set(found)


@pytest.mark.parametrize("text", FAILING)
def test_a_statement_that_reads_a_name_before_it_is_bound_binds_none(text: str) -> None:
    with pytest.raises(NameError):
        names_after(text)
    assert "load" not in top_level_names(ast.parse(text))


@pytest.mark.parametrize("text", BOUND)
def test_a_name_that_python_binds_is_one_of_the_module(text: str) -> None:
    assert "load" in names_after(text)
    assert "load" in top_level_names(ast.parse(text))


@pytest.mark.parametrize("text", DELETED)
def test_a_class_deletes_a_name_of_its_module(text: str) -> None:
    assert "load" not in names_after(text)
    assert "load" not in top_level_names(ast.parse(text))
