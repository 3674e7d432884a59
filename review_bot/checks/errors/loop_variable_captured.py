"""A function made in a loop and kept for later that reads the loop's variable: it sees the last value alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from review_bot.analysis.python.statements import Function, decorator_names, is_function, last_name
from review_bot.analysis.python.syntax import argument_values, hit_at, names_in, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_KEEPS = re.compile(
    r"^(?:append|add|appendleft|add_done_callback|add_event_handler|add_listener|call_later|call_soon|connect|on"
    r"|register\w*|submit|subscribe|Thread)$"
)
"""Names of functions that keep what they are given and call it later."""
_ENDS = frozenset({"cancel", "close", "join", "remove", "result", "wait"})
"""Methods of what such a function returns, after which it is not called any more."""

_KEEPING_THE_FUNCTION = frozenset({"enable_grad", "inference_mode", "no_grad", "wraps"})
"""Decorators that run the function when it is called; another one may compile it in the turn of the loop."""

_OF_ALL_TENSORS = "_execution_engine"
"""An attribute that is one object for all tensors."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such function. Raises CannotParse."""
    yield from _in_comprehensions(source)
    loops: list[ast.For | ast.AsyncFor] = [*source.nodes(ast.For), *source.nodes(ast.AsyncFor)]
    for loop in loops:
        if isinstance(loop.body[-1], (ast.Return, ast.Break)):
            continue  # it runs once
        variables = {node.id for node in nodes_of(loop.target, ast.Name)}
        if isinstance(loop.target, ast.Name):
            variables = {loop.target.id}
        inside = list(own_nodes(loop.body))
        ended = _ended(inside)
        made_here = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        variables -= {"_"} | {each.arg for each in nodes_of(loop, ast.arg)}
        local = {each.name: each for each in inside if is_function(each) and _is_plain(each)}
        for node in inside:
            if id(node) in ended or _holder(node) in made_here - variables or _is_replaced(node, made_here | variables):
                continue  # only one turn of the loop uses the function
            for made in _kept(node):
                function = local.get(made.id) if isinstance(made, ast.Name) else made
                if isinstance(function, ast.Lambda) or (function is not None and is_function(function)):
                    read = sorted(variables & _free(function))
                    if read:
                        yield hit_at(source, made, values={"name": read[0]})


def _is_plain(node: ast.AST) -> TypeGuard[Function]:
    """Return whether a statement defines a function that runs as it is written, each time that it is called."""
    return is_function(node) and decorator_names(node) <= _KEEPING_THE_FUNCTION


def _ended(inside: list[ast.AST]) -> set[int]:
    """Return the calls whose outcome the loop itself waits for, or that it undoes."""
    ends = [node for node in inside if isinstance(node, ast.Attribute) and node.attr in _ENDS]
    names = {node.value.id for node in ends if isinstance(node.value, ast.Name)}
    found = {id(node.value) for node in inside if isinstance(node, ast.Await)} | {id(node.value) for node in ends}
    assigned = [node for node in inside if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    return found | {id(node.value) for node in assigned if not names.isdisjoint(names_in(node.targets[0]))}


def _is_replaced(node: ast.AST, of_turn: set[str]) -> bool:
    """Return whether the next turn stores another function in the same place."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(target, ast.Subscript):
        return isinstance(target.slice, ast.Constant)
    return isinstance(target, ast.Attribute) and names_in(target).isdisjoint(of_turn)


def _holder(node: ast.AST) -> str:
    """Return the name of the list or dictionary that keeps a function, where it is a plain name."""
    held: ast.expr | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"add", "append"}:
        held = node.func.value
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        held = node.targets[0].value
    return held.id if isinstance(held, ast.Name) else ""


def _in_comprehensions(source: SourceFile) -> Iterator[Hit]:
    """Yield each function that a list, a set or a dictionary of such functions is made of."""
    listed: list[ast.ListComp | ast.SetComp] = [*source.nodes(ast.ListComp), *source.nodes(ast.SetComp)]
    elements = [(each, each.elt) for each in listed]
    for whole, element in [*elements, *((each, each.value) for each in source.nodes(ast.DictComp))]:
        variables = {node.id for part in whole.generators for node in nodes_of(part.target, ast.Name)} - {"_"}
        for made in (element, *_kept(element)):
            if isinstance(made, ast.Lambda):
                read = sorted(variables & _free(made) - {each.arg for each in nodes_of(made, ast.arg)})
                if read:
                    yield hit_at(source, made, values={"name": read[0]})


def _kept(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the functions that a call keeps, or that are stored in a dictionary or an attribute."""
    if isinstance(node, ast.Call) and _KEEPS.match(last_name(node.func)):
        for value in argument_values(node):
            if isinstance(value, (ast.Lambda, ast.Name)):
                yield value
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Subscript, ast.Attribute)):
        yield node.value


def _free(function: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the names that the body of a function reads and does not bind; defaults are read at once."""
    body: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else [*function.body]
    nodes = [node for part in body for node in walk(part)]
    engines = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == _OF_ALL_TENSORS}
    names = [node for node in nodes if isinstance(node, ast.Name) and id(node) not in engines]
    stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names if isinstance(node.ctx, ast.Load)} - stored


CHECK = file_check(examine, CheckTraits(literals=("for lambda", "for def")))
