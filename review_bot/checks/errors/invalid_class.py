"""Classes that Python cannot define: the statement raises TypeError or ValueError, mostly as the module is imported.

::

    class Engine(object, Base): ...         no order of the bases has `object` in front of a class
    class Switch(bool): ...                 `bool` takes no subclasses
    class More(Color): ...                  `Color` is an enumeration with members
    class Engine(load): ...                 `load` is a function
    @dataclass(frozen=True)
    class Row(Base): ...                    `Base` is a dataclass that is not frozen
    class Color(Enum):
        RED = 1
        RED = 2                             a member already
    class Row:
        __slots__ = ("size",)
        size = 0                            in the way of the slot

Only what surely fails once Python reaches the class is reported, see ``certain_errors``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.class_bodies import written_slots
from review_bot.analysis.facts.class_headers import ClassHeaders
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.project.certain_uses import certain_errors
from review_bot.analysis.python.statements import is_definition, last_name, targets_of
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_USUAL_BASES = frozenset({"ABC", "Exception", "Generic", "Protocol", "dict", "list", "object", "str"})


class Touched(NamedTuple):
    """A class that the change touches: the line for what is wrong with its header, if that is new, and its repetitions.

    ``again``: line, name and first line of each name that the body binds to a constant and then again, one of them on
    an added line. ``hits``: what is wrong in any case.
    """

    name: str
    header: int | None
    again: tuple[tuple[int, str, int], ...]
    hits: tuple[Hit, ...]


def gather(source: SourceFile) -> tuple[Touched, ...] | None:
    """Return the classes of a file with added lines that may fail. Raises CannotParse."""
    owners = [each for each in source.nodes(ast.ClassDef) if source.any_added(each.lineno, each.end_lineno or 0)]
    with_bases = [each for each in owners if each.bases]
    of_types = certain_errors(source, with_bases, "TypeError") if with_bases else frozenset()
    slotted = [each for each in owners if any(isinstance(one, ast.Assign) for one in each.body)]
    of_values = certain_errors(source, slotted, "ValueError") if slotted else frozenset()
    at_top = {id(each) for each in own_nodes(source.tree.body)}
    found = []
    for owner in owners:
        hits = tuple(_slots(owner, source)) if id(owner) in of_values else ()
        start = min([owner.lineno, *(each.lineno for each in owner.decorator_list)])
        header = source.first_added(start, max(owner.lineno, owner.body[0].lineno - 1))
        is_certain = id(owner) in of_types and id(owner) in at_top
        again = tuple(_again(owner, source)) if is_certain else ()
        header = header if is_certain else None
        if hits or again or header:
            found.append(Touched(owner.name, header, again, hits))
    return tuple(found) or None


def _slots(owner: ast.ClassDef, source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each value of the body that has the name of a slot."""
    slots = written_slots(owner)
    if not slots or nodes_of(owner, ast.Delete) or not _has_usual_metaclass(owner, source.tree):
        return
    lines = {each.lineno for each in owner.body if "__slots__" in _bound_by(each)}
    for statement in owner.body:
        for name in _bound_by(statement):
            line = next((each for each in (statement.lineno, *lines) if each in source.added), None)
            if name in slots and line is not None:
                what = f"`{name}` is in `__slots__` of `{owner.name}` and has a value in the body of the class"
                fix = "Give it its value in `__init__`, or take it out of `__slots__`."
                yield _hit(line, what, fix, "ValueError")


def _has_usual_metaclass(owner: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether the headers in a file show that no metaclass changes what the body of a class binds."""
    known = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    waiting, seen = [owner], {owner.name}
    while waiting:
        each = waiting.pop()
        names = {last_name(base) for base in each.bases} - _USUAL_BASES
        if each.keywords or not names <= known.keys() | seen:
            return False
        waiting += [known[name] for name in names - seen]
        seen |= names
    return True


def _bound_by(statement: ast.stmt) -> list[str]:
    if is_definition(statement):
        return [statement.name]
    if isinstance(statement, ast.AnnAssign) and statement.value is None:
        return []
    return [each.id for each in targets_of(statement) if isinstance(each, ast.Name)]


def _again(owner: ast.ClassDef, source: SourceFile) -> Iterator[tuple[int, str, int]]:
    """Yield the line of what binds a name again that the body bound to a constant, the name, and its first line."""
    first: dict[str, int] = {}
    if nodes_of(owner, ast.Delete) or any("_ignore_" in _bound_by(each) for each in owner.body):
        return
    for statement in owner.body:
        for name in _bound_by(statement):
            line = next((each for each in (statement.lineno, first.get(name)) if each in source.added), None)
            if name in first and line is not None:
                yield line, name, first[name]
            elif _is_member(statement) and not name.startswith("_"):
                first.setdefault(name, statement.lineno)


def _is_member(statement: ast.stmt) -> bool:
    """Return whether a statement makes a member in the body of an enumeration."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    value = statement.value
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(
        isinstance(each, ast.Constant) or (isinstance(each, ast.Call) and last_name(each.func) == "auto")
        for each in parts
    )


def has_members(owner: ast.ClassDef) -> bool:
    """Return whether the body of an enumeration has a member for sure."""
    names = {name for each in owner.body if _is_member(each) for name in _bound_by(each)}
    return any(not name.startswith("_") for name in names) and not nodes_of(owner, ast.Delete)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each class that cannot be defined."""
    headers = ClassHeaders(call_targets(codebase.head))
    for path, each in each_fact(facts):
        yield from (hit._replace(path=path) for hit in each.hits)
        owner = Symbol(path, each.name)
        if each.header is not None and (found := _of_header(owner, headers)) is not None:
            yield _hit(each.header, *found)._replace(path=path)
        for line, name, first in each.again if headers.is_enumeration(owner) else ():
            what = f"`{name}` is a member of `{each.name}` already, since line {first}"
            yield _hit(line, what, "Give one of them another name, or remove it.")._replace(path=path)


def _of_header(owner: Symbol, headers: ClassHeaders) -> tuple[str, str] | None:
    """Return what is wrong with the bases of a class, and what to do about it; None: nothing that is certain."""
    twice = headers.repeated_base(owner)
    if twice is not None:
        return f"`{twice}` is twice among the bases of `{owner.name}`", "Remove one of them."
    closed = headers.closed_builtin(owner)
    if closed is not None:
        return f"`{owner.name}` inherits from `{closed}`, which takes no subclasses", "Keep the value in an attribute."
    function = headers.function_above(owner)
    if function is not None:
        return f"`{owner.name}` inherits from `{function}`, which is a function", "Inherit from a class."
    unlike = headers.unlike_frozen(owner)
    if unlike is not None:
        base, is_frozen = unlike
        words = ("is not frozen", "is") if is_frozen else ("is frozen", "is not")
        what = f"The dataclass `{owner.name}` {words[0]}, but its base `{base}` {words[1]}"
        return what, "Make both frozen, or none."
    return _of_order(owner, headers) or _of_builtins(owner, headers) or _of_enumeration(owner, headers)


def _of_order(owner: Symbol, headers: ClassHeaders) -> tuple[str, str] | None:
    pair = headers.misplaced(owner)
    if pair is not None:
        what = f"`{owner.name}` has its base `{pair[0]}` in front of `{pair[1]}`, which inherits from it"
        return what, f"Put `{pair[1]}` first, or leave `{pair[0]}` out."
    if headers.has_no_order(owner):
        what = f"no order of the bases of `{owner.name}` fits the orders that its bases have"
        return what, "Name the bases in the order in which the other classes have them."
    return None


def _of_builtins(owner: Symbol, headers: ClassHeaders) -> tuple[str, str] | None:
    layouts = headers.unlike_builtins(owner)
    if layouts:
        listed = " and ".join(f"`{each}`" for each in layouts)
        return f"`{owner.name}` cannot inherit from {listed} together", "Inherit from one of them alone."
    return None


def _of_enumeration(owner: Symbol, headers: ClassHeaders) -> tuple[str, str] | None:
    filled = headers.enumeration_above(owner, has_members)
    if filled is not None:
        what = f"`{owner.name}` inherits from `{filled}`, an enumeration that has members"
        return what, "Make an enumeration of its own, or move the members out of the base."
    return None


def _hit(line: int, what: str, fix: str, error: str = "TypeError") -> Hit:
    return Hit(line, values={"what": what, "error": error, "fix": fix})


CHECK = change_check(gather, relate, CheckTraits(literals=("class",), tree_excuses=True))
