"""Which files of a change hold tests, by their place or by what they define, and which modules have tests already."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.changes.codebase import Snapshot
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.rules.scope import is_python, is_test, is_vendored, language_of
from review_bot.text.lazy_regex import LazyRegex

_TEST = LazyRegex(r"class[ ]+Test(?:[A-Z_]\w*)?[ ]*[(:]|(?:async[ ]+)?def[ ]+test_\w+[ ]*\(")
"""What pytest collects, with its default settings: classes called ``Test...``, functions called ``test_...``."""

_TEST_ELSEWHERE = {
    "cpp": LazyRegex(r"(?:(?:TYPED_)?TEST(?:_F|_P|_CASE)?|SCENARIO|BOOST_AUTO_TEST_CASE)[ ]*\("),
    "rust": LazyRegex(r"#\[(?:\w+::)?test\b"),
    "go": LazyRegex(r"func[ ]+Test\w*\("),
}
"""What GoogleTest, Catch2, doctest, Boost.Test, Cargo and ``go test`` run, by language; at the beginning of a line."""
_MARK = LazyRegex(
    r"(?i)\bmark\.(?:skip|xfail|broken\b|never\b|not_?\w)|\bpytest\.(?:skip|xfail)|\bunittest\.skip|@_?(?:skip|xfail)"
    r"|\b(?:skip_?(?:if|unless|test)|importorskip|expectedfailure)\b"
)
"""What keeps a test from running, or lets it fail: marks of pytest, unittest and of projects' own."""
_BEGINS_TEST = LazyRegex(r"[ \t\f]*(?:async\b[ \t\\]*)?(?:def|class)\b[ \t]*(?:\\|[Tt]est)")
_NO_CODE = LazyRegex(r"[ \t]*(?:#|\"\"\"|'''|$)")
_TEST_OF_SCRIPTS = LazyRegex(r"(?:^|/)__tests__/|\.(?:test|spec)\.[cm]?[jt]sx?$")
"""Paths of the files that Jest and Vitest run."""
_TEXTS = frozenset({None, "css", "html", "json", "markdown", "yaml"})
"""Languages in which no test is written."""
_TEST_NAME = LazyRegex(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")
_MODULES_OF_A_TEST = 20
_PYTEST_SETTINGS = (
    *(("pytest.ini", "[pytest]"), ("pyproject.toml", "[tool.pytest"), ("tox.ini", "[pytest]")),
    ("setup.cfg", "[tool:pytest]"),
)
_RUNS_TESTS = LazyRegex(r"^(?:\.github/workflows/[^/]*\.ya?ml|tests?/[^/]*\.sh)$")
_TABLES_OF_CASES = (".csv", ".tsv", ".jsonl", ".patch")
_DEFINES_TEST = LazyRegex(r"\bdef[ \t]+\w*[tT]est|\bclass[ \t]+\w*Test|\bdoctest\b")
_OF_NO_MODULE = frozenset({"", "__init__", "base", "common", "conftest", "helper", "helpers", "util", "utils"})
"""Names of files that help tests, and are not called after what they test."""
_KERNELS = LazyRegex(r"_kernels?$")


def holds_tests(file: ChangedFile) -> bool:
    """Return whether a file is a test by its path, or the change writes a test class or test function into it."""
    if is_test(file.path) or _TEST_OF_SCRIPTS.search(file.path):
        return True
    pattern = _TEST if is_python(file.path) else _TEST_ELSEWHERE.get(language_of(file.path) or "")
    return pattern is not None and any(pattern.match(text.lstrip()) for _, text in file.added_lines())


def adds_tests(pull_request: PullRequest) -> bool:
    """Return whether a change adds a line to a test or a table of cases, or a new file of another kind near them."""
    return any(
        file.added
        and holds_tests(file)
        and (file.status == "added" or language_of(file.path) not in _TEXTS or file.path.endswith(_TABLES_OF_CASES))
        for file in pull_request.files
    )


def switches_tests_on(pull_request: PullRequest) -> bool:
    """Return whether a change takes a mark off that kept a test from running, and the test stays."""
    for file in pull_request.files:
        if file.status == "deleted" or not is_python(file.path) or not holds_tests(file):
            continue
        gone = [text for _, text in file.removed_lines() if not _NO_CODE.match(text)]
        if any(map(_MARK.search, gone)) and not any(_BEGINS_TEST.match(text) for text in gone):
            return True
    return False


def has_test_name(path: str) -> bool:
    """Return whether pytest collects a file by its name."""
    return _TEST_NAME.search(path) is not None


def may_hold_tests(path: str) -> bool:
    """Return whether a file may hold tests, by its path: also where that is a program to try by hand, ``test.py``."""
    return is_test(path) or path.rpartition("/")[2] == "test.py"


def tests_its_code(side: Snapshot) -> bool:
    """Return whether a tree expects tests: it configures pytest, or has a test for every twentieth Python file.

    Scripts that are called tests and define none are programs to try by hand. The tests of other projects, whose
    sources a tree keeps, test none of its own code.
    """
    python = [path for path in side.paths if is_python(path) and not is_vendored(path)]
    tests = [path for path in python if has_test_name(path)]
    if not tests or not (len(tests) * _MODULES_OF_A_TEST >= len(python) or _configures_pytest(side)):
        return False
    return any(_DEFINES_TEST.search(side.text(path) or "") for path in sorted(tests))


def runs_doctests(side: Snapshot) -> bool:
    """Return whether a tree runs the examples of docstrings: its settings, a workflow or a script of the tests says so.

    Source: https://docs.pytest.org/en/stable/how-to/doctest.html
    """
    places = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "conftest.py", "Makefile")
    found = [path for path in side.paths if path in places or _RUNS_TESTS.search(path)]
    return any("doctest" in path or "doctest" in (side.text(path) or "") for path in found)


def _configures_pytest(side: Snapshot) -> bool:
    """Return whether a file in which pytest looks for its settings has some.

    Source: https://docs.pytest.org/en/stable/reference/customize.html#configuration-file-formats
    """
    return any(path in side.paths and section in (side.text(path) or "") for path, section in _PYTEST_SETTINGS)


def tested_modules(paths: Iterable[str]) -> frozenset[str]:
    """Return the names of the modules that a test file among some paths is named after: ``jsd`` for ``test_jsd.py``."""
    tests = (path for path in paths if is_python(path) and is_test(path))
    names = (module_name(path) for path in tests if has_test_name(path) or module_name(path) not in _OF_NO_MODULE)
    return frozenset(name.removeprefix("test_").removesuffix("_test") for name in names)


def module_name(path: str) -> str:
    """Return the name of a module or source file, without folders and suffix; ``moe`` for ``moe_kernels.py``."""
    return _KERNELS.sub("", path.rpartition("/")[2].partition(".")[0])
