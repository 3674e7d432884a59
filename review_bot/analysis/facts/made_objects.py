"""The class of an object of which the text proves that the code itself makes it, whatever callers pass.

::

    point = Point(1, 2);  point.x              Point
    def origin(): return Point(0, 0)
    origin().x                                 Point
    self.start = Point(0, 0);  self.start.x    Point, if nothing else sets ``start``
    def f(point: Point): point.x               none: any object may be passed
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.class_bodies import binds, sets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import AttributeUse, Call, CodeFile
from review_bot.analysis.facts.named_tuple_init import is_named_tuple, named_tuple_init
from review_bot.analysis.facts.receivers import owner_of, receiver
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.stored_values import Stored, stored_values
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.bindings import binding_counts, shared_names
from review_bot.analysis.python.statements import Function, functions_of, is_function, last_name, leaves
from review_bot.analysis.python.syntax import argument_values, attribute_of_self, is_generator, structure
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import kept_on_node, nodes_of

Fits = Callable[[Symbol], bool]
_KEEPS_RESULT = frozenset({"staticmethod", "classmethod"})
_ASKS_FIRST = frozenset({"isinstance", "issubclass"})
"""Functions that look at their first argument; the other is a class, or several."""
_READS_ONLY = frozenset({"bool", "dict", "enumerate", "format", "hash", "id", "iter", "len", "list", "print", "str"})


class MadeObjects:
    """Finds the classes of objects at the head of one change."""

    def __init__(self, codebase: Codebase) -> None:
        self._side, self._targets = codebase.head, call_targets(codebase.head)
        self._certainty = CallCertainty(codebase)

    def class_of(self, file: CodeFile, value: ast.expr, scopes: tuple[Scope, ...], fits: Fits) -> Symbol | None:
        """Return the class of an object that surely is of this class, and of none below it.

        Only of a class that ``fits`` is proved that nothing puts another in its place, which takes a while.
        """
        if isinstance(value, ast.Call):
            return self._made_by(file, value, scopes, fits)
        if isinstance(value, ast.Name):
            return self._of_name(file, value.id, scopes, fits)
        name, owner = attribute_of_self(value), owner_of(scopes)
        if not name or owner is None or receiver(owner[1]) != "self":
            return None
        return self._of_field(file, owner[0], name, fits)

    def unpacked_size(self, file: CodeFile, call: Call) -> tuple[Symbol, int] | None:
        """Return the class and the number of fields of the named tuple that a call surely gives."""
        owner = self.class_of(file, call.node, call.scopes, lambda made: self._size(made) is not None)
        size = None if owner is None else self._size(owner)
        return None if owner is None or size is None else (owner, size)

    def _size(self, owner: Symbol) -> int | None:
        """Return the number of fields of a named tuple."""
        for place in (owner, *self._targets.bases(owner)):
            node = None if place is None else self._targets.class_of(place)
            own = None if place is None else self._targets.file(place.path)
            if node is None or own is None or binds(node, "__iter__"):
                return None
            if is_named_tuple(node, own.tree):
                made = named_tuple_init(node)
                return None if made is None else len(made.parameters)
        return None

    def _made_by(self, file: CodeFile, call: ast.Call, scopes: tuple[Scope, ...], fits: Fits) -> Symbol | None:
        """Return the class of what a call makes, or of what the function that it runs makes and returns."""
        run = self._targets.run(file, Call(call, scopes))
        made = None if run is None else self._targets.class_named_by(file, call.func, scopes)
        if run is None or (made is not None and not run.symbol.name.endswith(".__init__")):
            return None
        made = made or self._returned_by(run.symbol, fits)
        return made if made is not None and fits(made) and self._is_sure(file, call, scopes) else None

    def _returned_by(self, symbol: Symbol, fits: Fits) -> Symbol | None:
        function, own = self._targets.function_of(symbol), self._targets.file(symbol.path)
        returned = [] if function is None else [each.value for each in nodes_of(function, ast.Return)]
        if function is None or own is None or not all(isinstance(each, ast.Call) for each in returned):
            return None
        owner = self._targets.class_of(Symbol(symbol.path, symbol.name.rpartition(".")[0]))
        inside: tuple[Scope, ...] = (function,) if owner is None else (owner, function)
        named = [
            self._targets.class_named_by(own, each.func, inside) for each in returned if isinstance(each, ast.Call)
        ]
        if not named or None in named or len({*named}) > 1 or not _returns(function):
            return None
        made = {self._made_by(own, each, inside, fits) for each in returned if isinstance(each, ast.Call)}
        return made.pop() if len(made) == 1 else None

    def _is_sure(self, file: CodeFile, call: ast.Call, scopes: tuple[Scope, ...]) -> bool:
        called = Call(call, scopes)
        run = self._targets.run(file, called)
        return (
            run is not None
            and not is_patched(file, called, run, self._targets)
            and self._certainty.of(file, called, run)
        )

    def _of_name(self, file: CodeFile, name: str, scopes: tuple[Scope, ...], fits: Fits) -> Symbol | None:
        if not file.is_local(name, scopes):
            made = file.objects.get(name)
            is_kept = made is not None and not is_set_elsewhere(self._side, name)
            return self._made_by(file, made, (), fits) if made is not None and is_kept else None
        around = (each for each in reversed(scopes) if not isinstance(each, ast.ClassDef))
        function = next((each for each in around if name in file.bound_in(each)), None)
        if function is None or isinstance(function, ast.Lambda) or name in shared_names(function):
            return None
        stored = stored_values(function).get(name, Stored())
        value = stored.values[0] if len(stored.values) == 1 and binding_counts(function)[name] == 1 else None
        outside = scopes[: scopes.index(function) + 1]
        return self._made_by(file, value, outside, fits) if isinstance(value, ast.Call) else None

    def _of_field(self, file: CodeFile, owner: ast.ClassDef, name: str, fits: Fits) -> Symbol | None:
        """Return the class of what an attribute of ``self`` holds, if the methods of one class alone set it."""
        here = Symbol(file.path, owner.name)
        made: set[Symbol | None] = set()
        for method in filter(is_function, owner.body):
            stored = stored_values(method).get(f".{name}", Stored())
            calls = [each for each in stored.values if isinstance(each, ast.Call)]
            made.update(self._made_by(file, each, (owner, method), fits) for each in calls)
            if stored.times > len(calls):
                return None
        above = [None if each is None else self._targets.class_of(each) for each in self._targets.bases(here)]
        is_other = binds(owner, name) or any(each is None or binds(each, name) or sets(each, name) for each in above)
        if len(made) != 1 or is_other or is_set_elsewhere(self._side, name):
            return None
        heirs = subclasses(self._side, owner.name)
        return None if any(name in each.definition.sets for each in heirs) else made.pop()


@query
def functions_that_make(side: Snapshot, name: str) -> frozenset[str]:
    """Return the names of functions that return what a call of a class makes, as their text reads."""
    trees = (side.tree(path) for path in files_with(side, [name], ".py"))
    functions = (each for tree in trees if tree is not None for each in functions_of(tree))
    return frozenset(
        function.name
        for function in functions
        if any(
            isinstance(each.value, ast.Call) and last_name(each.value) == name
            for each in nodes_of(function, ast.Return)
        )
    )


def _returns(function: Function) -> bool:
    """Return whether a call of a function gives what a ``return`` of it is given."""
    kept = all(isinstance(each, ast.Name) and each.id in _KEEPS_RESULT for each in function.decorator_list)
    return (
        kept
        and not is_generator(function)
        and isinstance(function, ast.FunctionDef)
        and any(leaves([each]) for each in function.body)
    )


def is_passed_on(use: AttributeUse, tree: ast.Module | None = None) -> bool:
    """Return whether the function around a read asks what the object is, or first gives it to another function.

    That one may attach attributes by computed names, as ``register_module(f"{name}_observer", observer)`` does. A read
    outside of functions counts as passed on without ``tree``, the text around it.
    """
    functions: list[Function] = [each for each in use.scopes if is_function(each)]
    around = functions[-1] if functions else tree
    if around is None:
        return True
    return _given(around).get(structure(use.node.value), use.node.lineno + 1) <= use.node.lineno


@kept_on_node
def _given(around: Function | ast.Module) -> dict[str, int]:
    """Return what some code gives to functions that may keep it, written out, with the first line where it does so."""
    found: dict[str, int] = {}
    for call in nodes_of(around, ast.Call):
        name = last_name(call.func)
        if name not in _READS_ONLY:
            for each in call.args[:1] if name in _ASKS_FIRST else argument_values(call):
                written = structure(each)
                found[written] = min(call.lineno, found.get(written, call.lineno))
    return found
