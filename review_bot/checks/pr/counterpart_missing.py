"""A new module or folder without the test or the page that most of those next to it have.

::

    losses/ntx.py, losses/dino.py, ...     tests/losses/test_ntx.py, tests/losses/test_dino.py, ...
    losses/jepa.py (new)                   no tests/losses/test_jepa.py
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.path_mentions import folders_around
from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.statements import is_function
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_python, is_test, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_CODE = LazyRegex(r"\.(?:py|ipynb|rs|go|cu|cuh|cc|cpp|cxx|h|hpp|ts|tsx|js|java|kt|sh)$")
_PAGE = LazyRegex(r"\.(?:md|mdx|rst)$")
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:[._][^/]*|docs?|tests?|testing|csrc|results?|assets)(?:/|$)")
_TEST = LazyRegex(r"(?:(?:^|/)tests?/.*|(?:^|/)test_[^/]*|_test)\.(?:py|rs|go|cc|cpp|cxx|cu|ts|tsx|js|java|kt)$")
_DATA = LazyRegex(r"(?:^|/)(?:data|fixtures?|resources?)/")
"""Folders of what tests work on, such as copies of modules."""
_RULE = LazyRegex(r"[=~^*-]{3,}")
"""What underlines a heading in reStructuredText."""
_COMMITS = LazyRegex(r"\bgit (?:commit|push)\b|auto-commit|create-pull-request")
_SEPARATORS = LazyRegex(r"[\W_]+")
_FEWEST_HAVE = 4
_SHORTEST = 4
"""Letters of a name: a shorter one occurs in other names by chance."""
_LONG = 8
"""Letters of a name that is hardly a part of another by chance."""
_MOST_UNITS = 10
_MOST_SIBLINGS = 200
_MOST_READ = 8
"""Counterparts of which it is asked whether they name what they are taken for the counterparts of."""
_MOST_LEFT_OUT = 3
_MOST_TESTS = 500
"""Tests in other languages than Python that are read for what they name."""


class _Unit(NamedTuple):
    """A new module, or a new folder of modules; ``stem``: its name without suffix. ``file``: its first new file."""

    folder: str
    stem: str
    suffix: str
    file: str


class _Pattern(NamedTuple):
    """Where counterparts are: ``before`` and ``after`` the name, in one folder."""

    folder: str
    before: str
    after: str

    def path(self, stem: str) -> str:
        name = f"{self.before}{stem}{self.after}"
        return f"{self.folder}/{name}" if self.folder else name


def gather(source: SourceFile) -> bool | None:
    """Return true for a new file of code outside of tests and documents."""
    return True if source.change.status == "added" and _is_code(source.path) else None


def _is_code(path: str) -> bool:
    return (
        _CODE.search(path) is not None and _ASIDE.search(path) is None and not is_vendored(path) and not is_test(path)
    )


def relate(facts: Mapping[str, bool], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each kind of counterpart, test or page, that a new module or folder lacks."""
    if not facts:
        return
    head = codebase.head.paths
    folders = {folder for path in codebase.base.paths for folder in folders_around(path)}
    units = {(unit.folder, unit.stem): unit for unit in (_unit(path, folders) for path in sorted(facts, reverse=True))}
    if len(units) > _MOST_UNITS:
        return
    candidates = [path for path in head if (_TEST.search(path) and not _DATA.search(path)) or _PAGE.search(path)]
    missing: set[str] = set()
    for _, unit in sorted(units.items()):
        others = _siblings(unit, head)
        siblings = {each for each in others if not each.startswith("_")}
        if len(unit.stem) < _SHORTEST or not _FEWEST_HAVE <= len(siblings) <= _MOST_SIBLINGS:
            continue
        for kind, patterns in _best(unit, siblings, candidates):
            pattern = _own(unit, patterns, siblings, codebase.head)
            if pattern is None:
                continue
            having = [each for each in sorted(siblings) if pattern.path(each) in head]
            expected = pattern.path(unit.stem)
            if expected in missing or _has_counterpart(unit, kind, pattern, siblings, codebase.head):
                continue
            if kind == "test" and _needs_no_test([path for path in facts if _is_in(unit, path)], unit, codebase.head):
                continue
            if kind == "page" and (
                _is_made(codebase.head.text(pattern.path(having[0])) or "") or _is_committed_by_ci(pattern, codebase)
            ):
                continue
            missing.add(expected)
            example = pattern.path(having[0])
            values = {
                "count": str(len(having)),
                "others": str(len(others)),
                "what": _kind_of(unit, others, head),
                "kind": kind,
                "example": example,
                "expected": expected,
            }
            yield Hit(None, values=values, path=unit.file, related=(Related(example, None, f"the {kind} of another"),))


def _kind_of(unit: _Unit, others: Collection[str], paths: Collection[str]) -> str:
    """Return in words what the others are, with what is next to them and does not count."""
    where = f"the folder `{unit.folder}`" if unit.folder else "this folder"
    start = f"{unit.folder}/" if unit.folder else ""
    inside = [path[len(start) :] for path in paths if path.startswith(start)]
    if unit.suffix:
        names = {name for name in inside if "/" not in name and name.endswith(unit.suffix)}
        names -= {f"{each}{unit.suffix}" for each in (*others, unit.stem)}
    else:
        names = {name.partition("/")[0] for name in inside if "/" in name} - {*others, unit.stem}
    tests = {name for name in names if unit.suffix and _TEST.search(start + name)}
    left_out = [listed(sorted(names - tests), _MOST_LEFT_OUT)] if names - tests else []
    left_out += ["what is named like a test"] if tests else []
    without = f" (without {' and '.join(left_out)})" if left_out else ""
    return ("folders" if not unit.suffix else f"`{unit.suffix}` files") + f" in {where}{without}"


def _own(unit: _Unit, patterns: Iterable[_Pattern], siblings: Collection[str], side: Snapshot) -> _Pattern | None:
    """Return the first pattern whose files are counterparts of most of the siblings, and of no other folder's files."""
    for pattern in patterns:
        having = [each for each in sorted(siblings) if pattern.path(each) in side.paths]
        if len(having) < _FEWEST_HAVE or 4 * len(having) < 3 * len(siblings):
            return None
        if all(_is_nearer(unit, folder, pattern, having, side) for folder in _with_same(unit, having, side.paths)):
            return pattern
    return None


def _with_same(unit: _Unit, names: Collection[str], paths: Collection[str]) -> list[str]:
    """Return the other folders of code that hold half of the names or more, as ``models`` and ``configs`` may."""
    found: set[tuple[str, str]] = set()
    for path in filter(_is_code, paths):
        for each in [path] if unit.suffix else folders_around(path):
            folder, _, name = each.rpartition("/")
            stem = name.removesuffix(unit.suffix)
            if stem in names and folder != unit.folder and name.endswith(unit.suffix):
                found.add((folder, stem))
    counts = Counter(folder for folder, _ in found)
    return sorted(folder for folder, times in counts.items() if 2 * times >= len(names))


def _is_nearer(unit: _Unit, folder: str, pattern: _Pattern, having: Iterable[str], side: Snapshot) -> bool:
    """Return whether counterparts are of a unit's folder rather than of another one with the same names.

    Their own folder is called after it, or most of them name what is in it.
    """
    own, other, place = (set(each.split("/")) for each in (unit.folder, folder, pattern.folder))
    if place & (own ^ other):
        return not place & (other - own)
    read, last = [*having][:_MOST_READ], re.escape(unit.folder.rpartition("/")[2])
    texts = {each: side.text(pattern.path(each)) or "" for each in read}
    named = [each for each in read if re.search(rf"\b{last}(?:[./]{re.escape(each)}\b| import\b)", texts[each])]
    return bool(last) and 2 * len(named) > len(read)


def _is_made(page: str) -> bool:
    """Return whether a page only names what a generator of documents puts onto it; a script may write such pages."""
    lines = [line for line in page.splitlines() if line.strip()]
    under = [*lines[1:], ""]
    plain = [
        line
        for line, below in zip(lines, under, strict=True)
        if not (line.startswith("#") or _RULE.fullmatch(line) or _RULE.fullmatch(below))  # no heading
    ]
    return bool(plain) and all(line.startswith((":::", ".. auto", "   :", "    :")) for line in plain)


def _is_committed_by_ci(pattern: _Pattern, codebase: Codebase) -> bool:
    """Return whether a workflow of the base names the folder of the pages and commits, so that a job writes them."""
    folder = re.compile(rf"(?<![\w/-]){re.escape(pattern.folder)}(?![\w-])")
    workflows = (each for each in codebase.base.paths if each.startswith(".github/workflows/"))
    texts = (codebase.base.text(each) or "" for each in workflows if pattern.folder)
    return any(folder.search(text) and _COMMITS.search(text) for text in texts)


def _needs_no_test(paths: Iterable[str], unit: _Unit, side: Snapshot) -> bool:
    """Return whether a test names a unit, or what one of its modules defines, or they define nothing to test."""
    trees = [side.tree(path) for path in paths if is_python(path)]
    found = [each for tree in trees if tree is not None for each in tree.body]
    names = [each.name for each in found if is_function(each) or isinstance(each, ast.ClassDef)]
    if trees and not names:
        return True
    words = [unit.stem, *(name for name in names if len(name) >= _SHORTEST)]
    if any(map(_TEST.search, files_with(side, words))):
        return True
    tests = [path for path in side.paths if _TEST.search(path) and not is_python(path)] if not trees else []
    named = re.compile(rf"\b{re.escape(unit.stem)}\b")
    return any(named.search(side.text(path) or "") for path in sorted(tests)[:_MOST_TESTS])


def _is_in(unit: _Unit, path: str) -> bool:
    return path == unit.file if unit.suffix else path.startswith(f"{unit.folder}/{unit.stem}/".lstrip("/"))


def _unit(path: str, folders: Collection[str]) -> _Unit:
    """Return the outermost new folder that a new file is in, or the file."""
    new = [each for each in folders_around(path) if each not in folders]
    if new:
        folder, _, name = new[-1].rpartition("/")
        return _Unit(folder, name, "", path)
    folder, _, name = path.rpartition("/")
    stem, dot, rest = name.partition(".")
    return _Unit(folder, stem, dot + rest, path)


def _siblings(unit: _Unit, paths: Collection[str]) -> set[str]:
    """Return the names of the other folders, or of the other modules with the same suffix, that a unit is among."""
    start = f"{unit.folder}/" if unit.folder else ""
    inside = (path[len(start) :] for path in paths if path.startswith(start) and not _TEST.search(path))
    if unit.suffix:
        names = (name.partition(".") for name in inside if "/" not in name)
        found = {stem for stem, dot, rest in names if dot + rest == unit.suffix}
    else:
        found = {name.partition("/")[0] for name in inside if "/" in name}
    return {each for each in found - {unit.stem} if each[:1] not in {"", "."} and not each.startswith("__")}


def _best(unit: _Unit, siblings: Collection[str], candidates: Collection[str]) -> Iterator[tuple[str, list[_Pattern]]]:
    """Yield the patterns after which tests, and pages, are called: first that of the most."""
    found: Counter[_Pattern] = Counter()
    longest = sorted((each for each in siblings if len(each) >= _SHORTEST), key=lambda each: (-len(each), each))
    for path in candidates:
        folder, _, name = path.rpartition("/")
        if f"{folder}/".startswith(f"{unit.folder}/") and not unit.suffix:
            continue  # within one of the siblings, or next to them
        stem = next((each for each in longest if each in name), None)
        if stem is not None:
            before, _, after = name.partition(stem)
            is_itself = folder == unit.folder and not before and after == unit.suffix
            if (not before or not before[-1].isalnum()) and not after[:1].isalnum() and not is_itself:
                found[_Pattern(folder, before, after)] += 1
    for kind in ("test", "page"):
        of_kind = [(times, each) for each, times in found.items() if (kind == "page") is bool(_PAGE.search(each.after))]
        if of_kind:
            yield kind, [each for _, each in sorted(of_kind, reverse=True)]


def _has_counterpart(unit: _Unit, kind: str, pattern: _Pattern, siblings: Collection[str], side: Snapshot) -> bool:
    """Return whether a unit has a counterpart under a similar name, a test anywhere, or one in its own folder.

    A name is similar if it contains the other, or a word of it that is in none of the siblings' names.
    """
    plain, words = _plain(unit.stem), set(_SEPARATORS.split(unit.stem.lower()))
    own = {word for word in _SEPARATORS.split(unit.stem.lower()) if len(word) >= _SHORTEST}
    own -= {word for each in siblings for word in _SEPARATORS.split(each.lower())}
    search = _PAGE if kind == "page" else _TEST
    for path in side.paths:
        if search.search(path):
            folder, _, name = path.rpartition("/")
            core = _plain(name.removeprefix(pattern.before).removesuffix(pattern.after))
            if (plain in _plain(name) and (kind == "test" or folder == pattern.folder)) or _is_in(unit, path):
                return True
            if folder == pattern.folder and (
                (len(core) >= _LONG and core in plain)
                or (kind == "page" and core in words)  # one page may be about several
                or not own.isdisjoint(_SEPARATORS.split(name.lower()))
            ):
                return True
    return False


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False, on_lines=False))
