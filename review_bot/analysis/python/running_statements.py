"""The statements that do something when code runs: no imports, definitions, docstrings, bare types.

Annotations do not count, so that ``x: Optional[int] = f()`` and ``x: int | None = f()`` are the same statement.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

from review_bot.analysis.python.statements import is_string
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple

_DECLARES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom),
    *(ast.Pass, ast.Global, ast.Nonlocal),
)
_HEADERS = ("test", "target", "iter", "items", "subject", "type", "name", "args")
"""The fields of a statement with blocks that are in its first lines."""


def behaviour(node: ast.AST) -> str:
    """Return a text that two pieces of code share only if they do the same for the same reasons of syntax.

    Annotations, docstrings and comments are left out.
    """
    parts: list[str] = []
    waiting: list[Any] = [node]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ast.AnnAssign):
            value = ast.Assign([value.target], value.value) if value.value is not None else ast.Pass()
        if isinstance(value, ast.arg):
            parts.append(value.arg)
        elif isinstance(value, ast.AST):
            parts.append(value.__class__.__name__)
            waiting += [getattr(value, name, None) for name in value._fields if name not in {"returns", "type_comment"}]
        elif isinstance(value, list):
            kept = [each for each in value if not (isinstance(each, ast.stmt) and is_string(each))]
            parts.append(f"[{len(kept)}")
            waiting += kept
        else:
            parts.append(repr(value))
    return " ".join(parts)


def new_statements(source: SourceFile) -> list[int]:
    """Return the first line of each running statement that the change adds or edits, and does not move.

    Raises CannotParse.
    """
    added = [each for each in _running(source.tree) if source.any_added(each.first, each.last)]
    if not added or not source.removed or source.old_text is None:
        return [each.first for each in added]
    removed = (each for each in _running(source.old_tree) if source.any_removed(each.first, each.last))
    before = Counter(each.behaviour for each in removed)  # what stays is on both sides
    found: list[int] = []
    for each in added:
        text = each.behaviour
        before[text] -= 1
        if before[text] < 0:
            found.append(each.first)
    return found


def reformatted_lines(source: SourceFile) -> frozenset[int]:
    """Return the lines of statements and headers of functions that the change writes in another form alone.

    ::

        run(x, y)      run(
                           x, y
                       )

    Raises CannotParse.
    """
    if not source.removed or source.old_text is None:
        return frozenset()
    removed = (each for each in _parts_of(source.old_tree) if source.any_removed(each.first, each.last))
    before = Counter(each.behaviour for each in removed)
    found, new = set[int](), set[int]()  # a line may hold parts of both kinds
    for each in _parts_of(source.tree):
        if source.any_added(each.first, each.last):
            text = each.behaviour
            before[text] -= 1
            (new if before[text] < 0 else found).update(range(each.first, each.last + 1))
    return frozenset(found - new)


def _parts_of(tree: ast.Module) -> Iterator[_Running]:
    yield from _running(tree)
    for node in walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield _Running(node, node.lineno, max(node.lineno, node.body[0].lineno - 1), has_blocks=True)


class _Running(NamedTuple):
    """A statement that runs, and its lines; of one with blocks those of its header."""

    node: ast.stmt
    first: int
    last: int
    has_blocks: bool

    @property
    def behaviour(self) -> str:
        """What it does; of a statement with blocks what its header does."""
        if not self.has_blocks:
            return behaviour(self.node)
        parts = [part for name in _HEADERS for part in _parts(getattr(self.node, name, None))]
        return " ".join((self.node.__class__.__name__, getattr(self.node, "name", ""), *map(behaviour, parts)))


def _running(tree: ast.Module) -> Iterator[_Running]:
    for node in walk(tree):
        if not isinstance(node, ast.stmt) or isinstance(node, _DECLARES) or is_string(node):
            continue
        if isinstance(node, ast.AnnAssign) and node.value is None:
            continue
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            yield _Running(node, node.lineno, max(node.lineno, body[0].lineno - 1), has_blocks=True)
        else:
            yield _Running(node, node.lineno, last_line(node), has_blocks=False)


def _parts(value: Any) -> list[ast.AST]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]
