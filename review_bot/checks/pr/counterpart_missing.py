"""A new module or folder without the test or the page that most of those next to it have.

::

    losses/ntx.py, losses/dino.py, ...     tests/losses/test_ntx.py, tests/losses/test_dino.py, ...
    losses/jepa.py (new)                   no tests/losses/test_jepa.py
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_CODE = LazyRegex(r"\.(?:py|ipynb|rs|go|cu|cuh|cc|cpp|cxx|h|hpp|ts|tsx|js|java|kt|sh)$")
_PAGE = LazyRegex(r"\.(?:md|mdx|rst)$")
_ASIDE = LazyRegex(
    r"(?i)(?:^|/)(?:[._][^/]*|docs?|tests?|testing|third_?party|vendor|csrc|node_modules|results?|assets)(?:/|$)"
)
_TEST = LazyRegex(r"(?:^|/)tests?(?:/|$)|(?:^|/)test_[^/]*$|_test\.\w+$")
_SEPARATORS = LazyRegex(r"[\W_]+")
_FEWEST_HAVE = 4
_SHORTEST = 4
"""Letters of a name: a shorter one occurs in other names by chance."""
_MOST_UNITS = 10
_MOST_SIBLINGS = 200


class Unit(NamedTuple):
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
    return _CODE.search(path) is not None and _ASIDE.search(path) is None and not is_test(path)


def relate(facts: Mapping[str, bool], _change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each kind of counterpart, test or page, that a new module or folder lacks."""
    if not facts:
        return
    base = codebase.base.paths
    folders = {folder for path in base for folder in _folders(path)}
    units = {(unit.folder, unit.stem): unit for unit in (_unit(path, folders) for path in sorted(facts, reverse=True))}
    if len(units) > _MOST_UNITS:
        return
    candidates = [path for path in base if _TEST.search(path) or _PAGE.search(path)]
    for _, unit in sorted(units.items()):
        siblings = _siblings(unit, base, folders)
        if len(unit.stem) < _SHORTEST or not _FEWEST_HAVE <= len(siblings) <= _MOST_SIBLINGS:
            continue
        patterns = _patterns(unit, siblings, candidates)
        for kind in ("test", "page"):
            found = [
                (len(stems), each)
                for each, stems in patterns.items()
                if (_PAGE.search(each.after) is None) == (kind == "test")
            ]
            count, best = max(found, default=(0, _Pattern("", "", "")))
            if count < _FEWEST_HAVE or 4 * count < 3 * len(siblings) or _has(unit, kind, codebase.head):
                continue
            example = best.path(min(patterns[best]))
            where = f"the folder `{unit.folder}`" if unit.folder else "this folder"
            values = {
                "count": str(count),
                "others": str(len(siblings)),
                "what": ("folders" if not unit.suffix else f"`{unit.suffix}` files") + f" in {where}",
                "kind": kind,
                "example": example,
                "expected": best.path(unit.stem),
            }
            yield Hit(None, values=values, path=unit.file, related=(Related(example, None, f"the {kind} of another"),))


def _folders(path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _unit(path: str, folders: Collection[str]) -> Unit:
    """Return the outermost new folder that a new file is in, or the file."""
    new = [each for each in _folders(path) if each not in folders]
    if new:
        folder, _, name = new[-1].rpartition("/")
        return Unit(folder, name, "", path)
    folder, _, name = path.rpartition("/")
    stem, dot, rest = name.partition(".")
    return Unit(folder, stem, dot + rest, path)


def _siblings(unit: Unit, paths: Collection[str], folders: Collection[str]) -> set[str]:
    """Return the names of the folders, or of the modules with the same suffix, that a unit is among."""
    if unit.suffix:
        names = (path.rpartition("/")[2].partition(".") for path in paths if path.rpartition("/")[0] == unit.folder)
        found = {stem for stem, dot, rest in names if dot + rest == unit.suffix}
    else:
        found = {each.rpartition("/")[2] for each in folders if each.rpartition("/")[0] == unit.folder}
    return {each for each in found if len(each) >= _SHORTEST and each[0] not in "._"}


def _patterns(unit: Unit, siblings: Collection[str], candidates: Collection[str]) -> dict[_Pattern, set[str]]:
    """Return where tests and pages are called after the siblings, and after which."""
    found: dict[_Pattern, set[str]] = defaultdict(set)
    longest = sorted(siblings, key=lambda each: (-len(each), each))
    for path in candidates:
        folder, _, name = path.rpartition("/")
        if f"{folder}/".startswith(f"{unit.folder}/") and not unit.suffix:
            continue  # within one of the siblings, or next to them
        stem = next((each for each in longest if each in name), None)
        if stem is not None:
            before, _, after = name.partition(stem)
            if (not before or not before[-1].isalnum()) and not after[:1].isalnum():
                found[_Pattern(folder, before, after)].add(stem)
    return found


def _has(unit: Unit, kind: str, side: Snapshot) -> bool:
    """Return whether a unit has a counterpart under a similar name, or a test that names it."""
    plain = _SEPARATORS.sub("", unit.stem).lower()
    search = _PAGE if kind == "page" else _TEST
    names = (path.rpartition("/")[2] for path in side.paths if search.search(path))
    if any(plain in _SEPARATORS.sub("", each).lower() for each in names):
        return True
    inside = [path for path in side.paths if path.startswith(f"{unit.folder}/{unit.stem}/".lstrip("/"))]
    if any(search.search(path) for path in inside):
        return True
    return kind == "test" and any(map(_TEST.search, files_with(side, [unit.stem])))


CHECK = ChangeCheck(
    without_options(gather), without_options(relate), CheckTraits(literals=None, reads_text=False, on_lines=False)
)
