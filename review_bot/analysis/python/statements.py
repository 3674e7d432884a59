"""Statements, definitions and parameters of a Python syntax tree; walks avoid expressions, which is what costs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard

from review_bot.analysis.python.node_types import LOOPS
from review_bot.changes.node_index import below, kept_on_node, nodes_of
from review_bot.changes.node_lines import last_line, start_of
from review_bot.records import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef

_DEFINITIONS: frozenset[type[ast.AST]] = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_COMPOUND = _DEFINITIONS | {
    *(ast.If, *LOOPS, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match),
}


class Definition(NamedTuple):
    """A function or class outside functions. ``name`` is dotted; ``owner`` is the class it is in."""

    node: Function | ast.ClassDef
    name: str
    public: bool
    owner: ast.ClassDef | None


def is_function(node: ast.AST) -> TypeGuard[Function]:
    """Return whether a node defines a function, plain or asynchronous."""
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def is_definition(node: ast.AST) -> TypeGuard[Function | ast.ClassDef]:
    """Return whether a node defines a function or a class."""
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def caught_names(handler: ast.ExceptHandler) -> set[str]:
    """Return the names of the exceptions that a handler catches, ``BaseException`` for a bare ``except``."""
    if handler.type is None:
        return {"BaseException"}
    return {last_name(each) for each in (handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type])}


def caught_lines(around: Iterable[ast.AST], errors: frozenset[str]) -> frozenset[int]:
    """Return the lines in the bodies of each ``try`` among some nodes whose handlers catch one of some errors."""
    return frozenset(
        line
        for each in around
        if isinstance(each, ast.Try) and any(caught_names(handler) & errors for handler in each.handlers)
        for line in range(each.body[0].lineno, last_line(each.body[-1]) + 1)
    )


def inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the statement lists directly in a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block:
            yield block
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
    for case in getattr(statement, "cases", ()):
        yield case.body


def block_with(statement: ast.stmt, node: ast.stmt) -> list[ast.stmt]:
    """Return the statement list directly in a compound statement that holds another, at any depth."""
    begun = (each for each in inner_blocks(statement) if start_of(each[0]) <= start_of(node))
    return max(begun, key=lambda each: start_of(each[0]))


def blocks(body: list[ast.stmt], *, into_definitions: bool = True) -> Iterator[list[ast.stmt]]:
    """Yield a statement list and every one below it, outermost first."""
    pending = [body]
    while pending:
        block = pending.pop()
        yield block
        for statement in block:
            kind = statement.__class__
            if kind in _COMPOUND and (into_definitions or kind not in _DEFINITIONS):
                pending += inner_blocks(statement)


def statements(body: list[ast.stmt], *, into_definitions: bool = True) -> Iterator[ast.stmt]:
    """Yield every statement of a list and below it."""
    for block in blocks(body, into_definitions=into_definitions):
        yield from block


def functions(body: list[ast.stmt]) -> Iterator[Function]:
    """Yield every function, local ones too."""
    for statement in statements(body):
        if is_function(statement):
            yield statement


def functions_of(tree: ast.AST) -> list[Function]:
    """Return every function of a tree, methods and local ones too: the plain ones first."""
    return [*nodes_of(tree, ast.FunctionDef), *nodes_of(tree, ast.AsyncFunctionDef)]


def definitions_of(tree: ast.AST) -> list[Function | ast.ClassDef]:
    """Return every function and class of a tree, local ones too: functions first."""
    return [*functions_of(tree), *nodes_of(tree, ast.ClassDef)]


def imports_of(tree: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    """Return every import of a tree: the plain ones first."""
    return [*nodes_of(tree, ast.Import), *nodes_of(tree, ast.ImportFrom)]


def tries_of(tree: ast.AST) -> list[ast.Try | ast.TryStar]:
    """Return every ``try`` statement of a tree: those without ``except*`` first."""
    return [*nodes_of(tree, ast.Try), *nodes_of(tree, ast.TryStar)]


def choices_of(tree: ast.AST) -> list[ast.If | ast.IfExp]:
    """Return every ``if`` of a tree: the statements first."""
    return [*nodes_of(tree, ast.If), *nodes_of(tree, ast.IfExp)]


def mentions_of(tree: ast.AST) -> list[ast.Name | ast.Attribute]:
    """Return every name and attribute of a tree: the names first."""
    return [*nodes_of(tree, ast.Name), *nodes_of(tree, ast.Attribute)]


def withs_of(tree: ast.AST) -> list[ast.With | ast.AsyncWith]:
    """Return every ``with`` statement of a tree: the plain ones first."""
    return [*nodes_of(tree, ast.With), *nodes_of(tree, ast.AsyncWith)]


def assignments_of(tree: ast.AST) -> list[ast.Assign | ast.AnnAssign]:
    """Return every assignment of a tree, and every declaration of a type: the plain ones first."""
    return [*nodes_of(tree, ast.Assign), *nodes_of(tree, ast.AnnAssign)]


def targets_of(node: ast.AST) -> list[ast.expr]:
    """Return the targets of an assignment or a loop; none for any other node."""
    if isinstance(node, ast.Assign):
        return node.targets
    target = getattr(node, "target", None)
    return [] if target is None else [target]


def assigned_values(tree: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    """Return the targets of a tree's assignments, each with its value; None where only a type is declared."""
    return [(target, each.value) for each in assignments_of(tree) for target in targets_of(each)]


def definitions(body: list[ast.stmt], owner: Definition | None = None) -> Iterator[Definition]:
    """Yield the classes and functions of a module and, below them, of its classes; local ones are left out."""
    for statement in statements(body, into_definitions=False):
        if not is_definition(statement):
            continue
        public = not statement.name.startswith("_") and (owner is None or owner.public)
        name = statement.name if owner is None else f"{owner.name}.{statement.name}"
        class_node = owner.node if owner is not None and isinstance(owner.node, ast.ClassDef) else None
        definition = Definition(statement, name, public, class_node)
        yield definition
        if isinstance(statement, ast.ClassDef):
            yield from definitions(statement.body, definition)


def decorator_names(node: Function | ast.ClassDef) -> set[str]:
    """Return the last name of each decorator of a function or class, through calls: ``jit`` for ``@triton.jit()``."""
    return {last_name(each) for each in node.decorator_list}


def is_overload(node: ast.AST) -> bool:
    """Return whether a function only declares a signature for type checkers: ``@overload`` decorates it."""
    return is_function(node) and "overload" in decorator_names(node)


@kept_on_node
def attributes_of_self(owner: ast.ClassDef) -> list[ast.Attribute]:
    """Return each ``self.name`` in the methods of a class, wherever ``self`` is an object of this very class.

    In a class inside a method, and in a local function with a parameter ``self``, it is another object.
    """
    found: list[ast.Attribute] = []
    pending = [each for each in reversed(owner.body) if is_function(each) and _takes_self(each)]
    while pending:
        node: Any = pending.pop()
        if node.__class__ is ast.Attribute and node.value.__class__ is ast.Name and node.value.id == "self":
            found.append(node)
        pending += [each for each in below(node) if each.__class__ is not ast.ClassDef and not _takes_self(each)]
    return found


def _takes_self(node: ast.AST) -> bool:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return False
    return [each.arg for each in positional_parameters(node)[:1]] == ["self"]


def positional_parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return the parameters that take an argument by its place, ``self`` included, ``*args`` not."""
    return [*function.args.posonlyargs, *function.args.args]


def named_parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return the parameters that take one argument each."""
    return [*positional_parameters(function), *function.args.kwonlyargs]


def all_parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """Return the parameters, ``*args`` and ``**kwargs`` included."""
    rest = (function.args.vararg, function.args.kwarg)
    return [*named_parameters(function), *(each for each in rest if each is not None)]


def own_parameters(function: Function) -> list[str]:
    """Return the names of a function's parameters, ``self`` and ``cls`` aside."""
    return [each.arg for each in named_parameters(function) if each.arg not in {"self", "cls"}]


def parameter_names(function: Function | ast.Lambda) -> frozenset[str]:
    """Return the names of all parameters of a function."""
    return frozenset(each.arg for each in all_parameters(function))


def replaces_method(function: Function) -> bool:
    """Return whether a function outside classes takes ``self``: it replaces a method, which decides its parameters."""
    return [each.arg for each in positional_parameters(function)[:1]] == ["self"]


def defaults_of(function: Function | ast.Lambda) -> list[tuple[ast.arg, ast.expr]]:
    """Return the parameters that have a default, with it."""
    by_place, given = positional_parameters(function), function.args
    found = [*zip(by_place[len(by_place) - len(given.defaults) :], given.defaults, strict=True)]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return found + [(each, default) for each, default in by_name if default is not None]


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a dotted name, through calls and subscripts: ``a.b.C(x)`` → ``C``; else nothing."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def root_name(expression: ast.AST) -> str:
    """Return the name that ``a.b(c)`` begins with, or nothing."""
    while isinstance(expression, (ast.Attribute, ast.Call)):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return expression.id if isinstance(expression, ast.Name) else ""


def first_line(node: ast.stmt) -> int:
    """Return the first line of a statement, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def is_script(tree: ast.Module) -> bool:
    """Return whether a module is made to be run: it has a block for ``__main__``."""
    return any(map(is_for_scripts, tree.body))


def is_for_scripts(statement: ast.stmt) -> bool:
    """Return whether a statement is ``if __name__ == "__main__":``, or asks for ``__name__`` in another way."""
    return isinstance(statement, ast.If) and any(each.id == "__name__" for each in nodes_of(statement.test, ast.Name))


def is_stub(function: Function) -> bool:
    """Return whether a function does nothing, or only raises."""
    return all(
        isinstance(each, (ast.Pass, ast.Raise)) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in function.body
    )


def is_string(node: ast.stmt) -> bool:
    """Return whether a statement is nothing but a string literal."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def leaves(block: list[ast.stmt]) -> bool:
    """Return whether every path through a block returns, raises, continues or breaks."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return True
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, (ast.With, ast.AsyncWith)) and isinstance(last.body[-1], ast.Return) and leaves(last.body)
