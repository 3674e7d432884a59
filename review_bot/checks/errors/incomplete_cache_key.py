"""A value kept under a key that leaves out an argument which it was made with.

::

    def frequencies(size, theta, device):
        if size not in _TABLE:
            _TABLE[size] = make(size, theta).to(device)
        return _TABLE[size]                    for another `theta` too

The arguments that count are plain values, which nothing but the making reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import (
    Function,
    blocks,
    defaults_of,
    last_name,
    named_parameters,
    targets_of,
)
from review_bot.analysis.python.syntax import hit_at, is_name, names_in, own_nodes, reads_same, source_text
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PLAIN = frozenset({"int", "float", "str", "bool", "bytes", "device", "dtype", "Size"})
_HOLDERS = frozenset(
    {"Iterable", "List", "Optional", "Sequence", "Set", "Tuple", "Union", "frozenset", "list", "tuple"}
)
_MODULES = frozenset({"np", "numpy", "torch", "typing"})
_NAMED = frozenset({"device", "dtype"})
_HOW = LazyRegex(r"auth|credential|debug|id_rsa|password|retr(y|ies)|secret|timeout|token$|verbose")
"""Names of what decides how a value is obtained, not which one."""
_ID = LazyRegex(r"(^|_)(uu|u)?id$")
"""Names of keys that stand for one thing with all that belongs to it."""


class _Store(NamedTuple):
    """``table[key] = value``, and the statements that run only where the table lacks the key."""

    node: ast.Assign
    table: ast.expr
    key: ast.expr
    making: list[ast.stmt]


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment to such a table. Raises CannotParse."""
    for function in source.functions:
        plain = _plain_parameters(function) if function.args.args or function.args.kwonlyargs else frozenset()
        for store in _stores(function) if plain else ():
            left_out = _left_out(source, function, store, plain)
            if left_out:
                values = {
                    "key": source_text(source, store.key),
                    "names": names_in_words(left_out),
                    "it": "it" if len(left_out) == 1 else "them",
                    "other": "another value" if len(left_out) == 1 else "other values",
                }
                related = (Related(source.path, function.lineno, "takes it" if len(left_out) == 1 else "takes them"),)
                yield hit_at(source, store.node, values=values, related=related)


def _plain_parameters(function: Function) -> frozenset[str]:
    """Return the parameters that take plain values, by their annotation, default or name."""
    defaults = {parameter.arg: value for parameter, value in defaults_of(function)}
    bound = bound_names(function.body)
    return frozenset(
        each.arg
        for each in named_parameters(function)
        if each.arg not in bound and _is_plain(each, defaults.get(each.arg)) and not _HOW.search(each.arg)
    )


def _is_plain(parameter: ast.arg, default: ast.expr | None) -> bool:
    if parameter.annotation is not None:
        named = {last_name(each) for each in walk(parameter.annotation) if isinstance(each, (ast.Name, ast.Attribute))}
        return bool(named & _PLAIN) and named <= _PLAIN | _HOLDERS | _MODULES
    is_plain = isinstance(default, ast.Constant) and default.value is not None
    return is_plain or parameter.arg in _NAMED


def _stores(function: Function) -> Iterator[_Store]:
    """Yield each assignment that fills what the function has not found and returns."""
    returned = [each.value for each in nodes_of(function, ast.Return) if each.value is not None]
    for block in blocks(function.body, into_definitions=False):
        for position, statement in enumerate(block):
            if not isinstance(statement, ast.If) or statement.orelse:
                continue
            for table, key, is_missing in _look_ups(statement.test, block[:position]):
                making = statement.body if is_missing else block[position + 1 :]
                node = _store(making, table, key)
                if node is None:
                    continue
                first, last = span_of(statement)
                kept = names_in(node.value) | {last_name(table)}
                if any(
                    each.lineno > last and kept & {last_name(inner) for inner in walk(each)}
                    if is_missing
                    else first < each.lineno <= last
                    for each in returned
                ):
                    yield _Store(node, table, key, making)


def _look_ups(test: ast.expr, before: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """Yield (table, key, whether the key is missing) for a condition that asks a table for a key."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    asked, other = test.left, test.comparators[0]
    if isinstance(test.ops[0], (ast.In, ast.NotIn)):
        yield other, asked, isinstance(test.ops[0], ast.NotIn)
    elif isinstance(test.ops[0], (ast.Is, ast.IsNot)) and isinstance(asked, ast.Name):
        given = [each.value for each in before if isinstance(each, ast.Assign) and is_name(each.targets[0], asked.id)]
        for value in given[-1:]:
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get":
                for key in value.args[:1]:
                    yield value.func.value, key, isinstance(test.ops[0], ast.Is)


def _store(making: list[ast.stmt], table: ast.expr, key: ast.expr) -> ast.Assign | None:
    for each in making:
        target = each.targets[0] if isinstance(each, ast.Assign) else None
        if isinstance(each, ast.Assign) and isinstance(target, ast.Subscript) and reads_same(target.value, table):
            return each if reads_same(target.slice, key) else None
    return None


def _left_out(source: SourceFile, function: Function, store: _Store, plain: frozenset[str]) -> list[str]:
    """Return the parameters that the value depends on, the key does not, and nothing but the making reads."""
    outer = store.table
    while isinstance(outer, ast.Attribute):
        outer = outer.value
    parameters = [each.arg for each in named_parameters(function)]
    if not isinstance(outer, ast.Name) or outer.id in bound_names(function.body) | (set(parameters) - {"self", "cls"}):
        return []
    origins = _origins(own_nodes(function.body))
    calls_itself = any(last_name(each.func) == function.name for each in nodes_of(function, ast.Call))
    if calls_itself or _ID.search(last_name(store.key)):
        return []
    in_key = _reached(names_in(store.key), origins)
    in_value = _reached(names_in(store.node.value), origins)
    if not in_key & set(parameters) - {"self", "cls"}:
        return []
    first, last = store.making[0].lineno, last_line(store.making[-1])
    elsewhere = {
        each.id for each in own_nodes(function.body) if isinstance(each, ast.Name) and not first <= each.lineno <= last
    }
    comments = " ".join(
        line.partition("#")[2] for line in source.lines[function.lineno - 1 : last_line(function)] if "#" in line
    )
    return [
        each
        for each in parameters
        if each in plain and each in in_value and each not in in_key | elsewhere and each not in comments
    ]


def _origins(nodes: Iterable[ast.AST]) -> Mapping[str, set[str]]:
    """Return the names of the values that each local name is given."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if value is not None:
            for name in {name for target in targets_of(node) for name in names_in(target, ast.Store)}:
                found.setdefault(name, set()).update(names_in(value))
    return found


def _reached(names: set[str], origins: Mapping[str, set[str]]) -> set[str]:
    reached, new = set(names), set(names)
    while new:
        new = {each for name in new for each in origins.get(name, ())} - reached
        reached |= new
    return reached


CHECK = file_check(examine, CheckTraits(literals=("def return if",)))
