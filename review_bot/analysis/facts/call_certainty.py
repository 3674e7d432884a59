"""Whether a call certainly runs the function that ``call_targets`` finds for it.

A call is certain where nothing in the tree can put another function in its place::

    from pkg.core import load;  load(x)       certain
    self.step(x)                              certain, unless a subclass overrides ``step``
    cache = Cache();  cache.get(k)            certain
    def f(cache: Cache): cache.get(k)         not certain: any object may be passed
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.classes import Subclass, classes_in, subclasses
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.dataclass_init import deciding
from review_bot.analysis.facts.outside_stores import OutsideStores
from review_bot.analysis.facts.replaced_names import ReplacedNames, replaces_around
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import IMPLICIT, Run, Symbol
from review_bot.analysis.facts.signatures import misfit
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.conditions import constants_of, truth
from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import (
    assigned_values,
    choices_of,
    is_function,
    last_name,
    positional_parameters,
    statements,
)
from review_bot.analysis.python.syntax import dotted, structure, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import below, kept_on_node, nodes_of
from review_bot.text.lazy_regex import LazyRegex

_ASKS = LazyRegex(r"(?i)(?<![a-z])(?:version|signature|inspect|legacy|compat)")
"""What a condition holds that chooses between releases or forms; one that the change adds explains no call below it."""

_ASKS_ABOUT = LazyRegex(r"(?i)hasattr|getattr|callable|isinstance|signature|inspect")
"""Functions that ask for the form of their first argument, which has to be what is called or its owner."""


_FOR_HEIRS = LazyRegex(r"^_?(?:Base|Abstract)|(?:Base|Mixin)$")
"""Names of classes that others inherit from."""


class CallCertainty:
    """Judges calls of one change."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase, self._tree, self._targets = codebase, module_tree(codebase.head), call_targets(codebase.head)
        self._modules, self._replaced = modules(codebase.head), ReplacedNames(codebase)
        self._set_outside: dict[tuple[frozenset[str], bool], OutsideStores] = {}
        self._classes_below: dict[tuple[str, ast.ClassDef], list[Subclass]] = {}
        self._own_decorators: dict[Symbol, bool] = {}

    def of(self, file: CodeFile, call: Call, run: Run) -> bool:
        """Return whether a call certainly runs a function or method when it is reached."""
        symbol = run.symbol
        target = self._targets.file(symbol.path)
        owner, _, name = symbol.name.rpartition(".")
        if target is None or self._tree.is_twice(symbol.path):
            return False
        called = owner if name == "__init__" else name
        names = (run.names | {called}) - {"partial"}
        return not (
            any(self._replaced.is_replaced(each, file, call, run, target) for each in names)
            or self._is_set_from_outside(names | {name}, file, of_module=not owner)
            or self._is_asked_about(file, call, names | {name})
            or self._is_decorated(symbol, target)
        ) and self._callee_is_certain(file, call, symbol)

    def fits_below(self, run: Run) -> bool:
        """Return whether a call fits what a class below overrides the method that it runs with."""
        owner, _, method = run.symbol.name.rpartition(".")
        heirs = self._find_below(Symbol(run.symbol.path, owner)) if owner else ()
        return any(self._fits(run, each, method) for each in heirs if method in each.definition.methods)

    def _fits(self, run: Run, heir: Subclass, method: str) -> bool:
        signature = self._targets.signature(Symbol(heir.path, f"{heir.definition.name}.{method}"))
        return signature is None or not misfit(run.form, signature.parameters)

    def is_for_subclass(self, file: CodeFile, call: Call, run: Run) -> bool:
        """Return whether a call of ``self`` fits the method of a class below, whose objects may run it.

        So may a call of ``cls`` fit the constructor of a class below. Below a class of the base, one that the change
        adds or gives the method does not count: it would excuse itself.
        """
        function, around = call.node.func, call.scopes[0] if call.scopes else None
        if self._targets.own_class(file, function, call.scopes) is not None:
            return any(self._may_make(run, each) for each in self._below(file, around))
        if not isinstance(function, ast.Attribute) or not _is_self(call, function.value):
            return False
        method = run.symbol.name.rpartition(".")[2]
        return any(
            method in each.definition.methods
            and self._fits(run, each, method)
            and not self._is_new_below(file, around, each, method)
            for each in self._below(file, around)
        )

    def _may_make(self, run: Run, heir: Subclass) -> bool:
        """Return whether a call of a class below may succeed that fails for the one above."""
        owner = Symbol(heir.path, heir.definition.name)
        made = self._targets.called(owner)
        return made is None or (made != run.symbol and self._fits(run, heir, "__init__"))

    def _is_set_from_outside(self, names: frozenset[str], file: CodeFile, *, of_module: bool) -> bool:
        key = names, of_module
        if key not in self._set_outside:
            self._set_outside[key] = OutsideStores(names, self._codebase, on_modules=of_module)
        return bool(self._set_outside[key].names(file.path))

    def _below(self, file: CodeFile, around: Scope | None) -> list[Subclass]:
        """Return the classes that inherit from a class of a file, as far as the tree shows from which of its name."""
        if not isinstance(around, ast.ClassDef):
            return []
        key = (file.path, around)
        if key not in self._classes_below:
            self._classes_below[key] = [*self._find_below(Symbol(file.path, around.name))]
        return self._classes_below[key]

    def _find_below(self, owner: Symbol) -> Iterator[Subclass]:
        for each in subclasses(self._codebase.head, owner.name):
            bases = {*self._targets.bases(Symbol(each.path, each.definition.name))}
            if owner in bases or None in bases:
                yield each

    def _is_new_below(self, file: CodeFile, around: Scope | None, below: Subclass, method: str) -> bool:
        """Return whether the change adds a method below a class that was in its file at the base."""
        if not isinstance(around, ast.ClassDef):
            return False
        base, name = self._codebase.base, around.name
        return any(each.name == name for each in classes_in(base, file.path)) and not any(
            each.definition.name == below.definition.name and method in each.definition.methods
            for each in subclasses(base, name)
        )

    def _callee_is_certain(self, file: CodeFile, call: Call, symbol: Symbol) -> bool:
        own = self._targets.own_class(file, call.node.func, call.scopes)
        if own is None:
            return self._receiver_is_certain(file, call, symbol)
        node = self._targets.class_of(own)
        if node is None or _is_for_heirs(node) or not self._is_made_plainly(own, symbol):
            return False
        heirs = (Symbol(each.path, each.definition.name) for each in self._below(file, node))
        return all(self._targets.called(each) == symbol for each in heirs)

    def _receiver_is_certain(self, file: CodeFile, call: Call, symbol: Symbol) -> bool:
        function = call.node.func
        while call.written is not None and isinstance(function, ast.Call):
            function = function.args[0]  # of a partial
        owner, _, name = symbol.name.rpartition(".")
        if isinstance(function, ast.Name) and not (
            function.id in file.defined or self._may_come_by_star(file, function)
        ):
            return not owner or (name == "__init__" and self._is_plain_class(file, call, symbol))
        if isinstance(function, ast.Name):
            return function.id in file.defined and (not owner or self._is_plain_class(file, call, symbol))
        if not isinstance(function, ast.Attribute) or not owner:
            return isinstance(function, ast.Attribute)
        if name == "__init__" and function.attr != "__init__":
            return self._is_plain_class(file, call, symbol)
        if name == "__init__":
            by_class = self._targets.names_class(file, function.value, call.scopes)
            return by_class or self._is_from_super(file, call, Symbol(symbol.path, owner))
        return (
            name == function.attr
            and name not in IMPLICIT
            and self._object_is_certain(file, call, function.value, symbol)
        )

    def _may_come_by_star(self, file: CodeFile, name: ast.Name) -> bool:
        """Return whether a star import may bind a name again after it was imported: not one of the tree without it."""
        imports = nodes_of(file.tree, ast.ImportFrom)
        bound = [node.lineno for node in imports for alias in node.names if name.id in {alias.asname, alias.name}]
        if not bound and not file.binds_otherwise(name.id):
            return False  # one that the target was found by has brought it
        for each in imports:
            if each.names[0].name == "*" and each.lineno > max(bound, default=0):
                places = places_of(each.module or "", each.level, file.path, self._tree)
                found = [self._modules.at(place) for place in places]
                if not found or any(one.openness != "closed" or name.id in one.names for one in found):
                    return True
        return False

    def _is_from_super(self, file: CodeFile, call: Call, owner: Symbol) -> bool:
        """Return whether ``super()`` in a call surely is a class: each class below it has one base."""
        function, around = call.node.func, call.scopes[0] if call.scopes else None
        is_super = isinstance(function, ast.Attribute) and last_name(function.value) == "super"
        if not is_super or not isinstance(around, ast.ClassDef) or self._is_overridden(file, call, ""):
            return False
        here = Symbol(file.path, around.name)
        for each in (here, *self._targets.bases(here)):
            node = None if each is None else self._targets.class_of(each)
            if node is None or node.decorator_list:
                return False
            if each == owner:
                return True
            if len(node.bases) != 1:
                return False
        return False

    def _object_is_certain(self, file: CodeFile, call: Call, value: ast.expr, symbol: Symbol) -> bool:
        """Return whether the object whose method is called has that method and no other of its name."""
        if isinstance(value, ast.Call):
            return last_name(value) != "super" or not self._is_overridden(file, call, "")
        if _is_self(call, value):
            return not self._is_overridden(file, call, symbol.name.rpartition(".")[2])
        signature = self._targets.signature(symbol)
        is_of_class = signature is not None and signature.binding in {"static", "class"}
        return is_of_class or self._targets.names_class(file, value, call.scopes) or _is_made_here(file, call, value)

    def _is_plain_class(self, file: CodeFile, call: Call, symbol: Symbol) -> bool:
        """Return whether a class is made by the ``__init__`` that was found: no decorator writes or wraps one."""
        made = self._targets.named_by(file, call.node.func, call.scopes)
        return made is not None and self._is_made_plainly(made, symbol)

    def _is_made_plainly(self, made: Symbol, symbol: Symbol) -> bool:
        node = self._targets.class_of(made)
        if node is None:
            return False
        own = self._targets.file(made.path)
        decorators = node.decorator_list if own is None else deciding(node, own.tree)
        if made.name == symbol.name.rpartition(".")[0] and all(last_name(each) == "dataclass" for each in decorators):
            return True
        return own is not None and all(self._targets.keeps_parameters(own, each) for each in decorators)

    def _is_overridden(self, file: CodeFile, call: Call, method: str) -> bool:
        """Return whether a class below the one around a call defines a method of this name, or has several bases."""
        return any(
            len(each.definition.bases) > 1 or method in each.definition.methods
            for each in self._below(file, call.scopes[0])
        )

    def _is_asked_about(self, file: CodeFile, call: Call, names: frozenset[str]) -> bool:
        """Return whether a condition around a call asks for a version, or for the form of what is called."""
        around = _around(file.tree).get(call.written or call.node, ())
        conditions = [each.test for each in around if isinstance(each, (ast.If, ast.IfExp, ast.While))]
        tests = [each for each in conditions if truth(each, constants_of(file.tree)) is None]
        if not tests:
            return False
        before = call_targets(self._codebase.base).file(file.path)
        return any(
            any(_asks_about(question, call.node.func, names) for question in nodes_of(each, ast.Call))
            or (_ASKS.search(plain(each)) and before is not None and plain(each) in _tests(before.tree))
            for each in tests
        )

    def _is_decorated(self, symbol: Symbol, file: CodeFile) -> bool:
        if symbol not in self._own_decorators:
            self._own_decorators[symbol] = self._has_own_decorator(symbol, file)
        return self._own_decorators[symbol]

    def _has_own_decorator(self, symbol: Symbol, file: CodeFile) -> bool:
        """Return whether a decorator of the tree, whatever its name says, may change how a function is called."""
        owner, _, name = symbol.name.rpartition(".")
        around = self._targets.class_of(Symbol(symbol.path, owner)) if owner else file.tree
        for function in statements(around.body, into_definitions=False) if around is not None else ():
            for each in function.decorator_list if is_function(function) and function.name == name else ():
                root = each.func if isinstance(each, ast.Call) else each
                while isinstance(root, ast.Attribute):
                    root = root.value
                is_own = isinstance(root, ast.Name) and (
                    root.id in file.defined or (root.id in file.imports and file.imports[root.id].places)
                )
                if is_own and not self._targets.keeps_parameters(file, each):
                    return True
        return False


def _is_for_heirs(owner: ast.ClassDef) -> bool:
    """Return whether a class seems to serve only those below it, which may be in other repositories."""
    bases = {last_name(each) for each in owner.bases}
    methods = [each for each in owner.body if is_function(each)]
    marks = {last_name(mark) for each in methods for mark in each.decorator_list}
    raised = {last_name(each.exc) for one in methods for each in nodes_of(one, ast.Raise) if each.exc is not None}
    told = {"ABC", "ABCMeta", "Protocol", "abstractmethod", "NotImplementedError"}
    return not told.isdisjoint(bases | marks | raised) or _FOR_HEIRS.search(owner.name) is not None


def is_patched(file: CodeFile, call: Call, run: Run, targets: CallTargets) -> bool:
    """Return whether a ``with`` or a decorator around a call replaces what it runs, as ``mock.patch`` does."""
    around = [
        item.context_expr
        for each in _around(file.tree).get(call.written or call.node, ())
        if isinstance(each, (ast.With, ast.AsyncWith))
        for item in each.items
    ]
    for scope in call.scopes:
        around += [] if isinstance(scope, ast.Lambda) else scope.decorator_list
    return replaces_around(around, file, call, run, targets)


def _is_self(call: Call, value: ast.expr) -> bool:
    if len(call.scopes) < 2 or not isinstance(value, ast.Name) or not is_function(call.scopes[1]):
        return False
    parameters = positional_parameters(call.scopes[1])
    return bool(parameters) and value.id == parameters[0].arg and value.id in {"self", "cls"}


def _is_made_here(file: CodeFile, call: Call, value: ast.expr) -> bool:
    """Return whether an object is made by a function around the call that binds its name, or else by the module."""
    if not isinstance(value, ast.Name):
        return False
    around = (each for each in reversed(call.scopes) if not isinstance(each, ast.ClassDef))
    function = next((each for each in around if value.id in file.bound_in(each)), None)
    if function is None:
        return value.id in file.objects
    return any(
        isinstance(target, ast.Name) and target.id == value.id and isinstance(made, ast.Call)
        for target, made in assigned_values(function)
    )


@kept_on_node
def _around(tree: ast.Module) -> dict[ast.AST, tuple[ast.AST, ...]]:
    """Return the conditions and ``with`` statements around each call that has some, outermost first."""
    found: dict[ast.AST, tuple[ast.AST, ...]] = {}
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        if around and isinstance(node, ast.Call):
            found[node] = around
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.With, ast.AsyncWith)):
            around = (*around, node)
        waiting += [(each, around) for each in below(node)]
    return found


@kept_on_node
def _tests(tree: ast.AST) -> frozenset[str]:
    """Return the conditions of a file as text."""
    return frozenset(plain(each.test) for each in (*choices_of(tree), *nodes_of(tree, ast.While)))


def _asks_about(question: ast.Call, called: ast.expr, names: frozenset[str]) -> bool:
    """Return whether a call asks for the form of what another one calls under some names, or of its owner.

    ::

        callable(load)    hasattr(core, "load")    isinstance(self, Fast)     asks about ``load``, ``self.load``
        hasattr(self, "size")    getattr(self.config, "fast", False)          asks about something else
    """
    if not question.args or not _ASKS_ABOUT.search(dotted(question.func) or last_name(question.func)):
        return False
    subject, *others = question.args
    named = text_of(others[0]) if others and "attr" in last_name(question.func) else None
    if named is not None:
        return named in names
    owner = called.value if isinstance(called, ast.Attribute) else None
    is_named = isinstance(subject, (ast.Name, ast.Attribute)) and last_name(subject) in names
    return is_named or (owner is not None and structure(subject) == structure(owner))
