"""Modules that code puts in place by itself, or whose absence it expects: ``sys.modules``, ``importorskip``.

Only code counts, never a comment or a docstring::

    sys.modules["pkg.fast"] = fake           prepares pkg.fast
    patch.dict("sys.modules", fakes)         prepares every module that the file names in a string
    pytest.importorskip("pkg.fast")          expects that pkg.fast may be missing
    sys.meta_path.insert(0, Finder())        may prepare any module

A change could excuse its own broken imports so. What a file does at the base is believed. What the change adds must
name the module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from review_bot.analysis.project.module_tree import ModuleTree
from review_bot.analysis.project.notebooks import head_code
from review_bot.analysis.python.statements import last_name
from review_bot.changes.node_index import nodes_of
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import CannotParse, parse_python
from review_bot.rules.scope import is_test

_WORDS = ("sys.modules", "from sys", "sys as", "importorskip", "meta_path", "path_hooks", "__path__", "__editable__")
_HOOKS = frozenset({"meta_path", "path_hooks"})
_READS = frozenset({"get", "keys", "values", "items", "copy", "pop"})
_READERS = frozenset({"len", "print", "sorted", "list", "set", "tuple", "dict", "id", "repr", "str", "bool", "type"})
_PATCHES = frozenset({"dict", "patch", "object", "multiple", "setitem", "delitem", "setattr"})
"""Functions that set entries of a dictionary that a string names, such as ``patch.dict``."""


class Preparation(NamedTuple):
    """What one file does.

    ``named`` are the entries of ``sys.modules`` that a file sets (``modules``: it sets one besides its own).
    ``strings`` are all its strings where a key is not constant. ``skipped`` are the arguments of ``importorskip``.
    ``hooks``: it changes how modules are found. ``path``: it uses ``__path__``.
    """

    named: frozenset[str] = frozenset()
    strings: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    modules: bool = False
    hooks: bool = False
    path: bool = False

    def names(self, dotted: str) -> bool:
        """Return whether the file provides a module, or a package above it; a key may be built of strings."""
        if any(dotted == each or dotted.startswith(f"{each}.") for each in self.named | self.strings):
            return True
        return dotted.rpartition(".")[2] in self.strings or f".{dotted.rpartition('.')[2]}" in self.strings

    def skips(self, dotted: str) -> bool:
        """Return whether the file expects that a module may be missing."""
        return any(dotted == each or (dotted.startswith(f"{each}.") and "." in each) for each in self.skipped)


_NOTHING = Preparation()


@lru_cache(maxsize=512)
def preparation(text: str) -> Preparation:
    """Return what a file does to modules; nothing if it cannot be parsed."""
    if not any(word in text for word in _WORDS):
        return _NOTHING
    try:
        tree = parse_python(text)
    except CannotParse:
        return _NOTHING
    names = {node.id for node in nodes_of(tree, ast.Name)}
    attributes = {node.attr for node in nodes_of(tree, ast.Attribute)}
    imported = {alias.name for node in nodes_of(tree, ast.ImportFrom) for alias in node.names}
    used = names | attributes | imported
    keys = list(_written(tree))
    return Preparation(
        frozenset(each for each in keys if each is not None),
        frozenset(_strings(tree)) if None in keys else frozenset(),
        frozenset(_skipped(tree)),
        bool(keys),
        not _HOOKS.isdisjoint(used) or "__editable__" in text,
        "__path__" in used,
    )


def _written(tree: ast.Module) -> Iterator[str | None]:
    """Yield the key of each use of ``sys.modules`` that may set an entry but the file's own; None: not constant."""
    systems = {"sys"} | {
        alias.asname
        for node in nodes_of(tree, ast.Import)
        for alias in node.names
        if alias.name == "sys" and alias.asname
    }
    local = {
        alias.asname or alias.name
        for node in nodes_of(tree, ast.ImportFrom)
        for alias in node.names
        if node.module == "sys" and alias.name == "modules"
    }

    def is_modules(node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == "modules" and isinstance(node.value, ast.Name) and node.value.id in systems
        return isinstance(node, ast.Name) and node.id in local

    accounted: set[int] = set()
    blocked = set(_blocked(tree))
    for subscript in nodes_of(tree, ast.Subscript):
        if is_modules(subscript.value):
            accounted.add(id(subscript.value))
            own = isinstance(subscript.slice, ast.Name) and subscript.slice.id == "__name__"
            if isinstance(subscript.ctx, ast.Store) and not own and id(subscript) not in blocked:
                yield _text(subscript.slice)
    for attribute in nodes_of(tree, ast.Attribute):
        if is_modules(attribute.value) and attribute.attr in _READS:
            accounted.add(id(attribute.value))
    for compare in nodes_of(tree, ast.Compare):
        accounted.update(id(each) for each in compare.comparators)
    for call in nodes_of(tree, ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id in _READERS:
            accounted.update(id(each) for each in call.args)
    for node in (*nodes_of(tree, ast.Attribute), *nodes_of(tree, ast.Name)):
        if is_modules(node) and id(node) not in accounted:
            yield None  # handed to something that may write to it
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) in _PATCHES and any(_text(each) == "sys.modules" for each in call.args):
            yield None


def _blocked(tree: ast.Module) -> Iterator[int]:
    """Yield the targets that set nothing, or None, by which ``sys.modules`` forbids an import."""
    for statement in nodes_of(tree, ast.Assign):
        if isinstance(statement.value, ast.Constant) and statement.value.value is None:
            yield from map(id, statement.targets)
    for annotated in nodes_of(tree, ast.AnnAssign):
        if annotated.value is None or (isinstance(annotated.value, ast.Constant) and annotated.value.value is None):
            yield id(annotated.target)


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _strings(tree: ast.Module) -> set[str]:
    """Return the string constants of a file that are more than a statement by themselves."""
    alone = {id(node.value) for node in nodes_of(tree, ast.Expr)}
    return {
        node.value for node in nodes_of(tree, ast.Constant) if isinstance(node.value, str) and id(node) not in alone
    }


def _skipped(tree: ast.Module) -> set[str]:
    own = {each.name for each in nodes_of(tree, ast.FunctionDef)}
    return {
        call.args[0].value
        for call in nodes_of(tree, ast.Call)
        if last_name(call.func) == "importorskip"
        and "importorskip" not in own
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    }


def prepares(path: str, dotted: str, repository: Repository) -> bool:
    """Return whether a file itself provides a module, or expects that it may be missing."""
    head = preparation(head_code(path, repository) or "")
    if head.names(dotted) or head.skips(dotted):
        return True
    return head.modules and preparation(repository.base_text(path) or "").modules


def has_import_hooks(place: str, dotted: str, tree: ModuleTree, repository: Repository) -> bool:
    """Return whether a package above ``place`` changes how modules are found, or cannot be read."""
    folder = place
    while folder:
        folder = folder.rpartition("/")[0]
        for path in (f"{folder}/__init__.py", f"{folder}.py"):
            if path not in tree.paths:
                continue
            text = repository.head_text(path)
            if text is None or preparation(text).names(dotted):
                return True
            base = preparation(repository.base_text(path) or "")
            if base.modules or base.hooks or base.path:
                return True
    return False


def is_stubbed(dotted: str, path: str, repository: Repository) -> bool:
    """Return whether another file puts this module into ``sys.modules`` by its name.

    Files of the tests count for tests only. What the change adds counts in a ``conftest.py`` above ``path``.
    """
    by_tests = is_test(path)
    for other, in_tests in _preparing(repository):
        if in_tests and not by_tests:
            continue
        text = repository.head_text(other) if _runs_before(other, path) else repository.base_text(other)
        prepared = preparation(text or "")
        if dotted in prepared.named or dotted in prepared.strings:
            return True
    return False


def _runs_before(other: str, path: str) -> bool:
    folder, _, name = other.rpartition("/")
    return name == "conftest.py" and (not folder or path.startswith(f"{folder}/"))


@lru_cache(maxsize=1)
def _preparing(repository: Repository) -> tuple[tuple[str, bool], ...]:
    """Return (path, whether it is of the tests) of each Python file that uses ``sys.modules``.

    Kept, because a change may bring hundreds of imports that are asked for.
    """
    paths = sorted(path for path in repository.head_paths if path.endswith(".py"))
    texts = ((path, repository.head_text(path) or "") for path in paths)
    return tuple((path, _is_of_tests(path)) for path, text in texts if preparation(text).modules)


def _is_of_tests(path: str) -> bool:
    return "tests/" in path or path.rpartition("/")[2].startswith(("test_", "conftest"))
