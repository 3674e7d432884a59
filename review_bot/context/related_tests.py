"""Which test files a change should be tried with: those that it edits, and those that cover the code that it edits.

A test file covers a module if it imports it, or if it is called like it: ``tests/cache/test_manager.py`` for
``halcyon/cache/manager.py``. Names alone are doubtful where several test files have them, so the one whose folders are
those of the module is taken. A file that only lies in the folder for the module is named too, but not said to test it.
One without a test is left out, and unit tests come before end-to-end tests. Imports are read from texts that are
available, line by line; no code is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.records import NamedTuple
from review_bot.review.context import CoveringTest
from review_bot.rules.scope import is_python, is_test
from review_bot.text.lazy_regex import LazyRegex

MOST_TESTS = 20
"""Test files that are named, those first that say most."""

MOST_IN_PLACE = 5
"""Test files of a folder that are listed if nothing else covers a module there."""

MOST_READ = 250
"""Test files that are read for their imports."""

LARGEST_READ = 200_000
"""Characters of a test file that are read."""

_IMPORT = LazyRegex(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,4000}\)|[^\n]*)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_TEST = LazyRegex(r"\bdef[ \t]+test|\bclass[ \t]+\w*Test|\bload_tests\b")
_KINDS = r"(?:benchmarks?|e2e|end[_-]?(?:to|2)[_-]?end|gpus?|integration|multigpu|nightly|slow|stress)"
_FAR = LazyRegex(rf"(?i)(?<![^/_-]){_KINDS}(?=[/_.-])")
"""Words of the paths of tests that start servers or models, need a device, or take long."""
_FAR_MARK = LazyRegex(rf"(?im)^pytestmark\b[^\n]{{0,300}}\bmark\.{_KINDS}\b")
"""A mark of a whole file that means the same."""
_SHOWN = 2
"""Strength from which on a test file is said to test a module; below it may, by its folder."""
_NAME = LazyRegex(r"\w+")

_TEST_FOLDERS = frozenset({"tests", "test"})
_SOURCE_FOLDERS = frozenset({"src", "lib", "python"})
_TOO_COMMON = frozenset({"base", "common", "config", "constants", "main", "types", "utils", "util", "helpers", "core"})
"""Names of modules that say nothing unless the folders agree."""


class _Code(NamedTuple):
    """A changed module: its path, the names by which it can be imported, its own name and its folders."""

    path: str
    modules: frozenset[str]
    name: str
    folders: tuple[str, ...]


def covering_tests(
    change: PullRequest, paths: frozenset[str], read: Callable[[str], str | None]
) -> tuple[CoveringTest, ...]:
    """Return test files at the head that cover the change, those that it edits itself first, ``MOST_TESTS`` at most.

    ``paths``: all files at the head; ``read``: their texts, None where one is not available.
    """
    read = cache(read)
    codes = [_code(file) for file in change.files if is_python(file.path) and not is_test(file.path)]
    tests = sorted(path for path in paths if is_test_file(path))
    strength = _strengths(codes, tests, read) if codes else {}
    edited = {file.path for file in change.files if file.path in paths and is_test_file(file.path)}
    ranked = sorted(
        edited | strength.keys(),
        key=lambda path: (path not in edited, *_distance(path, strength.get(path, {}), read), path),
    )
    return tuple(
        CoveringTest(path, _covered(strength.get(path, {})), path in edited)
        for path in islice((each for each in ranked if _holds_tests(read(each))), MOST_TESTS)
    )


def _distance(path: str, strengths: Mapping[str, int], read: Callable[[str], str | None]) -> tuple[bool, bool, int]:
    """Return how far a test file is from the code, as a sort key.

    One that tests it comes before one that only may, a unit test before an end-to-end test, and then the strength of
    the evidence counts. A kind of test that the code itself is called like, such as ``gpu``, means nothing.
    """
    strength = max(strengths.values(), default=0)
    own = {word.lower() for code in strengths for word in _FAR.findall(code)}
    is_far = any(word.lower() not in own for word in _FAR.findall(path))
    is_far = is_far or _FAR_MARK.search((read(path) or "")[:LARGEST_READ]) is not None
    return strength < _SHOWN, is_far, -strength


def _covered(strengths: Mapping[str, int]) -> tuple[str, ...]:
    """Return the files that a test file tests, as an import or its name shows; its place alone does not."""
    return tuple(sorted(path for path, strength in strengths.items() if strength >= _SHOWN))


def _holds_tests(text: str | None) -> bool:
    """Return whether a file defines a test, or cannot be read."""
    return text is None or _TEST.search(text) is not None


def is_test_file(path: str) -> bool:
    """Return whether pytest would look for tests in a file, by its default names."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _code(file: ChangedFile) -> _Code:
    """Describe a module by its name at the base, which tests may still have, and at the head."""
    modules = {module for path in (file.path, file.base_path) for module in _modules(path)}
    *folders, name = file.path.removesuffix(".py").split("/")
    if name == "__init__" and folders:
        name = folders.pop()
    return _Code(file.path, frozenset(modules), name, tuple(folders))


def _modules(path: str) -> Iterator[str]:
    """Yield the dotted names of a module, from the root of the repository or from a source folder in it."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        parts = parts[:-1]
    while parts:
        if len(parts) > 1 or "/" not in path:
            yield ".".join(parts)
        if parts[0] not in _SOURCE_FOLDERS:
            return
        parts = parts[1:]


def _strengths(
    codes: Sequence[_Code], tests: list[str], read: Callable[[str], str | None]
) -> dict[str, dict[str, int]]:
    """Return test file → covered file → the strength of the evidence."""
    found: dict[str, dict[str, int]] = {}
    by_module: dict[str, list[str]] = {}
    for code in codes:
        for path, strength in _by_name(code, tests).items():
            found.setdefault(path, {})[code.path] = strength
        for module in code.modules:
            by_module.setdefault(module, []).append(code.path)
    for path in _nearest(tests, found)[:MOST_READ]:
        text = read(path)
        for module in _imported(text[:LARGEST_READ], by_module) if text else ():
            for covered in by_module[module]:
                strengths = found.setdefault(path, {})
                strengths[covered] = strengths.get(covered, 0) + 4
    told = {covered for strengths in found.values() for covered in strengths}
    for code in codes:
        for path in _in_same_place(code, tests) if code.path not in told else ():
            found.setdefault(path, {})[code.path] = 0
    return found


def _in_same_place(code: _Code, tests: Iterable[str]) -> list[str]:
    """Return the tests in the folder of tests that corresponds to the module's own, or for the nearest one above it."""
    by_folder: dict[tuple[str, ...], list[str]] = {}
    for path in tests:
        folders = tuple(folder for folder in path.split("/")[:-1] if folder not in _TEST_FOLDERS)
        by_folder.setdefault(folders, []).append(path)
    for end in range(len(code.folders), 1, -1):
        here = by_folder.get(code.folders[1:end], [])
        if here:
            return here if len(here) <= MOST_IN_PLACE else []
    return []


def _nearest(tests: list[str], found: Mapping[str, object]) -> list[str]:
    return sorted(tests, key=lambda path: (path not in found, path))


def _by_name(code: _Code, tests: Iterable[str]) -> dict[str, int]:
    """Return the test files that are called like a module, and how much that says.

    If the folders of some agree with the module's, only those.
    """
    found: dict[str, int] = {}
    near: set[str] = set()
    for path in tests:
        *folders, last = path.removesuffix(".py").split("/")
        about = last.removeprefix("test_").removesuffix("_test")
        same = _singular(about) == _singular(code.name)
        if about in code.folders[-2:] and about not in _TOO_COMMON:
            found[path] = 1  # tests of a model are called like its folder
        if not same and not about.startswith(code.name + "_"):
            continue
        agreeing = _agreement(code.folders, folders)
        if code.name in _TOO_COMMON and not (same and agreeing):
            continue
        if same or agreeing:
            found[path] = 1 + 2 * same + min(agreeing, 3)
            near.update([path] if agreeing else [])
    return {path: strength for path, strength in found.items() if not near or path in near}


def _agreement(code: tuple[str, ...], test: list[str]) -> int:
    """Count the folders that a module and a test have in common from below, or anywhere in a row."""
    folders = [folder for folder in test if folder not in _TEST_FOLDERS]
    agreeing = 0
    for ours, theirs in zip(reversed(code), reversed(folders), strict=False):
        if ours != theirs:
            break
        agreeing += 1
    return agreeing


def _singular(name: str) -> str:
    return name.removesuffix("s")


def _imported(text: str, wanted: Mapping[str, object]) -> set[str]:
    """Return which of the wanted modules a text imports, as far as its lines show."""
    found: set[str] = set()
    if not any(module.rpartition(".")[2] in text for module in wanted):
        return found
    for match in _IMPORT.finditer(text):
        module, names, plain = match.groups()
        for each in [module] if module else _PLAIN.findall(plain or ""):
            if each in wanted:
                found.add(each)
        if module and names:
            found.update(dotted for name in _NAME.findall(names) if (dotted := f"{module}.{name}") in wanted)
    return found


_PLAIN = LazyRegex(r"[\w.]+")
