"""A local variable that no statement binds on a path to its use (see ``flow``)."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.failed_searches import failed_searches
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors import read_before_assignment
from review_bot.findings import Related
from review_bot.flow.absent_values import absent_values
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use for each reason; ``read_before_assignment`` reports the others. Raises CannotParse."""
    found = list(_unbound(source))
    reported = {(hit.line, hit.column) for hit in read_before_assignment.examine(source)} if found else set()
    yield from (hit for hit in found if (hit.line, hit.column) not in reported)


def _unbound(source: SourceFile) -> Iterator[Hit]:
    for each in absent_values(source):
        if each.presence == "unbound" and each.steps:
            values = {"name": each.place, "because": each.because}
            message = (
                f"`{each.place}` has no value here on one path: {each.because}, and nothing assigns it on the way."
                f"{each.after}"
            )
            yield hit_on(
                source,
                each.node,
                values=values,
                message=message if each.logged else None,
                related=each.places(source.path),
            )
    for function in source.functions:
        if source.touches(*span_of(function)):
            for search in failed_searches(function):
                because = f"no iteration of the loop on line {search.loop} passes the test on line {search.condition}"
                related = (Related(source.path, search.condition, "the only place that assigns it"),)
                yield hit_on(
                    source,
                    search.use,
                    values={"name": search.use.id, "because": because},
                    related=related,
                )


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("if", "try", "del", "match")))
