"""A module that the change keeps although it removes the last import of it.

Every other mention counts as a use: an import of that name from anywhere and a string in Python, its path in documents
and scripts, its dotted name in documents, and its name in files of settings and of other languages. Silent about
scripts, and where modules are loaded by folder.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import AddedImport, file_imports
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.project.path_mentions import path_mentions
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_MOST = 40
"""Modules that are looked for; a change that loses more imports than this is a reorganisation."""
_SETTINGS = (".cfg", ".ini", ".json", ".jsonc", ".toml", ".txt", ".yaml", ".yml")
_OTHER_CODE = (".bash", ".cc", ".cpp", ".in", ".pxd", ".pyx", ".sh", "BUILD", "BUILD.bazel", "Dockerfile", "Makefile")
"""Files in other languages that import a module or run it by its name."""
_DOCUMENTS = (".markdown", ".md", ".mdx", ".rst")
_MOST_READ = 2_000
"""Files of settings or documents that are read, of each."""
_BY_FOLDER = LazyRegex(
    r"iter_modules|walk_packages|listdir|scandir|iterdir|glob\(|import_module|__import__|__getattr__"
)
_LOADS = LazyRegex(r"import_module|__import__|_import_structure|lazy")
"""What a file says that gives modules by their names."""
_STARTED = LazyRegex(
    r"__main__|\bargparse\b|\bsys\.argv\b|\b(?:click|typer)\b|@triton|\bentry_?points?\b|@register|\bregister\w*\("
)
"""What runs without being imported, or whose import by anything is for its effects."""


class Lost(NamedTuple):
    """An import that is gone, with its line at the base."""

    path: str
    module: str
    level: int
    names: tuple[str, ...]
    line: int


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return the imports on removed lines that the file has nowhere else, and whose names it does not hold any more.

    A file that still holds one was edited in part: it reads the name, or has the import as a comment.
    """
    path = source.change.base_path
    if not source.removed or not path.endswith(".py") or not source.old_text or not is_library(path):
        return None
    kept = {(each.module, each.level) for each in file_imports(source.path, source.text or "")}
    words = frozenset[str]() if source.text is None else source.vocabulary.words
    lost = tuple(
        Lost(path, each.module, each.level, tuple(name.name for name in each.names), each.line)
        for each in file_imports(path, source.old_text)
        if each.line in source.removed
        and (each.module, each.level) not in kept
        and words.isdisjoint(name.name for name in each.names)
    )
    return lost or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit, on the old side, for each module that nothing names any more."""
    tree = module_tree(codebase.base)
    lost: dict[str, tuple[str, Lost]] = {}
    for key, each in each_fact(facts):
        for place in places_of(each.module, each.level, each.path, tree):
            for found in (place, *(f"{place}/{name}" for name in each.names)):
                file = f"{found}.py"
                if file in codebase.base.paths and file in codebase.head.paths and is_library(file):
                    lost.setdefault(file, (key, each))
    if len(lost) > _MOST:
        return
    for file, (key, each) in sorted(lost.items()):
        if not _is_named(file, codebase.head):
            yield Hit(
                each.line,
                side="LEFT",
                values={"module": file},
                path=key,
                related=(Related(file, 1, "stays"),),
                statement=f"last import of {file}",
            )


def _imports(name: str, statement: AddedImport) -> bool:
    return name in statement.module.split(".") or any(each.name == name for each in statement.names)


def _is_named(file: str, head: Snapshot) -> bool:
    """Return whether anything but a module itself has its name, runs it, or may load it with all of its folder."""
    folder, _, name = file.removesuffix(".py").rpartition("/")
    return (
        bool(_STARTED.search(head.text(file) or ""))
        or _is_in_code(file, name, head)
        or _is_loaded_with(folder, head)
        or _is_in_settings(name, head)
        or _is_in_documents(name, head)
        or any(path_mentions(head, [file]))
    )


def _is_in_code(file: str, name: str, head: Snapshot) -> bool:
    """Return whether another file imports something of that name, or has it in a string that may load it."""
    own = re.escape(name)
    quoted = re.compile(rf"[\"'][^\"'\n]*(?:[./]{own}(?!\w)|(?<!\w){own}(?:\.py\b|:|\.\w))")
    alone = re.compile(rf"[\"']{own}[\"']")
    for path in files_with(head, [name]):
        text = head.text(path) or ""
        if path == file:
            continue
        if quoted.search(text) or (alone.search(text) and _LOADS.search(text)):
            return True
        if any(map(partial(_imports, name), file_imports(path, text))) or name in _words_of_imports(text):
            return True
    return False


def _words_of_imports(text: str) -> Iterator[str]:
    """Yield the names in every import of a file, also where its failure is caught or only type checkers follow it."""
    tree = parsed(text)
    for each in () if tree is None else nodes_of(tree, ast.ImportFrom):
        yield from (each.module or "").split(".")
        yield from (name.name for name in each.names)
    for plain in () if tree is None else nodes_of(tree, ast.Import):
        yield from (word for name in plain.names for word in name.name.split("."))


def _is_loaded_with(folder: str, head: Snapshot) -> bool:
    """Return whether some code may load all modules of a folder."""
    around = (f"{folder}/__init__.py", f"{folder.rpartition('/')[0]}/__init__.py")
    if any(_BY_FOLDER.search(head.text(path) or "") for path in around):
        return True
    named = re.compile(rf"\b{re.escape(folder.rpartition('/')[2])}\b")
    loaders = files_with(head, ["import_module", "__import__"], ".py") if folder else ()
    return any(named.search(head.text(path) or "") for path in loaders)


def _is_in_settings(name: str, head: Snapshot) -> bool:
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    settings = sorted(path for path in head.paths if path.endswith((*_SETTINGS, *_OTHER_CODE)))[:_MOST_READ]
    return any(word.search(head.text(path) or "") for path in settings)


def _is_in_documents(name: str, head: Snapshot) -> bool:
    """Return whether a document has a module as a part of a dotted name: a page of the interface, or an example."""
    dotted = re.compile(
        rf"\w\.{re.escape(name)}(?!\w)|(?<![\w-]){re.escape(name)}\.\w|\bimport {re.escape(name)}(?!\w)"
    )
    documents = sorted(path for path in head.paths if path.endswith(_DOCUMENTS))[:_MOST_READ]
    return any(dotted.search(head.text(path) or "") for path in documents)


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
