"""The uses of None and of unbound names in the functions of a file that the change touches."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import imported_names
from review_bot.changes.codebase import query
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.binders import left_out
from review_bot.flow.collected_uses import Use
from review_bot.flow.interpreter import follow
from review_bot.flow.state import Presence, Step
from review_bot.records import NamedTuple


class AbsentValue(NamedTuple):
    """A use of a place that holds None, or nothing, on a path to it. ``steps`` lead to it, in the order of the path.

    ``optional``: the place holds a parameter that is None when it is not passed, and every call reaches the use.
    """

    function: Function
    place: str
    node: ast.expr
    how: str
    presence: Presence
    steps: tuple[Step, ...]

    @property
    def because(self) -> str:
        """The steps as a clause in Markdown."""
        return " and ".join(f"{step.note} (line {step.line})" for step in self.steps)

    def places(self, path: str) -> tuple[Related, ...]:
        """Return the steps as places of the file ``path``, for a finding."""
        return tuple(Related(path, step.line, step.note, step.holds) for step in self.steps)


@query
def absent_values(source: SourceFile) -> tuple[AbsentValue, ...]:
    """Return the first use that each reason leads to, in the order of the text. Raises CannotParse."""
    found: list[AbsentValue] = []
    if not source.touched_functions:
        return ()
    constants = constants_of(source.tree)
    imported = imported_names(source.tree)
    ending = frozenset(each.name for each in source.functions if fails(each.body, constants))
    for function in source.touched_functions:
        uses = follow(function, constants, ending, imported).uses
        if uses:
            found += _first_of_each_reason(function, uses)
    return tuple(found)


def _first_of_each_reason(function: Function, uses: Sequence[Use]) -> Iterator[AbsentValue]:
    from review_bot.flow.certainty import reasons  # most functions use nothing that is absent
    from review_bot.flow.first_way import evaluated_by_every_call

    optional = left_out(function) if any(use.value.presence == "optional" for use in uses) else {}
    reached = evaluated_by_every_call(function, optional) if optional else frozenset()
    known: set[tuple[str, object]] = set()
    beside: dict[int, list[Use]] = {}
    for use in uses:
        beside.setdefault(id(use.node), []).append(use)
    for use in sorted(uses, key=_place_in_text):
        steps = reasons(use, beside[id(use.node)])
        if steps is None or (use.value.presence == "optional" and id(use.node) not in reached):
            continue
        if known.isdisjoint({(use.place, steps), (use.place, use.node)}):
            yield AbsentValue(function, use.place, use.node, use.how, use.value.presence, steps)
        known |= {(use.place, steps), (use.place, use.node)}


def _place_in_text(use: Use) -> tuple[int, int, bool]:
    return use.node.lineno, use.node.col_offset, not use.how
