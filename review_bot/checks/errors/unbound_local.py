"""A local variable that no statement binds on a path to its use (see ``flow``).

A path ends at a call of an imported function that never returns, as the tree shows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.never_returning import never_returning
from review_bot.analysis.python.failed_searches import failed_searches
from review_bot.analysis.python.statements import first_line, last_name, tries_of
from review_bot.analysis.python.syntax import dotted, hit_on, imported_names, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.line_map import LineMap
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors import read_before_assignment
from review_bot.findings import Related
from review_bot.flow.absent_values import AbsentValue, absent_values, remains
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit


class Unbound(NamedTuple):
    """A use without a value in the function on the lines ``first`` to ``last`` (1-based).

    ``unless``: sets of names of imported functions; there is no such path if those of one set never return.
    """

    hit: Hit
    first: int = 0
    last: int = 0
    unless: tuple[frozenset[str], ...] = ()


def gather(source: SourceFile) -> tuple[Unbound, ...] | None:
    """Return the first such use for each reason; ``read_before_assignment`` reports the others. Raises CannotParse."""
    found = list(_unbound(source))
    reported = {(hit.line, hit.column) for hit in read_before_assignment.examine(source)} if found else set()
    found = [each for each in found if (each.hit.line, each.hit.column) not in reported]
    known = _known([each.hit for each in found], source)
    return tuple(each for each in found if each.hit.line not in known) or None


def _known(hits: Iterable[Hit], source: SourceFile) -> frozenset[int | None]:
    """Return the unchanged lines of some uses that have one at the base too."""
    unchanged = {each.line for each in hits if each.line} - source.added.keys()
    base = source.at_base() if unchanged else None
    try:
        before = set() if base is None else {each.hit.line for each in _unbound(base)}
    except CannotParse:
        return frozenset()
    lines = LineMap(source.change)
    return frozenset(line for line in unchanged if lines.old_line(line) in before)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield the uses, but for those on paths that end in the call of a function that never returns."""
    for path, each in each_fact(facts):
        calls = never_returning(codebase.head)
        if not any(all(calls.all_named(path, name, each.first, each.last) for name in one) for one in each.unless):
            yield each.hit._replace(path=path)


def _unless(found: AbsentValue, source: SourceFile) -> tuple[frozenset[str], ...]:
    """Return the names of imported functions of which the path to a use depends: one alone, or all of them."""
    imported = imported_names(source.tree)
    statements = (each for each in own_nodes(found.function.body) if isinstance(each, (ast.Expr, ast.Return)))
    calls = (each.value for each in statements if isinstance(each.value, ast.Call))
    names = {last_name(each.func) for each in calls if (dotted(each.func) or "").partition(".")[0] in imported}
    if not names or remains(found, source, names):
        return ()
    alone = tuple(each for each in ({name} for name in sorted(names)) if not remains(found, source, each))
    return tuple(map(frozenset, alone or [names]))


def _advice(found: AbsentValue, source: SourceFile) -> str | None:
    """Return what to do about a use that the rule's advice does not fit: a ``del``, or one in a ``finally``."""
    if isinstance(found.node, ast.Name) and isinstance(found.node.ctx, ast.Del):
        return "Delete it on the paths that assign it, or assign it on every path."
    finals = [
        each.finalbody for each in tries_of(source.tree) if each.finalbody and found.function.lineno < each.lineno
    ]
    if any(first_line(body[0]) <= found.node.lineno <= last_line(body[-1]) for body in finals):
        return (
            "Assign it before the `try`, and handle that value here: an error that is on its way would only be the"
            " context of the UnboundLocalError."
        )
    return None


def _unbound(source: SourceFile) -> Iterator[Unbound]:
    for each in absent_values(source):
        if each.presence == "unbound" and each.steps:
            values = {"name": each.place, "because": each.because}
            message = (
                f"`{each.place}` has no value here on one path: {each.because}, and nothing assigns it on the way."
                f"{each.after}"
            )
            hit = hit_on(
                source,
                each.node,
                values=values,
                message=message if each.logged else None,
                instead=_advice(each, source),
                related=each.places(source.path),
            )
            yield Unbound(hit, *span_of(each.function), _unless(each, source))
    for function in source.functions:
        if source.touches(*span_of(function)):
            for search in failed_searches(function):
                because = f"no iteration of the loop on line {search.loop} passes the test on line {search.condition}"
                related = (Related(source.path, search.condition, "the only place that assigns it"),)
                values = {"name": search.use.id, "because": because}
                yield Unbound(hit_on(source, search.use, values=values, related=related))


CHECK = change_check(
    gather, relate, CheckTraits(literals=("if", "try", "del", "match"), works_without_tree=True, tree_excuses=True)
)
