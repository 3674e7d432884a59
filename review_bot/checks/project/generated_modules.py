"""Modules that a checkout lacks and a build makes: versions, protocol buffers, compiled extensions, copied folders.

A rule that says "this module does not exist" asks here first, and stays silent at any sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from review_bot.changes.repository import Repository
from review_bot.checks.project.module_tree import ModuleTree, module_tree
from review_bot.late_pattern import LatePattern

_BUILD_FILES = LatePattern(
    r"(?:^|/)(?:setup\.py|setup\.cfg|pyproject\.toml|CMakeLists\.txt|Cargo\.toml|meson\.build|[Mm]akefile|\w*build\w*\.py"
    r"|BUILD(?:\.bazel)?|MANIFEST\.in|justfile|tox\.ini|noxfile\.py|[^/]*Dockerfile[^/]*|[^/]*\.cmake)$"
)
_NATIVE_BUILD = LatePattern(r"(?:^|/)(?:CMakeLists\.txt|Cargo\.toml|meson\.build|BUILD(?:\.bazel)?|[^/]*\.cmake)$")
_GENERATED = LatePattern(
    r"_?version|__version__|_?version_info|_?build_(?:info|config)|_build|_?git_version|_?commit_(?:id|hash)"
    r"|\w+_pb2(?:_grpc)?|_C\w*|_?\w+_(?:cuda|cpp|ext|extension|rs|rust)|_(?:rust|native|core|cuda|lib)\w*"
    r"|_?generated\w*|\w+_generated|parsetab|lextab|__about__|_metadata"
)
_GENERATED_FOLDER = LatePattern(r"gen|proto|pb|build|stub|vendor|third_party|_C")
_MOST_BUILD_FILES = 60
_MARKS_OF_HOOKS = LatePattern(r"__path__|meta_path|path_hooks|sys\.modules(?!\s*\[\s*__name__\s*\])|__editable__")


def may_be_generated(place: str, dotted: str, tree: ModuleTree, repository: Repository) -> bool:
    """Tell whether a module that no file holds may still exist once the project is built or installed.

    ``place`` is its path without suffix, ``dotted`` its full name.
    """
    if any(_GENERATED.fullmatch(part) for part in dotted.split(".")[1:]):
        return True
    return _is_ignored(place, repository) or _is_built(place, dotted, tree, repository)


def has_import_hooks(place: str, tree: ModuleTree, repository: Repository) -> bool:
    """Tell whether a package above ``place`` changes how modules are found, or cannot be read."""
    folder = place
    while folder:
        folder = folder.rpartition("/")[0]
        for path in (f"{folder}/__init__.py", f"{folder}.py"):
            if path in tree.paths:
                text = repository.head_text(path)
                if text is None or _MARKS_OF_HOOKS.search(text):
                    return True
    return False


def is_stubbed(dotted: str, repository: Repository, *, by_tests: bool) -> bool:
    """Tell whether some file puts this module into ``sys.modules`` by its name. ``by_tests``: a test may do it too."""
    quoted = (f'"{dotted}"', f"'{dotted}'")
    texts = _texts_with_sys_modules(repository)
    return any(name in text for of_tests, text in texts if by_tests or not of_tests for name in quoted)


@lru_cache(maxsize=1)
def _texts_with_sys_modules(repository: Repository) -> tuple[tuple[bool, str], ...]:
    """Return (whether it is of the tests, its text) of each Python file that speaks of ``sys.modules``.

    Kept, because a change may bring hundreds of imports that are asked for.
    """
    paths = module_tree(repository.head_paths).python_files()
    texts = ((path, repository.head_text(path) or "") for path in paths)
    return tuple((_is_of_tests(path), text) for path, text in texts if "sys.modules" in text)


def _is_of_tests(path: str) -> bool:
    return "tests/" in path or path.rpartition("/")[2].startswith(("test_", "conftest"))


def _is_built(place: str, dotted: str, tree: ModuleTree, repository: Repository) -> bool:
    """Tell whether a build file names the module: in full, by its path, or by its last name where that is telling.

    A bare word tells in the files of C, C++ and Rust builds, and in quotes in ``setup.py``.
    """
    inner = dotted.partition(".")[2].replace(".", "/")
    last = re.escape(dotted.rpartition(".")[2])
    words = [dotted, place, dotted.replace(".", "/"), *([inner] if "/" in inner else [])]
    full = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, words))})(?!\w)")
    bare = re.compile(rf"(?<![\w.]){last}(?!\w)")
    quoted = re.compile(rf"""(["']){last}\1""")
    for path in _build_files(tree.paths):
        text = repository.head_text(path) or ""
        if full.search(text) or (dotted.rpartition(".")[2].startswith("_") and bare.search(text)):
            return True
        if (_NATIVE_BUILD.search(path) and bare.search(text)) or (path.endswith(".py") and quoted.search(text)):
            return True
    return False


@lru_cache(maxsize=1)
def _build_files(paths: frozenset[str]) -> tuple[str, ...]:
    """Return the build files nearest to the root."""
    found = sorted((path for path in paths if _BUILD_FILES.search(path)), key=lambda path: (path.count("/"), path))
    return tuple(found[:_MOST_BUILD_FILES])


def _is_ignored(place: str, repository: Repository) -> bool:
    """Tell whether a ``.gitignore`` names the module's file, or a folder above it that sounds generated.

    A bare folder name such as ``data/`` does not count: git swallows such folders by mistake, which is what the rule is
    for. See gitignore(5).
    """
    folder = ""
    parts = place.split("/")
    ignored = False
    for depth in range(len(parts)):
        text = repository.head_text(f"{folder}/.gitignore" if folder else ".gitignore")
        if text is not None:
            rest = "/".join(parts[depth:])
            for negated, pattern, telling in _ignore_patterns(text):
                if telling and _ignores(pattern, rest):
                    ignored = not negated
        folder = "/".join(parts[: depth + 1])
    return ignored


def _ignores(pattern: re.Pattern[str], rest: str) -> bool:
    parts = rest.split("/")
    above = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return any(pattern.fullmatch(candidate) for candidate in (*above, f"{rest}.py", f"{rest}/__init__.py"))


def _ignore_patterns(text: str) -> Iterator[tuple[bool, re.Pattern[str], bool]]:
    """Yield (negated, pattern over relative paths, whether it tells of generated files) for each line."""
    for line in map(str.rstrip, text.splitlines()):
        if not line or line.startswith("#"):
            continue
        negated = line.startswith("!")
        body = line.removeprefix("!").rstrip("/")
        anchored = "/" in body
        body = body.removeprefix("/")
        if not body.strip("*/"):
            continue
        telling = negated or anchored or body.endswith(".py") or _GENERATED_FOLDER.search(body) is not None
        try:
            yield negated, re.compile(("" if anchored else "(?:.*/)?") + _glob(body)), telling
        except re.error:
            continue


def _glob(body: str) -> str:
    out = []
    for part in re.findall(r"\*\*/|/\*\*$|\*\*|\*|\?|\[[^]]+\]|.", body):
        if part == "**/":
            out.append("(?:.*/)?")
        elif part == "/**":
            out.append("/.*")
        elif part == "**":
            out.append(".*")
        elif part == "*":
            out.append("[^/]*")
        elif part == "?":
            out.append("[^/]")
        elif part.startswith("[") and len(part) > 1:
            out.append(part.replace("[!", "[^"))
        else:
            out.append(re.escape(part))
    return "".join(out)
