"""The uses of None and of unbound names in the functions of a file that the change touches."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from review_bot.analysis.python.cython_files import is_cython
from review_bot.analysis.python.statements import Function
from review_bot.changes.codebase import query
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.binders import left_out
from review_bot.flow.collected_uses import Use
from review_bot.flow.interpreter import MOST_STEPS, follow
from review_bot.flow.module_facts import ModuleFacts, module_facts
from review_bot.flow.state import Presence, Step
from review_bot.records import NamedTuple


class AbsentValue(NamedTuple):
    """A use of a place that holds None, or nothing, on a path to it. ``steps`` lead to it, in the order of the path.

    ``logged``: the line of the handler that only logs the error, or 0.
    ``optional``: the place holds a parameter that is None when it is not passed, and every call reaches the use.
    """

    function: Function
    place: str
    node: ast.expr
    how: str
    presence: Presence
    steps: tuple[Step, ...]
    logged: int = 0

    @property
    def because(self) -> str:
        """The steps as a clause in Markdown."""
        return " and ".join(f"{step.note} (line {step.line})" for step in self.steps)

    @property
    def after(self) -> str:
        """What follows the error where a handler only logs it, as a sentence after a space; else empty."""
        return f" The handler on line {self.logged} catches the error and only logs it." if self.logged else ""

    def places(self, path: str) -> tuple[Related, ...]:
        """Return the steps as places of the file ``path``, for a finding."""
        return tuple(Related(path, step.line, step.note, step.holds) for step in self.steps)


@query
def absent_values(source: SourceFile) -> tuple[AbsentValue, ...]:
    """Return the first use that each reason leads to, in the order of the text. Raises CannotParse."""
    return tuple(_found(source, source.touched_functions))


def remains(found: AbsentValue, source: SourceFile, ending: Collection[str]) -> bool:
    """Return whether a use in a file is still found if no function of some names returns. Raises CannotParse."""
    values = _found(source, [found.function], frozenset(ending))
    return any(each.node is found.node and each.place == found.place for each in values)


def _found(
    source: SourceFile, functions: Sequence[Function], more_ending: frozenset[str] = frozenset()
) -> Iterator[AbsentValue]:
    if not functions or is_cython(source.tree):
        return
    module = module_facts(source, more_ending)
    for function in functions:
        runs = [*_runs(function, source, module)]
        if any(runs):
            yield from _first_of_each_reason(function, runs)


def _first_of_each_reason(function: Function, runs: Sequence[tuple[Use, ...]]) -> Iterator[AbsentValue]:
    from review_bot.flow.certainty import reasons  # most functions use nothing that is absent
    from review_bot.flow.first_way import evaluated_by_every_call

    uses = [use for run in runs for use in run]
    optional = left_out(function) if any(use.value.presence == "optional" for use in uses) else {}
    reached = evaluated_by_every_call(function, optional) if optional else frozenset()
    known: set[tuple[str, object]] = set()
    beside: dict[int, list[Use]] = {}
    for run in runs:
        alike: dict[int, list[Use]] = {}
        for use in run:
            beside[id(use)] = alike.setdefault(id(use.node), [])
            beside[id(use)].append(use)
    for use in sorted(uses, key=_place_in_text):
        steps = reasons(use, beside[id(use)])
        if steps is None or (use.value.presence == "optional" and id(use.node) not in reached):
            continue
        if _is_only_tested(use) and _depends_on_another(function, use):
            continue
        if known.isdisjoint({(use.place, steps), (use.place, use.node)}):
            yield AbsentValue(function, use.place, use.node, use.how, use.value.presence, steps, use.logged)
        known |= {(use.place, steps), (use.place, use.node)}


def _is_only_tested(use: Use) -> bool:
    """Return whether nothing but a test says that a place holds None."""
    return use.value.presence == "none" and not use.value.written and use.value.step is not None


def _depends_on_another(function: Function, use: Use) -> bool:
    from review_bot.flow.other_tests import is_behind_other_test

    step = use.value.step
    places = {use.place, use.value.copy_of, step.note.partition("`")[2].partition("`")[0] if step else ""}
    return step is not None and is_behind_other_test(function, use.node, places, step.line)


def _runs(function: Function, source: SourceFile, module: ModuleFacts) -> Iterator[tuple[Use, ...]]:
    """Yield the uses in a function; if it has too many paths, also those of each name that is followed by itself."""
    whole = follow(function, module)
    yield whole.uses
    if not whole.cut and not whole.lost:
        return
    from review_bot.flow.slices import slices

    unclear = {use.place for use in whole.uses if use.state.doubts}
    steps = 0
    lines = lines_of(function) if source.removed else source.added
    for name, deciding in slices(function, lines, module.ending, None if whole.cut else whole.lost | unclear):
        if steps < MOST_STEPS:
            alone = follow(function, module, only=deciding)
            steps += alone.steps
            yield tuple(use for use in alone.uses if use.place == name)


def _place_in_text(use: Use) -> tuple[int, int, bool]:
    return use.node.lineno, use.node.col_offset, not use.how
