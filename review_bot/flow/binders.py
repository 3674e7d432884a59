"""Which parameters of a function may be None, and which never are."""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import Function, defaults_of, named_parameters
from review_bot.analysis.python.syntax import is_literal
from review_bot.flow.state import Step
from review_bot.text.lazy_regex import LazyRegex

_WORD = LazyRegex(r"\w+")
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
