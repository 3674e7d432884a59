"""Decorators of the tree that hand all arguments on as they are, so that a call must fit the function below them.

One that returns the function itself does so too.

::

    def timed(function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            start = time.monotonic()
            result = function(*args, **kwargs)
            log(function.__name__, time.monotonic() - start)
            return result
        return run
"""

from __future__ import annotations

import ast
import builtins

from review_bot.analysis.python.statements import (
    Function,
    caught_names,
    decorator_names,
    is_function,
    last_name,
    positional_parameters,
)
from review_bot.changes.node_index import walk

_ASKED = frozenset({"__name__", "__qualname__", "__module__", "__doc__"})
_QUESTIONS = frozenset({"callable", "id", "isinstance", "issubclass", "repr", "str"})
_NOTES = frozenset({"append", "add", "setdefault"})


def hands_on(function: Function, *, made: bool) -> bool:
    """Return whether a decorator hands on all arguments. ``made``: the function returns the decorator."""
    if function.decorator_list:
        return False
    if made:
        inner = _returned(function)
        return inner is not None and not inner.decorator_list and hands_on(inner, made=False)
    parameters = positional_parameters(function)
    others = function.args.kwonlyargs or function.args.vararg or function.args.kwarg
    if len(parameters) != 1 or others:
        return False
    if _gives_back(function, parameters[0].arg):
        return True
    inner = _returned(function)
    if inner is None or not decorator_names(inner) <= {"wraps"}:
        return False
    return _only_calls(inner, parameters[0].arg)


def gives_back(function: Function, *, made: bool, bound: bool) -> bool:
    """Return whether a decorator returns what it gets as it is. ``made``: the function returns the decorator.

    ``bound``: it is a method, so that its first parameter is its object.
    """
    if not decorator_names(function) <= {"classmethod", "staticmethod"}:
        return False
    if made:
        inner = _returned(function)
        return inner is not None and not inner.decorator_list and gives_back(inner, made=False, bound=False)
    has_receiver = bound and "staticmethod" not in decorator_names(function)
    parameters = positional_parameters(function)[has_receiver:]
    others = function.args.kwonlyargs or function.args.vararg or function.args.kwarg
    return len(parameters) == 1 and not others and _gives_back(function, parameters[0].arg)


def _gives_back(decorator: Function, function: str) -> bool:
    """Return whether a decorator returns the function itself, and at most notes it somewhere: ``TABLE[name] = f``."""
    last = decorator.body[-1]
    if not isinstance(decorator, ast.FunctionDef) or not isinstance(last, ast.Return):
        return False
    accounted: set[ast.AST] = set()
    for node in (node for statement in decorator.body for node in walk(statement)):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Lambda)) or is_function(node):
            return False
        if isinstance(node, ast.Return):
            if not isinstance(node.value, ast.Name) or node.value.id != function:
                return False
            accounted.add(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            accounted.add(node.value)
        elif isinstance(node, ast.Call) and _only_notes(node.func):
            accounted.update(node.args)
        elif isinstance(node, ast.FormattedValue) or (isinstance(node, ast.Attribute) and node.attr in _ASKED):
            accounted.add(node.value)
    nodes = (node for statement in decorator.body for node in walk(statement) if node not in accounted)
    return not any(isinstance(node, ast.Name) and node.id == function for node in nodes)


def _only_notes(function: ast.expr) -> bool:
    """Return whether a function leaves its arguments as they are: it keeps them somewhere, or asks about them."""
    if isinstance(function, ast.Attribute):
        return function.attr in _NOTES
    return isinstance(function, ast.Name) and function.id in _QUESTIONS


def _returned(function: Function) -> Function | None:
    """Return the function that a function defines and returns in any case, without touching it or what it was given."""
    last = next((each for each in function.body if isinstance(each, ast.Return)), None)
    name = last.value.id if last is not None and isinstance(last.value, ast.Name) else ""
    inner = [each for each in function.body if is_function(each) and each.name == name]
    if len(inner) != 1:
        return None
    fixed = {name, *(each.arg for each in positional_parameters(function))}
    for node in (node for each in function.body if each not in {inner[0], last} for node in walk(each)):
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) or is_function(node):
            return None
        if isinstance(node, ast.Name) and node.id in fixed and not isinstance(node.ctx, ast.Load):
            return None
    return inner[0]


def _only_calls(wrapper: Function, function: str) -> bool:
    """Return whether a wrapper uses its arguments only to call a function with all of them, and lets it fail."""
    arguments = wrapper.args
    if arguments.vararg is None or arguments.kwarg is None or arguments.kwonlyargs or arguments.defaults:
        return False
    leading = [each.arg for each in positional_parameters(wrapper)]
    star, stars = arguments.vararg.arg, arguments.kwarg.arg
    expected = ast.unparse(ast.parse(f"{function}({', '.join([*leading, f'*{star}', f'**{stars}'])})", mode="eval"))
    accounted: set[ast.AST] = set()
    nodes = [node for statement in wrapper.body for node in walk(statement)]
    calls = 0
    for node in nodes:
        if isinstance(node, ast.ExceptHandler) and not _lets_fail(node):
            return False
        if isinstance(node, ast.Call) and last_name(node.func) in {"suppress", "raises"}:
            return False
        if isinstance(node, ast.Call) and ast.unparse(node) == expected:
            accounted.update(walk(node))
            calls += 1
        elif isinstance(node, ast.Attribute) and node.attr in _ASKED:
            accounted.add(node.value)
    names = (node for node in nodes if isinstance(node, ast.Name) and node not in accounted)
    return calls > 0 and not any(
        node.id in {function, star, stars} or (node.id in leading and not isinstance(node.ctx, ast.Load))
        for node in names
    )


def _lets_fail(handler: ast.ExceptHandler) -> bool:
    """Return whether a call that does not fit fails all the same: what is caught is something else, or raised again."""
    caught = [getattr(builtins, name, TypeError) for name in caught_names(handler)]
    if not any(isinstance(each, type) and issubclass(TypeError, each) for each in caught):
        return True
    inner = [node for statement in handler.body for node in walk(statement)]
    return isinstance(handler.body[-1], ast.Raise) and not any(
        isinstance(node, (ast.Return, ast.Continue, ast.Break)) for node in inner
    )
