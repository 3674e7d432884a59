"""Which files a rule looks at: by language, by part of the repository, and by its own path patterns."""

from __future__ import annotations

import re
from functools import lru_cache

from review_bot.rules.rule import Rule
from review_bot.text.globs import matches_any
from review_bot.text.lazy_regex import LazyRegex

LANGUAGE_SUFFIXES: dict[str, tuple[str, ...]] = {
    "bash": (".bash", ".bats", ".cgi", ".command", ".env", ".fcgi", ".ksh", ".sh", ".tmux", ".tool", ".zsh"),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".c++", ".cu", ".ino"),
    "csharp": (".cs",),
    "css": (".css", ".scss"),
    "dart": (".dart",),
    "elixir": (".ex", ".exs"),
    "go": (".go",),
    "haskell": (".hs",),
    "hcl": (".hcl", ".nomad", ".tf", ".tfvars", ".workflow"),
    "html": (".html", ".htm", ".xhtml"),
    "java": (".java",),
    "javascript": (".cjs", ".js", ".mjs", ".jsx"),
    "json": (".json",),
    "kotlin": (".kt", ".ktm", ".kts"),
    "lua": (".lua",),
    "markdown": (".markdown", ".md"),
    "nix": (".nix",),
    "php": (".php",),
    "python": (".py", ".py3", ".pyi"),
    "ruby": (".rb", ".rbw", ".gemspec"),
    "rust": (".rs",),
    "scala": (".scala", ".sc", ".sbt"),
    "solidity": (".sol",),
    "swift": (".swift",),
    "tsx": (".tsx",),
    "typescript": (".ts", ".cts", ".mts"),
    "yaml": (".yaml", ".yml"),
    "zig": (".zig",),
}
"""ast-grep's built-in languages (0.51) and the file suffixes that it gives to each; a test asks ast-grep itself."""

LANGUAGE_ALIASES: dict[str, str] = {
    "c++": "cpp", "cc": "cpp", "cxx": "cpp", "cs": "csharp", "ex": "elixir", "golang": "go",
    "hs": "haskell", "js": "javascript", "jsx": "javascript", "kt": "kotlin", "md": "markdown", "py": "python",
    "rb": "ruby", "rs": "rust", "sol": "solidity", "ts": "typescript", "yml": "yaml",
}  # fmt: skip
"""Other names that ast-grep accepts, in lower case."""

EMBEDDED_IN_HTML = frozenset({"css", "javascript", "tsx", "typescript"})
"""Languages whose rules ast-grep also runs on the ``<script>`` and ``<style>`` parts of an HTML file."""

_LANGUAGE_BY_SUFFIX = {suffix: language for language, suffixes in LANGUAGE_SUFFIXES.items() for suffix in suffixes}

_NOT_LIBRARY_FOLDERS = frozenset(
    {
        *("tests", "test", "testing", "benchmarks", "benchmark", "benchmarking", "examples", "example", "docs", "doc"),
        *(
            "scripts",
            "script",
            "tools",
            "tool",
            "apps",
            "recipes",
            "cookbook",
            "cookbooks",
            "demos",
            "samples",
            "tutorials",
        ),
        *(".github", ".buildkite", "ci"),
    }
)
VENDOR_FOLDERS = frozenset({"vendor", "vendors", "_vendor", "third_party", "third-party", "thirdparty", "3rdparty"})
"""Names that GitHub's linguist takes for vendored (``lib/linguist/vendor.yml``), of folders with others' sources."""
VENDOR_FOLDER_AT_ROOT = "deps"
"""The same of a folder at the root alone."""
_OF_OTHERS = VENDOR_FOLDERS | {"3rd_party", "node_modules", "submodules", "vendored"}

_DOCUMENTS = (".md", ".mdx", ".markdown", ".rst")
_TESTS_BY_NAME = LazyRegex(r"(?:tests|[^/]*_tests|[^/]*_?unittests?|unittest_[^/]*|unit_tests?_[^/]*)\.py")
"""Names of files of tests that pytest does not collect by itself, as those of Django and of ``unittest``."""
_TEST_FOLDER = LazyRegex(r"(?:^|[\w.-]*[_.-])(?:auto|unit)?tests?(?:[_-](?:suite|cases?))?$")


@lru_cache(maxsize=4096)
def language_of(path: str) -> str | None:
    """Return ast-grep's name of the language that a path's suffix stands for, or None (``.PY``, ``.env``)."""
    dot = path.rfind(".")
    return _LANGUAGE_BY_SUFFIX.get(path[dot:]) if dot > path.rfind("/") + 1 else None


def canonical_language(name: str) -> str | None:
    """Return the name under which the binding knows a language, or None if it does not know it."""
    name = name.lower()
    name = LANGUAGE_ALIASES.get(name, name)
    return name if name in LANGUAGE_SUFFIXES else None


@lru_cache(maxsize=4096)
def is_python(path: str) -> bool:
    """Return whether a path names Python source."""
    return language_of(path) == "python"


@lru_cache(maxsize=4096)
def is_test(path: str) -> bool:
    """Return whether a path holds tests: ``test_*``, ``*_test.*``, ``conftest.py``, or what is in a folder of tests.

    ::

        tests/engine/run.py     unit_tests/run.py     integration-tests/fixtures/run.py
    """
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    return (
        any(_TEST_FOLDER.match(each) for each in folders)
        or stem.startswith("test_")
        or stem.endswith("_test")
        or name == "conftest.py"
        or _TESTS_BY_NAME.fullmatch(name) is not None
    )


@lru_cache(maxsize=4096)
def is_library(path: str) -> bool:
    """Return whether a path is Python that users run: no tests, examples, benchmarks, documentation, scripts or tools.

    A ``utils`` folder at the root holds scripts of the repository; one inside a package is library code.
    """
    *folders, name = path.split("/")
    return (
        is_python(path)
        and not is_test(path)
        and _NOT_LIBRARY_FOLDERS.isdisjoint(folders)
        and not any(each.startswith("example_") or each.endswith("_examples") for each in folders)
        and folders[:1] != ["utils"]
        and name not in {"setup.py", "noxfile.py", "conf.py"}
    )


@lru_cache(maxsize=4096)
def is_vendored(path: str) -> bool:
    """Return whether a path lies in a folder with others' sources, by its name in any case.

    For checks that look for the project's own files. What the review leaves out is narrower, and decided with
    ``.gitattributes`` (``engine/left_out.py``).
    """
    folders = path.lower().split("/")[:-1]
    return folders[:1] == [VENDOR_FOLDER_AT_ROOT] or not _OF_OTHERS.isdisjoint(folders)


_RELEASE = LazyRegex(
    r"(?:(?:versions?|releases?|rel|ver)[-_]?)?v?\d+(?:[._](?:\d+|x))+(?:[-._]?(?:post|dev|alpha|beta|rc|a|b)[.\d]*)?"
    r"|(?:version|release)[-_]?\d+",
    re.IGNORECASE,
)
"""The name of a folder with what a release has: ``v0.5.9``, ``version-1.2``, ``0.4.x``; no ``v1``, an interface."""
_OF_RELEASES = frozenset({"versioned_docs", "versioned_sidebars"})
"""Where Docusaurus keeps a folder for each release."""


@lru_cache(maxsize=4096)
def release_of(path: str) -> str:
    """Return the name of the folder around a path that a project keeps as a release has it, or an empty text.

    ::

        site/versions/v0.5.9/pages/serve.mdx     versioned_docs/version-1.2/serve.md

    What is in one is right for its release, and stays as it is when the code or the pages of today change.
    """
    folders = path.split("/")[:-1]
    for depth, folder in enumerate(folders, 1):
        if _RELEASE.fullmatch(folder) or (depth > 1 and folders[depth - 2] in _OF_RELEASES):
            return folder
    return ""


def is_document(path: str) -> bool:
    """Return whether a path names Markdown or reStructuredText."""
    return path.lower().endswith(_DOCUMENTS)


def is_of_another_release(document: str, path: str) -> bool:
    """Return whether a document is kept for a release that a file is not of.

    A script in such a folder runs what the tree has today.
    """
    return is_document(document) and release_of(document) != release_of(path)


_HISTORY = LazyRegex(
    r"changes|history|.*journal.*|news|releases?|release[_-]?v?\d.*|.*release[_-]?notes?.*|whats?[_-]?new.*"
)
_OF_HISTORY = frozenset({
    "archive", "archived", "archives", "blog", "blogs", "changelog", "changelogs", "journal", "journals", "news",
})  # fmt: skip
"""Folders of such documents."""


@lru_cache(maxsize=4096)
def is_history(path: str) -> bool:
    """Return whether a path names a document about how things were at some time, such as a list of changes."""
    *folders, name = path.lower().split("/")
    stem, _, suffix = name.rpartition(".")
    if not _OF_HISTORY.isdisjoint(folders):
        return True
    is_text = suffix in {"md", "mdx", "markdown", "rst", "txt"}
    return is_text and ("changelog" in stem.replace("-", "") or _HISTORY.fullmatch(stem) is not None)


_SET_ASIDE = LazyRegex(r"(?:^|[_.-])(?:bak|backup|old|orig|scratch)\d*(?:[_.-]|$)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def is_set_aside(path: str) -> bool:
    """Return whether a name marks a Python file as an unused copy or note: ``engine_bak2.py``, ``NOTES.py``."""
    stem = path.rpartition("/")[2].removesuffix(".py")
    return is_python(path) and (_SET_ASIDE.search(stem) is not None or (len(stem) > 3 and stem.isupper()))


def in_scope(rule: Rule, path: str) -> bool:
    """Return whether a rule looks at a file of this path."""
    if rule.languages and not _fits_language(rule, path):
        return False
    if rule.scope != "any" and not in_part(rule.scope, path):
        return False
    if rule.files and not matches_any(rule.files, path):
        return False
    return not (rule.ignores and matches_any(rule.ignores, path))


def in_part(scope: str, path: str) -> bool:
    """Return whether a path lies in the part of a repository that a ``Scope`` names."""
    if scope == "library":
        return is_library(path)
    if scope == "tests":
        return is_python(path) and is_test(path)
    return scope != "all" or is_python(path)


def _fits_language(rule: Rule, path: str) -> bool:
    language = language_of(path)
    if language == "html" and rule.kind in {"structural", "removed"}:
        return not EMBEDDED_IN_HTML.isdisjoint(rule.languages) or "html" in rule.languages
    return language in rule.languages
