"""The classes of a file, and those of a side that inherit from others by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.fact import facts_of_file
from review_bot.analysis.project.import_clauses import names_given
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


_IN_HEADER = LazyRegex(
    r"""(?P<open>[(\[{])|(?P<close>[)\]}])|:|#[^\n]*|\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)"""
    r"""|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?"""
)
"""The parts of a header in which a colon may be that does not end it, and the colon that does.

A string that nothing ends is read to the end of its line, so that each part of the text is read once.
"""

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
    """Return the files with each word in the header of a class, sorted; some may hold it elsewhere.

    Where the file imports something under another name, a header with that name holds both.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(path for path in module_tree(side).importers() if path.endswith(".py")):
        text = side.text(path) or ""
        words = {word for header in _headers(text) for word in _WORD.findall(header)}
        if words:
            words |= {name for name, given in names_given(text) if given in words}
        for word in words:
            found.setdefault(word, []).append(path)
    return found


def _headers(text: str) -> Iterator[str]:
    """Yield what is behind each word ``class`` up to the colon that ends a header; each part of the text once."""
    covered, end = 0, text.find("class") + len("class")
    while end >= len("class"):
        first = max(end, covered)
        if not _WORD.match(text[end : end + 1]) and first < len(text):
            covered = _end_of_header(text, first)
            yield text[first:covered]
        end = text.find("class", end) + len("class")


def _end_of_header(text: str, start: int) -> int:
    depth = 0
    for part in _IN_HEADER.finditer(text, start):
        if part["open"]:
            depth += 1
        elif part["close"]:
            depth = max(0, depth - 1)
        elif part[0] == ":" and not depth:
            return part.start()
    return len(text)


@query
def _by_base(side: Snapshot, path: str) -> dict[str, list[Class]]:
    """Return the classes of a file by the last parts of the names of their bases."""
    found: dict[str, list[Class]] = {}
    tree = side.tree(path)
    other = {} if tree is None else _other_names(tree)
    for each in () if tree is None else classes(tree):
        for name in each.base_names.union(*(other.get(name, ()) for name in each.base_names)):
            found.setdefault(name, []).append(each)
    return found


def _other_names(tree: ast.Module) -> dict[str, set[str]]:
    """Return what a file imports under other names, by these names."""
    found: dict[str, set[str]] = {}
    for statement in nodes_of(tree, ast.ImportFrom):
        for each in statement.names:
            if each.asname is not None:
                found.setdefault(each.asname, set()).add(each.name)
    return found
