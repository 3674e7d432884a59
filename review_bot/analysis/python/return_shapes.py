"""What a call of a function gives, as far as the form of its ``return`` statements shows.

::

    return x, y                        Shape("tuple", 2)
    return                             Shape("none")
    yield x                            Shape("generator")
    @contextmanager                    Shape("context");  @asynccontextmanager: Shape("async context")
    async def f(): return x            Shape("coroutine");  yield x: Shape("async generator")
    return x  /  return g(y)           Shape("value"); ``texts`` holds ``x``
"""

from __future__ import annotations

import ast
from typing import Literal

from review_bot.analysis.python.bindings import name_bound_by, shared_names
from review_bot.analysis.python.function_pairs import own_statements
from review_bot.analysis.python.statements import (
    Function,
    assigned_values,
    decorator_names,
    first_line,
    parameter_names,
)
from review_bot.analysis.python.syntax import is_generator, is_name, own_nodes, unquoted
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.records import NamedTuple


class Shape(NamedTuple):
    """The form of what a function returns. ``size`` is that of a tuple.

    ``texts`` are the returned expressions, or the items of the tuples, as written. ``spans`` are the first
    and last lines of the returns, or of what else makes the form: each ``yield``, the header. ``is_plain``: each value
    is a number, text, list or another object that cannot be awaited, as the text or the annotation says.
    """

    kind: Literal["tuple", "none", "generator", "async generator", "coroutine", "context", "async context", "value"]
    size: int = 0
    texts: frozenset[str] = frozenset()
    spans: tuple[tuple[int, int], ...] = ()
    is_plain: bool = False

    @property
    def in_words(self) -> str:
        """What a call returns, in words."""
        if self.kind == "tuple":
            return f"a tuple of {self.size}"
        return _IN_WORDS.get(self.kind, "one value")


_PLAIN = (
    ast.Constant, ast.Dict, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.Lambda, ast.List, ast.ListComp, ast.Set,
    ast.SetComp, ast.Tuple,
)  # fmt: skip
"""What makes an object of a built-in type."""
_OF_PLAIN_TYPES = frozenset({
    "bool", "bytes", "dict", "float", "frozenset", "int", "isinstance", "len", "list", "repr", "set", "sorted", "str",
    "tuple",
})  # fmt: skip
"""Built-in functions that return an object of a built-in type; most of them are such types."""
_IN_WORDS = {
    "none": "nothing",
    "generator": "a generator",
    "async generator": "an async generator",
    "coroutine": "a coroutine",
    "context": "a context manager",
    "async context": "an async context manager",
}


def shape_of(function: Function) -> Shape | None:
    """Return the shape of what a function returns, or None if its returns differ."""
    head = ((function.lineno, function.body[0].lineno - 1),)
    is_async = isinstance(function, ast.AsyncFunctionDef)
    if is_generator(function):
        yields = [each for each in own_nodes(function.body) if isinstance(each, (ast.Yield, ast.YieldFrom))]
        spans = tuple(map(span_of, yields))
        return Shape("async generator", spans=(*spans, *head)) if is_async else Shape("generator", spans=spans)
    if is_async:
        return Shape("coroutine", spans=head)
    returns = [each for each in own_statements(function) if isinstance(each, ast.Return)]
    spans = tuple(span_of(each) for each in returns)
    values = [each.value for each in returns if each.value is not None]
    if not values:
        return Shape("none", spans=spans)
    tuples = [each for each in values if isinstance(each, ast.Tuple)]
    if not tuples:
        is_plain = _promises_plain(function) or all(_is_plain(each, function) for each in values)
        return Shape("value", texts=frozenset(map(ast.unparse, values)), spans=spans, is_plain=is_plain)
    items = [item for each in tuples for item in each.elts]
    sizes = {len(each.elts) for each in tuples}
    if len(tuples) < len(values) or len(sizes) > 1 or any(isinstance(item, ast.Starred) for item in items):
        return None
    return Shape("tuple", sizes.pop(), frozenset(map(ast.unparse, items)), spans)


def _is_plain(value: ast.expr, function: Function) -> bool:
    """Return whether a value is of a built-in type, as it is written or where a local name gets each of its values."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _OF_PLAIN_TYPES and value.func.id not in parameter_names(function)
    if isinstance(value, ast.Compare):
        return all(isinstance(each, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for each in value.ops)
    if not isinstance(value, ast.Name):
        return isinstance(value, _PLAIN) or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not))
    if value.id in parameter_names(function) or value.id in shared_names(function):
        return False
    given = [each for target, each in assigned_values(function) if is_name(target, value.id)]
    bound = sum(name_bound_by(each) == value.id for each in own_nodes(function.body))
    return len(given) == bound > 0 and all(isinstance(each, _PLAIN) for each in given)


def _promises_plain(function: Function) -> bool:
    """Return whether the annotation of a function says that it returns an object of a built-in type."""
    written = None if function.returns is None else unquoted(function.returns)
    root = written.value if isinstance(written, ast.Subscript) else written
    return isinstance(root, ast.Name) and root.id in _OF_PLAIN_TYPES


def returns_the_same(old: Function, new: Function) -> bool:
    """Return whether two functions return the same items or attributes of objects.

    Calls do not count, nor names: what they give may be something else in each of them.
    """
    texts: list[set[str]] = []
    for function in (old, new):
        values = [each.value for each in own_statements(function) if isinstance(each, ast.Return)]
        if not all(
            isinstance(each, (ast.Attribute, ast.Subscript)) and not nodes_of(each, ast.Call) for each in values
        ):
            return False
        texts.append({ast.unparse(each) for each in values if each is not None})
    return texts[0] == texts[1] != set()


def context_of(function: Function) -> Shape | None:
    """Return the shape of what a function returns that one decorator alone makes a context manager; else None."""
    kinds: dict[frozenset[str], Literal["context", "async context"]] = {
        frozenset({"contextmanager"}): "context",
        frozenset({"asynccontextmanager"}): "async context",
    }
    kind = kinds.get(frozenset(decorator_names(function)))
    span = first_line(function), function.body[0].lineno - 1
    return None if kind is None else Shape(kind, spans=(span,))
