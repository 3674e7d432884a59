"""The parameters of a function in the order of its signature."""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import Function


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


def replaces_method(function: Function) -> bool:
    """Return whether a function outside classes takes ``self``: it replaces a method, which decides its parameters."""
    return [each.arg for each in positional_parameters(function)[:1]] == ["self"]


def defaults_of(function: Function | ast.Lambda) -> list[tuple[ast.arg, ast.expr]]:
    """Return the parameters that have a default, with it."""
    by_place, given = positional_parameters(function), function.args
    found = [*zip(by_place[len(by_place) - len(given.defaults) :], given.defaults, strict=True)]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return found + [(each, default) for each, default in by_name if default is not None]
