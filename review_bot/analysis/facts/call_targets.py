"""Which function of the tree a call runs, as far as imports, classes and assignments show; where they do not, none.

::

    from pkg.core import start;  start(x)          pkg/core.py: start
    class A(Base): ...  self.step(x)               the first of A, Base, ... that defines ``step``
    self.cache = Cache(n);  self.cache.get(k)      pkg/cache.py: Cache.get
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial
from weakref import WeakKeyDictionary

from review_bot.analysis.facts.class_bodies import (
    binds,
    gets_init,
    inherited,
    is_plain,
    makes_init,
    makes_objects,
    sets,
    stored_in,
)
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.dataclass_init import Fielded, deciding, init_signature, is_dataclass
from review_bot.analysis.facts.imported_names import DEEPEST
from review_bot.analysis.facts.named_tuple_init import is_named_tuple, named_tuple_init
from review_bot.analysis.facts.passing_decorators import hands_on
from review_bot.analysis.facts.receivers import is_own_class, is_super, is_the_class, owner_of, receiver
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import Run, Symbol
from review_bot.analysis.facts.signatures import (
    SELF,
    CallForm,
    Signature,
    form_of,
    given_parameters,
    signature_of_lambda,
    signatures,
)
from review_bot.analysis.facts.started_calls import started_call
from review_bot.analysis.facts.stored_values import Stored, stored_values
from review_bot.analysis.facts.symbol_resolver import SymbolResolver
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import Function, is_function, named_parameters
from review_bot.analysis.python.syntax import dotted, is_name, unquoted
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of


class CallTargets(SymbolResolver):
    """Finds the targets of calls on one side of a change."""

    def __init__(self, side: Snapshot) -> None:
        super().__init__(side)
        self._fields: WeakKeyDictionary[CodeFile, dict[tuple[ast.ClassDef, str], Symbol | None]] = WeakKeyDictionary()
        self._signatures: WeakKeyDictionary[CodeFile, dict[str, Signature]] = WeakKeyDictionary()
        self._of_classes: dict[Symbol, Signature | None] = {}

    def target(self, file: CodeFile, call: Call) -> Symbol | None:
        """Return the function or method that a call runs; for that of a class its ``__init__``."""
        function = call.node.func
        if (made := self.own_class(file, function, call.scopes)) is not None:
            found = self.called(made)
            return found if found is not None and self._has_constructor(found) else None
        if isinstance(function, ast.Attribute):
            return self._attribute(file, function, call.scopes)
        symbol = self.named_by(file, function, call.scopes)
        return self._of_object(file, function, call.scopes) if symbol is None else self.called(symbol)

    def _has_constructor(self, symbol: Symbol) -> bool:
        """Return whether a class has a written or made ``__init__``: a mixin without one leaves it to other classes."""
        owner = Symbol(symbol.path, symbol.name.rpartition(".")[0])
        node = self.class_of(owner)
        if node is None:
            return False
        is_made = any(map(makes_init, node.decorator_list)) or self._is_named_tuple(owner, node)
        return is_made or binds(node, "__init__")

    def own_class(self, file: CodeFile, function: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return the class around a place if an expression means it, or one below it: ``cls``, ``type(self)``."""
        owner = owner_of(scopes)
        if owner is None or not is_own_class(function, owner[1]):
            return None
        here = Symbol(file.path, owner[0].name)
        names = {each.id for each in nodes_of(function, ast.Name)}
        is_bound = any(each.id in names and not isinstance(each.ctx, ast.Load) for each in nodes_of(owner[1], ast.Name))
        if "type" in names and (file.is_local("type", scopes) or "type" in bound_names(file.tree.body)):
            return None
        return here if self.class_of(here) is owner[0] and not is_bound else None

    def signature(self, symbol: Symbol) -> Signature | None:
        """Return the signature of a function or method."""
        file = self.file(symbol.path)
        if file is not None and symbol.name in given_parameters(file.tree):
            return None
        found = None if file is None else self._signatures_in(file).get(symbol.name)
        owner, _, method = symbol.name.rpartition(".")
        if found is not None or method != "__init__":
            return found
        if symbol not in self._of_classes:
            self._of_classes[symbol] = self._of_class(Symbol(symbol.path, owner))
        return self._of_classes[symbol]

    def _signatures_in(self, file: CodeFile) -> dict[str, Signature]:
        if file not in self._signatures:
            self._signatures[file] = signatures(file.tree.body, partial(self.keeps_parameters, file))
        return self._signatures[file]

    def _of_class(self, owner: Symbol) -> Signature | None:
        """Return the signature of an ``__init__`` that no class of a line writes out.

        That of ``dataclass`` or ``NamedTuple``, if all its fields are known, or that of ``object``, which takes no
        arguments.
        """
        own = self.class_of(owner)
        if own is not None and self._is_named_tuple(owner, own):
            return named_tuple_init(own)
        chain: list[Fielded] = []
        for place in (owner, *self.bases(owner)):
            node = None if place is None else self.class_of(place)
            file = None if place is None else self.file(place.path)
            if node is None or file is None or len(inherited(node, file.tree)) > 1 or not makes_objects(node):
                return None
            if (not is_dataclass(node, file.tree) and deciding(node, file.tree)) or gets_init(node, file.tree):
                return None
            chain.append(Fielded(node, file.tree))
        if is_dataclass(*chain[0]):
            return init_signature(reversed(chain))
        if any(is_dataclass(*each) or binds(each.node, "__init__") for each in chain):
            return None
        line = chain[0].node.lineno
        return Signature(f"{owner.name}.__init__", line, line, (), "method", hollow=False, receiver=(SELF,))

    def keeps_parameters(self, file: CodeFile, decorator: ast.expr) -> bool:
        """Return whether a decorator is one of the tree that hands all arguments on."""
        made = isinstance(decorator, ast.Call)
        symbol = self.named_by(file, decorator.func if isinstance(decorator, ast.Call) else decorator, ())
        owner = None if symbol is None else self.file(symbol.path)
        function = None if symbol is None or owner is None else owner.functions.get(symbol.name)
        return function is not None and hands_on(function, made=made)

    def run(self, file: CodeFile, call: Call) -> Run | None:
        """Return what a call runs and in which form, through aliases, ``functools.partial`` and lambdas too."""
        form, symbol = form_of(call.node), self.target(file, call)
        if symbol is None:
            return self._through(file, call.node.func, call.scopes, form)
        signature = self.signature(symbol)
        by_class = isinstance(call.node.func, ast.Attribute) and self.names_class(
            file, call.node.func.value, call.scopes
        )
        return None if signature is None else Run(symbol, (signature,), form, by_class=by_class)

    def names_class(self, file: CodeFile, value: ast.expr, scopes: tuple[Scope, ...]) -> bool:
        """Return whether an expression means a class: by its name, or as the first parameter of a class method."""
        owner = owner_of(scopes)
        if owner is not None and is_the_class(value, owner[1]):
            return True
        return self.class_named_by(file, value, scopes) is not None

    def run_or_start(self, file: CodeFile, call: Call) -> tuple[Call, Run] | None:
        """Return what a call runs, or what runs of the call that it starts elsewhere, with that call."""
        run = self.run(file, call)
        if run is None and (started := started_call(file, call)) is not None:
            call, run = started, self.run(file, started)
        return None if run is None else (call, run)

    def _through(
        self, file: CodeFile, value: ast.expr, scopes: tuple[Scope, ...], form: CallForm, names: tuple[str, ...] = ()
    ) -> Run | None:
        """Return what a call of a value runs, by the names that lead to it."""
        if len(names) > DEEPEST:
            return None
        if isinstance(value, ast.Lambda) and names:
            found = signature_of_lambda(names[-1], value)
            return Run(Symbol(file.path, names[-1]), (found,), form, frozenset(names))
        if isinstance(value, ast.Call):
            given = self._given(file, value, form)
            return None if given is None else self._through(file, value.args[0], scopes, given, (*names, "partial"))
        named = self.named_by(file, value, scopes) if names else None
        symbol = None if named is None else self.called(named)
        signature = None if symbol is None else self.signature(symbol)
        if symbol is not None and signature is not None:
            return Run(symbol, (signature,), form, frozenset(names))
        if isinstance(value, ast.Attribute):
            places = self.modules(file, value.value, scopes)
            return self._in_module(places, value.attr, form, names)
        return self._name(file, value.id, scopes, form, names) if isinstance(value, ast.Name) else None

    def _name(
        self, file: CodeFile, name: str, scopes: tuple[Scope, ...], form: CallForm, names: tuple[str, ...]
    ) -> Run | None:
        if file.is_local(name, scopes):
            local, imported = file.local_alias(name, scopes), file.import_of(name, scopes)
            if local is not None:
                return self._through(file, local, scopes, form, (*names, name))
            return None if imported is None else self._in_module(imported.places, imported.name, form, (*names, name))
        if name in file.aliases:
            return self._through(file, file.aliases[name], (), form, (*names, name))
        if name in file.alternatives:
            return Run(Symbol(file.path, name), file.alternatives[name], form, frozenset(names))
        imported = file.imports.get(name)
        return None if imported is None else self._in_module(imported.places, imported.name, form, (*names, name))

    def _in_module(self, places: Iterable[str], name: str, form: CallForm, names: tuple[str, ...]) -> Run | None:
        for path in (path for place in places for path in self.tree.at(place).files):
            module = self.file(path) if name else None
            if module is not None:
                return self._through(module, ast.Name(name, ast.Load()), (), form, (*names, name))
        return None

    def _given(self, file: CodeFile, value: ast.Call, form: CallForm) -> CallForm | None:
        """Return the form of a call with what ``functools.partial`` adds to it; None if it is another function."""
        own = form_of(value)
        if dotted(value.func) not in file.partials or not value.args:
            return None
        if own.starred or isinstance(value.args[0], ast.Starred):
            return None
        keywords = tuple(dict.fromkeys((*own.keywords, *form.keywords)))
        return CallForm(own.positional - 1 + form.positional, keywords, form.starred, own.unpacked or form.unpacked)

    def method(self, owner: Symbol, name: str, *, of_bases: bool = False) -> Symbol | None:
        """Return the method that a class has under a name. ``of_bases``: what ``super()`` finds."""
        places: list[Symbol | None] = [*([] if of_bases else [owner]), *self.bases(owner)]
        for place in places:
            node = None if place is None else self.class_of(place)
            if place is None or node is None:
                return None  # it may be defined outside the tree
            if binds(node, name):
                return Symbol(place.path, f"{place.name}.{name}")
            if name == "__init__" and (any(map(makes_init, node.decorator_list)) or self._is_named_tuple(place, node)):
                made = Symbol(place.path, f"{place.name}.{name}")  # of the fields
                return made if self.signature(made) is not None else None
        return Symbol(owner.path, f"{owner.name}.{name}") if name == "__init__" and not of_bases else None

    def _is_named_tuple(self, symbol: Symbol, node: ast.ClassDef) -> bool:
        file = self.file(symbol.path)
        return file is not None and is_named_tuple(node, file.tree)

    def _of_object(self, file: CodeFile, function: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return what a call of an object runs."""
        kind = self.type_of(file, function, scopes)
        if kind is None:
            return None
        found = (self.method(kind, name) for name in ("__call__", "forward"))
        return next((each for each in found if each is not None), None)

    def called(self, symbol: Symbol) -> Symbol | None:
        """Return what a call of a function or class runs: of a class its ``__init__``, if that decides alone."""
        node = self.class_of(symbol)
        if node is None:
            return symbol
        above = (None if each is None else self.class_of(each) for each in self.bases(symbol))
        if not all(makes_objects(each) for each in (node, *above) if each is not None):
            return None
        if not self._keeps_class(symbol, node) or self.method(symbol, "__new__") is not None:
            return None
        return self.method(symbol, "__init__")

    def _keeps_class(self, symbol: Symbol, node: ast.ClassDef) -> bool:
        """Return whether no decorator of a class puts something else in its place."""
        file = self.file(symbol.path)
        others = [each for each in node.decorator_list if not is_plain(each)]
        return file is not None and all(self.keeps_parameters(file, each) for each in others)

    def _attribute(self, file: CodeFile, function: ast.Attribute, scopes: tuple[Scope, ...]) -> Symbol | None:
        value = function.value
        owner = owner_of(scopes)
        if owner is not None and is_super(value, *owner):
            here = Symbol(file.path, owner[0].name)
            return self.method(here, function.attr, of_bases=True) if self.class_of(here) is owner[0] else None
        kind = self.type_of(file, value, scopes)
        if kind is not None and owner is not None and is_the_class(value, owner[1]):
            return self.method(kind, function.attr)
        if kind is not None:  # an attribute of the object hides the method
            method = None if self._is_stored(kind, function.attr) else self.method(kind, function.attr)
            return method or self._of_object(file, function, scopes)
        symbol = self.named_by(file, function, scopes)
        if symbol is not None:
            return self.called(symbol)
        owning = self.named_by(file, value, scopes)
        node = None if owning is None else self.class_of(owning)
        found = None if owning is None or node is None else self.method(owning, function.attr)
        if owning is None or node is None or found is None or self._keeps_class(owning, node):
            return found
        signature = self.signature(found)  # the name may stand for an object, as with a decorator for singletons
        return found if signature is not None and signature.binding != "method" else None

    def _is_stored(self, owner: Symbol, name: str) -> bool:
        """Return whether a class, or one above it, has a method of a name and also sets an attribute of that name."""
        nodes = [self.class_of(each) for each in (owner, *self.bases(owner)) if each is not None]
        classes = [each for each in nodes if each is not None]
        return any(name in stored_in(each) for each in classes) and any(binds(each, name) for each in classes)

    def type_of(self, file: CodeFile, value: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return the class of an object: ``self``, what was made by one call of a class, or an annotated parameter."""
        owner = owner_of(scopes)
        if isinstance(value, ast.Name):
            if owner is not None and value.id == receiver(owner[1]):
                here = Symbol(file.path, owner[0].name)
                return here if self.class_of(here) is owner[0] else None
            return self._type_of_name(file, value.id, scopes)
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and owner is not None:
            field = (owner[0], value.attr)
            if value.value.id != receiver(owner[1]):
                return None
            fields = self._fields.setdefault(file, {})
            if field not in fields:
                fields[field] = self._type_of_field(file, *field)
            return fields[field]
        return self._made(file, value, scopes)

    def _type_of_name(self, file: CodeFile, name: str, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return the class of an object that a function around a place, or the module, binds to a name."""
        if not file.is_local(name, scopes):
            return self._made(file, file.objects[name], ()) if name in file.objects else None
        around = (each for each in reversed(scopes) if not isinstance(each, ast.ClassDef))
        function = next((each for each in around if name in file.bound_in(each)), None)
        if function is None or isinstance(function, ast.Lambda):
            return None
        stored = stored_values(function).get(name, Stored())
        parameter = next((each for each in named_parameters(function) if each.arg == name), None)
        if parameter is not None and parameter.annotation is not None:
            return None if stored.times else self._annotated(file, parameter.annotation)
        if parameter is not None and not _replaces(function, name):
            return None  # where it is passed, callers decide
        return self._made(file, stored.values[0], scopes) if stored.times == len(stored.values) == 1 else None

    def _annotated(self, file: CodeFile, annotation: ast.expr) -> Symbol | None:
        named = unquoted(annotation)
        return None if named is None else self.class_named_by(file, named, ())

    def _type_of_field(self, file: CodeFile, owner: ast.ClassDef, name: str) -> Symbol | None:
        made: set[Symbol | None] = set()
        for method in filter(is_function, owner.body):
            stored = stored_values(method).get(f".{name}", Stored())
            made.update(self._made(file, value, (owner, method)) for value in stored.values)
            if stored.times > len(stored.values):
                return None
        above = [None if each is None else self.class_of(each) for each in self.bases(Symbol(file.path, owner.name))]
        is_other = any(each is not None and sets(each, name) for each in above)
        return made.pop() if len(made) == 1 and not is_other else None

    def _made(self, file: CodeFile, value: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return the class that a call makes an object of."""
        return self.class_named_by(file, value.func, scopes) if isinstance(value, ast.Call) else None


@query
def call_targets(side: Snapshot) -> CallTargets:
    """Return what finds the targets of calls on one side of a change."""
    return CallTargets(side)


def _replaces(function: Function, parameter: str) -> bool:
    """Return whether a statement of a function that always runs gives its parameter another value."""
    return any(
        isinstance(each, ast.Assign) and any(is_name(target, parameter) for target in each.targets)
        for each in function.body
    )
