"""A small block that one file holds three times or more, names of what it works on aside.

::

    if pin and torch.cuda.is_available():                     if pin and torch.cuda.is_available():
        for each in encoder.parameters():                         for each in self.vae.parameters():
            if not each.is_pinned():                                  if not each.is_pinned():
                each.data = each.data.pin_memory()                        each.data = each.data.pin_memory()

Two such blocks are equal if their code is, once each name or attribute (``encoder``, ``self.vae``) has got a number in
the order in which they occur. Names of functions, constants and operators have to be equal. A block that leaves what is
around it (``return``, ``yield``, ``break``) cannot be moved as it is and does not count. ``copied_block`` looks at two
longer copies; kernels are tuned one by one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import decorator_names, first_line, inner_blocks, is_definition, is_function
from review_bot.analysis.python.syntax import dotted, imported_names
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options
from review_bot.text.listing import all_of, first_of
from review_bot.text.origin_marks import names_origin

_LONGEST = 40
"""Lines; longer blocks are left to ``copied_block``."""
_MOST_NAMED = 6
_KERNELS = frozenset({"cutlass", "jax.experimental.pallas", "neuronxcc", "tilelang", "triton", "tvm"})
_OPENING = 15
_COMPOUND = (ast.If, *LOOPS, ast.With, ast.AsyncWith, ast.Try)


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield one hit for each block of which the change adds two copies or more. Raises CannotParse.

    ``times``: how often the file must hold it; ``statements`` and ``terms`` (names, constants and calls): how many it
    must have.
    """
    if len(source.added) < 2 * options["statements"] or _is_deliberate(source):
        return
    found: dict[str, list[ast.stmt]] = {}
    for statement in _blocks(source.tree.body):
        if _counts(statement, options):
            found.setdefault(_form(statement), []).append(statement)
    done: set[int] = set()
    for copies in sorted(found.values(), key=lambda each: -_size(each[0])):
        added = [each for each in copies if source.mostly_added(*span_of(each))]
        if len(copies) < options["times"] or len(added) < 2 or any(each.lineno in done for each in copies):
            continue
        done.update(line for each in copies for line in range(each.lineno, last_line(each) + 1))
        yield _hit(source, added[0], copies)


def _is_deliberate(source: SourceFile) -> bool:
    """Return whether a file may repeat itself: a copy of another, or kernels."""
    if any(map(names_origin, source.lines[:_OPENING])):
        return True
    roots = {name for full in imported_names(source.tree).values() for name in (full, full.partition(".")[0])}
    return not _KERNELS.isdisjoint(roots)


def _blocks(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the compound statements of code, inner ones too; an ``elif`` is a part of its ``if``."""
    waiting = [(each, False) for each in reversed(body)]
    while waiting:
        statement, is_part = waiting.pop()
        if isinstance(statement, _COMPOUND) and not is_part:
            yield statement
        if is_function(statement) and "jit" in decorator_names(statement):
            continue
        blocks = [statement.body] if is_definition(statement) else inner_blocks(statement)
        for block in blocks:
            for each in block:
                is_elif = isinstance(statement, ast.If) and isinstance(each, ast.If) and block is statement.orelse
                waiting.append((each, is_elif and each.col_offset == statement.col_offset))


def _counts(statement: ast.stmt, options: Options) -> bool:
    lines = last_line(statement) - statement.lineno + 1
    if lines > _LONGEST or _size(statement) < options["statements"]:
        return False
    return _terms(statement) >= options["terms"] and not _leaves(statement)


def _size(statement: ast.stmt) -> int:
    return sum(isinstance(each, ast.stmt) for each in walk(statement))


def _terms(statement: ast.stmt) -> int:
    """Return how many names, constants and calls code has; ``a.b.c`` is one name."""
    names = sum(not isinstance(each.value, (ast.Name, ast.Attribute)) for each in nodes_of(statement, ast.Attribute))
    rest = sum(len(nodes_of(statement, kind)) for kind in (ast.Name, ast.Constant, ast.Call))
    return names + rest


def _leaves(statement: ast.stmt) -> bool:
    """Return whether code leaves the function or loop around it, or defines or imports something there."""
    waiting = [(statement, isinstance(statement, LOOPS))]
    while waiting:
        each, in_loop = waiting.pop()
        if isinstance(each, (ast.Return, ast.Import, ast.ImportFrom)) or is_definition(each):
            return True
        if isinstance(each, (ast.Break, ast.Continue)) and not in_loop:
            return True
        in_loop = in_loop or isinstance(each, LOOPS)
        waiting += [(inner, in_loop) for block in inner_blocks(each) for inner in block]
    return bool(nodes_of(statement, ast.Yield) or nodes_of(statement, ast.YieldFrom))


def _form(statement: ast.stmt) -> str:
    """Return a text that two blocks share only if they do the same with what their names stand for."""
    parts: list[str] = []
    names: dict[str, int] = {}
    waiting: list[Any] = [statement]
    while waiting:
        value = waiting.pop()
        place = dotted(value) if isinstance(value, (ast.Name, ast.Attribute)) else None
        if isinstance(value, list):
            parts.append(f"[{len(value)}")
            waiting += value
        elif place is not None:
            parts.append(f"{type(value.ctx).__name__}{names.setdefault(place, len(names))}")
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            parts.append(f".{value.func.attr}")
            waiting += [value.args, value.keywords, value.func.value]
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            parts.append(value.func.id)
            waiting += [value.args, value.keywords]
        elif isinstance(value, ast.AST):
            parts.append(type(value).__name__)
            waiting += [getattr(value, name, None) for name in value._fields]
        else:
            parts.append(repr(value))
    return " ".join(parts)


def _hit(source: SourceFile, first: ast.stmt, copies: list[ast.stmt]) -> Hit:
    others = [each for each in copies if each is not first]
    lines = [str(each.lineno) for each in others]
    texts = {" ".join(" ".join(source.lines[each.lineno - 1 : last_line(each)]).split()) for each in copies}
    values = {
        "first": str(first_line(first)),
        "last": str(last_line(first)),
        "count": str(len(copies)),
        "aside": "" if len(texts) == 1 else ", but for the names in it",
        "others": all_of(lines) if len(lines) <= _MOST_NAMED else first_of(lines, _MOST_NAMED),
    }
    related = tuple(Related(source.path, each.lineno, "the same block") for each in others[:_MOST_NAMED])
    return Hit(source.first_added(*span_of(first)) or first.lineno, values=values, related=related)


CHECK = file_check(examine, CheckTraits(literals=("if", "for", "with", "while", "try")))
