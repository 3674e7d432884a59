"""A temporary file or folder that nothing removes, or that only the path without an error removes.

::

    with tempfile.NamedTemporaryFile(suffix=".mp4", delete=False) as file:
        file.write(data)
    frames = decode(file.name)      # where this raises, the file stays
    os.unlink(file.name)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from review_bot.analysis.python.statements import Function, last_name, statements, targets_of
from review_bot.analysis.python.syntax import argument_values, hit_at, is_literal, keyword, names_in, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_REMOVING = frozenset({"unlink", "remove", "rmtree", "rm", "rmdir", "cleanup", "replace", "rename", "renames", "move"})
_RUNNING = frozenset({"Popen", "call", "check_call", "check_output", "run", "system"})
_DELETES = LazyRegex(r"\brm(?:dir)?\b")
_KEEPING = (
    *("register", "cleanup", "clean_up", "delete", "remove", "unlink", "rmtree", "callback", "finalize", "track"),
    *("schedule", "background", "fileresponse", "append", "add", "extend", "put", "push", "setattr", "submit"),
    *("print", "echo", "info", "warning", "error", "exception"),
)
"""Parts of the names of functions that may remove what they get, pass it to one that does, or show it to the user."""


class _Made(NamedTuple):
    """A temporary file or folder. ``names`` hold it or its path; ``statement`` makes it."""

    call: ast.Call
    names: frozenset[str]
    statement: ast.stmt
    what: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the call that makes each such file. Raises CannotParse."""
    for function in source.functions:
        for made in _made(function):
            names = _names(function, made.names)
            if _escapes(function, names):
                continue
            removals = [each.lineno for each in own_nodes(function.body) if _removes(each, names)]
            if not removals:
                values = {"what": made.what, "state": f"nothing in `{function.name}` removes it"}
                yield hit_at(source, made.call, values=values)
            elif not _is_safe(function, names) and _may_fail_between(function, made, removals):
                state = f"it stays behind if anything raises before line {_first(removals, made)} removes it"
                yield hit_at(source, made.call, values={"what": made.what, "state": state})


def _made(function: Function) -> Iterator[_Made]:
    for statement in statements(function.body, into_definitions=False):
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            for item in statement.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and isinstance(item.optional_vars, ast.Name) and _keeps_file(call):
                    yield _Made(call, frozenset({item.optional_vars.id}), statement, "file")
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
            if isinstance(value, ast.Attribute) and value.attr == "name":
                value = value.value
            if isinstance(value, ast.Call) and last_name(value.func) == "Path" and len(value.args) == 1:
                value = value.args[0]
            if not isinstance(value, ast.Call):
                continue
            if isinstance(target, ast.Name) and _keeps_file(value):
                yield _Made(value, frozenset({target.id}), statement, "file")
            elif isinstance(target, ast.Name) and last_name(value.func) == "mkdtemp":
                yield _Made(value, frozenset({target.id}), statement, "folder")
            elif isinstance(target, ast.Tuple) and last_name(value.func) == "mkstemp" and len(target.elts) == 2:
                path = target.elts[1]
                if isinstance(path, ast.Name):
                    yield _Made(value, frozenset({path.id}), statement, "file")


def _keeps_file(call: ast.Call) -> bool:
    """Return whether a call makes a file that stays; one in a folder of the program's own goes with the folder."""
    folder = keyword(call, "dir")
    kept = is_literal(keyword(call, "delete"), False) and (folder is None or is_literal(folder, None))
    return last_name(call.func) == "NamedTemporaryFile" and kept


def _names(function: Function, first: frozenset[str]) -> frozenset[str]:
    """Return the local names that hold the file or a path made from it."""
    names = set(first)
    for _ in range(3):
        for node in own_nodes(function.body):
            if isinstance(node, ast.Assign) and _is_path_of(node.value, names):
                names |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return frozenset(names)


def _is_path_of(node: ast.expr, names: set[str]) -> bool:
    """Return whether a value is one of the names, its path, or a path below it."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute):
        return node.attr == "name" and _is_path_of(node.value, names)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div) and _is_path_of(node.left, names)
    if isinstance(node, ast.JoinedStr):
        return any(_holds(each, frozenset(names)) for each in node.values)
    if isinstance(node, ast.Call) and last_name(node.func) in {"Path", "str", "join", "abspath", "realpath", "resolve"}:
        return any(_is_path_of(each, names) for each in node.args)
    return isinstance(node, ast.IfExp) and (_is_path_of(node.body, names) or _is_path_of(node.orelse, names))


def _holds(node: ast.AST, names: frozenset[str]) -> bool:
    return not names.isdisjoint(names_in(node))


def _escapes(function: Function, names: frozenset[str]) -> bool:
    """Return whether something outside the function may remove the file: it is returned, stored or handed on."""
    for node in own_nodes(function.body):
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            escapes = node.value is not None and _is_given_out(node.value, names)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            escapes = bool(names & set(node.names))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            escapes = _stores(node, names)
        elif isinstance(node, ast.Call):
            escapes = _hands_on(node, names)
        else:
            escapes = isinstance(node, _SCOPES) and _holds(node, names)
        if escapes:
            return True
    return False


def _stores(node: ast.Assign | ast.AnnAssign | ast.AugAssign, names: frozenset[str]) -> bool:
    targets = targets_of(node)
    stored = any(isinstance(each, (ast.Attribute, ast.Subscript)) for each in targets)
    packed = isinstance(node.value, (ast.Tuple, ast.List, ast.Dict, ast.Set))
    return node.value is not None and (stored or packed) and _is_given_out(node.value, names)


def _hands_on(call: ast.Call, names: frozenset[str]) -> bool:
    """Return whether a call may remove or keep the file that it gets, or makes an object that may own it."""
    called = last_name(call.func)
    given = argument_values(call)
    if called in _REMOVING or called == "Path" or not any(_holds(each, names) for each in given):
        return False
    return called[:1].isupper() or any(part in called.lower() for part in _KEEPING)


def _is_given_out(node: ast.expr, names: frozenset[str]) -> bool:
    """Return whether a value is a path of the file, or holds one; the result of a call with it is another value."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(_is_given_out(each, names) for each in node.elts)
    if isinstance(node, ast.Dict):
        return any(_is_given_out(each, names) for each in node.values)
    if isinstance(node, (ast.Starred, ast.Await)):
        return _is_given_out(node.value, names)
    if isinstance(node, ast.BoolOp):
        return any(_is_given_out(each, names) for each in node.values)
    return _is_path_of(node, set(names))


def _removes(node: ast.AST, names: frozenset[str]) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call):
        return False
    by_shell = last_name(node.func) in _RUNNING and _DELETES.search(" ".join(map(ast.unparse, node.args)))
    if last_name(node.func) not in _REMOVING and not by_shell:
        return False
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return any(_holds(each, names) for each in [*owner, *node.args])


def _is_safe(function: Function, names: frozenset[str]) -> bool:
    """Return whether a ``finally``, a handler or the end of a ``with`` removes the file."""
    for attempt in nodes_of(function, ast.Try):
        guarded = [*attempt.finalbody, *(each for one in attempt.handlers for each in one.body)]
        if any(_removes(each, names) for each in own_nodes(guarded)):
            return True
    return False


def _first(removals: list[int], made: _Made) -> int:
    """Return the line of the first removal after the file was made; in a loop it may be above."""
    return min((each for each in removals if each > made.call.lineno), default=min(removals))


def _may_fail_between(function: Function, made: _Made, removals: list[int]) -> bool:
    """Return whether a call other than one for paths lies between the making of the file and its first removal."""
    first = _first(removals, made)
    start = last_line(made.call)
    calls = [each for each in own_nodes(function.body) if isinstance(each, ast.Call) and start < each.lineno < first]
    return any(last_name(each.func) not in {"Path", "str", "join", "close"} for each in calls)


CHECK = file_check(examine, CheckTraits(literals=("NamedTemporaryFile delete", "mkdtemp", "mkstemp")))
