"""The index of a syntax tree: every node by kind, in the order of the text."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

import pytest

from review_bot.changes.node_index import below, nodes_of
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.python_parsing import parse_python
from review_bot.changes.source_file import SourceFile
from tests.some import some

OURS = sorted((Path(__file__).parents[2] / "review_bot").glob("**/*.py"))
LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.type_ignore)


@pytest.mark.parametrize("path", OURS[::4], ids=lambda path: path.stem)
def test_it_holds_what_a_walk_finds(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    expected = [node for node in ast.walk(tree) if not isinstance(node, LEFT_OUT)]
    found = [node for kind in {type(node) for node in expected} for node in nodes_of(tree, kind)]
    assert {id(node) for node in found} == {id(node) for node in expected}
    assert len(found) == len(expected)


PATTERNS = """\
match value:
    case True | None | -1 | 1 + 2j | "text":
        a()
    case {"key": False, **rest}:
        b()
    case [first, *others] | Kind(first, name=None):
        c()
    case _ if d():
        e()
"""
ODD = "global f\nassert (yield from [*a, {**b}]), f'{c!r:>{d}}'\ntry:\n    pass\nexcept* E as e:\n    ...\nx: int\nlambda *a, b=1, **c: 0\n"


@pytest.mark.parametrize("text", [PATTERNS, ODD])
def test_every_form_of_the_language_is_walked(text):
    tree = ast.parse(text)
    expected = [node for node in ast.walk(tree) if not isinstance(node, LEFT_OUT)]
    found = [node for kind in {type(node) for node in expected} for node in nodes_of(tree, kind)]
    assert {id(node) for node in found} == {id(node) for node in expected}


@pytest.mark.parametrize("path", OURS[::16], ids=lambda path: path.stem)
def test_a_definition_holds_the_same_whether_or_not_the_file_was_walked_before(path):
    walked, unwalked = (ast.parse(path.read_text(encoding="utf-8")) for _ in range(2))
    kinds = {type(node) for node in ast.walk(walked) if not isinstance(node, LEFT_OUT)}
    nodes_of(walked, ast.Module)
    pairs = [*zip(ast.walk(walked), ast.walk(unwalked), strict=True)][::-1]  # what lies deepest comes first
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    different = [
        (one.lineno, kind)
        for one, other in pairs
        for kind in some(kinds)
        if isinstance(one, definitions) and isinstance(other, definitions)
        if list(map(ast.dump, nodes_of(one, kind))) != list(map(ast.dump, nodes_of(other, kind)))
    ]
    assert different == []


def test_a_definition_outlives_the_tree_around_it():
    function = some(nodes_of(ast.parse("def f():\n    g(1)\n"), ast.FunctionDef))[0]
    assert [call.lineno for call in nodes_of(function, ast.Call)] == [2]


def test_nodes_come_in_the_order_of_the_text():
    source = SourceFile(
        ChangedFile("a.py", None, "added", "text"), "f(g(1), h(2))\nif k():\n    m()\nelse:\n    n()\n", None
    )
    called = [node.func.id for node in source.nodes(ast.Call) if isinstance(node.func, ast.Name)]
    assert called == ["f", "g", "h", "k", "m", "n"]


def test_a_tree_dies_with_its_last_user_once_newer_ones_took_its_place():
    gc.collect()
    gc.disable()
    try:
        source = SourceFile(ChangedFile("a.py", None, "added", "text"), "def f():\n    pass\n", None)
        assert source.functions[0].name == "f"
        del source
        parse_python("\n" * 1_000_000)
        assert not any(isinstance(each, ast.FunctionDef) and each.name == "f" for each in gc.get_objects())
    finally:
        gc.enable()


def test_a_leaf_is_its_own_only_node_and_holds_no_circle():
    name = ast.parse("a", mode="eval").body
    assert nodes_of(name, ast.Name) == [name]
    assert name not in gc.get_referents(name.__dict__)


def test_a_kind_that_is_absent_gives_nothing():
    source = SourceFile(ChangedFile("a.py", None, "added", "text"), "a = 1\n", None)
    assert source.nodes(ast.While) == []


@pytest.mark.parametrize("text", [PATTERNS, ODD, "f(1.5, b'x', ..., a=2j)[-1]\n"])
def test_what_lies_below_a_node_is_what_it_holds_itself(text):
    for node in some(ast.walk(ast.parse(text))):
        expected = [child for child in ast.iter_child_nodes(node) if not isinstance(child, LEFT_OUT)]
        assert sorted(map(id, below(node))) == sorted(map(id, expected))
