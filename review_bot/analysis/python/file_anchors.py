"""Paths that code computes from its own file, as steps up and names below.

::

    Path(__file__).resolve().parents[2] / "configs"      FileAnchor(ups=3, below=("configs",))
    os.path.join(os.path.dirname(__file__), "..", "data")    FileAnchor(ups=2, below=("data",))
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.analysis.python.syntax import text_of
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple

_SAME = frozenset({"Path", "PurePath", "PosixPath", "abspath", "realpath", "normpath", "str", "fspath"})
_METHODS = frozenset({"resolve", "absolute", "expanduser", "as_posix", "joinpath"})
_ABOVE: list[ast.expr] = [ast.Constant("..")]


class Reach(NamedTuple):
    """Where a path leads from its file: ``ups`` names are dropped from the file's path, ``below`` are added."""

    ups: int
    below: tuple[str, ...] = ()

    def to(self, name: str) -> Reach:
        """Return where a relative path leads from here."""
        found = self
        for part in name.split("/"):
            if part == "..":
                found = Reach(found.ups, found.below[:-1]) if found.below else Reach(found.ups + 1)
            elif part not in {"", "."}:
                found = Reach(found.ups, (*found.below, part))
        return found

    def of(self, path: str) -> str | None:
        """Return the path that it is for a file, empty for the root; None above the root."""
        parts = path.split("/")
        return None if self.ups > len(parts) else "/".join((*parts[: len(parts) - self.ups], *self.below))


class FileAnchor(NamedTuple):
    """A whole expression that leads from ``__file__`` to a path, on lines ``line`` to ``end``, 1-based.

    ``name``: the global or local name that is set to it, or through which it is reached; else empty.
    """

    reach: Reach
    line: int
    end: int
    name: str
    code: str


def file_anchors(tree: ast.Module) -> Iterator[FileAnchor]:
    """Yield the paths that a file computes from its own, also through a global name that is set once."""
    globals_: dict[str, Reach] = {}
    times = Counter(each.id for each in nodes_of(tree, ast.Name) if isinstance(each.ctx, ast.Store))
    named: dict[int, str] = {}
    for statement in tree.body:
        for target, value in assigned_values(ast.Module([statement], [])) if _binds(statement) else ():
            reach = None if value is None else _reach(value, globals_)
            if isinstance(target, ast.Name) and reach is not None and times[target.id] == 1:
                globals_[target.id] = reach
    for target, value in assigned_values(tree):
        if isinstance(target, ast.Name) and value is not None:
            named[id(value)] = target.id
    inner: set[int] = set()
    for node in _expressions(tree):
        reach = None if id(node) in inner else _reach(node, globals_)
        if reach is not None:
            inner.update(map(id, walk(node)))
            through = next((each.id for each in nodes_of(node, ast.Name) if each.id in globals_), "")
            yield FileAnchor(reach, node.lineno, last_line(node), named.get(id(node), through), ast.unparse(node))


def _binds(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Assign, ast.AnnAssign))


def _expressions(tree: ast.Module) -> list[ast.expr]:
    """Return the expressions that may be such paths, the outer ones before their parts."""
    found: list[ast.expr] = [*nodes_of(tree, ast.Call), *nodes_of(tree, ast.Attribute), *nodes_of(tree, ast.BinOp)]
    found += nodes_of(tree, ast.Subscript)
    return sorted(found, key=lambda each: (each.lineno, each.col_offset, -last_line(each), -(each.end_col_offset or 0)))


def _reach(node: ast.expr, names: Mapping[str, Reach]) -> Reach | None:
    """Return where an expression leads; None if it is no such path, or not written out."""
    found: Reach | None = None
    if isinstance(node, ast.Name):
        found = Reach(0) if node.id == "__file__" else names.get(node.id)
    elif isinstance(node, ast.Attribute) and node.attr == "parent":
        found = _joined(_reach(node.value, names), _ABOVE)
    elif isinstance(node, ast.Subscript):
        found = _parents(node, names)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        found = _joined(_reach(node.left, names), [node.right])
    elif isinstance(node, ast.Call) and not node.keywords:
        found = _of_call(node, names)
    return found


def _of_call(call: ast.Call, names: Mapping[str, Reach]) -> Reach | None:
    name = last_name(call.func)
    if isinstance(call.func, ast.Attribute) and name in _METHODS and (name == "joinpath" or not call.args):
        return _joined(_reach(call.func.value, names), call.args)
    first = _reach(call.args[0], names) if call.args else None
    if name == "dirname" and len(call.args) == 1:
        return _joined(first, _ABOVE)
    return _joined(first, call.args[1:]) if name == "join" or name in _SAME else None


def _parents(node: ast.Subscript, names: Mapping[str, Reach]) -> Reach | None:
    number = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(node.value, ast.Attribute) or node.value.attr != "parents" or not isinstance(number, int):
        return None
    return _joined(_reach(node.value.value, names), _ABOVE * (number + 1)) if number >= 0 else None


def _joined(start: Reach | None, parts: Sequence[ast.expr]) -> Reach | None:
    for part in parts:
        is_above = isinstance(part, ast.Attribute) and part.attr == "pardir"
        text = ".." if is_above else text_of(part)
        if start is None or text is None or text.startswith("/"):
            return None
        start = start.to(text)
    return start
