"""What a call of a function gives, as far as the form of its ``return`` statements shows.

::

    return x, y                        Shape("tuple", 2)
    return                             Shape("none")
    yield x                            Shape("generator")
    @contextmanager                    Shape("context");  @asynccontextmanager: Shape("async context")
    async def f(): return x            Shape("coroutine")
    return x  /  return g(y)           Shape("value"); ``texts`` holds ``x``
"""

from __future__ import annotations

import ast
from typing import Literal

from review_bot.analysis.python.function_pairs import own_statements
from review_bot.analysis.python.statements import Function, decorator_names, first_line
from review_bot.analysis.python.syntax import is_generator, own_nodes
from review_bot.changes.node_lines import span_of
from review_bot.records import NamedTuple


class Shape(NamedTuple):
    """The form of what a function returns. ``size`` is that of a tuple.

    ``texts`` are the returned expressions, or the items of the tuples, as written. ``spans`` are the first
    and last lines of the returns, or of what else makes the form: each ``yield``, the header.
    """

    kind: Literal["tuple", "none", "generator", "coroutine", "context", "async context", "value"]
    size: int = 0
    texts: frozenset[str] = frozenset()
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def in_words(self) -> str:
        """What a call returns, in words."""
        if self.kind == "tuple":
            return f"a tuple of {self.size}"
        return _IN_WORDS.get(self.kind, "one value")


_IN_WORDS = {
    "none": "nothing",
    "generator": "a generator",
    "coroutine": "a coroutine",
    "context": "a context manager",
    "async context": "an async context manager",
}


def shape_of(function: Function) -> Shape | None:
    """Return the shape of what a function returns, or None if its returns differ."""
    head = ((function.lineno, function.body[0].lineno - 1),)
    if isinstance(function, ast.AsyncFunctionDef):
        return None if is_generator(function) else Shape("coroutine", spans=head)
    if is_generator(function):
        yields = (each for each in own_nodes(function.body) if isinstance(each, (ast.Yield, ast.YieldFrom)))
        return Shape("generator", spans=tuple(span_of(each) for each in yields))
    returns = [each for each in own_statements(function) if isinstance(each, ast.Return)]
    spans = tuple(span_of(each) for each in returns)
    values = [each.value for each in returns if each.value is not None]
    if not values:
        return Shape("none", spans=spans)
    tuples = [each for each in values if isinstance(each, ast.Tuple)]
    if not tuples:
        return Shape("value", texts=frozenset(map(ast.unparse, values)), spans=spans)
    items = [item for each in tuples for item in each.elts]
    sizes = {len(each.elts) for each in tuples}
    if len(tuples) < len(values) or len(sizes) > 1 or any(isinstance(item, ast.Starred) for item in items):
        return None
    return Shape("tuple", sizes.pop(), frozenset(map(ast.unparse, items)), spans)


def context_of(function: Function) -> Shape | None:
    """Return the shape of what a function returns that one decorator alone makes a context manager; else None."""
    kinds: dict[frozenset[str], Literal["context", "async context"]] = {
        frozenset({"contextmanager"}): "context",
        frozenset({"asynccontextmanager"}): "async context",
    }
    kind = kinds.get(frozenset(decorator_names(function)))
    span = first_line(function), function.body[0].lineno - 1
    return None if kind is None else Shape(kind, spans=(span,))
