"""Which added lines count as code."""

from __future__ import annotations

import pytest

from review_bot.analysis.project.added_code import code_lines
from review_bot.changes.unified_diff import parse_diff


def code_of(path: str, *added: str, start: int = 1, context: str = "") -> list[str]:
    """Return what is code of lines that a diff adds in one place, under a line that was there."""
    kept = f" {context}\n" if context else ""
    count = bool(context)
    head = f"@@ -{start if count else 0},{int(count)} +{start},{len(added) + count} @@\n"
    text = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{head}{kept}" + "".join(f"+{a}\n" for a in added)
    (file,) = parse_diff(text).files
    return list(code_lines(file))


def test_docstrings_comments_and_bare_annotations_are_no_code() -> None:
    lines = [
        "# a licence",
        '"""A module.',
        "",
        "It runs.",
        '"""',
        "",
        "class Runner:",
        '    """Runs."""',
        "    size: int",
        "    names: dict[str, list[int]]",
        "    limit: int = 3",
        "    def run(self):",
        "        '''Run",
        "        it.'''",
        "        # now",
        "        return 1",
    ]

    assert code_of("pkg/run.py", *lines) == ["class Runner:", "limit: int = 3", "def run(self):", "return 1"]


def test_a_parameter_on_a_line_of_its_own_is_code() -> None:
    lines = [
        "def shard(",
        "    module: Module,",
        "    name: str,",
        "    parent: Module | None",
        ") -> Module:",
        "    return module",
    ]

    assert code_of("pkg/shard.py", *lines) == [line.strip() for line in lines]


def test_lines_inside_a_string_count_once_whatever_they_hold() -> None:
    (file,) = parse_diff(
        "diff --git a/run.py b/run.py\n--- /dev/null\n+++ b/run.py\n@@ -0,0 +1,5 @@\n"
        '+SCRIPT = """\n+# wait\n+while true; do sleep 1; done\n+"""\n+run(SCRIPT)\n'
    ).files

    assert list(code_lines(file, prose=(), texts={2, 3, 4})) == [
        'SCRIPT = """',
        "# wait",
        "while true; do sleep 1; done",
        '"""',
        "run(SCRIPT)",
    ]


def test_text_in_a_value_is_code() -> None:
    lines = ["PROMPT = '''", "Say it.", "'''", "run(", '"""', "now", '"""', ")"]

    assert code_of("pkg/run.py", *lines) == lines


def test_the_end_of_a_docstring_that_began_above_the_diff_is_seen() -> None:
    assert code_of("pkg/run.py", "More.", '"""', "return 1", start=40, context="First.") == ["return 1"]


@pytest.mark.parametrize(("path", "lines"), [("a.md", []), ("a.yaml", []), ("a.txt", []), ("a.cu", ["x = 1"])])
def test_documents_and_data_are_no_code(path: str, lines: list[str]) -> None:
    assert code_of(path, "x = 1", "// two") == lines
