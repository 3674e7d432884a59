"""Questions that several checks ask of Python expressions: names, literals, calls, and the places that they take.

::

    import torch.nn.functional as F
    F.dropout(x)                      full_name(call.func, imported_names(tree)) == "torch.nn.functional.dropout"
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from review_bot.changes.node_index import below, kept_on_node, nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.rule import Hit, Span, hit_over

_VALUES = frozenset({str, int, float, complex, bytes, bool, type(None), type(...)})
"""Classes of what the fields of nodes hold besides nodes and lists."""

_SCOPES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda})


@kept_on_node
def imported_names(tree: ast.Module) -> dict[str, str]:
    """Return what each imported name stands for, wherever in the file it is imported: ``{"np": "numpy"}``."""
    names: dict[str, str] = {}
    for plain in nodes_of(tree, ast.Import):
        for alias in plain.names:
            if alias.asname:
                names[alias.asname] = alias.name
            else:
                top = alias.name.partition(".")[0]
                names[top] = top
    for node in nodes_of(tree, ast.ImportFrom):
        if node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def from_imports(tree: ast.Module) -> dict[str, tuple[str, str, int]]:
    """Return what ``from ... import`` binds: the original name of each, its module as written, and the dots."""
    return {
        alias.asname or alias.name: (alias.name, node.module or "", node.level)
        for node in nodes_of(tree, ast.ImportFrom)
        for alias in node.names
    }


def dotted(node: ast.expr) -> str | None:
    """Return ``a.b.c`` as it is written, or None for any other expression."""
    if node.__class__ is ast.Name:  # far more often than not
        return node.id
    parts: list[str] = []
    current = node
    while isinstance(current, ast.Attribute):
        parts.append(current.attr)
        current = current.value
    if not isinstance(current, ast.Name):
        return None
    parts.append(current.id)
    return ".".join(reversed(parts))


def full_name(node: ast.expr, names: Mapping[str, str]) -> str | None:
    """Return the dotted name with its first part replaced by what the file imports under it."""
    written = dotted(node)
    if written is None:
        return None
    first, dot, rest = written.partition(".")
    return names.get(first, first) + dot + rest


def structure(node: ast.AST) -> str:
    """Return a text that two nodes share only if their code is the same, wherever it is.

    ``ast.dump`` says the same, but each call of it leaves a circle of references, which only the collector could break.
    """
    parts: list[str] = []
    waiting: list[Any] = [node]
    while waiting:
        value = waiting.pop()
        kind = value.__class__
        if kind is list:
            parts.append(f"[{len(value)}")
            waiting += value
        elif kind in _VALUES:
            parts.append(repr(value))
        else:
            parts.append(kind.__name__)
            waiting += [getattr(value, name, None) for name in kind._fields]
    return " ".join(parts)


def names_in(node: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    """Return the names that code mentions; ``context``: only those that it reads (``ast.Load``) or sets."""
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, context)}


def is_name(node: ast.AST | None, name: str) -> bool:
    """Return whether a node is this plain name."""
    return isinstance(node, ast.Name) and node.id == name


def attribute_of_self(node: ast.AST | None) -> str:
    """Return ``x`` for ``self.x``, an empty text for any other node."""
    return node.attr if isinstance(node, ast.Attribute) and is_name(node.value, "self") else ""


def bound_name(alias: ast.alias) -> str:
    """Return the name that a part of an import binds: ``np`` of ``numpy as np``, ``os`` of ``os.path``."""
    return alias.asname or alias.name.partition(".")[0]


def text_of(node: ast.AST | None) -> str | None:
    """Return the text of a string literal, or None for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def joined_text(node: ast.AST | None) -> str | None:
    """Return the text of string literals that ``+`` joins, or of an f-string without a field; None for others."""
    parts: list[str | None] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts.append(_written(node.right))
        node = node.left
    parts.append(_written(node))
    known = [part for part in parts if part is not None]
    return "".join(reversed(known)) if len(known) == len(parts) else None


def _written(node: ast.AST | None) -> str | None:
    if isinstance(node, ast.JoinedStr):
        parts = [text_of(each) for each in node.values]
        return None if None in parts else "".join(filter(None, parts))
    return text_of(node)


def unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """Return an annotation, parsed where it is written as a string; None if that is no expression."""
    text = text_of(annotation)
    try:
        return annotation if text is None else ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def is_literal(node: ast.AST | None, value: Literal[True, False] | None) -> bool:
    """Return whether a node is the literal ``None``, ``True`` or ``False``."""
    return isinstance(node, ast.Constant) and node.value is value


def classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    """Yield every class, nested ones too."""
    yield from nodes_of(tree, ast.ClassDef)


@kept_on_node
def owners_of(tree: ast.AST) -> dict[ast.AST, ast.ClassDef]:
    """Return the class whose body each statement is directly in: that of a method, and of a field."""
    return {each: owner for owner in classes(tree) for each in owner.body}


@kept_on_node
def _class_spans(tree: ast.AST) -> list[tuple[int, int, str]]:
    return sorted((each.lineno, last_line(each), each.name) for each in nodes_of(tree, ast.ClassDef))


def class_at(line: int, tree: ast.AST) -> str:
    """Return the name of the innermost class around a line; empty if there is none."""
    spans = _class_spans(tree)
    above = range(bisect_right(spans, line, key=lambda span: span[0]) - 1, -1, -1)
    return next((spans[number][2] for number in above if line <= spans[number][1]), "")


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes below some statements, in the order of the text; nested functions and classes stay closed.

    Operators and contexts are no nodes here.
    """
    for node in body:
        yield node
        if node.__class__ not in _SCOPES:
            yield from _inside(node)


@kept_on_node
def _inside(node: ast.AST) -> list[ast.AST]:
    """Return the nodes below one that is no scope: many checks walk the same statements."""
    found: list[ast.AST] = []
    waiting = below(node)
    while waiting:
        each = waiting.pop()
        found.append(each)
        if each.__class__ not in _SCOPES:
            waiting += below(each)
    return found


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function has a ``yield`` of its own, so that calling it runs nothing of its body."""
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in own_nodes(function.body))


def is_coroutine_function(node: ast.stmt) -> bool:
    """Return whether a call of what this defines gives a coroutine: no decorator, and no ``yield`` of its own."""
    return isinstance(node, ast.AsyncFunctionDef) and not node.decorator_list and not is_generator(node)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument, or None."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def argument_values(call: ast.Call) -> list[ast.expr]:
    """Return what a call is given, by place and by keyword."""
    return [*call.args, *(each.value for each in call.keywords)]


def iterated(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what the loops and comprehensions of some code go over."""
    yield from (each.iter for each in nodes_of(tree, ast.For))
    yield from (each.iter for each in nodes_of(tree, ast.AsyncFor))
    yield from (each.iter for each in nodes_of(tree, ast.comprehension))


def reads_same(one: Any, other: Any) -> bool:
    """Return whether two nodes, or two lists of them, are the same code; where it lies in the file aside."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.AST):
        fields = (name for name in one._fields if name != "ctx")
        return all(reads_same(getattr(one, name, None), getattr(other, name, None)) for name in fields)
    if isinstance(one, list):
        return len(one) == len(other) and all(reads_same(*pair) for pair in zip(one, other, strict=True))
    return bool(one == other)


def unpacks(call: ast.Call) -> bool:
    """Return whether a call hands over arguments that its text does not show: ``*args`` or ``**kwargs``."""
    return any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords)


def span_at(source: SourceFile, node: Any) -> Span:
    """Return where a node is."""
    start, end = source.column(node.lineno, node.col_offset), source.column(node.end_lineno, node.end_col_offset)
    return Span(node.lineno, node.end_lineno, start, end)


def hit_at(source: SourceFile, node: Any, **more: Any) -> Hit:
    """Return a hit that spans a node. ``more`` are further fields of it."""
    return hit_over(span_at(source, node), **more)


def hit_on(source: SourceFile, node: Any, **more: Any) -> Hit:
    """Return a hit at the start of a node, which may be long. ``more`` are further fields of it."""
    return Hit(node.lineno, column=source.column(node.lineno, node.col_offset), **more)


def replacing(source: SourceFile, node: Any, text: str) -> Suggestion:
    """Return the suggestion that puts ``text`` in the place of a node."""
    before = source.lines[node.lineno - 1].encode("utf-8", "surrogatepass")[: node.col_offset]
    after = source.lines[node.end_lineno - 1].encode("utf-8", "surrogatepass")[node.end_col_offset :]
    whole = before.decode("utf-8", "surrogatepass") + text + after.decode("utf-8", "surrogatepass")
    return Suggestion(node.lineno, node.end_lineno, whole)


def source_text(source: SourceFile, node: Any) -> str:
    """Return the text of a node as it is in the file."""
    lines = source.lines[node.lineno - 1 : node.end_lineno]
    if not lines:
        return ""
    lines[-1] = lines[-1][: source.column(node.end_lineno, node.end_col_offset) - 1]
    lines[0] = lines[0][source.column(node.lineno, node.col_offset) - 1 :]
    return "\n".join(lines)


def stands_alone(source: SourceFile, statement: ast.stmt) -> bool:
    """Return whether the first line of a statement holds no other statement and no comment, and does not go on."""
    line = source.lines[statement.lineno - 1]
    return ";" not in line and "#" not in line and not line.rstrip().endswith("\\")
