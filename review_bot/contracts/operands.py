"""Which argument of a call a requirement is about, and whether the requirement holds for the call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from review_bot.contracts.contract import Requirement


def operand_of(
    required: Requirement, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> ast.expr | None:
    """Return the argument that must meet a requirement, or None if it is not passed."""
    by_place = 0 <= required.at < len(arguments)
    return arguments[required.at] if by_place else passed_as(required.of, keywords)


def applies(required: Requirement, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> bool:
    """Return whether a requirement holds for a call with these arguments."""
    count = len(arguments) + len(keywords)
    if count < required.least_arguments or count > (required.most_arguments or count):
        return False
    if required.without and passed_as(required.without, keywords) is not None:
        return False
    if required.passed:
        value = passed_as(required.passed, keywords)
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return False
    name, *words = required.when or ("",)
    given = passed_as(name, keywords)
    return not name or (isinstance(given, ast.Constant) and str(given.value) in words)


def passed_as(name: str, keywords: Sequence[ast.keyword]) -> ast.expr | None:
    """Return what is passed by this name, or None."""
    return next((each.value for each in keywords if each.arg == name), None)
