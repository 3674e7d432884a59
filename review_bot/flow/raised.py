"""The paths on which the statements of a ``try`` raise, by what they may raise."""

from __future__ import annotations

import ast
from collections.abc import Collection

from review_bot.analysis.python.statements import caught_names, last_name
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.flow.effects import may_reach_files
from review_bot.flow.state import State

_OF_FILES = frozenset({
    "EnvironmentError", "FileExistsError", "FileNotFoundError", "IOError", "IsADirectoryError", "NotADirectoryError",
    "OSError", "PermissionError",
})  # fmt: skip
"""What only a function of the system raises."""
_OF_STATUS = frozenset({"HTTPError", "HTTPStatusError"})
"""What a response raises when it is asked, and no request: https://requests.readthedocs.io/en/latest/api/#exceptions"""
_OF_NAMES = frozenset({"AttributeError", "ImportError", "KeyError", "ModuleNotFoundError"})
"""What no method of a text raises."""
_OF_TEXTS = frozenset({
    "endswith", "format", "join", "lower", "lstrip", "partition", "replace", "rpartition", "rsplit", "rstrip", "split",
    "splitlines", "startswith", "strip", "upper",
})  # fmt: skip
_OF_KEYS = frozenset({"IndexError", "KeyError", "LookupError", "TypeError"})
"""What a subscript raises; where it is one of ``self``, the object knows what it holds."""
_OF_INTERRUPTS = frozenset({"KeyboardInterrupt", "SystemExit"})
"""What comes from outside, while some code takes its time."""
_AT_ONCE = frozenset({
    "bool", "deque", "dict", "float", "get_event_loop", "int", "len", "list", "monotonic", "new_event_loop", "now",
    "open", "perf_counter", "range", "set", "str", "time", "tuple",
})  # fmt: skip
"""Functions that take no time worth a signal, as a class does not either that makes an object."""
_PLAIN = (ast.Name, ast.Constant)
_READ = (ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.Constant)
_ASKS = "raise_for_status"


class Raised:
    """Those of one ``try``. ``tables``: names of dictionaries, whose ``get()`` never raises."""

    def __init__(self, tables: Collection[str] = ()) -> None:
        self._tables = tables
        self.any: list[State] = []
        self._of_files: list[State] = []
        self._of_status: list[State] = []
        self._of_names: list[State] = []
        self._of_keys: list[State] = []
        self._of_interrupts: list[State] = []

    def add(self, statement: ast.stmt, states: list[State]) -> None:
        """Take the paths on which a statement itself raises."""
        if self._tables and _only_looks_up(statement, self._tables, _PLAIN):
            return
        if not _is_done_at_once(statement):
            self._of_interrupts.extend(states)
        if not _only_splits(statement):
            self._of_names.extend(states)
        if _only_reads(statement) or (self._tables and _only_looks_up(statement, self._tables, _READ)):
            return
        if _only_reads(statement, and_keys=True):
            self._of_keys.extend(states)
            return
        self.any.extend(states)
        if may_reach_files(statement):
            self._of_files.extend(states)
        if isinstance(statement, (ast.Expr, ast.Assign, ast.Return)) and _asks_for_status(statement):
            self._of_status.extend(states)

    def extend(self, states: list[State]) -> None:
        """Take paths on which anything may be raised."""
        self.any.extend(states)
        self._of_files.extend(states)
        self._of_status.extend(states)
        self._of_names.extend(states)
        self._of_interrupts.extend(states)

    def leading_to(self, handler: ast.ExceptHandler, body: list[ast.stmt]) -> list[State]:
        """Return the paths from the body of the ``try`` that lead to one of its handlers."""
        caught = caught_names(handler)
        if caught and caught <= _OF_INTERRUPTS:
            return self._of_interrupts
        if caught <= _OF_FILES:
            return self._of_files
        if caught <= _OF_NAMES:
            return self._of_names
        if caught <= _OF_STATUS and any(map(_asks_for_status, body)):
            return self._of_status
        if caught & _OF_KEYS:
            return [*self.any, *self._of_keys]
        return self.any


def _only_reads(statement: ast.stmt, *, and_keys: bool = False) -> bool:
    """Return whether a statement only assigns names and attributes, which no more than AttributeError can stop.

    ``and_keys``: or what ``self`` holds under a key or an index.
    """
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    if value is None or (and_keys and not _is_of_self(value)):
        return False
    kinds = (*_READ, ast.Subscript) if and_keys else _READ
    return all(isinstance(each, kinds) for each in own_nodes([value]))


def _only_looks_up(statement: ast.stmt, tables: Collection[str], kinds: tuple[type[ast.AST], ...]) -> bool:
    """Return whether a statement only assigns what ``table.get(key)`` returns; what else its value is made of."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.keywords:
        return False
    table, arguments = value.func.value, value.args
    is_lookup = value.func.attr == "get" and isinstance(table, ast.Name) and table.id in tables
    return is_lookup and all(isinstance(each, kinds) for argument in arguments for each in own_nodes([argument]))


def _is_done_at_once(statement: ast.stmt) -> bool:
    """Return whether a statement, or what a ``with`` enters, only makes objects: no signal comes while it runs."""
    if isinstance(statement, ast.With):
        parts: list[ast.AST] = [each.context_expr for each in statement.items]
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        parts = [statement]
    else:
        return False
    calls = (call for part in parts for call in nodes_of(part, ast.Call))
    waits = any(isinstance(each, (ast.Await, ast.Yield, ast.YieldFrom)) for each in own_nodes(parts))
    names = [last_name(call.func) for call in calls]
    return not waits and all(name in _AT_ONCE or name.lstrip("_")[:1].isupper() for name in names)


def _is_of_self(value: ast.expr) -> bool:
    while isinstance(value, (ast.Attribute, ast.Subscript)):
        value = value.value
    return isinstance(value, ast.Name) and value.id == "self"


def _only_splits(statement: ast.stmt) -> bool:
    """Return whether a statement only stores what methods of texts return."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return False
    calls = nodes_of(statement, ast.Call)
    plain = all(isinstance(each.func, ast.Attribute) and each.func.attr in _OF_TEXTS for each in calls)
    return bool(calls) and plain and not nodes_of(statement, ast.Subscript)


def _asks_for_status(statement: ast.stmt) -> bool:
    return any(last_name(call.func) == _ASKS for call in nodes_of(statement, ast.Call))
