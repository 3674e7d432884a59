"""A default in a table or list of a Markdown document that is not the default of the code which it describes.

An environment variable is known by its name. What another table describes is the class, function or script of the
repository that declares the names of its rows. Where several declare as many of them, those that the document names, or
that are in its folder, come first, and all of them must contradict it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from review_bot.analysis.facts.declared_defaults import Declared, Declaring, declared_defaults, variable_defaults
from review_bot.analysis.facts.documents import mentions
from review_bot.analysis.facts.word_search import files_with, words_held
from review_bot.analysis.project.documented_defaults import DocumentedDefault, documented_defaults
from review_bot.analysis.python.stated_defaults import Value, contradicts, contradicts_text
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_history, is_of_another_release, is_python, is_test, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_DOCUMENT = LazyRegex(r"(?i)\.(?:md|markdown|mdx)$")
_ASIDE = LazyRegex(r"(?i)(?:^|/)tests?/|migrat")
_WORD = LazyRegex(r"\w+")
_FEWEST = 3
"""Names of a table that what it describes declares; two may be a coincidence."""
_MOST_FILES = 60
_MOST_NAMES = 40
"""Names of a file whose documents are looked up."""
_MOST_TABLES = 40
"""Tables that are compared with the code: for each, what it may describe is looked for."""

Table = tuple[DocumentedDefault, ...]

_OFF, _ON = frozenset({"0", "false", "no", "off"}), frozenset({"1", "true", "yes", "on"})


class Facts(NamedTuple):
    """``tables``: those of a document with an added row, and those rows' lines. ``changed``: with another default."""

    tables: tuple[tuple[Table, frozenset[int]], ...] = ()
    changed: tuple[Declared, ...] = ()


class _Candidate(NamedTuple):
    """What may be what a table describes: its file, what it is, and its defaults by name."""

    path: str
    declaring: Declaring
    defaults: Mapping[str, Declared]


def gather(source: SourceFile) -> Facts | None:
    """Return the tables of a document that the change writes, or the defaults that it changes in code."""
    if source.text is None or not source.added:
        return None
    if not is_python(source.path):
        return (
            None
            if _ASIDE.search(source.path) or is_history(source.path) or is_vendored(source.path)
            else _written(source)
        )
    if is_test(source.path) or not source.removed:
        return None
    with suppress(CannotParse):
        before = {(owner, each.name): each.known for owner, each in _declared(source.old_tree)}
        changed = [
            each
            for owner, each in _declared(source.tree)
            if each.line in source.added and before.get((owner, each.name), each.known) != each.known
        ]
        return Facts(changed=tuple(changed)) if changed else None
    return None


def _declared(tree: ast.Module) -> Iterator[tuple[str, Declared]]:
    """Yield the defaults of a file with the name of what declares each."""
    yield from ((owner.name, each) for owner in declared_defaults(tree) for each in owner.declared)
    yield from (("", each) for each in variable_defaults(tree))


def _written(source: SourceFile) -> Facts | None:
    removed = {
        (row.name, row.shown) for table in documented_defaults((source.old_text or "").split("\n")) for row in table
    }
    found: list[tuple[Table, frozenset[int]]] = []
    for table in documented_defaults(source.lines):
        rows = (row for row in table if row.known is not None and (row.name, row.shown) not in removed)
        added = frozenset(row.line for row in rows if row.line in source.added)
        found += [(table, added)] if added else []
    return Facts(tables=tuple(found[:_MOST_TABLES])) if found else None


def relate(facts: Mapping[str, Facts], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each row that the change writes, and for each changed default that a row contradicts."""
    side = codebase.head
    reported: set[tuple[str, int]] = set()
    for path, fact in sorted(facts.items()):
        for table, added in fact.tables:
            for row, candidate in _contradictions(path, table, side):
                if row.line in added and not is_of_another_release(path, candidate.path):
                    reported.add((path, row.line))
                    declared = candidate.defaults[row.name]
                    related = (Related(candidate.path, declared.line, "the default of the code"),)
                    yield Hit(row.line, path=path, values=_values("This document", row, candidate), related=related)
    for path, fact in sorted(facts.items()):
        if fact.changed:
            yield from _left_behind(path, fact.changed, reported, side)


def _left_behind(
    path: str, changed: Sequence[Declared], reported: set[tuple[str, int]], side: Snapshot
) -> Iterator[Hit]:
    """Yield a hit on the first default of a file that each row of an unchanged document contradicts."""
    written = {(each.name, each.line) for each in changed[:_MOST_NAMES]}
    names = {name for name, _ in written}
    documents = {
        document
        for name in names
        for spelling in {name, f"--{name.replace('_', '-')}"}
        for document in mentions(side).of(spelling)
        if _DOCUMENT.search(document)
        and not (_ASIDE.search(document) or is_history(document))
        and not is_vendored(document)
        and not is_of_another_release(document, path)
    }
    said: set[int] = set()
    for document in sorted(documents):
        tables = documented_defaults((side.text(document) or "").split("\n"))
        for table in islice((each for each in tables if not names.isdisjoint(row.name for row in each)), _MOST_TABLES):
            for row, candidate in _contradictions(document, table, side):
                line = candidate.defaults[row.name].line
                if (
                    candidate.path == path
                    and (row.name, line) in written
                    and line not in said
                    and (document, row.line) not in reported
                ):
                    said.add(line)
                    related = (Related(document, row.line, "documented here"),)
                    yield Hit(line, path=path, values=_values(f"`{document}`", row, candidate), related=related)


def _values(document: str, row: DocumentedDefault, candidate: _Candidate) -> dict[str, str]:
    known = candidate.defaults[row.name].known
    return {
        "document": document,
        "name": row.name,
        "stated": row.shown,
        "owner": candidate.declaring.name or candidate.path.rpartition("/")[2],
        "default": repr(known.value) if known is not None else "",
    }


def _contradictions(document: str, table: Table, side: Snapshot) -> list[tuple[DocumentedDefault, _Candidate]]:
    """Return the rows that all code which a table may describe contradicts, with the likeliest; few rows may differ."""
    candidates = _described(document, table, side)
    found: list[tuple[DocumentedDefault, _Candidate]] = []
    agreeing = 0
    for row in table:
        if row.known is None:
            continue
        stated = row.known.value
        declared = [(each, each.defaults[row.name].known) for each in candidates if row.name in each.defaults]
        known = [default.value for _, default in declared if default is not None]
        if not known or len(known) < len(declared):
            continue
        if all(_differ(stated, each) for each in known):
            found.append((row, declared[0][0]))
        agreeing += not any(_differ(stated, each) or (stated is None) != (each is None) for each in known)
    return [*(found if len(found) <= agreeing else ()), *_of_variables(table, side)]


def _of_variables(table: Table, side: Snapshot) -> Iterator[tuple[DocumentedDefault, _Candidate]]:
    """Yield the rows about environment variables that all code contradicts which reads them."""
    rows = {row.name: row for row in table if row.known is not None and row.name.isupper() and "_" in row.name}
    read: dict[str, list[tuple[str, Declared]]] = {}
    for path in files_with(side, rows) if rows else ():
        tree = None if is_test(path) else side.tree(path)
        for each in variable_defaults(tree) if tree is not None else ():
            if each.name in rows:
                read.setdefault(each.name, []).append((path, each))
    for name, places in read.items():
        row = rows[name]
        texts = [each.known.value for _, each in places if each.known is not None]
        if len(texts) < len(places) or row.known is None:
            continue
        if all(_is_other_text(row.known.value, each) for each in texts):
            path, each = places[0]
            yield row, _Candidate(path, Declaring("", each.line, (each,)), {name: each})


def _is_other_text(stated: Value, text: Value) -> bool:
    """Return whether the default of an environment variable is certainly not the stated one."""
    alike = isinstance(stated, str) and not _differ(stated, text)
    return isinstance(text, str) and not alike and contradicts_text(stated, text)


def _differ(stated: Value, actual: Value) -> bool:
    """Return whether two defaults differ by more than tables leave out of a text: capitals, ``./``, a slash.

    Texts that switch something off are the same, and so are those that switch it on: ``"false"`` and ``"0"``.
    """
    for words in (_OFF, _ON):
        if {str(stated).casefold(), str(actual).casefold()} <= words:
            return False
    if isinstance(stated, str) and isinstance(actual, str):
        beginning = stated.rstrip(" .…")
        if beginning != stated.rstrip() and actual.startswith(beginning):
            return False  # the document shortens it
        return contradicts(stated.casefold().strip(" ./"), actual.casefold().strip(" ./"))
    return contradicts(stated, actual)


def _described(document: str, table: Table, side: Snapshot) -> list[_Candidate]:
    """Return what the rows of a table may describe, the likeliest first; none if that is not clear."""
    names = {row.name for row in table}
    fewest = max(_FEWEST, -(-2 * len(names) // 3))
    if len(names) < fewest:
        return []
    spellings = {spelling: name for name in names for spelling in (name, name.replace("_", "-"))}
    held = words_held(side, spellings)
    paths = [
        path for path, words in held.items() if len({spellings[word] for word in words}) >= fewest and not is_test(path)
    ]
    if len(paths) > _MOST_FILES:
        return []
    scored: list[tuple[int, _Candidate]] = []
    for path in paths:
        tree = side.tree(path)
        for declaring in declared_defaults(tree) if tree is not None else ():
            defaults = {each.name: each for each in declaring.declared if each.name in names}
            if len(defaults) >= _FEWEST:
                scored.append((len(defaults), _Candidate(path, declaring, defaults)))
    best = max((score for score, _ in scored), default=0)
    if best < fewest:
        return []
    # What declares every name of a table is what it describes; what lacks some rivals what lacks others.
    least = best if best == len(names) else best // 2
    rivals = [each for score, each in sorted(scored, key=lambda each: -each[0]) if score >= least]
    words = set(_WORD.findall(side.text(document) or ""))
    folder = document.rpartition("/")[0]
    near = [each for each in rivals if _is_near(each, folder, words)]
    return near or rivals


def _is_near(candidate: _Candidate, folder: str, words: set[str]) -> bool:
    """Return whether a document names what may be described, or its file, or is next to it."""
    home, _, file = candidate.path.rpartition("/")
    return (
        candidate.declaring.name in words
        or (candidate.declaring.name == "" and file.removesuffix(".py") in words)
        or (home == folder and folder != "")
    )


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
