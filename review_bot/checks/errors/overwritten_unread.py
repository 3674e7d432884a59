"""A local variable, or an attribute of ``self``, that is set twice in a row, and nothing reads the first value.

Of attributes, only those that no other code can have seen in between count: while ``__init__`` runs, or between two
assignments with no call between them; and no method, base class or callee gets ``self`` there::

    self.proj = Linear(8, 8)              reported     self.proj = Linear(8, 8)           not reported
    self.scale = scale                                 self.reset()
    self.proj = Linear(8, 16)                          self.proj = Linear(8, 16)
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator

from review_bot.analysis.python.bindings import reads_by_text
from review_bot.analysis.python.pure_calls import is_in_own_language
from review_bot.analysis.python.statements import Function, blocks, is_function, last_name, statements
from review_bot.analysis.python.syntax import (
    attribute_of_self,
    hit_at,
    imported_names,
    is_name,
    names_in,
    own_nodes,
    reads_same,
    stands_alone,
    structure,
)
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors.read_before_assignment import reads_itself
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_QUIET = (ast.Attribute, ast.BinOp, ast.BoolOp, ast.Compare, ast.Constant, ast.IfExp, ast.Name, ast.UnaryOp)
"""Expressions that compute a value and do nothing else."""
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment that replaces a value nothing has read. Raises CannotParse."""
    if is_in_own_language(imported_names(source.tree)):
        return
    for function in source.touched_functions:
        yield from _in_function(source, function)
        yield from _attributes(source, function)


def _in_function(source: SourceFile, function: Function) -> Iterator[Hit]:
    every = list(statements(function.body, into_definitions=False))
    often = Counter(name for each in every if (name := _target(each)) is not None)
    wanted = {name for name, count in often.items() if count > 1 and not name.startswith("_")}
    wanted -= _reached_from_elsewhere(function) if wanted else set()
    if not wanted:
        return
    for name, statement, before in _assignments(function, _target, wanted):
        first = None if name in names_in(statement.value) else _unread_before(before, name, statement.value)
        if first is not None and not reads_itself(source, name, first):
            suggestion = _without_repetition(source, first, statement)
            values = {"name": name, "line": str(first.lineno)}
            yield hit_at(source, statement, values=values, suggestion=suggestion)
    for name, statement, after in _calls_before_branches(function, wanted):
        chosen = _replaced_in_each_branch(after, name, statement.value)
        if chosen is not None and not reads_itself(source, name, statement):
            message = f"Each branch from line {chosen} on replaces the value of `{name}` before anything reads it."
            yield hit_at(source, statement, message=message)


def _without_repetition(source: SourceFile, first: ast.stmt, second: ast.Assign) -> Suggestion | None:
    """Return the deletion of a line that repeats the one above it and computes its value without side effects."""
    line = second.lineno
    same_lines = source.lines[first.lineno - 1] == source.lines[line - 1]
    if not same_lines or first.lineno + 1 != line or second.end_lineno != line or not stands_alone(source, second):
        return None
    return Suggestion(line, line, "") if all(isinstance(each, _QUIET) for each in walk(second.value)) else None


def _calls_before_branches(function: Function, wanted: set[str]) -> Iterator[tuple[str, ast.Assign, list[ast.stmt]]]:
    """Yield each assignment of a call's result to some names, with the statements of its block after it."""
    every = statements(function.body, into_definitions=False)
    guarded = {id(each) for inner in every if isinstance(inner, ast.Try) for each in statements(inner.body)}
    for block in blocks(function.body, into_definitions=False):
        for number, statement in enumerate(block):
            if not isinstance(statement, ast.Assign) or id(statement) in guarded:
                continue
            name = _target(statement)
            if name is not None and name in wanted:
                value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
                if isinstance(value, ast.Call) and not _is_plain(value):
                    yield name, statement, block[number + 1 :]


def _replaced_in_each_branch(after: list[ast.stmt], name: str, value: ast.expr) -> int | None:
    """Return the line of the first ``if`` after an assignment that replaces its value on all paths, unread."""
    for statement in after:
        if isinstance(statement, ast.If) and _sets_first([statement], name, value):
            return statement.lineno
        if name in names_in(statement) or any(isinstance(each, _LEAVING) for each in walk(statement)):
            return None
    return None


def _sets_first(block: list[ast.stmt], name: str, value: ast.expr) -> bool:
    """Return whether a block gives a name a value on each of its paths, by another call, before anything reads it."""
    for statement in block:
        match statement:
            case ast.Assign() if _target(statement) == name:
                again = _same_call(value, statement.value) and not _is_of_class(value)
                return not again and name not in names_in(statement.value, ast.Load)
            case ast.With(items, body) if not any(name in names_in(each) for each in items):
                inner = [body]
            case ast.If(test, body, orelse) if name not in names_in(test):
                inner = [body, orelse]
            case _:
                inner = []
        if inner and all(_sets_first(each, name, value) for each in inner):
            return True
        if name in names_in(statement) or any(isinstance(each, _LEAVING) for each in walk(statement)):
            return False
    return False


def _is_of_class(value: ast.expr) -> bool:
    """Return whether a call makes an object, by its names: ``Model(...)`` or ``Model.from_file(...)``."""
    call = value.value if isinstance(value, ast.Await) else value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return _makes_object(call) or call.func.value.id[:1].isupper()
    return _makes_object(call)


def _attributes(source: SourceFile, function: Function) -> Iterator[Hit]:
    """Yield each assignment to an attribute of ``self`` that replaces a value nothing can have read."""
    if not function.args.args or function.args.args[0].arg != "self":
        return
    every = list(statements(function.body, into_definitions=False))
    often = Counter(name for each in every if (name := _attribute(each)) is not None)
    wanted = {name for name, count in often.items() if count > 1}
    if not wanted or "__setattr__" in (methods := {each.name for each in source.functions}):
        return
    wanted -= methods | _in_inner_functions(function)
    for name, statement, before in _assignments(function, _attribute, wanted):
        if _may_show(statement.value, name, methods):
            continue
        seen = before if function.name == "__init__" else _without_calls(before, name)
        first = _unseen_before(seen, name, statement.value, methods)
        if first is not None:
            yield hit_at(source, statement, values={"name": f"self.{name}", "line": str(first)})


def _assignments(
    function: Function, target: Callable[[ast.stmt], str | None], wanted: set[str]
) -> Iterator[tuple[str, ast.Assign, list[ast.stmt]]]:
    """Yield each assignment of some targets outside a ``try``, with the statements of its block before it."""
    every = statements(function.body, into_definitions=False)
    guarded = {id(each) for inner in every if isinstance(inner, ast.Try) for each in statements(inner.body)}
    for block in blocks(function.body, into_definitions=False):
        for number, statement in enumerate(block):
            name = target(statement)
            if name is None or name not in wanted or id(statement) in guarded:
                continue
            if isinstance(statement, ast.Assign) and not _is_plain(statement.value):
                yield name, statement, block[:number]


def _without_calls(before: list[ast.stmt], name: str) -> list[ast.stmt]:
    """Return the last statements up to one that sets the attribute; none if one of them calls what may look at it."""
    for number in range(len(before) - 1, -1, -1):
        if _attribute(before[number]) == name:
            return before[number:]
        if any(isinstance(each, ast.Call) for each in walk(before[number])):
            break
    return []


def _attribute(statement: ast.stmt) -> str | None:
    """Return the attribute of ``self`` that a statement sets, without anything else."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    return attribute_of_self(statement.targets[0]) or None


def _in_inner_functions(function: Function) -> set[str]:
    inner = (each for each in own_nodes(function.body) if is_function(each) or isinstance(each, ast.Lambda))
    return {node.attr for each in inner for node in walk(each) if isinstance(node, ast.Attribute)}


def _may_show(node: ast.AST, name: str, methods: set[str]) -> bool:
    """Return whether code may read the attribute: by its name, by a method or property, or because it gets ``self``."""
    plain_uses = 0
    for each in walk(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and is_name(each.func.value, "self"):
            return True
        if isinstance(each, ast.Name) and each.id == "super":
            return True
        if isinstance(each, ast.Attribute) and is_name(each.value, "self"):
            if each.attr == name or each.attr in methods:
                return True
            plain_uses += 1
    return sum(is_name(each, "self") for each in walk(node)) > plain_uses


def _unseen_before(before: list[ast.stmt], name: str, value: ast.expr, methods: set[str]) -> int | None:
    """Return the line that last set the attribute, if nothing can have read it since."""
    for statement in reversed(before):
        sets = [each for each in statements([statement], into_definitions=False) if _attribute(each) == name]
        leaves = any(isinstance(each, (*_LEAVING, ast.Await, ast.Yield, ast.YieldFrom)) for each in walk(statement))
        if not sets:
            if leaves or _may_show(statement, name, methods):
                return None
            continue
        first = sets[0]
        if not isinstance(first, ast.Assign) or _is_beginning(first.value) or _repeats(first.value, value):
            return None
        if first is statement:
            return first.lineno
        if leaves or not isinstance(statement, ast.If):
            return None
        own = (each for each in walk(statement) if isinstance(each, ast.Attribute) and each.attr == name)
        return None if any(isinstance(each.ctx, ast.Load) for each in own) else first.lineno
    return None


def _is_beginning(value: ast.expr) -> bool:
    """Return whether a value is plain or a new and empty object, which attributes begin with."""
    is_empty = isinstance(value, ast.Call) and not (value.args or value.keywords)
    return _is_plain(value) or (is_empty and _makes_object(value))


def _repeats(first: ast.expr, second: ast.expr) -> bool:
    """Return whether the second value is made like the first: the same names again, or a call that may move on."""
    if not isinstance(second, ast.Call):
        return reads_same(first, second) and not any(isinstance(each, ast.Call) for each in walk(second))
    return _called(first) == _called(second) and not _makes_object(second)


def _makes_object(value: ast.expr) -> bool:
    """Return whether a call is one of a class, by its name."""
    return isinstance(value, ast.Call) and last_name(value.func)[:1].isupper()


def _target(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None


def _reached_from_elsewhere(function: Function) -> set[str]:
    """Return the names that code may read that is not in the order of the text: closures, ``global``, ``locals()``."""
    found: set[str] = set()
    for node in own_nodes(function.body):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif is_function(node) or isinstance(node, (ast.Lambda, ast.ClassDef)):
            found |= names_in(node)
        elif isinstance(node, ast.Call) and reads_by_text(node):
            found |= names_in(function)
    return found


def _unread_before(before: list[ast.stmt], name: str, value: ast.expr) -> ast.stmt | None:
    """Return the statement that last set the name, if nothing reads it and nothing leaves the block in between."""
    for statement in reversed(before):
        if name not in names_in(statement):
            if any(isinstance(each, _LEAVING) for each in walk(statement)):
                return None
            continue
        if isinstance(statement, ast.Assign) and _target(statement) == name:
            return None if _is_plain(statement.value) or _same_call(statement.value, value) else statement
        if isinstance(statement, ast.If) and name not in names_in(statement, ast.Load):
            sets = [each for each in statements([statement], into_definitions=False) if _target(each) == name]
            leaves = any(isinstance(each, _LEAVING) for each in walk(statement))
            again = any(isinstance(each, ast.Assign) and _same_call(each.value, value) for each in sets)
            return sets[0] if sets and not leaves and not again else None
        return None
    return None


def _same_call(first: ast.expr, second: ast.expr) -> bool:
    return isinstance(second, ast.Call) and _called(first) == _called(second)


def _called(value: ast.expr) -> str:
    """Return what is called. The same call twice warms something up, or moves it on."""
    return structure(value.func) if isinstance(value, ast.Call) else ""


def _is_plain(value: ast.expr) -> bool:
    """Return whether a value is one that names begin with, or that lets go of what they held."""
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return all(_is_plain(each) for each in value.elts)
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.UnaryOp):
        return _is_plain(value.operand)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and not (value.args or value.keywords)
    return isinstance(value, ast.Constant)


CHECK = file_check(examine, CheckTraits(literals=("def =",)))
