"""Review Bot runs on every Python that it names, from 3.11.0 on: type checkers know no patch releases."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
SOURCES = sorted(Path(str(import_module("review_bot").__file__)).parent.rglob("*.py"))
FUNCTIONS = {"LazyRegex", "compile", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn"}


def _patterns(source):
    """Yield the regular expressions of a module, an f-string with a letter in place of what it fills in."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            parts = first.values if isinstance(first, ast.JoinedStr) else [first]
            if name in FUNCTIONS and any(isinstance(part, ast.Constant) and type(part.value) is str for part in parts):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "a" for part in parts)


def _uses_possessive(pattern):
    try:
        tree = str(import_module("re._parser").parse(pattern))
    except re.error:
        return False  # a text that is no expression, such as the separator of str.split
    return "POSSESSIVE_REPEAT" in tree or "ATOMIC_GROUP" in tree


@pytest.mark.parametrize("pattern", ["a*+", "a++b", "(?:a|b){2,3}+", "(?>a|b)", "x[^/]?+"])
def test_the_search_for_possessive_expressions_finds_them(pattern):
    assert _uses_possessive(pattern)


def test_no_expression_is_possessive_or_atomic():
    """Python 3.11.0 to 3.11.4 match them wrongly around groups: https://github.com/python/cpython/issues/101955."""
    found = [(source.name, pattern) for source in SOURCES for pattern in _patterns(source)]
    assert len(found) > 200
    assert [each for each in found if _uses_possessive(each[1])] == []


def test_no_tar_archive_is_extracted_by_the_standard_library():
    """``TarFile.extractall(filter=)`` came with Python 3.11.4, and without it nothing is safe."""
    assert [source.name for source in SOURCES if re.search(r"\.extract(?:all)?\(", source.read_text())] == []


def test_every_place_names_the_same_versions():
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    prefix = "Programming Language :: Python :: 3."
    named = [
        each.removeprefix("Programming Language :: Python :: ")
        for each in PROJECT["classifiers"]
        if each.startswith(prefix)
    ]
    assert named == VERSIONS
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == VERSIONS
    for document in ("README.md", "CONTRIBUTING.md"):
        assert f"{VERSIONS[0]} to {VERSIONS[-1]}" in (ROOT / document).read_text(), document


def test_a_build_with_an_older_python_says_what_is_needed():
    code = "import sys; sys.version_info = (3, 10, 13, 'final', 0); import hatch_build"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Review Bot needs Python {VERSIONS[0]} to {VERSIONS[-1]}, and this is Python 3.10: ")
