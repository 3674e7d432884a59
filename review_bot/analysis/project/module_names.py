"""Which names a module binds at its top level, as far as its text proves it.

Where a name could come from somewhere that the text does not show (``__getattr__``, ``globals()``, its own name given
to a function, a star import from another distribution), the module is open: names that it does not bind may exist all
the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from review_bot.analysis.project.manifests import required
from review_bot.analysis.project.module_fillers import calls_with_own_name, fillers, fills_module, replaces_module
from review_bot.analysis.project.module_getattr import given_by_getattr, is_module_getattr
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.project.third_party import WELL_KNOWN, normalised
from review_bot.analysis.python.exports import listed_exports
from review_bot.analysis.python.module_body import (
    ALWAYS_BOUND,
    bound_later,
    run_on_import,
    star_imports,
    top_level_names,
)
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import dotted, iterated, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

Openness = Literal["closed", "by change", "open"]
"""Whether a module may have more names than it binds; ``by change``: because of what the change adds."""

_IMPORTED = LazyRegex(r"(?m)^[ \t]*(?:from|import)[ \t]+(\w+)")
_WORD = LazyRegex(r"[A-Za-z_]\w*", re.ASCII)
_READS = frozenset({"get", "keys", "values", "items", "copy"})
_INSPECTS = frozenset(
    {"getattr", "hasattr", "dir", "isinstance", "getmembers", "getsource", "getsourcefile", "getfile", "getdoc"}
)
_NAMESPACES = frozenset({"__dict__", "__setattr__"})


class Contents(NamedTuple):
    """The names that a module may bind. ``strings``: the constants in the code of a module that the change opened.

    ``later`` are names that functions alone bind, each with a function; empty: one that is called in a way of its own.
    """

    names: frozenset[str]
    openness: Openness = "closed"
    strings: frozenset[str] = frozenset()
    later: frozenset[tuple[str, str]] = frozenset()


class _Own(NamedTuple):
    """What a module binds by itself, what of that a star import brings, and the files that it imports by a star.

    ``instead``: the files of the modules that are put in its place. ``listed``: its ``__all__``, if the text shows it.
    ``submodules``: those of a package that it imports from, which binds their names too.
    """

    contents: Contents
    public: Contents
    starred: frozenset[str] = frozenset()
    instead: frozenset[str] = frozenset()
    listed: frozenset[str] | None = None
    submodules: frozenset[str] = frozenset()


FOLDER = Contents(ALWAYS_BOUND)
"""What a folder without ``__init__.py`` binds."""

_UNKNOWN = Contents(frozenset(), "open")


class Modules:
    """The modules of one side of a change."""

    def __init__(self, side: Snapshot) -> None:
        self.tree = module_tree(side)
        self._side, self._before = side, side.earlier or side
        self._alone: dict[str, _Own] = {}
        self._known: dict[tuple[str, bool], Contents] = {}
        self._usual: dict[str, bool] = {}
        self._brought: dict[str, frozenset[str]] = {}

    @cached_property
    def _imported_before(self) -> frozenset[str]:
        """The top-level packages that files of the base import."""
        texts = (self._before.text(path) or "" for path in self._before.paths if path.endswith(".py"))
        return frozenset(name for text in texts for name in _IMPORTED.findall(text))

    def at(self, place: str) -> Contents:
        """Return the contents of the module at a path without suffix; a folder without ``__init__.py`` has none."""
        found = self.tree.at(place)
        if found.kind == "folder":
            return FOLDER
        if found.kind != "module":
            return _UNKNOWN
        parts = [self.of(path) for path in found.files]
        return parts[0] if len(parts) == 1 else _merged(parts)

    def of(self, path: str, *, by_star: bool = False) -> Contents:
        """Return the contents of the module in a file, with those of the modules that it imports by a star.

        ``by_star``: what a star import of it brings.
        """
        if (path, by_star) not in self._known:
            waiting, reached = [(path, not by_star)], set[tuple[str, bool]]()
            parts: list[Contents] = []
            while waiting:
                if (each := waiting.pop()) not in reached:
                    reached.add(each)
                    own, whole = self._own(each[0]), each[1]
                    parts.append(own.contents if whole else own.public._replace(names=frozenset()))
                    waiting += [*((file, False) for file in own.starred), *((file, whole) for file in own.instead)]
            if brought := self._by_star(path) if by_star else self._by_stars_of(path):
                parts.append(Contents(brought))
            self._known[path, by_star] = _merged(parts)
        return self._known[path, by_star]

    def _by_stars_of(self, path: str) -> frozenset[str]:
        """Return what the star imports of a module bring, and of those that are put in its place."""
        own = self._own(path)
        files = {*own.starred, *(star for file in own.instead for star in self._own(file).starred)}
        return frozenset[str]().union(*map(self._by_star, files))

    def _by_star(self, path: str) -> frozenset[str]:
        """Return what a star import of a module brings: of what it has, what its ``__all__`` lists."""
        if path not in self._brought:
            self._brought[path] = frozenset()  # for modules that import each other
            own = self._own(path)
            inner = frozenset[str]().union(*map(self._by_star, (*own.starred, *own.instead)))
            if own.listed is None:
                below = frozenset(each for each in own.submodules if not each.startswith("_"))
                self._brought[path] = own.public.names | inner | below
            else:
                below = frozenset(
                    name for name in own.listed if self.tree.at(f"{place_of(path)}/{name}").kind != "missing"
                )
                self._brought[path] = own.listed & (own.contents.names | inner | below)
        return self._brought[path]

    def _own(self, path: str) -> _Own:
        if path not in self._alone:
            self._alone[path] = self._read_own(path)
        return self._alone[path]

    def _read_own(self, path: str) -> _Own:
        tree = self._side.tree(path)
        if tree is None:
            return _Own(_UNKNOWN, _UNKNOWN)
        openness, starred = self._openness(tree, path), frozenset[str]()
        known_before: frozenset[tuple[str, int]] | None = None
        for each in star_imports(tree):
            files = self._starred(each, path)
            if files is None and known_before is None:
                before = parsed(self._before.text(path) or "")
                known_before = frozenset(_key(star) for star in star_imports(before)) if before else frozenset()
            if files is None and openness != "open":
                believed = path not in self._before.paths and self._is_of_library(each, path)
                known = believed or _key(each) in (known_before or ()) or self._fails(each, tree, path)
                openness = "open" if known else "by change"
            starred |= files or frozenset()
        instead = frozenset(file for files in self._put_in_place(tree, path) for file in files)
        strings = frozenset[str]()
        if openness == "by change":
            strings = frozenset((*code_strings(tree), *_words_of_bytes(tree), *self._declared_by_stubs(tree, path)))
        contents = Contents(top_level_names(tree) - {"*"}, openness, strings, bound_later(tree))
        listed = listed_exports(tree)
        public = contents._replace(names=_public(contents.names, listed))
        contents = contents._replace(names=contents.names | given_by_getattr(tree))
        return _Own(contents, public, starred, instead, listed, _submodules(tree, path))

    def _openness(self, tree: ast.Module, path: str) -> Openness:
        if not self._is_open(tree, path):
            return "closed"
        before = parsed(self._before.text(path) or "")
        is_usual = path not in self._before.paths and any(self._is_usual(each, path) for each in fillers(tree, path))
        return "open" if before is None or self._is_open(before, path) or is_usual else "by change"

    def _is_open(self, tree: ast.Module, path: str) -> bool:
        return is_open(tree, path) or not all(self._put_in_place(tree, path))

    def _put_in_place(self, tree: ast.Module, path: str) -> Iterator[frozenset[str]]:
        """Yield the files of each module that a function of the tree puts in the place of one; none: it is unknown.

        ::

            alias_module(__name__, "core.sdk.common")       def alias_module(name, other):
                                                                sys.modules[name] = import_module(other)
            init_api("core", __name__)                      fills the module with names that no text shows
        """
        for call in calls_with_own_name(tree):
            functions = list(self._functions(call, tree, path))
            if any(map(replaces_module, functions)):
                places = (places_of(text_of(each) or "", 0, path, self.tree) for each in call.args)
                yield frozenset(file for found in places for place in found for file in self.tree.at(place).files)
            elif any(map(fills_module, functions)):
                yield frozenset()

    def _functions(self, call: ast.Call, tree: ast.Module, path: str) -> Iterator[Function]:
        """Yield the functions of the tree that a call may be of: those that a file imports from their module."""
        for node in nodes_of(tree, ast.ImportFrom):
            name = next((each.name for each in node.names if (each.asname or each.name) == dotted(call.func)), "")
            for place in places_of(node.module or "", node.level, path, self.tree) if name else ():
                trees = (self._side.tree(each) for each in self.tree.at(place).files)
                functions = (each for tree in trees if tree is not None for each in tree.body if is_function(each))
                yield from (each for each in functions if each.name == name)

    def _is_usual(self, filler: str, path: str) -> bool:
        """Return whether another module of the base is filled by the same call, of a function that is not of the tree.

        What a function of the tree defines, its text would show.
        """
        if places_of(filler.partition(".")[0], 0, path, self.tree):
            return False
        if filler not in self._usual:
            texts = ((each, self._before.text(each) or "") for each in self._before.paths if each.endswith(".py"))
            name = filler.rpartition(".")[2]
            trees = ((path, self._before.tree(path)) for path, text in texts if name in text)
            self._usual[filler] = any(tree is not None and filler in fillers(tree, each) for each, tree in trees)
        return self._usual[filler]

    def _is_of_library(self, statement: ast.ImportFrom, path: str) -> bool:
        """Return whether a star import is of a well-known distribution, or one that the base requires or imports."""
        top = (statement.module or "").partition(".")[0]
        if statement.level or top in WELL_KNOWN or normalised(top) in required(self._before):
            return not statement.level
        trees = (self.tree, module_tree(self._before))
        return top in self._imported_before and not any(places_of(top, 0, path, each) for each in trees)

    def _fails(self, statement: ast.ImportFrom, tree: ast.Module, path: str) -> bool:
        """Return whether a star import is of a module of this tree that is missing, which is a finding of its own."""
        places = places_of(statement.module or "", statement.level, path, self.tree)
        return statement in tree.body and bool(places) and all(self.tree.at(each).kind == "missing" for each in places)

    def _starred(self, statement: ast.ImportFrom, path: str) -> frozenset[str] | None:
        """Return the files of the module of ``from m import *``; None if it is not of this tree."""
        places = places_of(statement.module or "", statement.level, path, self.tree)
        found = [self.tree.at(place) for place in places]
        if not found or any(each.kind != "module" for each in found):
            return None
        return frozenset(file for each in found for file in each.files)

    def _declared_by_stubs(self, tree: ast.Module, path: str) -> Iterator[str]:
        """Yield the names that stubs declare of what a module imports by a star: of an extension that a build makes."""
        for statement in star_imports(tree):
            module = (statement.module or "").replace(".", "/")
            roots = () if statement.level else (f"{root}/{module}".lstrip("/") for root in self.tree.roots)
            for place in (*roots, *places_of(statement.module or "", statement.level, path, self.tree)):
                stubs = (self._side.tree(each) for each in (f"{place}.pyi", f"{place}/__init__.pyi"))
                yield from (name for stub in stubs if stub is not None for name in top_level_names(stub))


def _submodules(tree: ast.Module, path: str) -> frozenset[str]:
    """Return the modules of a package that its ``__init__`` imports from: an import binds them there.

    Source: https://docs.python.org/3/reference/import.html#submodules
    """
    if not path.endswith("/__init__.py"):
        return frozenset()
    imports = (each for each in run_on_import(tree) if isinstance(each, ast.ImportFrom) and each.level == 1)
    return frozenset((each.module or "").partition(".")[0] for each in imports) - {""}


def _public(names: frozenset[str], listed: frozenset[str] | None) -> frozenset[str]:
    """Return the names of a module that ``from m import *`` brings; all of them if its ``__all__`` is not known."""
    if listed is not None:
        return names & listed
    return names if "__all__" in names else frozenset(name for name in names if not name.startswith("_"))


def _key(statement: ast.ImportFrom) -> tuple[str, int]:
    return statement.module or "", statement.level


@query
def modules(side: Snapshot) -> Modules:
    """Return the modules of one side of a change."""
    return Modules(side)


def _merged(parts: list[Contents]) -> Contents:
    order: tuple[Openness, ...] = ("closed", "by change", "open")
    return Contents(
        frozenset().union(*(each.names for each in parts)),
        max((each.openness for each in parts), key=order.index),
        frozenset().union(*(each.strings for each in parts)),
        frozenset().union(*(each.later for each in parts)) if len(parts) == 1 else frozenset(),
    )


def is_open(tree: ast.Module, path: str) -> bool:
    """Return whether a module may get names that it does not bind: by ``__getattr__``, ``globals()``, ``exec``."""
    if any(is_module_getattr(each) for each in run_on_import(tree)) or any(fillers(tree, path)):
        return True
    if _may_set_modules(tree):
        return True
    harmless = {id(each) for each in _reads_of_globals(tree)}
    for call in nodes_of(tree, ast.Call):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == "exec" or (name == "globals" and id(call) not in harmless):
            return True
        if (
            name in {"vars", "locals"}
            and not call.args
            and id(call) not in harmless
            and not _is_in_function(call, tree)
        ):
            return True
    return False


def _may_set_modules(tree: ast.Module) -> bool:
    """Return whether a module may give names to one in ``sys.modules``, and does not only read it.

    ::

        "torch" in sys.modules     inspect.getmembers(sys.modules[__name__])     sys.modules[__name__].__file__
    """
    found = [
        each for each in nodes_of(tree, ast.Attribute) if each.attr == "modules" and last_name(each.value) == "sys"
    ]
    if not found:
        return False
    read = {each for compare in nodes_of(tree, ast.Compare) for each in compare.comparators}.union(iterated(tree))
    inspected = {each for call in nodes_of(tree, ast.Call) if last_name(call.func) in _INSPECTS for each in call.args}
    inspected.update(
        each.value
        for each in nodes_of(tree, ast.Attribute)
        if isinstance(each.ctx, ast.Load) and each.attr not in _NAMESPACES
    )
    for entry in nodes_of(tree, ast.Subscript):
        if entry in inspected or isinstance(entry.ctx, ast.Del):
            read.add(entry.value)
    return not read.issuperset(found)


def _is_in_function(call: ast.Call, tree: ast.Module) -> bool:
    return any(
        call in nodes_of(function, ast.Call)
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        for function in nodes_of(tree, kind)
    )


def _reads_of_globals(tree: ast.Module) -> Iterator[ast.expr]:
    for subscript in nodes_of(tree, ast.Subscript):
        if isinstance(subscript.ctx, ast.Load):
            yield subscript.value
    for attribute in nodes_of(tree, ast.Attribute):
        if attribute.attr in _READS:
            yield attribute.value
    for compare in nodes_of(tree, ast.Compare):
        yield from compare.comparators


def code_strings(tree: ast.Module) -> Iterator[str]:
    """Yield the string constants of a module other than docstrings and statements of their own."""
    alone = {id(node.value) for node in nodes_of(tree, ast.Expr)}
    for node in nodes_of(tree, ast.Constant):
        if isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def _words_of_bytes(tree: ast.Module) -> Iterator[str]:
    """Yield the words in bytes: a module that protocol buffers generate has the names of its messages there."""
    for node in nodes_of(tree, ast.Constant):
        if isinstance(node.value, bytes):
            yield from _WORD.findall(node.value.decode("latin-1"))
