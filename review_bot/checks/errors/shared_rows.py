"""A list or dictionary whose values are one and the same list, dictionary or set, although code changes them singly.

::

    rows = [[]] * n                         one list, n times
    rows[0].append(1)                       changes every row
    found = dict.fromkeys(keys, [])         one list for all keys
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.collection_methods import CHANGING
from review_bot.analysis.python.statements import Function, last_name, mentions_of
from review_bot.analysis.python.syntax import classes, dotted, hit_at
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_KINDS: dict[type[ast.AST], str] = {ast.List: "list", ast.Dict: "dictionary", ast.Set: "set"}
_MAKING = {"list": "list", "dict": "dictionary", "set": "set", "deque": "deque", "defaultdict": "dictionary"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such value at its assignment, with the line that changes one of them. Raises CannotParse."""
    for assignment in source.nodes(ast.Assign):
        made = _shared(assignment.value)
        name = dotted(assignment.targets[0]) if len(assignment.targets) == 1 else None
        scope = None if made is None or name is None else _scope(source, assignment, name)
        if made is None or name is None or scope is None or _is_replaced(scope, name):
            continue
        change = next(iter(sorted(_changes(scope, name, made[0]))), None)
        if change is not None:
            kind, note = made
            related = (Related(source.path, change, "changes one of them"),)
            values = {"name": name, "kind": kind, "line": str(change), "note": note}
            yield hit_at(source, assignment, values=values, related=related)


def _shared(value: ast.expr) -> tuple[str, str] | None:
    """Return what an expression holds more than once, and how to make one for each; None for any other expression."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        for row, times in ((value.left, value.right), (value.right, value.left)):
            if isinstance(row, ast.List) and len(row.elts) == 1 and (kind := _kind(row.elts[0])):
                text = ast.unparse(row.elts[0])
                one = isinstance(times, ast.Constant) and times.value in {0, 1}
                return None if one else (kind, f"[{text} for _ in range({ast.unparse(times)})]")
    if not isinstance(value, ast.Call) or dotted(value.func) not in {"dict.fromkeys", "OrderedDict.fromkeys"}:
        return None
    kind = _kind(value.args[1]) if len(value.args) == 2 else ""
    return (kind, f"{{key: {ast.unparse(value.args[1])} for key in {ast.unparse(value.args[0])}}}") if kind else None


def _kind(value: ast.expr) -> str:
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return "list" if isinstance(value.left, ast.List) or isinstance(value.right, ast.List) else ""
    if isinstance(value, ast.Call):
        return _MAKING.get(last_name(value.func), "")
    return _KINDS.get(type(value), "")


def _scope(source: SourceFile, assignment: ast.Assign, name: str) -> ast.AST | None:
    """Return where a name has this value: its function or the module; for an attribute of ``self`` its class."""
    line = assignment.lineno
    if name.count(".") == 1 and name.startswith("self."):
        owners = [each for each in classes(source.tree) if each.lineno < line <= last_line(each)]
        return owners[-1] if owners else None
    around: list[Function] = [each for each in source.functions if each.lineno < line <= last_line(each)]
    return None if "." in name else around[-1] if around else source.tree


def _is_replaced(scope: ast.AST, name: str) -> bool:
    """Return whether code stores into the name again, or puts other values in the places of the shared one."""
    stored = sum(dotted(each) == name for each in mentions_of(scope) if not isinstance(each.ctx, ast.Load))
    grown = {id(each.target) for each in nodes_of(scope, ast.AugAssign)}
    items = (each for each in nodes_of(scope, ast.Subscript) if dotted(each.value) == name)
    return stored > 1 or any(isinstance(each.ctx, ast.Store) and id(each) not in grown for each in items)


def _changes(scope: ast.AST, name: str, kind: str) -> Iterator[int]:
    """Yield the lines that change one of the values in place."""
    rows = _rows(scope, name)
    for call in nodes_of(scope, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in CHANGING and _is_row(call.func.value, name, rows):
            yield call.lineno
    for grown in nodes_of(scope, ast.AugAssign):
        if _is_row(grown.target, name, rows):
            yield grown.lineno
    if kind in {"list", "dictionary"}:
        for item in nodes_of(scope, ast.Subscript):
            if not isinstance(item.ctx, ast.Load) and _is_row(item.value, name, rows):
                yield item.lineno


def _is_row(node: ast.expr, name: str, rows: frozenset[str]) -> bool:
    if isinstance(node, ast.Subscript):
        return dotted(node.value) == name and not isinstance(node.slice, ast.Slice)
    return isinstance(node, ast.Name) and node.id in rows


def _rows(scope: ast.AST, name: str) -> frozenset[str]:
    """Return the names that loops give to each of the values in turn, and nothing else binds."""
    found: set[str] = set()
    for loop in nodes_of(scope, ast.For):
        if isinstance(loop.target, ast.Name) and dotted(loop.iter) == name:
            found.add(loop.target.id)
        called = dotted(loop.iter.func) if isinstance(loop.iter, ast.Call) else None
        if called in {"enumerate", "zip"} and isinstance(loop.iter, ast.Call) and isinstance(loop.target, ast.Tuple):
            places = loop.target.elts[1:] if called == "enumerate" else loop.target.elts
            for target, value in zip(places, loop.iter.args, strict=False):
                if isinstance(target, ast.Name) and dotted(value) == name:
                    found.add(target.id)
    stored = [each.id for each in walk(scope) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return frozenset(each for each in found if stored.count(each) == 1)


CHECK = file_check(examine, CheckTraits(literals=("[ ] *", "fromkeys")))
