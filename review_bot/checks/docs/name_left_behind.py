"""A function or class that the change removes, and documents that still name it.

Only names of two words or more are looked for, since documents use single words as English. The name must be gone from
all code of the tree: what another module still defines, imports or looks up is not missed by readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DEFINITION = LazyRegex(r"(?:async[ ]+)?(?:def|class)[ ]+([A-Za-z]\w*)")
_OF_WORDS = LazyRegex(r"[a-z\d]_[a-z\d]|[a-z\d][A-Z]")
_SHORTEST = 8
_MOST_NAMES = 300
_DOCUMENT = LazyRegex(r"(?i)\.(?:md|mdx|markdown|rst)$")
_OTHER_CODE = LazyRegex(
    r"(?i)\.(?:c|cc|cpp|cu|cuh|cxx|go|h|hpp|java|jinja2?|js|json|jsx|mjs|mm|proto|rb|rs|sh|swift|toml|ts|tsx|ya?ml)$"
)
_ASIDE = LazyRegex(
    r"(?i)(?:^|/)(?:third_?party|vendor|archived?|blogs?|news|adr|rfcs?|proposals?|papers?|node_modules)/"
    r"|JOURNAL|HISTORY|CHANGE|release[_-]?notes?|migrat|roadmap"
)
_OF_THE_PAST = LazyRegex(
    r"(?i)\b(?:remov|renam|deprecat|replac|obsolete|legacy|former|previous|no longer|(?:old|used to|was|were|until)\b)"
)
"""What a line says that is about how things were, or tells how to move on."""


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the top-level definitions that a file loses, with their lines at the base."""
    if source.change.path.endswith(".pyi"):
        return None
    found: dict[str, int] = {}
    for line, text in source.removed.items():
        match = _DEFINITION.match(text)
        if match is not None and len(match[1]) >= _SHORTEST and _OF_WORDS.search(match[1]):
            found.setdefault(match[1], line)
    kept = frozenset[str]() if source.text is None else source.vocabulary.words
    return tuple((name, line) for name, line in sorted(found.items()) if name not in kept) or None


def relate(facts: Mapping[str, tuple[tuple[str, int], ...]], change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each file on the first of the definitions that documents still name."""
    gone = {name: (path, line) for path, found in sorted(facts.items()) for name, line in found}
    if not gone or len(gone) > _MOST_NAMES:
        return
    named = _named(gone, change, codebase)
    if not named:
        return
    of_files: dict[str, dict[str, list[Related]]] = {}
    for name, places in sorted(named.items()):
        if not files_with(codebase.head, [name]) and not _in_other_code(name, codebase):
            of_files.setdefault(gone[name][0], {})[name] = places
    for path, found in sorted(of_files.items()):
        users = sorted({each for places in found.values() for each in places})
        where, alone = places_in_words(users)
        values = {"users": where, "verb": "names" if alone else "name", "names": names_in_words(found)}
        line = min(gone[name][1] for name in found)
        yield Hit(
            line, side="LEFT", path=path, values=values, related=tuple(users[:MOST_RELATED]),
            statement=f"documents {' '.join(sorted(found))}",
        )  # fmt: skip


def _named(names: Mapping[str, object], change: PullRequest, codebase: Codebase) -> dict[str, list[Related]]:
    """Return the lines of documents that name something, and did so before the change."""
    added = change.added_numbers()
    word = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    found: dict[str, list[Related]] = {}
    for file in sorted(codebase.head.paths):
        if not _DOCUMENT.search(file) or _ASIDE.search(file):
            continue
        text = codebase.head.text(file) or ""
        if not any(name in text for name in names):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if number in added.get(file, ()) or _OF_THE_PAST.search(line):
                continue
            for name in {each[0] for each in word.finditer(line)}:
                found.setdefault(name, []).append(Related(file, number, f"names `{name}`"))
    return found


def _in_other_code(name: str, codebase: Codebase) -> bool:
    """Return whether code of another language, or a configuration file, holds a name."""
    paths = (path for path in codebase.head.paths if _OTHER_CODE.search(path))
    return any(name in (codebase.head.text(path) or "") for path in paths)


CHECK = ChangeCheck(
    without_options(gather),
    without_options(relate),
    CheckTraits(literals=("def", "class"), reads_old=True, on_lines=False),
)
