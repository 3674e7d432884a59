"""Which function of a library a call runs, and of which class an object is, as far as the text of a file shows both.

::

    self._http = httpx.AsyncClient()
    await self._http.get(url)                httpx.AsyncClient.get
    def f(pool: ThreadPoolExecutor):
        pool.submit(run)                     concurrent.futures.ThreadPoolExecutor.submit

A name is known if all that its scope binds to it is of one class, None aside; an attribute of ``self`` if all that its
class stores in it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from review_bot.analysis.python.contract_names import contract_names
from review_bot.analysis.python.statements import (
    Function,
    all_parameters,
    attributes_of_self,
    is_definition,
    is_function,
)
from review_bot.analysis.python.syntax import dotted, full_name, is_literal, own_nodes, unquoted
from review_bot.changes.node_lines import span_of
from review_bot.contracts.contract_store import contract_of
from review_bot.records import NamedTuple

Scope = ast.Module | Function | ast.ClassDef


class Binding(NamedTuple):
    """What is bound to a name: a value, read in its ``scopes``, or the class that an annotation names, or neither.

    ``entered``: a ``with`` statement binds what the value gives as it is entered, which no coroutine does.
    """

    value: ast.expr | None = None
    scopes: tuple[Scope, ...] = ()
    type: str = ""
    entered: bool = False


Bound = dict[str, list[Binding]]

_MOST_STEPS = 8
"""How many names lead from one to the other until an object is given up."""


class LibraryCall(NamedTuple):
    """A call, and the full name of what it runs, such as ``httpx.AsyncClient.get``. ``scopes``: outermost first."""

    node: ast.Call
    name: str
    scopes: tuple[Scope, ...]


class LibraryObjects:
    """The objects of libraries in one file."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self._tree = tree
        self._imported = contract_names(tree, path)
        self._bound: dict[int, Bound] = {}
        self._fields: dict[int, Bound] = {}

    def calls(self, touches: Callable[[int, int], bool] = lambda _first, _last: True) -> Iterator[LibraryCall]:
        """Yield each call of a function or method that has a contract, of those whose lines ``touches`` accepts."""
        for node, scopes in self.nodes():
            if not isinstance(node, ast.Call) or not touches(*span_of(node)):
                continue
            if (name := self.function(node, scopes)) and contract_of(name) is not None:
                yield LibraryCall(node, name, scopes)

    def is_of_class(self, call: LibraryCall) -> bool:
        """Return whether a call takes a method from its class, so that it may pass the object: ``Pool.close(pool)``."""
        function = call.node.func
        owner = self.named(function.value, call.scopes) if isinstance(function, ast.Attribute) else ""
        return owner.rpartition(".")[2][:1].isupper()

    def nodes(self) -> Iterator[tuple[ast.AST, tuple[Scope, ...]]]:
        """Yield each node of the file with the scopes around it, outermost first."""
        waiting: list[tuple[Scope, tuple[Scope, ...]]] = [(self._tree, (self._tree,))]
        while waiting:
            scope, scopes = waiting.pop()
            for node in own_nodes(scope.body):
                if isinstance(node, ast.stmt) and is_definition(node):
                    waiting.append((node, (*scopes, node)))
                else:
                    yield node, scopes

    def named(self, node: ast.expr, scopes: tuple[Scope, ...]) -> str:
        """Return the full name of what an expression reads from an import; nothing if it reads something else."""
        root = (dotted(node) or "").partition(".")[0]
        known = root in self._imported and self._bindings(root, scopes) is None
        return full_name(node, self._imported) or "" if known else ""

    def member(self, node: ast.Attribute, scopes: tuple[Scope, ...]) -> str:
        """Return the full name of an attribute of an object whose class is known; else nothing."""
        owner = self.type_of(node.value, scopes)
        return f"{owner}.{node.attr}" if owner else ""

    def function(self, call: ast.Call, scopes: tuple[Scope, ...], steps: int = _MOST_STEPS) -> str:
        """Return the full name of the function or method that a call runs; nothing if the text does not show it."""
        name = self.named(call.func, scopes)
        if name or not isinstance(call.func, ast.Attribute):
            return name
        owner = self.type_of(call.func.value, scopes, steps)
        return f"{owner}.{call.func.attr}" if owner else ""

    def type_of(self, node: ast.expr, scopes: tuple[Scope, ...], steps: int = _MOST_STEPS) -> str:
        """Return the full name of the class of an object, ``coroutine`` for one, or nothing."""
        if steps == 0:
            return ""
        found = ""
        match node:
            case ast.Constant():
                found = "" if node.value is None else type(node.value).__name__
            case ast.List() | ast.ListComp():
                found = "list"
            case ast.Tuple():
                found = "tuple"
            case ast.Dict() | ast.DictComp():
                found = "dict"
            case ast.Set() | ast.SetComp():
                found = "set"
            case ast.Call():
                contract = contract_of(self.function(node, scopes, steps - 1))
                if contract is not None:
                    found = {"object": contract.type, "coroutine": "coroutine"}.get(contract.kind, "")
            case ast.Await(value=ast.Call() as call):
                contract = contract_of(self.function(call, scopes, steps - 1))
                found = contract.type if contract is not None and contract.kind == "coroutine" else ""
            case ast.Name():
                found = self._agreed(self._bindings(node.id, scopes), steps)
            case ast.Attribute(value=ast.Name(id="self")):
                owner = next((each for each in reversed(scopes) if isinstance(each, ast.ClassDef)), None)
                found = "" if owner is None else self._agreed(self._stored(owner).get(node.attr), steps)
        return found

    def _agreed(self, bindings: list[Binding] | None, steps: int) -> str:
        types = {self._bound_type(each, steps) for each in bindings or () if not is_literal(each.value, None)}
        return types.pop() if len(types) == 1 else ""

    def _bound_type(self, binding: Binding, steps: int) -> str:
        if binding.value is None:
            return binding.type
        found = self.type_of(binding.value, binding.scopes, steps - 1)
        return "" if binding.entered and found == "coroutine" else found

    def _bindings(self, name: str, scopes: tuple[Scope, ...]) -> list[Binding] | None:
        """Return what the innermost scope that binds a name binds to it; None if it is none but an import."""
        for depth in range(len(scopes), 0, -1):
            scope = scopes[depth - 1]
            if isinstance(scope, ast.ClassDef) and depth < len(scopes):
                continue
            if id(scope) not in self._bound:
                self._bound[id(scope)] = self._bound_in(scope, scopes[:depth])
            found = self._bound[id(scope)].get(name)
            if found is not None and not (
                name in self._imported and all(is_literal(each.value, None) for each in found)
            ):
                return found
        return None

    def _bound_in(self, scope: Scope, scopes: tuple[Scope, ...]) -> Bound:
        found: Bound = {}
        if is_function(scope):
            for argument in all_parameters(scope):
                found.setdefault(argument.arg, []).append(Binding(type=self._annotated(argument.annotation)))
        known: set[int] = set()
        for node in own_nodes(scope.body):
            for target, value, entered in _pairs(node):
                if isinstance(target, ast.Name):
                    known.add(id(target))
                    found.setdefault(target.id, []).append(Binding(value, scopes, entered=entered))
            name = getattr(node, "name", None)  # of a definition, a handler, or what `match` captures
            if isinstance(name, str) and not isinstance(node, ast.alias):
                found.setdefault(name, []).append(Binding())
        for node in own_nodes(scope.body):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in known:
                found.setdefault(node.id, []).append(Binding())
        return found

    def _stored(self, owner: ast.ClassDef) -> Bound:
        if id(owner) not in self._fields:
            found: Bound = {}
            values = {
                id(target): Binding(value, (self._tree, owner, method), entered=entered)
                for method in owner.body
                if is_function(method)
                for node in own_nodes(method.body)
                for target, value, entered in _pairs(node)
            }
            for each in attributes_of_self(owner):
                if not isinstance(each.ctx, ast.Load):
                    found.setdefault(each.attr, []).append(values.get(id(each), Binding()))
            self._fields[id(owner)] = found
        return self._fields[id(owner)]

    def _annotated(self, annotation: ast.expr | None) -> str:
        annotation = unquoted(annotation)
        if isinstance(annotation, ast.Subscript):
            annotation = annotation.value
        name = None if annotation is None else full_name(annotation, self._imported)
        contract = None if name is None else contract_of(name)
        return contract.type if contract is not None and contract.kind == "object" and contract.type == name else ""


def _pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    """Yield what is assigned to what by ``a = b``, ``a: T = b`` and ``with b as a``, and whether it is by the last."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value, False) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value, False
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for each in node.items:
            if each.optional_vars is not None:
                yield each.optional_vars, each.context_expr, True
