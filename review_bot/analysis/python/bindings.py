"""Which names a Python file binds, anywhere and in any way, and which some of its statements do."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.statements import Function, definitions_of, is_definition, last_name
from review_bot.analysis.python.syntax import bound_name, dotted
from review_bot.changes.node_index import below, kept_on_node, nodes_of
from review_bot.text.lazy_regex import LazyRegex

_INDIRECT = frozenset({"globals", "vars", "locals", "setattr", "exec", "__setattr__"})
"""Functions that bind names by text."""
READS_BY_TEXT = frozenset({"eval", "exec", "locals", "vars"})
"""Functions through which code may read any local name."""
_WORD = LazyRegex(r"\w+")
_CLOSED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


_QUERIES = frozenset({"evaluate", "query", "sql"})
"""Methods of pandas, numexpr and duckdb that find the names in a text among those of the caller."""


def reads_by_text(call: ast.Call) -> bool:
    """Return whether a call may read local names: of a built-in function, or of pandas: ``frame.eval("a + @b")``.

    ``model.eval()`` of torch does not. A query in a text may: ``frame.query("size > @least")``.
    """
    name = last_name(call.func)
    if name in _QUERIES:
        return any(isinstance(each, (ast.Constant, ast.JoinedStr)) for each in call.args[:1])
    return name in READS_BY_TEXT and (isinstance(call.func, ast.Name) or bool(call.args))


@kept_on_node
def binding_counts(tree: ast.Module | Function | ast.ClassDef) -> Counter[str]:
    """Return how many places of a file or definition bind each name, in whatever scope; ``*`` counts star imports."""
    return Counter(_bound(tree))


def _bound(tree: ast.Module | Function | ast.ClassDef) -> Iterator[str]:
    yield from [name.id for name in nodes_of(tree, ast.Name) if name.ctx.__class__ is not ast.Load]
    for alias in nodes_of(tree, ast.alias):
        yield bound_name(alias)
    yield from [argument.arg for argument in nodes_of(tree, ast.arg)]
    for definition in definitions_of(tree):
        yield definition.name
        for parameter in getattr(definition, "type_params", ()):  # Python 3.12
            yield parameter.name
    for handler in nodes_of(tree, ast.ExceptHandler):
        if handler.name:
            yield handler.name
    patterns: list[ast.MatchAs | ast.MatchStar] = [*nodes_of(tree, ast.MatchAs), *nodes_of(tree, ast.MatchStar)]
    for pattern in patterns:
        if pattern.name:
            yield pattern.name
    for mapping in nodes_of(tree, ast.MatchMapping):
        if mapping.rest:
            yield mapping.rest


def shared_names(scope: ast.AST) -> frozenset[str]:
    """Return the names that code shares with the scopes around it: those declared ``global`` or ``nonlocal``."""
    declared: list[ast.Global | ast.Nonlocal] = [*nodes_of(scope, ast.Global), *nodes_of(scope, ast.Nonlocal)]
    return frozenset(name for node in declared for name in node.names)


def names_bound_by_text(tree: ast.Module) -> frozenset[str]:
    """Return the names that ``globals()``, ``setattr`` and the like may bind: the strings and keywords of a file.

    With ``exec`` these are the words of its strings. What is set on a module (``sys.modules[name].x``) counts too.
    """
    called = {call.func.id for call in nodes_of(tree, ast.Call) if isinstance(call.func, ast.Name)}
    called |= {call.func.attr for call in nodes_of(tree, ast.Call) if isinstance(call.func, ast.Attribute)}
    attributes = nodes_of(tree, ast.Attribute)
    stored = {node.attr for node in attributes if isinstance(node.ctx, ast.Store) and _may_be_module(node.value)}
    if called.isdisjoint(_INDIRECT) and not any(node.attr == "__dict__" for node in attributes):
        return frozenset(stored)
    strings = {node.value for node in nodes_of(tree, ast.Constant) if isinstance(node.value, str)}
    if "exec" in called:
        strings |= {word for text in strings for word in _WORD.findall(text)}
    return frozenset(stored | strings | {each.arg for each in nodes_of(tree, ast.keyword) if each.arg is not None})


def _may_be_module(owner: ast.expr) -> bool:
    return not isinstance(owner, ast.Name) or owner.id not in {"self", "cls"}


def bound_places(body: Iterable[ast.AST]) -> frozenset[str]:
    """Return every place that statements bind or delete, as ``bound_names`` does: ``self.x`` is one too."""
    return frozenset[str]().union(*map(_bound_by, body))


def bound_names(body: Iterable[ast.AST]) -> frozenset[str]:
    """Return every name that statements bind or delete, those of nested functions and comprehensions aside."""
    return frozenset(place for place in bound_places(body) if "." not in place)


def name_bound_by(node: ast.AST) -> str | None:
    """Return the name that a node binds itself: a stored name, an import, a definition, a handler or a capture."""
    if isinstance(node, ast.Name):
        return None if isinstance(node.ctx, ast.Load) else node.id
    if isinstance(node, ast.alias):
        return bound_name(node)
    if is_definition(node) or isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return node.name
    return node.rest if isinstance(node, ast.MatchMapping) else None


@kept_on_node
def _bound_by(statement: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt) and node is not statement:
            found |= _bound_by(node)  # which is asked for by itself too
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            place = None if isinstance(node.ctx, ast.Load) else dotted(node)
            found |= set() if place is None else {place}
        elif name := name_bound_by(node):
            found.add(name)
        if not isinstance(node, (*_CLOSED, ast.comprehension)):
            waiting += below(node)
    return frozenset(found)
