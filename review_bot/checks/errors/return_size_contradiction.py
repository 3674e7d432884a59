"""A tuple in a ``return`` that has another length than the annotation of the function says.

::

    def split(x) -> tuple[Tensor, Tensor, int]:
        return x[:1], x[1:]

It is reported where the change wrote either of the two, or removed a part of them, and the base agreed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import names_at_base
from review_bot.analysis.python.statements import Function, statements
from review_bot.analysis.python.syntax import hit_on, is_generator, is_literal, unquoted
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import count

_TUPLES = frozenset({"tuple", "Tuple", "typing.Tuple"})
_UNIONS = frozenset({"Optional", "typing.Optional", "Union", "typing.Union"})


class _Contradiction(NamedTuple):
    """A returned tuple whose function is annotated to return ``promised`` elements."""

    statement: ast.Return
    promised: int
    returned: int


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such ``return`` of each function. Raises CannotParse."""
    before: frozenset[str] | None = None
    for function in source.touched_functions:
        found = _contradiction(function)
        if found is None:
            continue
        if not source.any_added(function.lineno, function.body[0].lineno - 1):
            before = names_at_base(source, lambda each, _tree: _contradiction(each)) if before is None else before
            if function.name in before:
                continue
        values = {
            "function": function.name,
            "promised": count(found.promised, "element"),
            "returned": count(found.returned, "element"),
        }
        related = (Related(source.path, function.lineno, "is annotated so"),)
        yield hit_on(source, found.statement, values=values, related=related)


def _contradiction(function: Function) -> _Contradiction | None:
    promised = _promised(function)
    if promised is None or is_generator(function) or _is_for_autograd(function):
        return None
    for statement in statements(function.body, into_definitions=False):
        value = statement.value if isinstance(statement, ast.Return) else None
        if not isinstance(statement, ast.Return) or not isinstance(value, ast.Tuple):
            continue
        if len(value.elts) != promised and not any(isinstance(each, ast.Starred) for each in value.elts):
            return _Contradiction(statement, promised, len(value.elts))
    return None


def _is_for_autograd(function: Function) -> bool:
    """Return whether only autograd calls a function, which reads no annotation: a ``backward`` with its context."""
    return function.name in {"backward", "jvp", "vjp"} and [each.arg for each in function.args.args[:1]] == ["ctx"]


def _promised(function: Function) -> int | None:
    """Return how many elements each tuple that a function may return has, by its annotation; None if that is open."""
    sizes = {_size(each) for each in _alternatives(unquoted(function.returns))}
    return sizes.pop() if len(sizes) == 1 else None


def _alternatives(annotation: ast.expr | None) -> Iterator[ast.expr | None]:
    """Yield the members of a union, None aside."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        yield from _alternatives(annotation.left)
        yield from _alternatives(annotation.right)
    elif isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) in _UNIONS:
        inner = annotation.slice
        for each in inner.elts if isinstance(inner, ast.Tuple) else [inner]:
            yield from _alternatives(each)
    elif not is_literal(annotation, None) or annotation is None:
        yield annotation


def _size(annotation: ast.expr | None) -> int | None:
    if not isinstance(annotation, ast.Subscript) or ast.unparse(annotation.value) not in _TUPLES:
        return None
    parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    is_open = any(word in ast.unparse(each) for each in parts for word in ("...", "*", "Unpack"))
    return None if is_open else len(parts)


CHECK = file_check(examine, CheckTraits(literals=("return > uple",)))
