"""The classes of a file, and those of a side that inherit from others by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.fact import facts_of_file
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import dotted, keyword
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex


class Field(NamedTuple):
    """A name that a class body annotates or assigns. ``default`` is as written; None: it has none."""

    name: str
    line: int
    annotation: str | None
    default: str | None


class Class(NamedTuple):
    """A class. ``indented``: it is in another definition or block. ``bases`` are dotted; any other expression is empty.

    ``methods`` are those of the body itself. ``sets`` are the attributes that code inside it stores on any object.
    """

    name: str
    line: int
    indented: bool
    bases: tuple[str, ...]
    fields: tuple[Field, ...]
    methods: tuple[str, ...]
    sets: frozenset[str]

    @property
    def base_names(self) -> frozenset[str]:
        """The last parts of the bases' names."""
        return frozenset(base.rpartition(".")[2] for base in self.bases)


_LONGEST_HEADER = 2_000
"""Characters of a class's header, so that a text without colons costs linear time."""

_WORD = LazyRegex(r"\w+")


class Subclass(NamedTuple):
    """A class that inherits, by the names of bases, from another; ``path`` is its file."""

    path: str
    definition: Class


@facts_of_file
def classes(tree: ast.Module) -> Iterator[Class]:
    """Yield the classes of a file in the order of the text."""
    top = {id(each) for each in tree.body}
    for node in nodes_of(tree, ast.ClassDef):
        yield Class(
            node.name,
            node.lineno,
            id(node) not in top,
            tuple(dotted(base) or last_name(base) for base in node.bases),
            tuple(_fields(node)),
            tuple(each.name for each in node.body if is_function(each)),
            frozenset(each.attr for each in nodes_of(node, ast.Attribute) if isinstance(each.ctx, ast.Store)),
        )


def _fields(node: ast.ClassDef) -> Iterator[Field]:
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield Field(each.target.id, each.lineno, ast.unparse(each.annotation), _default(each.value))
        elif isinstance(each, ast.Assign):
            for target in each.targets:
                if isinstance(target, ast.Name):
                    yield Field(target.id, each.lineno, None, _default(each.value))


def _default(value: ast.expr | None) -> str | None:
    """Return a default as it is written; that of ``field(default=...)`` alone."""
    if isinstance(value, ast.Call) and last_name(value.func).lower() == "field":
        value = keyword(value, "default")
    return None if value is None else ast.unparse(value)


def classes_in(side: Snapshot, path: str) -> tuple[Class, ...]:
    """Return the classes of a file; none if it is absent or cannot be parsed."""
    tree = side.tree(path)
    return () if tree is None else classes(tree)


@query
def subclasses(side: Snapshot, name: str) -> tuple[Subclass, ...]:
    """Return the classes that inherit from one of this name, directly or not, whichever module their base is from."""
    files = _files_by_header(side)
    seen, waiting = {name}, [name]
    found: dict[Subclass, None] = {}
    for base in waiting:
        below = [Subclass(path, each) for path in files.get(base, ()) for each in _by_base(side, path).get(base, ())]
        found |= dict.fromkeys(below)
        fresh = {each.definition.name for each in below} - seen
        seen |= fresh
        waiting += sorted(fresh)
    return tuple(found)


@query
def _files_by_header(side: Snapshot) -> dict[str, list[str]]:
    """Return the files with each word in the header of a class, sorted; some may hold it elsewhere."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for path in module_tree(side).importers() if path.endswith(".py")):
        for word in {word for header in _headers(side.text(path) or "") for word in _WORD.findall(header)}:
            found.setdefault(word, []).append(path)
    return found


def _headers(text: str) -> Iterator[str]:
    """Yield what is behind each word ``class`` up to a colon; each part of the text once."""
    covered, end = 0, text.find("class") + len("class")
    while end >= len("class"):
        first = max(end, covered)
        limit = end + _LONGEST_HEADER
        if not _WORD.match(text[end : end + 1]) and first < limit:
            colon = text.find(":", first, limit)
            covered = limit if colon < 0 else colon
            yield text[first:covered]
        end = text.find("class", end) + len("class")


@query
def _by_base(side: Snapshot, path: str) -> dict[str, list[Class]]:
    """Return the classes of a file by the last parts of the names of their bases."""
    found: dict[str, list[Class]] = {}
    for each in classes_in(side, path):
        for name in each.base_names:
            found.setdefault(name, []).append(each)
    return found
