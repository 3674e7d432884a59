"""A call that unwraps a value and that a change removes from one method, while methods of other classes keep it.

::

    hidden, extra = self.unwrap(hidden)      removed from GpuRunner.warm_up
    last = hidden[indices]                   still there; NpuRunner.warm_up and ArRunner.warm_up keep the call
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import Function, is_function
from review_bot.analysis.python.syntax import attribute_of_self, classes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library

_FEWEST = 2
"""Methods of other classes that keep the call."""
_MOST_FILES = 40


class Dropped(NamedTuple):
    """A call that gave a name what it made of it, removed from a method which still indexes the name on ``use``."""

    owner: str
    method: str
    called: str
    name: str
    line: int
    use: int


def gather(source: SourceFile) -> tuple[Dropped, ...] | None:
    """Return such calls on removed lines of one file. Raises CannotParse."""
    if source.change.status != "modified" or not source.removed or (old := source.known_old_tree) is None:
        return None
    found: list[Dropped] = []
    now = {(owner, method.name): method for owner, method in _methods(source.tree)}
    for owner, method in _methods(old):
        if not source.any_removed(*span_of(method)):
            continue
        for called, name, line in _unwraps(method):
            kept = now.get((owner, method.name))
            if line not in source.removed or kept is None or any(it == called for it, _ in _calls(kept)):
                continue
            used = [
                each.lineno
                for each in nodes_of(kept, ast.Subscript)
                if isinstance(each.value, ast.Name) and each.value.id == name and isinstance(each.ctx, ast.Load)
            ]
            if used:
                found.append(Dropped(owner, method.name, called, name, line, used[0]))
    return tuple(found) or None


def _methods(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    return ((owner.name, each) for owner in classes(tree) for each in owner.body if is_function(each))


def _calls(method: Function) -> list[tuple[str, ast.Call]]:
    """Return the methods of its own object that a method calls."""
    calls = ((attribute_of_self(each.func), each) for each in nodes_of(method, ast.Call))
    return [(name, call) for name, call in calls if name]


def _unwraps(method: Function) -> Iterator[tuple[str, str, int]]:
    """Yield each ``x, more = self.called(x)``: what is called, the name, and the line."""
    for each in nodes_of(method, ast.Assign):
        called = attribute_of_self(each.value.func) if isinstance(each.value, ast.Call) else ""
        target = each.targets[0]
        if called and isinstance(each.value, ast.Call) and isinstance(target, ast.Tuple):
            bound = {part.id for part in target.elts if isinstance(part, ast.Name)}
            for argument in each.value.args:
                if isinstance(argument, ast.Name) and argument.id in bound:
                    yield called, argument.id, each.lineno


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield those that at least two methods of this name in other classes keep."""
    for path, each in each_fact(facts):
        paths = files_with(codebase.head, [each.called], ".py")
        keeping: list[tuple[str, Related]] = []
        for other in paths if len(paths) <= _MOST_FILES else ():
            tree = codebase.head.tree(other) if is_library(other) else None
            for owner, method in () if tree is None else _methods(tree):
                if method.name == each.method and owner != each.owner:
                    lines = [line for called, _, line in _unwraps(method) if called == each.called]
                    keeping += [(owner, Related(other, line, "keeps it")) for line in lines[:1]]
        if len(keeping) < _FEWEST:
            continue
        values = {
            "called": each.called, "method": f"{each.owner}.{each.method}", "name": each.name,
            "use": str(each.use), "count": str(len(keeping)), "example": keeping[0][0],
        }  # fmt: skip
        related = tuple(place for _, place in keeping[:8])
        statement = f"{each.owner}.{each.method} {each.called}"
        yield Hit(each.line, side="LEFT", path=path, values=values, related=related, statement=statement)


CHECK = change_check(gather, relate, CheckTraits(literals=("self",), reads_old=True, on_lines=False))
