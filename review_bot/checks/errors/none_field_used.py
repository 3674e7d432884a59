"""A field of a dataclass that is None unless it is passed, used as a container by a method of the class.

::

    @dataclass
    class Resources:
        processes: list[Process] | None = None

        def close(self):
            for process in self.processes:      ``Resources()`` cannot be closed

Silent where the class asks for the field anywhere, or anything in the file sets it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import attributes_of_self, is_function, last_name
from review_bot.analysis.python.syntax import classes, hit_at, is_literal, text_of
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_CONTAINER = LazyRegex(r"(?i)\b(list|dict|tuple|set|frozenset|sequence|mapping|iterable|deque)\b")
_NEED_ITEMS = frozenset({"enumerate", "iter", "len", "list", "max", "min", "reversed", "set", "sorted", "sum", "tuple"})
_CHANGING = frozenset({"add", "append", "extend", "insert", "items", "keys", "pop", "remove", "update", "values"})
_BY_NAME = frozenset({"asdict", "fields", "getattr", "replace", "setattr", "vars"})
"""Functions with which a class handles its fields whatever they are called."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use of each field. Raises CannotParse."""
    set_ = {each.attr for each in source.nodes(ast.Attribute) if not isinstance(each.ctx, ast.Load)}
    for owner in classes(source.tree):
        if not any("dataclass" in last_name(_called(each)) for each in owner.decorator_list):
            continue
        fields = dict(_fields(owner))
        if not fields or any(last_name(each.func) in _BY_NAME for each in nodes_of(owner, ast.Call)):
            continue
        of_self = {id(each) for each in attributes_of_self(owner)}
        used = {id(each): how for each, how in _uses(owner) if id(each) in of_self and each.attr in fields}
        mentions = [each for each in nodes_of(owner, ast.Attribute) if id(each) in of_self]
        for name, line in fields.items():
            mine = [each for each in mentions if each.attr == name]
            if mine and name not in set_ and all(id(each) in used for each in mine):
                values = {"name": name, "owner": owner.name, "how": used[id(mine[0])], "line": str(line)}
                related = (Related(source.path, line, f"`{name}` is None unless it is passed"),)
                yield hit_at(source, mine[0], values=values, related=related)


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _fields(owner: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """Yield the fields that hold a container, or None if they are not passed, with their lines."""
    for each in (each for each in owner.body if isinstance(each, ast.AnnAssign)):
        if isinstance(each.target, ast.Name) and is_literal(each.value, None) and _holds(each.annotation):
            yield each.target.id, each.lineno


def _holds(annotation: ast.expr) -> bool:
    return _CONTAINER.search(text_of(annotation) or ast.unparse(annotation)) is not None


def _uses(owner: ast.ClassDef) -> Iterator[tuple[ast.Attribute, str]]:
    """Yield the attributes in the methods of a class that are used as containers, each with how.

    Where a condition decides whether the use is reached, that may be the question whether there is a container.
    """
    for method in filter(is_function, owner.body):
        decided = {id(each) for condition in _conditions(method) for each in walk(condition)}
        for node in walk(method):
            if id(node) not in decided:
                yield from ((used, how) for used, how in _used(node) if isinstance(used, ast.Attribute))


def _conditions(method: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a method evaluates only if something else holds, or may fail at."""
    yield from (value for each in nodes_of(method, ast.BoolOp) for value in each.values[1:])
    yield from nodes_of(method, ast.IfExp)
    yield from nodes_of(method, ast.Try)


def _used(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter, "is iterated over"
    elif isinstance(node, ast.Subscript):
        yield node.value, "is indexed"
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _NEED_ITEMS and len(node.args) == 1:
            yield node.args[0], f"is passed to `{node.func.id}()`"
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            yield node.func.value, f"has to have `{node.func.attr}()`"


CHECK = file_check(examine, CheckTraits(literals=("dataclass None self",)))
