"""One Python file of the tree, as it is asked about from outside: its imports, definitions, and calls of given names.

::

    from .core import start as go      imports["go"]     Imported(places of .core, "start")
    import pkg.core                    imports["pkg"]    Imported(places of pkg, "")
    class A(B): ...                    classes["A"]
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from review_bot.analysis.facts.signatures import Signature, alternatives, binders, bound_once
from review_bot.analysis.project.module_tree import ModuleTree, places_of
from review_bot.analysis.python.conditions import constants_of, truth
from review_bot.analysis.python.parameters import all_parameters
from review_bot.analysis.python.statements import Function, is_function, last_line, last_name
from review_bot.changes.node_index import Node, below, nodes_of
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

Scope = Function | ast.ClassDef | ast.Lambda
_FAILS_ON_PURPOSE = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress"})
_CAUGHT = frozenset({"TypeError", "Exception", "BaseException"})
_ATTRIBUTE_CAUGHT = frozenset({"AttributeError", "Exception", "BaseException"})
_SKIPS = LazyRegex(r"skip|xfail")


class Imported(NamedTuple):
    """What a local name stands for: the module at one of ``places``, or the ``name`` in it."""

    places: tuple[str, ...]
    name: str


class Call(NamedTuple):
    """A call and the definitions around it, outermost first."""

    node: ast.Call
    scopes: tuple[Scope, ...]


class AttributeUse(NamedTuple):
    """A read of an attribute and the definitions around it, outermost first."""

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
        return constants_of(self.tree)

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
        count = Counter(name for each in self.tree.body for name in binders(each))
        shared = {name for node in nodes_of(self.tree, ast.Global) for name in node.names}
        found = dict(filter(None, map(alias_of, self.tree.body)))
        return {name: value for name, value in found.items() if count[name] == 1 and name not in shared}

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The top-level classes whose name nothing else binds."""
        return {each.name: each for each in bound_once(self.tree.body) if isinstance(each, ast.ClassDef)}

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of the top-level functions and classes that nothing else binds."""
        both = (each for each in bound_once(self.tree.body) if is_function(each) or isinstance(each, ast.ClassDef))
        return frozenset(each.name for each in both)

    @cached_property
    def imports(self) -> dict[str, Imported]:
        """What each name stands for that imports alone bind, wherever in the file, and all to the same."""
        found: dict[str, Imported | None] = {}
        for name, imported in self._imports():
            found[name] = imported if found.get(name, imported) == imported else None
        other = {name for each in self.tree.body for name in binders(each, imports=False)}
        return {name: each for name, each in found.items() if each is not None and name not in other}

    def _imports(self) -> Iterator[tuple[str, Imported]]:
        for plain in nodes_of(self.tree, ast.Import):
            for alias in plain.names:
                module = alias.name if alias.asname else alias.name.partition(".")[0]
                places = places_of(module, 0, self.path, self._modules)
                yield alias.asname or module, Imported(tuple(places), "")
        for node in nodes_of(self.tree, ast.ImportFrom):
            places = places_of(node.module or "", node.level, self.path, self._modules)
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name, Imported(tuple(places), alias.name)

    def is_local(self, name: str, scopes: tuple[Scope, ...]) -> bool:
        """Return whether a function around a place binds a name by anything but an import."""
        return any(not isinstance(each, ast.ClassDef) and name in self.bound_in(each) for each in scopes)

    def bound_in(self, scope: Scope) -> frozenset[str]:
        """Return the names that a function binds, its parameters too, and imports not."""
        if scope not in self._locals:
            self._locals[scope] = frozenset(_bound_in(scope))
        return self._locals[scope]

    def local_alias(self, name: str, scopes: tuple[Scope, ...]) -> ast.expr | None:
        """Return what a local name stands for that one assignment alone binds in the function around a place."""
        scope = next((each for each in reversed(scopes) if not isinstance(each, ast.ClassDef)), None)
        if scope is None or not is_function(scope) or name not in self.bound_in(scope):
            return None
        bound = [each for statement in scope.body for each in binders(statement) if each == name]
        arguments = {each.arg for each in nodes_of(scope, ast.arg)}
        declared: list[ast.Global | ast.Nonlocal] = [*nodes_of(scope, ast.Global), *nodes_of(scope, ast.Nonlocal)]
        shared = {each for node in declared for each in node.names}
        if len(bound) != 1 or name in arguments or name in shared:
            return None
        return dict(filter(None, map(alias_of, scope.body))).get(name)

    def calls(self, names: frozenset[str]) -> Iterator[Call]:
        """Yield the calls under these last names, except where they are to fail or do not run."""
        wanted = [node for node in nodes_of(self.tree, ast.Call) if _called_name(node) in names]
        for node, scopes in self._running(wanted, _CAUGHT):
            yield Call(node, scopes)

    def attributes(self, names: frozenset[str]) -> Iterator[AttributeUse]:
        """Yield the reads of these attributes, except where they are to fail or do not run."""
        wanted = [
            node for node in nodes_of(self.tree, ast.Attribute) if node.attr in names and isinstance(node.ctx, ast.Load)
        ]
        for node, scopes in self._running(wanted, _ATTRIBUTE_CAUGHT):
            yield AttributeUse(node, scopes)

    def _running(self, wanted: list[Node], caught: frozenset[str]) -> Iterator[tuple[Node, tuple[Scope, ...]]]:
        """Yield the nodes with the definitions around them, except where an error of ``caught`` is expected."""
        lines = sorted(node.lineno for node in wanted)  # type: ignore[attr-defined]  # expressions have one
        nodes: dict[ast.AST, Node] = {node: node for node in wanted}
        waiting: list[tuple[ast.AST, tuple[Scope, ...]]] = [(self.tree, ())] if wanted else []
        while waiting:
            node, scopes = waiting.pop()
            if node in nodes:
                yield nodes[node], scopes
            if isinstance(node, ast.stmt) and not _holds_one(node, lines):
                continue
            skipped: list[ast.stmt] = []
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                if is_function(node) and any(_SKIPS.search(ast.unparse(each)) for each in node.decorator_list):
                    continue
                scopes = (*scopes, node)
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                if any(last_name(item.context_expr) in _FAILS_ON_PURPOSE for item in node.items):
                    continue
            elif isinstance(node, (ast.Try, ast.TryStar)) and _catches(node, caught):
                skipped = [each for each in node.body if not is_function(each)]  # a function runs later
            elif isinstance(node, ast.If) and (known := truth(node.test, self._constants)) is not None:
                skipped = node.orelse if known else node.body
            waiting += [(child, scopes) for child in below(node) if child not in skipped]


def alias_of(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """Return the name that an assignment binds to a function, if its form allows one, and the expression for it."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    fits = isinstance(value, (ast.Name, ast.Attribute, ast.Lambda)) or last_name(value) == "partial"
    return (target.id, value) if isinstance(target, ast.Name) and fits else None


def _bound_in(scope: Scope) -> Iterator[str]:
    if isinstance(scope, ast.ClassDef):
        return
    yield from (each.arg for each in all_parameters(scope))
    if not isinstance(scope, ast.Lambda):
        for statement in scope.body:
            yield from binders(statement, imports=False)


def _holds_one(statement: ast.stmt, lines: list[int]) -> bool:
    """Return whether a statement, with its decorators, holds one of some lines, which are sorted."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    position = bisect_left(lines, first)
    return position < len(lines) and lines[position] <= last_line(statement)


def _called_name(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _catches(node: ast.Try | ast.TryStar, caught: frozenset[str]) -> bool:
    for handler in node.handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(each is None or last_name(each) in caught for each in types):
            return True
    return False
