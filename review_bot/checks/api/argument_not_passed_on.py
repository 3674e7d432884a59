"""A function that passes its parameters on to another under their names and leaves one out that the other takes too.

::

    def load(path, cache_dir, revision, token):
        return fetch(path, revision=revision, token=token)      and ``fetch`` takes ``cache_dir`` too

The parameter is read nowhere in the function, or another call of the same function there does pass it on.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import Run, call_targets
from review_bot.analysis.python.names import is_name, names_in
from review_bot.analysis.python.parameters import named_parameters
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import argument_values, own_nodes, unpacks
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import walk
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_LEAST_PASSED = 2
_ON_PURPOSE = re.compile(r"(?i)deprecat|unused|ignored|not used|no effect|no-op|compat|unsupported")


class Left(NamedTuple):
    """A call that leaves parameters of its function out. ``passed``: how many it passes on."""

    line: int
    column: int
    name: str
    function: str
    left: tuple[tuple[str, int], ...]
    passed: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Left, ...] | None:
    """Return the calls on added lines that leave out parameters of their functions. Raises CannotParse."""
    if not source.added:
        return None
    found: list[Left] = []
    for function in source.functions:
        if source.any_added(function.lineno, function.end_lineno or function.lineno):
            found += _left_out(function, source)
    return tuple(found) or None


def _left_out(function: Function, source: SourceFile) -> Iterator[Left]:
    own = {each.arg for each in named_parameters(function)} - {"self", "cls"}
    if len(own) <= _LEAST_PASSED:
        return
    calls = [each for each in own_nodes(function.body) if isinstance(each, ast.Call) and not unpacks(each)]
    passing = [(each, passed) for each in calls if len(passed := _passed_on(each, own)) >= _LEAST_PASSED]
    if not passing:
        return
    names = [each for statement in function.body for each in walk(statement) if isinstance(each, ast.Name)]
    read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    bound = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
    for call, passed in passing:
        mentioned = {name for each in (*argument_values(call), call.func) for name in names_in(each)}
        if not source.touches(call.lineno, call.end_lineno or call.lineno) and not source.any_added(
            function.lineno, function.body[0].lineno
        ):
            continue
        left: list[tuple[str, int]] = []
        for name in sorted(own - mentioned - bound):
            other = next((each for each, given in passing if name in given and _same(each, call)), None)
            if name not in read:
                left.append((name, 0))
            elif other is not None and not _is_asked(function, name):
                left.append((name, other.lineno))
        left = [each for each in left if not each[0].startswith("_") and not _is_on_purpose(function, each[0])]
        if left:
            name = last_name(call.func)
            yield Left(call.lineno, call.col_offset, name, function.name, tuple(left), tuple(sorted(passed)))


def _passed_on(call: ast.Call, own: set[str]) -> set[str]:
    return {each.arg for each in call.keywords if each.arg in own and is_name(each.value, each.arg)}


def _same(one: ast.Call, other: ast.Call) -> bool:
    return one is not other and ast.dump(one.func) == ast.dump(other.func)


def _is_asked(function: Function, name: str) -> bool:
    tests = (each.test for each in walk(function) if isinstance(each, (ast.If, ast.IfExp, ast.While, ast.Assert)))
    return any(name in names_in(test) for test in tests)


def _is_on_purpose(function: Function, name: str) -> bool:
    """Return whether the docstring says that the parameter does nothing."""
    lines = (ast.get_docstring(function) or "").split("\n")
    near = [number for number, line in enumerate(lines) if re.search(rf"\b{re.escape(name)}\b", line)]
    return any(_ON_PURPOSE.search(" ".join(lines[number : number + 3])) for number in near)


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each call of a function that takes what is left out."""
    targets = call_targets(codebase.head)
    for path, found in sorted(facts.items()):
        wanted = {(each.line, each.column, each.name): each for each in found}
        file = targets.file(path)
        for call in () if file is None else file.calls(frozenset(name for _, _, name in wanted)):
            each = wanted.get((call.node.lineno, call.node.col_offset, last_name(call.node.func)))
            run = None if each is None or file is None else targets.run(file, call)
            if each is None or run is None or len(run.signatures) != 1:
                continue
            around = next((scope for scope in reversed(call.scopes) if is_function(scope)), None)
            taken = _taken(run)
            for name, line in each.left:
                if name not in taken or around is None:
                    continue
                reason = f"line {line} passes it" if line else f"nothing in `{each.function}` reads it"
                values = {
                    "name": name,
                    "function": each.function,
                    "called": run.symbol.name,
                    "reason": reason,
                    "passed": ", ".join(f"`{one}`" for one in each.passed[:3]),
                }
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


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("def",)))
