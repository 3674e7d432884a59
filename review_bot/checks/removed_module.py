"""A module that the change deletes or renames, and files of the tree that still import it.

Imports on added lines are the matter of ``missing_module_import``; here are those that the change left as they were.
They are judged in the same way: whatever could still provide the module keeps this silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.pull_request import ChangedFile, Hunk, PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import CannotParse, SourceFile
from review_bot.checks.project.added_imports import AddedImport, added_imports
from review_bot.checks.project.missing_modules import missing_module, prepares_modules, sets_path
from review_bot.checks.project.module_definitions import ModuleDefinitions
from review_bot.checks.project.module_names import places_of
from review_bot.checks.project.module_tree import ModuleTree, module_tree, relative_name
from review_bot.findings import Related
from review_bot.rules.rule import Hit, Options

LITERALS: tuple[str, ...] | None = None
READS_OLD = True
READS_TEXT = False
NEW_NAMES = True

_MOST_RELATED = 10
_MOST_COMMENTS = 3
"""Modules that get a comment each; where a change takes away more of them, one comment speaks for all."""


def gather(source: SourceFile, _options: Options) -> str | None:
    """Return the path that a module had at the base, if it has lost it."""
    change = source.change
    gone = change.base_path if change.status in {"deleted", "renamed"} else ""
    return gone if gone.endswith(".py") else None


def relate(
    facts: Mapping[str, Any], pull_request: PullRequest, repository: Repository, _options: Options
) -> Iterator[Hit]:
    """Yield a hit about each module that is gone and still imported; its importers are the related places."""
    tree = module_tree(repository.head_paths)
    gone = {_place(base): path for path, base in sorted(facts.items()) if base not in repository.head_paths}
    gone = {place: path for place, path in gone.items() if tree.at(place).kind == "missing"}
    if not gone:
        return
    places: dict[str, list[Related]] = {}
    for path, line, place in _importers(gone, pull_request, tree, repository):
        places.setdefault(place, []).append(Related(path, line, f"imports `{place.rpartition('/')[2]}`"))
    roots = module_tree(repository.base_paths).roots
    if len(places) > _MOST_COMMENTS:
        yield _hit(gone, places, roots)
        return
    for place in sorted(places):
        yield _hit(gone, {place: places[place]}, roots)


def _hit(gone: Mapping[str, str], places: Mapping[str, list[Related]], roots: tuple[str, ...]) -> Hit:
    """Return one hit about some modules, on the first that is imported by most files."""
    main = min(places, key=lambda place: (-len({each.path for each in places[place]}), place))
    users = sorted({each for found in places.values() for each in found})
    files = {each.path for each in users}
    them = "it" if len(places) == 1 else "them"
    count = f"`{users[0].path}:{users[0].line}` still imports {them}"
    if len(files) > 1:
        count = f"{len(files)} files still import {them}, the first at `{users[0].path}:{users[0].line}`"
    name = f"`{relative_name(main, roots)}`"
    return Hit(
        None,
        values={
            "modules": f"{name} no longer exists" if len(places) == 1 else _several(name, len(places)),
            "users": count,
        },
        path=gone[main],
        related=tuple(users[:_MOST_RELATED]),
        statement=f"module {main}",
    )


def _several(name: str, count: int) -> str:
    return f"{name} and {count - 1} more modules no longer exist"


def _place(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__")


def _importers(
    gone: Mapping[str, str], pull_request: PullRequest, tree: ModuleTree, repository: Repository
) -> Iterator[tuple[str, int, str]]:
    """Yield (path, line, place of the module) of each import of a module that is gone and surely missing."""
    added = {file.path: {line for line, _ in file.added_lines()} for file in pull_request.files}
    names = re.compile(rf"\b(?:{'|'.join(sorted({re.escape(each.rpartition('/')[2]) for each in gone}))})\b")
    definitions = ModuleDefinitions(tree, repository)
    for path in tree.python_files():
        text = repository.head_text(path)
        if text is None or not names.search(text) or prepares_modules(text):
            continue
        for statement in _imports(path, text):
            place = _missing(statement, path, text, gone, tree, repository, definitions)
            if place is not None and statement.line not in added.get(path, ()):
                yield path, statement.line, place


def _missing(
    statement: AddedImport,
    path: str,
    text: str,
    gone: Mapping[str, str],
    tree: ModuleTree,
    repository: Repository,
    definitions: ModuleDefinitions,
) -> str | None:
    places = places_of(statement.module, statement.level, path, tree)
    for place in places:
        if place in gone and missing_module(statement, path, tree, repository, sets_path=sets_path(text)) is not None:
            return place
    for name in statement.names:
        for place in places:
            inner = f"{place}/{name.name}"
            if inner in gone and not sets_path(text) and definitions.lack(places, name.name):
                return inner
    return None


def _imports(path: str, text: str) -> tuple[AddedImport, ...]:
    """Return every import of a file that may run, as ``added_imports`` reads them."""
    lines = text.split("\n")
    hunk = Hunk(0, 0, 1, len(lines), tuple(f"+{line}" for line in lines))
    try:
        return added_imports(SourceFile(ChangedFile(path, None, "added", "text", (hunk,)), text, None))
    except CannotParse:
        return ()
