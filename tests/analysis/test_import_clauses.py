"""The imports found in a text without parsing it are those that the parser finds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from review_bot.analysis.project.import_clauses import ImportClause, import_clauses
from tests.growth import SUPERLINEAR, growth
from tests.some import some

SOURCES = sorted(Path(__file__).parents[2].glob("review_bot/checks/**/*.py"))


def clause(module: str | None, level: int, *words: str) -> ImportClause:
    return ImportClause(module, level, frozenset(words))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a.b as c, d\n", clause(None, 0, "a.b", "as", "c", "d")),
        ("from a.b import c as d, e  # and f\n", clause("a.b", 0, "c", "as", "d", "e")),
        ("from . import a\n", clause("", 1, "a")),
        ("from .import a\n", clause("", 1, "a")),
        ("from ...a import *\n", clause("a", 3, "*")),
        ("from a import (  # b (c)\n    d,\n    e,  # f)\n    g)\n", clause("a", 0, "d", "e", "g")),
        ("from . . a . b import c\n", clause("a.b", 2, "c")),
        ("from a import b, \\\r\n  c\r\n", clause("a", 0, "b", "c")),
        ("x = '#'; import a\n", clause(None, 0, "a")),
        ("from \\\n a \\\n import \\\n b, \\\n c\n", clause("a", 0, "b", "c")),
        ("if x: from a import b\n", clause("a", 0, "b")),
        ("try: import a; b()\n", clause(None, 0, "a")),
        ("import a . b as c\n", clause(None, 0, "a.b", "as", "c")),
        ("x = 1;\rimport a\n", clause(None, 0, "a")),
    ],
)
def test_forms_of_import(text: str, expected: ImportClause) -> None:
    assert list(import_clauses(text)) == [expected]


@pytest.mark.parametrize("text", ["important = 1\n", "from_ = 1\n", "x.import_module('a')\n", "# import a\n"])
def test_what_is_no_import(text: str) -> None:
    assert list(import_clauses(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "# a \\\nfrom m import n\n",
        "x = 1  # a \\\nfrom m import n\n",
        "# a \\\n# b \\\nfrom m import n\n",
        "from m import (  # a \\\n    n,\n)\n",
        "x = '#'; from m import \\\n    n\n",
        "x = '#'; from k import \\\n    a; y = '#'; from m import \\\n    n\n",
        "# a \\\nfrom m \\\n    import \\\n    n",
    ],
)
def test_a_backslash_in_a_comment_joins_no_lines(text: str) -> None:
    assert ("m", "n") in {(each.module, word) for each in import_clauses(text) for word in each.words}
    assert any(isinstance(each, ast.ImportFrom) and each.module == "m" for each in ast.parse(text).body)


def test_a_list_that_prose_opens_hides_no_import() -> None:
    text = '"""import (the rest\n"""\nfrom a import (\n    b,\n)\nimport c\n'

    found = list(import_clauses(text))

    assert {("a", "b"), (None, "c")} <= {(each.module, word) for each in found for word in each.words}


def test_every_import_of_real_files_is_found() -> None:
    missed: list[tuple[str | None, int, str]] = []
    for path in some(SOURCES):
        text = path.read_text(encoding="utf-8")
        found = {(each.module, each.level, word) for each in import_clauses(text) for word in each.words}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                missed += {(node.module or "", node.level, name.name) for name in node.names} - found
            elif isinstance(node, ast.Import):
                missed += {(None, 0, name.name) for name in node.names} - found

    assert missed == []


@pytest.mark.parametrize(
    "piece",
    [
        "import (",
        "from a import (\n",
        "from a import b, \\\n",
        "from ",
        "import a #",
        "\nfrom a",
        ";import (#",
        ":from (\n",
        " ",
    ],
)
def test_time_grows_with_the_length_of_a_text(piece: str) -> None:
    assert growth(lambda times: list(import_clauses(f"from{piece * times}")), 2_000) < SUPERLINEAR
