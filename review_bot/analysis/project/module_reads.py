"""Reads of attributes of what a file imports, on added lines: ``core.load`` after ``from pkg import core``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from review_bot.analysis.project.notebooks import added_code
from review_bot.analysis.python.annotations import not_evaluated
from review_bot.analysis.python.syntax import bound_name, dotted
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.rule import Span

_DEEPEST = 20
"""Dots of an expression that names a module."""


class Read(NamedTuple):
    """A read of an attribute on an added line, of something that an import binds.

    ``node_line`` and ``node_end`` are the line and the byte where its node ends in the code of the file, ``span`` is
    where its name is in the file.
    """

    name: str
    node_line: int
    node_end: int
    span: Span


def added_reads(source: SourceFile, is_wanted: Callable[[str], bool]) -> Iterator[tuple[Read, frozenset[str]]]:
    """Yield the added reads of attributes of names that imports bind, each with what may be read from.

    ``is_wanted`` is asked for what a name is imported as, such as ``os.path``; nothing for a relative import. Raises
    CannotParse, and CannotRead for a text that is no notebook.
    """
    code = added_code(source) if source.added else None
    if code is None:
        return
    inner = code.source
    roots: dict[str, set[str]] = {}
    for name, imported in imported_names(inner.nodes(ast.Import), inner.nodes(ast.ImportFrom)):
        if is_wanted(imported):
            roots.setdefault(name, set()).add(imported)
    quiet: set[int] | None = None
    for node in inner.nodes(ast.Attribute) if roots else ():
        root = root_of(node)
        if root is None or root.id not in roots or not isinstance(node.ctx, ast.Load) or is_special(node.attr):
            continue
        end_line, end = last_line(node), node.end_col_offset or 0
        if not code.adds(end_line, dotted(node) or node.attr):
            continue
        quiet = not_evaluated(inner.tree, inner.path) if quiet is None else quiet
        if id(root) not in quiet:
            first = end - len(node.attr.encode("utf-8", "surrogatepass"))
            columns = (1, 1) if code.lines else (inner.column(end_line, first), inner.column(end_line, end))
            rest = (dotted(node.value) or "").removeprefix(root.id)
            owners = frozenset(f"{imported}{rest}" for imported in roots[root.id])
            line = code.line(end_line)
            yield Read(node.attr, end_line, end, Span(line, line, *columns)), owners


def imported_names(plain: Iterable[ast.Import], others: Iterable[ast.ImportFrom]) -> Iterator[tuple[str, str]]:
    """Yield each name that imports bind, with the full name of what it means; nothing if the import is relative."""
    for statement in plain:
        yield from ((bound_name(each), each.name if each.asname else bound_name(each)) for each in statement.names)
    for source in others:
        module = "" if source.level else source.module or ""
        yield from ((bound_name(each), f"{module}.{each.name}" if module else "") for each in source.names)


def root_of(node: ast.Attribute) -> ast.Name | None:
    """Return the name that ``a.b.c`` begins with; None for any other expression, and one with many dots."""
    value: ast.expr = node
    for _ in range(_DEEPEST):
        if not isinstance(value, ast.Attribute):
            break
        value = value.value
    return value if isinstance(value, ast.Name) else None


def is_special(name: str) -> bool:
    """Return whether a name is one that Python gives a meaning, such as ``__file__``."""
    return name.startswith("__") and name.endswith("__")
