"""New modules that may fail when they are imported, since whatever imports them goes on without them.

::

    try:
        from pkg.backends.fast import FastBackend
        return "pkg.backends.fast.FastBackend"
    except ImportError:
        logger.info("The fast backend is not installed.")
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from posixpath import basename, dirname

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import AddedImport, file_imports, guarded_imports
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.project.notebooks import code_of
from review_bot.analysis.python.statements import is_for_scripts, tries_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.findings import Related
from review_bot.text.lazy_regex import LazyRegex

_BY_FOLDER = LazyRegex(r"\b(?:iter_modules|walk_packages|listdir|scandir|i?glob|iterdir)\b")
_SETTINGS = (".toml", ".cfg", ".ini", ".sh", ".yaml", ".yml", "Makefile", "setup.py")
_MOST_SETTINGS = 2_000
"""Files of settings that are read; of a tree with more it is not known that none names a module."""


def guarded_importers(path: str, codebase: Codebase) -> list[Related]:
    """Return the imports of a module that the change adds, if a handler of ImportError guards each of them.

    Nothing is returned for a package, for what also runs as a script, for what settings name, and where code may load
    the module by its name or with all of its folder.
    """
    head, stem = codebase.head, basename(path).removesuffix(".py")
    tree = head.tree(path) if path.endswith(".py") else None
    if path in codebase.base.paths or stem == "__init__" or tree is None or any(map(is_for_scripts, tree.body)):
        return []
    if _is_loaded_with_folder(path, head) or _is_in_settings(stem, head):
        return []
    found: list[Related] = []
    for user in files_with(head, [stem]):
        if user == path:
            continue
        text = code_of(user, head) or ""
        if any(_means(each, path, user, head) for each in file_imports(user, text)):
            return []
        lines = [each.line for each in guarded_imports(user, text) if _means(each, path, user, head)]
        if not set(_named_in_text(stem, user, head)) <= set(_lines_of_tries(lines, user, head)):
            return []
        found += [Related(user, line, "imports this file and goes on if that fails") for line in lines]
    return found


def _means(statement: AddedImport, path: str, user: str, side: Snapshot) -> bool:
    """Return whether an import is of the module of a file, or may be: its last word is the same, and no file fits."""
    tree, place = module_tree(side), place_of(path)
    meant = places_of(statement.module, statement.level, user, tree)
    meant = [*meant, *(f"{each}/{name.name}" for each in meant for name in statement.names)]
    if place in meant:
        return True
    words = {statement.module.rpartition(".")[2], *(name.name for name in statement.names)}
    return basename(place) in words and not any(tree.at(each).kind == "module" for each in meant)


def _named_in_text(stem: str, user: str, side: Snapshot) -> Iterator[int]:
    """Yield the lines of strings of a file that hold the name of a module; a file that cannot be parsed has one."""
    tree, word = side.tree(user), re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")
    if tree is None:
        yield 0
    for each in () if tree is None else nodes_of(tree, ast.Constant):
        if isinstance(each.value, str) and word.search(each.value):
            yield each.lineno


def _lines_of_tries(lines: list[int], user: str, side: Snapshot) -> Iterator[int]:
    """Yield the lines of the bodies of ``try`` around some lines."""
    tree = side.tree(user)
    for each in () if tree is None else tries_of(tree):
        body = range(each.body[0].lineno, last_line(each.body[-1]) + 1)
        if any(line in body for line in lines):
            yield from body


def _is_loaded_with_folder(path: str, side: Snapshot) -> bool:
    """Return whether a package around a file may load all modules of its folder."""
    folder = dirname(path)
    while folder:
        if _BY_FOLDER.search(side.text(f"{folder}/__init__.py") or ""):
            return True
        folder = dirname(folder)
    return False


def _is_in_settings(stem: str, side: Snapshot) -> bool:
    word = re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")
    settings = sorted(path for path in side.paths if path.endswith(_SETTINGS))
    return len(settings) > _MOST_SETTINGS or any(word.search(side.text(path) or "") for path in settings)
