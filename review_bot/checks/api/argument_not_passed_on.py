"""A function that passes its parameters on to another under their names and leaves one out that the other takes too.

::

    def load(path, cache_dir, revision, token):
        return fetch(path, revision=revision, token=token)      and ``fetch`` takes ``cache_dir`` too

Nothing in the function reads the parameter: where something does, it may be for another call alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.runs import Run
from review_bot.analysis.python.statements import Function, functions_of, last_name, named_parameters
from review_bot.analysis.python.syntax import is_name, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LEAST_PASSED = 2
_ON_PURPOSE = LazyRegex(r"(?i)deprecat|unused|ignored|not used|no effect|no-op|compat|unsupported")


class Left(NamedTuple):
    """A call that leaves parameters of its function out. ``passed``: how many it passes on."""

    line: int
    column: int
    name: str
    function: str
    left: tuple[str, ...]
    passed: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Left, ...] | None:
    """Return the calls on added lines that leave out parameters of their functions. Raises CannotParse."""
    if not source.added:
        return None
    found: list[Left] = []
    for function in source.functions:
        if source.any_added(*span_of(function)):
            found += _left_out(function, source)
    return tuple(found) or None


def _left_out(function: Function, source: SourceFile) -> Iterator[Left]:
    own = {each.arg for each in named_parameters(function)} - {"self", "cls"}
    if len(own) <= _LEAST_PASSED:
        return
    calls = [each for each in own_nodes(function.body) if isinstance(each, ast.Call) and _shows_all(each, function)]
    passing = [(each, passed) for each in calls if len(passed := _passed_on(each, own)) >= _LEAST_PASSED]
    if not passing:
        return
    header_is_new = source.any_added(function.lineno, function.body[0].lineno)
    unread = _unread(function) & own - _unread_before(function.name, source)
    left = tuple(name for name in sorted(unread) if name[0] != "_" and not _is_on_purpose(function, name))
    for call, passed in passing if left else ():
        if header_is_new or source.touches(*span_of(call)):
            yield Left(call.lineno, call.col_offset, last_name(call.func), function.name, left, tuple(sorted(passed)))


def _unread(function: Function) -> set[str]:
    used = {each.id for statement in function.body for each in walk(statement) if isinstance(each, ast.Name)}
    return {each.arg for each in named_parameters(function)} - used


def _unread_before(name: str, source: SourceFile) -> set[str]:
    """Return the parameters that a function of this name left unread at the base as well."""
    if source.old_text is None:
        return set()
    old = functions_of(source.old_tree)
    return {each for function in old if function.name == name for each in _unread(function)}


def _shows_all(call: ast.Call, function: Function) -> bool:
    """Return whether a call unpacks nothing but the ``**kwargs`` of its function, which hold no parameter of it."""
    rest = function.args.kwarg.arg if function.args.kwarg is not None else ""
    return not any(isinstance(each, ast.Starred) for each in call.args) and all(
        each.arg is not None or is_name(each.value, rest) for each in call.keywords
    )


def _passed_on(call: ast.Call, own: set[str]) -> set[str]:
    return {each.arg for each in call.keywords if each.arg in own and is_name(each.value, each.arg)}


def _is_on_purpose(function: Function, name: str) -> bool:
    """Return whether the docstring says that the parameter does nothing."""
    lines = (ast.get_docstring(function) or "").split("\n")
    near = [number for number, line in enumerate(lines) if re.search(rf"\b{re.escape(name)}\b", line)]
    return any(_ON_PURPOSE.search(" ".join(lines[number : number + 3])) for number in near)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each call of a function that takes what is left out."""
    targets = call_targets(codebase.head)
    for path, found in sorted(facts.items()):
        for file, call, each in calls_at(targets, path, {(each.line, each.column, each.name): each for each in found}):
            run = targets.run(file, call)
            if run is None or len(run.signatures) != 1:
                continue
            taken = _taken(run)
            for name in each.left:
                if name in taken:
                    passed = ", ".join(f"`{one}`" for one in each.passed[:3])
                    values = {"name": name, "function": each.function, "called": run.symbol.name, "passed": passed}
                    related = (Related(run.symbol.path, run.signatures[0].line, f"takes `{name}`"),)
                    yield Hit(each.line, values=values, path=path, related=related)


def _taken(run: Run) -> set[str]:
    """Return the optional parameters that a call leaves to their defaults."""
    by_place = [each for each in run.signatures[0].parameters if each.kind in {"positional", "either"}]
    given = {each.name for each in by_place[: run.form.positional]} | set(run.form.keywords)
    return {
        each.name
        for each in run.signatures[0].parameters
        if not each.required and each.kind in {"either", "keyword"} and each.name not in given
    }


CHECK = change_check(gather, relate, CheckTraits(literals=("def",), reads_old=True))
