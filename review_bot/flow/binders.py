"""Which places statements bind, and which names of a function cannot be followed."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from review_bot.analysis.python.literals import is_literal
from review_bot.analysis.python.names import bound_name
from review_bot.analysis.python.parameters import all_parameters, defaults_of, named_parameters
from review_bot.analysis.python.statements import Function, is_definition
from review_bot.changes.node_index import below, kept_on_node, nodes_of
from review_bot.flow.state import Step, place_of
from review_bot.text.lazy_regex import LazyRegex

_WORD = LazyRegex(r"\w+")
_CLOSED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def bound_places(body: Iterable[ast.AST]) -> frozenset[str]:
    """Return every place that statements bind or delete, those of nested functions and comprehensions aside."""
    return frozenset[str]().union(*map(_bound_by, body))


@kept_on_node
def _bound_by(statement: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt) and node is not statement:
            found |= _bound_by(node)  # which is asked for by itself too
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            place = None if isinstance(node.ctx, ast.Load) else place_of(node)
            found |= set() if place is None else {place}
        elif isinstance(node, ast.alias):
            found.add(bound_name(node))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
        elif is_definition(node):
            found.add(node.name)
        if not isinstance(node, (*_CLOSED, ast.comprehension)):
            waiting += below(node)
    return frozenset(found)


def untraceable(function: Function) -> frozenset[str]:
    """Return the names that other code may bind: ``global`` ones, and those that a nested function binds for it."""
    declared: list[ast.Global | ast.Nonlocal] = [*nodes_of(function, ast.Global), *nodes_of(function, ast.Nonlocal)]
    return frozenset(name for node in declared for name in node.names)


_MAY_BE_NONE = frozenset({"Any", "None", "Optional", "object", "Union"})


def never_none(function: Function) -> frozenset[str]:
    """Return what takes the rest, and parameters whose annotation excludes None and whose default is not None."""
    optional = {each.arg for each, default in defaults_of(function) if is_literal(default, None)}
    rest = frozenset(each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None)
    return rest | frozenset(
        each.arg
        for each in named_parameters(function)
        if each.annotation is not None
        and each.arg not in optional
        and _MAY_BE_NONE.isdisjoint(_WORD.findall(ast.unparse(each.annotation)))
    )


def left_out(function: Function) -> dict[str, Step]:
    """Return the parameters that are None when they are not passed, each with the step that says so."""
    return {
        each.arg: Step(each.lineno, f"`{each.arg}` is None when it is not passed")
        for each, default in defaults_of(function)
        if is_literal(default, None)
    }


def parameters_of(function: Function) -> frozenset[str]:
    """Return the names of all parameters of a function."""
    return frozenset(each.arg for each in all_parameters(function))
