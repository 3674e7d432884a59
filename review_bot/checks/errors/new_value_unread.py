"""A local variable that gets a new value made from its old one, and that nothing reads afterwards.

::

    def encode(self, text):
        text = text.strip()
        bert = self.bert(text)
        bert = bert.to("cuda")          reported: the function goes on without it
        return self.model(text)

A call that may do more than return something, and one of several assigned at once, counts where another name for the
old value is the one that goes on::

    hidden = embeds                     or: first = embeds[:, 0]
    embeds = split(embeds, group)       reported
    return self.layers(hidden)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.wording import in_one_line
from review_bot.analysis.python.bindings import reads_by_text, shared_names
from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.pure_calls import MOVING, PURE_METHODS, is_in_own_language, is_pure
from review_bot.analysis.python.statements import Function, inner_blocks, is_function
from review_bot.analysis.python.syntax import dotted, hit_at, imported_names, is_literal, own_nodes, source_text
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import end_of, last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_OF_TENSORS = frozenset({"device", "dtype", "ndim", "shape", "T"})
_LONGEST = 60
_NOWHERE = (0, 0)
_MOST_TRIED = 20
"""Assignments of one function for which the uses of other names are looked up, and as many names for each."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment. Raises CannotParse."""
    imported = imported_names(source.tree)
    if is_in_own_language(imported):
        return
    for function in source.touched_functions:
        run_once = list(_run_once(function.body))
        others = _other_names(run_once)
        candidates = [
            (statement, name, value)
            for statement in run_once
            for name, value in _assigned(statement)
            if _is_new_value(name, value, imported) or (name in others and _is_handed(name, value))
        ]
        if not candidates:
            continue
        last = _last_reads(function)
        if any(map(reads_by_text, nodes_of(function, ast.Call))):
            continue
        elsewhere = _read_elsewhere(function)
        tried = 0
        for statement, name, value in candidates:
            if name in elsewhere or last.get(name, _NOWHERE) >= end_of(statement) or _names_its_result(value):
                continue
            if _moves(value) and not _is_tensor(function, name, value):
                continue
            is_clear = isinstance(statement.targets[0], ast.Name) and _is_new_value(name, value, imported)
            tried += not is_clear
            still = None if is_clear or tried > _MOST_TRIED else _still_read(function, statement, others.get(name, []))
            if not is_clear and still is None:
                continue
            more = (
                "" if still is None else f": the code below uses the old value, through `{still[0]}` (line {still[1]})"
            )
            values = {"name": name, "value": in_one_line(source_text(source, value), _LONGEST), "more": more}
            yield hit_at(source, statement, values=values)


def _names_its_result(value: ast.expr) -> bool:
    """Return whether a call gives what it makes a name, by which a graph that is built once has it: ``name="ids"``."""
    given = (each for call in nodes_of(value, ast.Call) for each in call.keywords)
    return any(each.arg == "name" and not is_literal(each.value, None) for each in given)


def _run_once(body: list[ast.stmt]) -> Iterator[ast.Assign]:
    """Yield the assignments outside loops, inner functions, and ``try``, which may test whether one raises."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            yield statement
        elif not isinstance(statement, (*LOOPS, ast.ClassDef, ast.Try, ast.TryStar)) and not is_function(statement):
            for block in inner_blocks(statement):
                yield from _run_once(block)


def _assigned(statement: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment binds, each with its value; of ``a, b = x, y`` both."""
    target, value = statement.targets[0], statement.value
    if len(statement.targets) > 1:
        return
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = zip(target.elts, value.elts, strict=True)
    else:
        pairs = zip([target], [value], strict=True)
    for one, given in pairs:
        if isinstance(one, ast.Name) and not one.id.startswith("_"):
            yield one.id, given


def _other_names(statements: list[ast.Assign]) -> dict[str, list[tuple[str, int]]]:
    """Return what else holds each name's value, or a part of it, with the lines.

    That is after ``other = name``, ``other = name[0]`` or ``name = other.place``.
    """
    found: dict[str, list[tuple[str, int]]] = {}
    for statement in statements:
        for name, value in _assigned(statement):
            place = dotted(value)
            whole = _whole_of(value)
            if whole is not None and whole != name:
                found.setdefault(whole, []).append((name, statement.lineno))
            elif place is not None:
                found.setdefault(name, []).append((place, statement.lineno))
    return found


def _whole_of(value: ast.expr) -> str | None:
    """Return the name whose value a value is, or is a part of: ``x``, ``x[:, 0]``."""
    whole = value.value if isinstance(value, ast.Subscript) else value
    return whole.id if isinstance(whole, ast.Name) else None


def _is_handed(name: str, value: ast.expr) -> bool:
    """Return whether a value is the result of a function that is handed a name first."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or not value.args:
        return False
    return isinstance(value.args[0], ast.Name) and value.args[0].id == name


def _still_read(function: Function, statement: ast.Assign, others: list[tuple[str, int]]) -> tuple[str, int] | None:
    """Return another name that holds the old value, or a part of it, and that the way through a statement reads later.

    The second item is the line where it got it.
    """
    instead = [
        range(node.orelse[0].lineno, last_line(node.orelse[-1]) + 1)
        for node in nodes_of(function, ast.If)
        if node.orelse and node.lineno < statement.lineno < node.orelse[0].lineno
    ]
    stores = {
        id(part): end_of(assign)
        for assign in nodes_of(function, ast.Assign)
        for target in assign.targets
        for part in walk(target)
    }
    for other, line in others[:_MOST_TRIED]:
        uses = [
            each
            for each in walk(function)
            if isinstance(each, (ast.Name, ast.Attribute))
            and each.lineno > line
            and dotted(each) == other
            and not any(each.lineno in lines for lines in instead)
        ]
        places = [(each.ctx, stores.get(id(each), (each.lineno, each.col_offset))) for each in uses]
        read = [place for context, place in places if isinstance(context, ast.Load) and place >= end_of(statement)]
        stored = [place for context, place in places if isinstance(context, ast.Store)]
        if line < statement.lineno and read and min(read) <= min(stored, default=min(read)):
            return other, line
    return None


def _is_new_value(name: str, value: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether the value is made of the old one, and by nothing that has other effects."""
    if isinstance(value, (ast.Name, ast.IfExp, ast.BoolOp)):
        return False  # a default for a parameter that is not used yet
    mentions = False
    for each in walk(value):
        if isinstance(each, ast.Name) and each.id == name:
            mentions = True
        if isinstance(each, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return False
        if isinstance(each, ast.Call) and not is_pure(each, imported):
            return False
    return mentions and not _frees_memory(value)


def _frees_memory(value: ast.expr) -> bool:
    """Return whether a value moves to the host, which gives memory of the device back."""
    called = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
    return called == "to" and any(isinstance(each, ast.Constant) and each.value == "cpu" for each in walk(value))


def _moves(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in MOVING


def _is_tensor(function: Function, name: str, value: ast.expr) -> bool:
    """Return whether other code of a function uses a name as only tensors can be used."""
    for each in own_nodes(function.body):
        if not isinstance(each, (ast.Attribute, ast.Subscript)) or each is getattr(value, "func", None):
            continue
        is_its = isinstance(each.value, ast.Name) and each.value.id == name
        if is_its and (isinstance(each, ast.Subscript) or each.attr in _OF_TENSORS | PURE_METHODS):
            return True
    return False


def _read_elsewhere(function: Function) -> frozenset[str]:
    """Return the names that inner functions read, or that belong to another scope."""
    found = set(shared_names(function))
    for node in own_nodes(function.body):
        if is_function(node) or isinstance(node, (ast.Lambda, ast.ClassDef)):
            found.update(each.id for each in walk(node) if isinstance(each, ast.Name))
    return frozenset(found)


def _last_reads(function: Function) -> dict[str, tuple[int, int]]:
    """Return the line and column where each name and attribute is read or deleted for the last time."""
    found: dict[str, tuple[int, int]] = {}
    for each in walk(function):
        if isinstance(each, (ast.Name, ast.Attribute)) and not isinstance(each.ctx, ast.Store):
            place = dotted(each)
            if place is not None:
                found[place] = max(found.get(place, _NOWHERE), (each.lineno, each.col_offset))
    return found


CHECK = file_check(examine, CheckTraits(literals=("def =",)))
