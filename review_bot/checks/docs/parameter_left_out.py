"""A parameter that the change adds to a function whose docstring describes all the others.

The three styles that ``stale_args`` reads count. A function whose docstring left out parameters before is left to
``docs/args-undocumented``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.statements import (
    Function,
    definitions,
    is_function,
    is_string,
    last_name,
    named_parameters,
)
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.checks.docs.stale_args import described_parameters
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_ALIKE = 0.8
_FEWEST = 2
"""Described parameters that show that the docstring is meant to describe them."""
_PASSED_BY_FRAMEWORK = frozenset(
    {"BackgroundTasks", "HTTPConnection", "OAuthProfile", "OAuthToken", "Progress", "Request", "Response", "WebSocket"}
)
"""Types by which Gradio, Starlette and FastAPI recognise a parameter that they pass themselves."""
_WORD = LazyRegex(r"\w+")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on the first new parameter that such a docstring lacks. Raises CannotParse."""
    if source.old_text is None or not source.added:
        return
    complete: dict[str, frozenset[str]] | None = None
    for name, function in _documented(source):
        parameters = _parameters(function)
        added = [each for each in parameters if each.lineno in source.added]
        if not added:
            continue
        mentioned = set(_WORD.findall(ast.get_docstring(function, clean=False) or ""))
        missing = [each for each in added if each.arg not in mentioned and not each.arg.startswith("_")]
        if not missing:
            continue
        if complete is None:
            complete = _complete_at_base(source)
        before = complete.get(name, frozenset())
        missing = [each for each in missing if each.arg not in before]
        described = {each.lstrip("*") for each in described_parameters(source, function)} if before else set()
        known = described & {each.arg for each in parameters}
        near = NearNames(described - known, _ALIKE)  # what is misspelt there is described
        missing = [each for each in missing if not near.nearest(each.arg)]
        if missing and before and before <= known:  # else one is gone or has a new name, or none is described now
            values = {
                "names": names_in_words(each.arg for each in missing),
                "it": "it" if len(missing) == 1 else "them",
                "function": function.name,
                "count": str(len(described & {each.arg for each in nodes_of(function.args, ast.arg)})),
            }
            yield hit_on(source, missing[0], values=values, statement=f"{name} {values['names']}")


def _documented(source: SourceFile) -> Iterator[tuple[str, Function]]:
    """Yield the functions with a docstring, with their qualified names. Raises CannotParse."""
    for definition in definitions(source.tree.body):
        node = definition.node
        if is_function(node) and is_string(node.body[0]):
            yield definition.name, node


def _complete_at_base(source: SourceFile) -> dict[str, frozenset[str]]:
    """Return the parameters of each function of the base whose docstring describes all of them."""
    found: dict[str, frozenset[str]] = {}
    old = source.at_base()
    if old is None:
        return found
    with suppress(CannotParse):
        for name, function in _documented(old):
            parameters = frozenset(each.arg for each in _parameters(function))
            described = {each.lstrip("*") for each in described_parameters(old, function)}
            if len(parameters) >= _FEWEST and parameters <= described:
                found[name] = parameters
    return found


def _parameters(function: Function) -> list[ast.arg]:
    """Return the parameters that a caller passes."""
    named = named_parameters(function)
    named = named[1:] if named and named[0].arg in {"self", "cls"} else named
    return [each for each in named if last_name(each.annotation) not in _PASSED_BY_FRAMEWORK]


CHECK = file_check(examine, CheckTraits(literals=("Arg", "Param", "param"), reads_old=True))
