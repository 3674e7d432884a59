"""An attribute that methods of a class change under its lock, and one method without.

::

    def put(self, key, value):
        with self._lock:
            self._blocks[key] = value

    def drop(self, key):
        del self._blocks[key]           reported

``__init__``, methods whose name or docstring mentions the lock, and private methods that are called only under the
lock need not take it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, inner_blocks, is_function
from review_bot.analysis.python.syntax import classes, full_name, hit_on, imported_names, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LOCKS = frozenset({"threading.Condition", "threading.Lock", "threading.RLock"})
_CHANGING = frozenset({
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "move_to_end", "pop", "popitem", "popleft",
    "remove", "setdefault", "update",
})  # fmt: skip
_ALONE = LazyRegex(
    r"^__(init|new|del|post_init|enter|exit|setstate|getstate)__$|lock|unsafe|^_?(setup|start|init|close|cleanup|shutdown)"
)
"""Methods that run before or after all threads, or say that the caller holds the lock."""
_ENOUGH = 2
_ALONE_THERE = "nothing else runs"
"""Is among the locks of a method that only methods call which run before or after all threads."""


class _Change(NamedTuple):
    """``locks``: the locks of the object that are held there."""

    attribute: str
    node: ast.AST
    method: str
    locks: frozenset[str]


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first change of each such attribute in each method. Raises CannotParse."""
    imported = imported_names(source.tree)
    for owner in classes(source.tree):
        locks = _locks(owner, imported)
        methods = [each for each in owner.body if is_function(each)]
        if not locks or not methods:
            continue
        held = _held_by_callers(methods, locks)
        shared = [each for each in methods if not _needs_no_lock(each)]
        shared = [each for each in shared if _ALONE_THERE not in held.get(each.name, ())]
        changes = [each for method in shared for each in _changes(method, locks, held.get(method.name, frozenset()))]
        by_attribute: dict[str, list[_Change]] = {}
        for each in changes:
            by_attribute.setdefault(each.attribute, []).append(each)
        for of_one in by_attribute.values():
            yield from _unlocked(source, of_one)


def _unlocked(source: SourceFile, changes: list[_Change]) -> Iterator[Hit]:
    """Yield the first change of an attribute in each method that holds no lock, if most changes hold one."""
    guarded = [each for each in changes if each.locks]
    free = [each for each in changes if not each.locks]
    if len(guarded) < max(_ENOUGH, len(free) + 1):
        return
    reported: set[str] = set()
    for each in free:
        if each.method not in reported:
            reported.add(each.method)
            line = getattr(guarded[0].node, "lineno", 1)
            lock = min(guarded[0].locks)
            values = {"name": each.attribute, "lock": lock, "line": str(line), "count": str(len(guarded))}
            yield hit_on(source, each.node, values=values, related=(Related(source.path, line, "takes the lock"),))


def _locks(owner: ast.ClassDef, imported: Mapping[str, str]) -> frozenset[str]:
    """Return the attributes that hold a lock of threads."""
    found = set()
    for each in nodes_of(owner, ast.Assign):
        if isinstance(each.value, ast.Call) and full_name(each.value.func, imported) in _LOCKS:
            found |= {target.attr for target in each.targets if isinstance(target, ast.Attribute)}
    return frozenset(found)


def _needs_no_lock(method: Function) -> bool:
    return bool(_ALONE.search(method.name.lower())) or "lock" in (ast.get_docstring(method) or "").lower()


def _held_by_callers(methods: list[Function], locks: frozenset[str]) -> dict[str, frozenset[str]]:
    """Return the locks that every call of a private method in the class holds."""
    held: dict[str, frozenset[str]] = {}
    calls = [each for one in methods for each in nodes_of(one, ast.Call)]
    called = {id(each.func) for each in calls}
    passed_on = {
        each.attr
        for one in methods
        for each in nodes_of(one, ast.Attribute)
        if _is_self(each.value) and id(each) not in called
    }
    for _ in range(3):
        found: dict[str, list[frozenset[str]]] = {}
        for method in methods:
            for node, taken in _under_locks(method.body, locks, held.get(method.name, frozenset())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_self(node.func.value):
                    every = locks | {_ALONE_THERE} if _needs_no_lock(method) else taken
                    found.setdefault(node.func.attr, []).append(every)
        private = {name for name in found if name.startswith("_")} - passed_on
        held = {name: frozenset.intersection(*found[name]) for name in private}
    return held


def _changes(method: Function, locks: frozenset[str], held: frozenset[str]) -> Iterator[_Change]:
    for node, taken in _under_locks(method.body, locks, held):
        attribute = _changed(node)
        if attribute is not None and attribute not in locks:
            yield _Change(attribute, node, method.name, taken)


def _changed(node: ast.AST) -> str | None:
    """Return the attribute of ``self`` that a node sets or changes in place."""
    target: ast.AST | None = None
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        target = node
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        target = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        target = node.func.value
    return target.attr if isinstance(target, ast.Attribute) and _is_self(target.value) else None


def _under_locks(
    block: list[ast.stmt], locks: frozenset[str], held: frozenset[str]
) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """Yield the nodes of some statements with the locks that are held there."""
    for statement in block:
        inner = list(inner_blocks(statement))
        within = held
        if isinstance(statement, ast.With):
            within = held | {name for item in statement.items if (name := _own(item.context_expr)) in locks}
        if is_function(statement) or isinstance(statement, ast.ClassDef):
            continue
        below = {id(each) for one in inner for nested in one for each in walk(nested)}
        for node in own_nodes([statement]):
            if id(node) not in below:
                yield node, held
        for one in inner:
            yield from _under_locks(one, locks, within)
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            name = _own(call.func.value)
            if name is not None and name in locks and call.func.attr in {"acquire", "release"}:
                held = held | {name} if call.func.attr == "acquire" else held - {name}


def _own(node: ast.expr) -> str | None:
    """Return the name of an attribute of ``self``, also where one of its methods gives the context."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node.attr if isinstance(node, ast.Attribute) and _is_self(node.value) else None


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


CHECK = FileCheck(
    without_options(examine), CheckTraits(literals=("class Lock self", "class RLock self", "class Condition self"))
)
