"""Facts of one text: plain data that is computed once, whichever file, side or check has the text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TypeVar

Fact = TypeVar("Fact")


def facts_of_file(function: Callable[[ast.Module], Iterable[Fact]]) -> Callable[[ast.Module], tuple[Fact, ...]]:
    """Return a function of a syntax tree that computes its facts once. They hold no node: a tree dies with its user."""
    name = f"_{function.__module__}.{function.__name__}"

    @wraps(function)
    def known(tree: ast.Module) -> tuple[Fact, ...]:
        found: tuple[Fact, ...] | None = tree.__dict__.get(name)
        if found is None:
            found = tree.__dict__[name] = tuple(function(tree))
        return found

    return known
