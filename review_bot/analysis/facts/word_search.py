"""Which files of a side hold a word: Python, stubs and notebooks, searched for all new words in one pass."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from review_bot.analysis.project.module_tree import module_tree
from review_bot.changes.codebase import Snapshot, query
from review_bot.rules.scope import is_set_aside
from review_bot.text.lazy_regex import LazyRegex

_AUTOMATON_FROM = 3
_EACH_UP_TO = 40
"""Words: to read all words of a text takes less time than to look for each of more than these."""

_WORD = LazyRegex(r"\w+", re.ASCII)

_BEHIND_ESCAPE = LazyRegex(r"\\[fnrt](\w+)")
"""A word at the start of a line of a cell that a notebook holds as one string: ``"import core\\nload()"``."""

_RUNS = LazyRegex(
    r"(?i)\.(?:py|ipynb|md|rst|txt|toml|cfg|ini|ya?ml|in|sh|bash)\Z|(?:^|/)(?:makefile|justfile|[^/]*dockerfile[^/]*)\Z"
)
"""Names of files that may run others or say how to."""

_GUARD = "__main__"


class WordSearch:
    """The files of one side that hold the words that were asked for so far."""

    def __init__(self, side: Snapshot) -> None:
        self._side = side
        self._paths: dict[str, set[str]] = {}

    def files(self, words: Iterable[str]) -> list[str]:
        """Return the files that hold one of some words as a whole, sorted. Comments and strings count too."""
        wanted = set(words)
        if new := wanted - self._paths.keys():
            self._search(new)
        return sorted(set().union(*(self._paths[word] for word in wanted)))

    def held(self, words: Iterable[str]) -> dict[str, frozenset[str]]:
        """Return the files that hold one of some words, sorted, and which of them each holds."""
        wanted = frozenset(words)
        found: dict[str, set[str]] = {path: set() for path in self.files(wanted)}
        for word in wanted:
            for path in self._paths[word]:
                found[path].add(word)
        return {path: frozenset(here) for path, here in found.items()}

    def _search(self, words: set[str]) -> None:
        found: dict[str, set[str]] = {word: set() for word in words}
        found_in = _finder(words)
        for path in module_tree(self._side).importers():
            text = self._side.text(path) or ""
            for word in found_in(text):
                found[word].add(path)
            if path.endswith(".ipynb"):
                for word in words.intersection(_BEHIND_ESCAPE.findall(text)):
                    found[word].add(path)
        self._paths.update(found)  # not before: a text that cannot be read ends the search


def _finder(words: set[str]) -> Callable[[str], Iterable[str]]:
    """Return what finds some words in a text.

    Of several words one automaton says first whether there is any; many are looked up among the words of the text.
    """
    plain = len(words) >= _AUTOMATON_FROM and all(map(str.isascii, words))
    # Each begins with letters, which are looked for quickly; as for RE2, a word ends where ASCII does.
    escaped = {word: re.escape(word) for word in sorted(words)}
    whole = {word: LazyRegex(rf"{each}(?<=\b{each})\b", re.ASCII if plain else 0) for word, each in escaped.items()}

    def found_in(text: str) -> Iterable[str]:
        return [word for word, pattern in whole.items() if word in text and pattern.search(text)]

    if not plain:
        return found_in
    if len(words) > _EACH_UP_TO and all(map(_WORD.fullmatch, words)):
        return lambda text: words.intersection(_WORD.findall(text))
    import re2

    automaton = re2.compile(rf"\b(?:{'|'.join(map(re2.escape, escaped))})\b")
    return lambda text: found_in(text) if automaton.search(text) else ()


@query
def _word_search(side: Snapshot) -> WordSearch:
    return WordSearch(side)


def words_held(side: Snapshot, words: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the Python files, stubs and notebooks that hold one of some words, sorted, and which each holds."""
    return _word_search(side).held(words)


def files_with(side: Snapshot, words: Iterable[str], suffix: str | tuple[str, ...] = "") -> list[str]:
    """Return the Python files, stubs and notebooks that hold one of some words, sorted; those with a suffix alone."""
    return [path for path in _word_search(side).files(words) if path.endswith(suffix)]


def held_before(side: Snapshot, words: Iterable[str]) -> frozenset[str]:
    """Return the files that hold one of some words at the base, or on this side if it is one.

    What a change adds must not keep a rule with a limit from what was there: these come first, or count alone.
    """
    return frozenset(words_held(side.earlier or side, words))


def rarest_of(held: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return how many files hold the rarest word that each of some files holds."""
    files_of = Counter(word for here in held.values() for word in here)
    return {path: min(files_of[word] for word in here) for path, here in held.items()}


def looked_at(
    side: Snapshot, paths: Collection[str], most: int, rank: Callable[[str], tuple[object, ...]]
) -> list[str]:
    """Return the files to look at, sorted: all that the change touches, and of the others the first by rank.

    What a change touches costs no more than the change does, and if it counted, it would keep a rule from what was
    there before.
    """
    if len(paths) <= most:
        return sorted(paths)
    base = side.earlier or side
    known = [path for path in paths if path in base.paths and (base is side or base.text(path) == side.text(path))]
    return sorted({*paths}.difference(sorted(known, key=lambda path: (rank(path), path))[most:]))


@query
def unused_copies(side: Snapshot) -> frozenset[str]:
    """Return the Python files that their names mark as unused copies, unless another file names their module or them.

    A program is no note, though its name may be in capitals. The change does not make a file unused by the name that it
    gives to it.
    """
    before = side.paths if side.earlier is None else side.paths & side.earlier.paths
    copies = {path: path.rpartition("/")[2].removesuffix(".py") for path in before if is_set_aside(path)}
    users: dict[str, set[str]] = {name: set() for name in copies.values() if name.isidentifier()}
    for path, names in words_held(side, users).items():
        for name in names:
            users[name].add(path)
    unused = {path: name for path, name in copies.items() if users.get(name, set()) <= {path}}
    if unused:
        named = _named_by_others(side, unused.values())
        unused = {path: name for path, name in unused.items() if name not in named}
    programs = {path for path, name in unused.items() if name.isupper() and _GUARD in (side.text(path) or "")}
    return frozenset(unused.keys() - programs)


def _named_by_others(side: Snapshot, names: Collection[str]) -> set[str]:
    """Return those of some names of modules by which a file runs or describes one: ``TRAIN.py``, ``pkg.TRAIN``."""
    written = {name: LazyRegex(rf"(?<![\w-]){re.escape(name)}\.py\b|\w\.{re.escape(name)}\b") for name in {*names}}
    found: set[str] = set()
    for path in side.paths:
        text = (side.text(path) or "") if _RUNS.search(path) else ""
        own = path.rpartition("/")[2].removesuffix(".py")
        found.update(name for name, each in written.items() if name in text and name != own and each.search(text))
    return found
