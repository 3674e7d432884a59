"""One Python file of the tree, as it is asked about from outside: its imports, definitions, and calls of given names.

::

    from .core import start as go      imports["go"]     Imported(places of .core, "start")
    import pkg.core                    imports["pkg"]    Imported(places of pkg, "")
    class A(B): ...                    classes["A"]
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import starmap

from review_bot.analysis.facts.running_code import RunningCode, Scope
from review_bot.analysis.facts.signatures import Signature, alternatives, binders, bound_once
from review_bot.analysis.project.module_tree import ModuleTree, is_standard, places_of
from review_bot.analysis.python.assigned_names import alias_of, object_of, partials_in
from review_bot.analysis.python.bindings import binding_counts, shared_names
from review_bot.analysis.python.completion import failing_functions
from review_bot.analysis.python.conditions import constants_of, truth
from review_bot.analysis.python.module_body import star_imports
from review_bot.analysis.python.statements import (
    Function,
    all_parameters,
    definitions_of,
    imports_of,
    is_definition,
    is_function,
    last_name,
    statements,
    targets_of,
)
from review_bot.analysis.python.syntax import dotted, is_literal
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_test

_CAUGHT = frozenset({"TypeError", "Exception", "BaseException"})
_HIDING = _CAUGHT - {"TypeError"}
_ATTRIBUTE_CAUGHT = frozenset({"AttributeError", "FrozenInstanceError", "Exception", "BaseException"})


class Imported(NamedTuple):
    """What a local name stands for: the module at one of ``places``, or the ``name`` in it.

    ``standard``: the dotted name of the module, if it is one of the standard library.
    """

    places: tuple[str, ...]
    name: str
    standard: str = ""


class Call(NamedTuple):
    """A call and the definitions around it, outermost first.

    ``written``: the call in the file that starts ``node`` elsewhere, if another one does (see ``started_calls``).
    """

    node: ast.Call
    scopes: tuple[Scope, ...]
    written: ast.Call | None = None


class AttributeUse(NamedTuple):
    """A read or store of an attribute and the definitions around it, outermost first."""

    node: ast.Attribute
    scopes: tuple[Scope, ...]


class CodeFile:
    """A parsed file. Line numbers are 1-based."""

    def __init__(self, path: str, tree: ast.Module, modules: ModuleTree) -> None:
        self.path = path
        self.tree = tree
        self._modules = modules
        self._locals: dict[Scope, frozenset[str]] = {}

    @cached_property
    def _constants(self) -> Mapping[str, object]:
        return {**constants_of(self.tree), **failing_functions(self.tree)}

    @cached_property
    def _running(self) -> RunningCode:
        return RunningCode(self.tree, self._constants)

    @cached_property
    def alternatives(self) -> dict[str, tuple[Signature, ...]]:
        """The functions that are defined under conditions alone, in each form that may run."""
        return alternatives(self.tree)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The top-level functions whose name nothing else binds."""
        return {each.name: each for each in bound_once(self.tree.body) if is_function(each)}

    @cached_property
    def partials(self) -> frozenset[str]:
        """The dotted names of ``functools.partial`` in the file."""
        found = {
            f"{alias.asname or alias.name}.partial"
            for node in nodes_of(self.tree, ast.Import)
            for alias in node.names
            if alias.name == "functools"
        } | {
            alias.asname or alias.name
            for node in nodes_of(self.tree, ast.ImportFrom)
            for alias in node.names
            if node.module == "functools" and not node.level and alias.name == "partial"
        }
        return frozenset(name for name in found if name.partition(".")[0] in self.imports)

    @cached_property
    def aliases(self) -> dict[str, ast.expr]:
        """What each name stands for that one assignment at the top level alone binds."""
        partials = partials_in(self.tree)
        found = dict(filter(None, (alias_of(each, partials) for each in self.tree.body)))
        return {name: value for name, value in found.items() if self._is_bound_once(name)}

    @cached_property
    def objects(self) -> dict[str, ast.Call]:
        """The call that makes what each name stands for that one assignment alone binds.

        It is at the top level, or in a function by ``global``; then the module itself may set the name to None.
        """
        made = (object_of(each) for each in statements(self.tree.body, into_definitions=False))
        found = {name: call for name, call in filter(None, made) if self._is_bound_once(name)}
        return {**found, **self._made_later()}

    def _made_later(self) -> dict[str, ast.Call]:
        """Return the call that makes the object of each name that one function alone binds, by ``global``."""
        times, calls, empty = Counter[str](), dict[str, ast.Call](), Counter(_set_to_none(self.tree))
        for scope in self._scopes if self._shared else ():
            names = {name for node in nodes_of(scope, ast.Global) for name in node.names}
            times.update({name: binding_counts(scope)[name] for name in names})
            for each in nodes_of(scope, ast.Assign) if names else ():
                name, call = object_of(each) or ("", None)
                if name in names and call is not None:
                    calls[name] = call
        return {
            name: call for name, call in calls.items() if times[name] == 1 and self._bound[name] == empty[name] <= 1
        }

    def _is_bound_once(self, name: str) -> bool:
        return self._bound[name] == 1 and name not in self._shared

    @cached_property
    def _bound(self) -> Counter[str]:
        return Counter(name for each in self.tree.body for name in binders(each))

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The names of the module that functions and classes bind by ``global``."""
        return frozenset(
            name
            for scope in (self._scopes if nodes_of(self.tree, ast.Global) else ())
            for node in nodes_of(scope, ast.Global)
            for name in node.names
            if binding_counts(scope)[name]
        )

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The top-level classes whose name nothing else binds."""
        return {each.name: each for each in bound_once(self.tree.body) if isinstance(each, ast.ClassDef)}

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of the top-level functions and classes that nothing else binds."""
        return frozenset(each.name for each in bound_once(self.tree.body) if is_definition(each))

    @cached_property
    def imports(self) -> dict[str, Imported]:
        """What each name stands for that imports alone bind, wherever in the file.

        Those count that run with the module; where there are none, all others if they mean the same. ``None`` in place
        of an import that fails takes no call, and so does not count.
        """
        late = self._dead_imports | self._local_imports.keys()
        of_module = _agreed(each for node, each in self._imports if node not in late)
        stored = Counter(name for each in self.tree.body for name in binders(each, imports=False))
        stored.subtract(_set_to_none(self.tree))
        other = {name for name, times in stored.items() if times > 0}
        found = _agreed(each for _, each in self._imports) | of_module
        return {name: each for name, each in found.items() if each is not None and name not in other}

    @cached_property
    def stars(self) -> tuple[tuple[str, ...], ...] | None:
        """The places of each module of which a star import brings all; None if one may not run."""
        found = star_imports(self.tree)
        places = (places_of(each.module or "", each.level, self.path, self._modules) for each in found)
        return tuple(map(tuple, places)) if set(found) <= set(self.tree.body) else None

    def binds_otherwise(self, name: str) -> bool:
        """Return whether the module may bind a name by something else than a star import."""
        return bool(self._bound[name]) or name in self._shared

    @cached_property
    def _imports(self) -> list[tuple[ast.stmt, tuple[str, Imported]]]:
        """Each import with a name that it binds."""
        found: list[tuple[ast.stmt, tuple[str, Imported]]] = []
        for plain in nodes_of(self.tree, ast.Import):
            for alias in plain.names:
                module = alias.name if alias.asname else alias.name.partition(".")[0]
                places = places_of(module, 0, self.path, self._modules)
                found.append((plain, (alias.asname or module, Imported(tuple(places), "", _standard(module)))))
        for node in nodes_of(self.tree, ast.ImportFrom):
            places = places_of(node.module or "", node.level, self.path, self._modules)
            standard = "" if node.level else _standard(node.module or "")
            found += [
                (node, (alias.asname or alias.name, Imported(tuple(places), alias.name, standard)))
                for alias in node.names
                if alias.name != "*"
            ]
        return found

    @cached_property
    def _dead_imports(self) -> frozenset[ast.AST]:
        """The imports below conditions of which the text proves that they never hold."""
        found: set[ast.AST] = set()
        for node in nodes_of(self.tree, ast.If):
            if not any(node.lineno <= each.lineno <= last_line(node) for each in imports_of(self.tree)):
                continue
            if (known := truth(node.test, self._constants)) is not None:
                for each in node.orelse if known else node.body:
                    found.update(nodes_of(each, ast.Import), nodes_of(each, ast.ImportFrom))
        return frozenset(found)

    @cached_property
    def _scopes(self) -> list[Function | ast.ClassDef]:
        """The functions and classes, local ones too."""
        return definitions_of(self.tree)

    @cached_property
    def _local_imports(self) -> dict[ast.AST, list[Scope]]:
        """The imports in functions and classes, with these."""
        found: dict[ast.AST, list[Scope]] = {}
        for scope in self._scopes:
            for node in imports_of(scope):
                found.setdefault(node, []).append(scope)
        return found

    @cached_property
    def _imported_otherwise(self) -> dict[Scope, set[str]]:
        """The names that a function or class imports which mean something else in the module."""
        found: dict[Scope, set[str]] = {}
        for node, (name, imported) in self._imports:
            for scope in self._local_imports.get(node, ()):
                if self.imports.get(name) != imported:
                    found.setdefault(scope, set()).add(name)
        return found

    def imported(self, name: str, scopes: tuple[Scope, ...]) -> Imported | None:
        """Return what a name stands for that no scope around it, no pattern and no ``global`` binds otherwise."""
        inner = scopes[-1] if scopes else None
        of_class = isinstance(inner, ast.ClassDef) and any(name in binders(each, imports=False) for each in inner.body)
        return None if of_class or name in self._shared else self.import_of(name, scopes)

    def import_of(self, name: str, scopes: tuple[Scope, ...]) -> Imported | None:
        """Return what imports alone let a name stand for at a place: those of the function around it that binds it."""
        if not self.is_local(name, scopes):
            return self.imports.get(name)
        function = next(each for each in reversed(_visible(scopes)) if name in self.bound_in(each))
        if name not in self._imported_otherwise.get(function, ()) or name in _bound_in(function):
            return None
        innermost = {node: max(inside, key=lambda each: each.lineno) for node, inside in self._local_imports.items()}
        live = {node for node, inside in innermost.items() if inside is function} - self._dead_imports
        return _agreed(each for node, each in self._imports if node in live).get(name)

    def is_local(self, name: str, scopes: tuple[Scope, ...]) -> bool:
        """Return whether a scope around a place binds a name: by an import only if the module means another by it."""
        return any(name in self.bound_in(each) for each in _visible(scopes))

    def bound_in(self, scope: Scope) -> frozenset[str]:
        """Return the names that a function binds, its parameters too; by imports, if the module means another."""
        if scope not in self._locals:
            self._locals[scope] = frozenset(_bound_in(scope)) | self._imported_otherwise.get(scope, set())
        return self._locals[scope]

    def local_alias(self, name: str, scopes: tuple[Scope, ...]) -> ast.expr | None:
        """Return what a local name stands for that one assignment alone binds in the function around a place."""
        scope = next((each for each in reversed(scopes) if not isinstance(each, ast.ClassDef)), None)
        if scope is None or not is_function(scope) or name not in self.bound_in(scope):
            return None
        bound = [each for statement in scope.body for each in binders(statement) if each == name]
        arguments = {each.arg for each in nodes_of(scope, ast.arg)}
        if len(bound) != 1 or name in arguments or name in shared_names(scope):
            return None
        partials = partials_in(self.tree)
        return dict(filter(None, (alias_of(each, partials) for each in scope.body))).get(name)

    def calls(self, names: frozenset[str], *, hidden: bool = False) -> Iterator[Call]:
        """Yield the calls under these last names, except where they are to fail or do not run.

        ``hidden``: also those whose failure a handler for any error only hides; in tests it may be expected.
        """
        wanted = [node for node in nodes_of(self.tree, ast.Call) if _called_name(node) in names]
        hiding = _HIDING if hidden and not is_test(self.path) else frozenset[str]()
        yield from starmap(Call, self._running.of(wanted, _CAUGHT, hiding))

    def attributes(self, names: frozenset[str], context: type[ast.expr_context] = ast.Load) -> Iterator[AttributeUse]:
        """Yield the reads of these attributes, or their stores, except where they are to fail or do not run."""
        named = (node for node in nodes_of(self.tree, ast.Attribute) if node.attr in names)
        wanted = [node for node in named if isinstance(node.ctx, context)]
        yield from starmap(AttributeUse, self._running.of(wanted, _ATTRIBUTE_CAUGHT))

    def names(self, names: frozenset[str]) -> Iterator[tuple[ast.Name, tuple[Scope, ...]]]:
        """Yield the reads of these names, with the definitions around them, except where they do not run."""
        wanted = [node for node in nodes_of(self.tree, ast.Name) if node.id in names and isinstance(node.ctx, ast.Load)]
        yield from self._running.of(wanted, frozenset())


def _visible(scopes: tuple[Scope, ...]) -> list[Scope]:
    """Return those of the scopes around a place whose names code there may read: of a class, only what it is in."""
    return [each for each in scopes if each is scopes[-1] or not isinstance(each, ast.ClassDef)]


def _standard(module: str) -> str:
    return module if is_standard(module.partition(".")[0]) else ""


def _set_to_none(tree: ast.Module) -> Iterator[str]:
    """Yield the name of each statement of a module that sets one to ``None``."""
    for each in statements(tree.body, into_definitions=False):
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and is_literal(each.value, None):
            yield from (target.id for target in targets_of(each) if isinstance(target, ast.Name))


def _agreed(imports: Iterable[tuple[str, Imported]]) -> dict[str, Imported | None]:
    """Return what each name stands for, None where imports do not agree."""
    found: dict[str, Imported | None] = {}
    for name, imported in imports:
        found[name] = imported if found.get(name, imported) == imported else None
    return found


def _bound_in(scope: Scope) -> Iterator[str]:
    if isinstance(scope, ast.ClassDef):
        return
    yield from (each.arg for each in all_parameters(scope))
    if not isinstance(scope, ast.Lambda):
        for statement in scope.body:
            yield from binders(statement, imports=False)


def _called_name(call: ast.Call) -> str:
    is_type = isinstance(call.func, ast.Call) and dotted(call.func.func) == "type"  # of ``type(self)()``
    return last_name(call.func) if is_type or isinstance(call.func, (ast.Attribute, ast.Name)) else ""
