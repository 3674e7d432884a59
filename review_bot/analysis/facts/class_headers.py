"""What the headers of classes say about whether Python can define them: the order of bases, built-in ones."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from itertools import pairwise

from review_bot.analysis.facts.call_targets import CallTargets
from review_bot.analysis.facts.class_bodies import is_plain
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, full_name, imported_names, keyword
from review_bot.changes.node_index import nodes_of

_MOST = 200
"""Classes around one that are looked at."""
_ENUMERATIONS = frozenset(f"enum.{name}" for name in ("Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"))
_BUILT_IN = {
    name: kind for name, kind in vars(builtins).items() if isinstance(kind, type) and kind.__name__ == name != "type"
}
"""The built-in classes, except that of classes."""


class ClassHeaders:
    """Answers questions about the bases of classes of one side, of which each file binds the name once."""

    def __init__(self, targets: CallTargets) -> None:
        self._targets = targets

    def repeated_base(self, owner: Symbol) -> str | None:
        """Return a base that a class names twice."""
        seen: set[Symbol] = set()
        for base, symbol in self._named(owner):
            if symbol in seen:
                return base
            seen.add(symbol)
        return None

    def closed_builtin(self, owner: Symbol) -> str | None:
        """Return a built-in base that takes no subclasses, such as ``bool``."""
        for base, symbol in self._named(owner):
            if not symbol.path and not _can_inherit([symbol.name]):
                return base
        return None

    def function_above(self, owner: Symbol) -> str | None:
        """Return a base that is a function of the tree and no class."""
        node, file = self._targets.class_of(owner), self._targets.file(owner.path)
        for base in () if node is None or file is None else node.bases:
            symbol = None if file is None else self._targets.named_by(file, base, ())
            home = None if symbol is None else self._targets.file(symbol.path)
            if symbol is None or home is None or binding_counts(home.tree)[symbol.name] != 1:
                continue
            function = self._targets.function_of(symbol)
            stands_for = any(each.attr == "__mro_entries__" for each in nodes_of(home.tree, ast.Attribute))
            if function is not None and not function.decorator_list and not stands_for:
                return dotted(base)
        return None

    def unlike_frozen(self, owner: Symbol) -> tuple[str, bool] | None:
        """Return a base that is a dataclass, and whether it is frozen, of a dataclass that is the other of the two."""
        frozen = self._is_frozen(owner)
        bases = [(base, self._is_frozen(symbol)) for base, symbol in self._classes_in(owner)]
        known = [(base, each) for base, each in bases if each is not None]
        return known[0] if frozen is not None and len(known) == 1 and known[0][1] != frozen else None

    def _classes_in(self, owner: Symbol) -> Iterator[tuple[str, Symbol]]:
        """Yield the bases of a class that are classes of the tree, as they are written."""
        node, file = self._targets.class_of(owner), self._targets.file(owner.path)
        for base in () if node is None or file is None else node.bases:
            symbol = None if file is None else self._targets.class_named_by(file, base, ())
            home = None if symbol is None else self._targets.file(symbol.path)
            if symbol is not None and home is not None and binding_counts(home.tree)[symbol.name] == 1:
                yield dotted(base) or "", symbol

    def _is_frozen(self, owner: Symbol) -> bool | None:
        """Return whether a class is a frozen dataclass; None if it is no dataclass, or that is not known."""
        node, file = self._targets.class_of(owner), self._targets.file(owner.path)
        if node is None or file is None:
            return None
        imported = imported_names(file.tree)
        for each in node.decorator_list:
            call = each if isinstance(each, ast.Call) else None
            if full_name(each if call is None else call.func, imported) == "dataclasses.dataclass":
                value = None if call is None else keyword(call, "frozen")
                if call is not None and any(one.arg is None for one in call.keywords):
                    return None
                if value is None:
                    return False
                return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None
        return None

    def misplaced(self, owner: Symbol) -> tuple[str, str] | None:
        """Return a base and one that follows it although it inherits from the first."""
        named = [*self._named(owner)]
        for number, (first, symbol) in enumerate(named):
            for later, other in named[number + 1 :]:
                if other != symbol and symbol in self._above(other):
                    return first, later
        return None

    def has_no_order(self, owner: Symbol) -> bool:
        """Return whether the orders in which the classes above one have their bases contradict each other."""
        bases = [symbol for _, symbol in self._named(owner)]
        return not self._is_ordered(owner) and all(map(self._is_ordered, bases))

    def unlike_builtins(self, owner: Symbol) -> list[str]:
        """Return the built-in classes above one whose objects no object can be at once."""
        found = {each.name for each in self._above(owner) if not each.path} if len([*self._named(owner)]) > 1 else set()
        lowest = sorted(a for a in found if not any(a != b and issubclass(_BUILT_IN[b], _BUILT_IN[a]) for b in found))
        return lowest if len(lowest) > 1 and not _can_inherit(lowest) else []

    def is_enumeration(self, owner: Symbol) -> bool:
        """Return whether a class is an enumeration of the standard library, with the metaclass of that."""
        return any(each == Symbol("", "enum") for each in self._enumerations(owner))

    def enumeration_above(self, owner: Symbol, has_members: Callable[[ast.ClassDef], bool]) -> str | None:
        """Return an enumeration above a class of which a function says that it has members."""
        if not self.is_enumeration(owner):
            return None
        for each in self._enumerations(owner):
            node = self._targets.class_of(each) if each.path and each != owner else None
            if node is not None and self.is_enumeration(each) and has_members(node):
                return each.name
        return None

    def _enumerations(self, owner: Symbol) -> Iterator[Symbol]:
        """Yield a class and those above it up to one with another metaclass; ``enum`` for those of the library."""
        waiting, seen = [owner], {owner}
        while waiting:
            symbol = waiting.pop()
            node, file = self._targets.class_of(symbol), self._targets.file(symbol.path)
            if node is None or file is None or node.keywords or len(seen) > _MOST:
                continue
            yield symbol
            names = imported_names(file.tree)
            if any(full_name(each, names) in _ENUMERATIONS for each in node.bases):
                yield Symbol("", "enum")
            above = [each for _, each in self._named(symbol) if each.path and each not in seen]
            seen.update(above)
            waiting += above

    def _is_ordered(self, owner: Symbol) -> bool:
        """Return whether there is an order of the known classes above one that contradicts no list of bases."""
        after: dict[Symbol, set[Symbol]] = {}
        for each in {owner, *self._above(owner)}:
            bases = [symbol for _, symbol in self._named(each)]
            after.setdefault(each, set()).update(bases, {_OBJECT} - {each})
            for first, second in pairwise(bases):
                after.setdefault(first, set()).add(second)
        return _is_acyclic(after)

    def _above(self, owner: Symbol) -> set[Symbol]:
        """Return the known classes above one."""
        found: set[Symbol] = set()
        waiting = [owner]
        while waiting and len(found) <= _MOST:
            symbol = waiting.pop()
            bases = {each for _, each in self._named(symbol)} | ({_OBJECT} if symbol != _OBJECT else set())
            waiting += bases - found
            found |= bases
        return found

    def _named(self, owner: Symbol) -> Iterator[tuple[str, Symbol]]:
        """Yield the known bases of a class as they are written, and what they are; path "": built in."""
        if not owner.path:
            yield from ((each.__name__, Symbol("", each.__name__)) for each in _BUILT_IN[owner.name].__bases__)
            return
        node, file = self._targets.class_of(owner), self._targets.file(owner.path)
        if node is None or file is None or binding_counts(file.tree)[owner.name] != 1:
            return
        for base in node.bases:
            root = base.value if isinstance(base, ast.Subscript) else base
            symbol = self._meaning(file, root)
            if symbol is not None:
                yield dotted(root) or "", symbol

    def _meaning(self, file: CodeFile, base: ast.expr) -> Symbol | None:
        counts = binding_counts(file.tree)
        if isinstance(base, ast.Name) and base.id in _BUILT_IN and not counts[base.id] and not counts["*"]:
            return Symbol("", base.id)
        if not isinstance(base, (ast.Name, ast.Attribute)) or (isinstance(base, ast.Name) and counts[base.id] != 1):
            return None
        symbol = self._targets.class_named_by(file, base, ())
        home = None if symbol is None else self._targets.file(symbol.path)
        if symbol is None or home is None or binding_counts(home.tree)[symbol.name] != 1:
            return None
        node = self._targets.class_of(symbol)
        decorators = [] if node is None else node.decorator_list
        is_as_written = all(is_plain(each) or last_name(each) == "unique" for each in decorators)
        return symbol if is_as_written else None


_OBJECT = Symbol("", "object")


def _can_inherit(names: list[str]) -> bool:
    """Return whether one class can inherit from some built-in ones."""
    try:
        type("Probe", tuple(_BUILT_IN[each] for each in names), {})
    except TypeError:
        return False
    return True


def _is_acyclic(after: dict[Symbol, set[Symbol]]) -> bool:
    """Return whether no class comes after itself."""
    waiting = {each: set(others) for each, others in after.items()}
    while waiting:
        last = {each for each, others in waiting.items() if others.isdisjoint(waiting)}
        if not last:
            return False
        for each in last:
            del waiting[each]
    return True
