"""The uses of None and of unbound names in the functions of a file that the change touches."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.cython_files import is_cython
from review_bot.analysis.python.statements import Function, is_function
from review_bot.analysis.python.syntax import bound_name, imported_names, own_nodes
from review_bot.changes.codebase import query
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.binders import left_out
from review_bot.flow.collected_uses import Use
from review_bot.flow.interpreter import MOST_STEPS, follow
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
    constants = constants_of(source.tree)
    imported, present = imported_names(source.tree), _always_imported(source)
    ending = more_ending | {each.name for each in source.functions if fails(each.body, constants)}
    ending |= {f"{each.name}()" for each in source.functions if _returns_one_of(each, ending)}
    giving, tables = _giving(source), _tables(source)
    for function in functions:
        runs = [*_runs(function, source, constants, ending, imported, present, giving, tables)]
        if any(runs):
            yield from _first_of_each_reason(function, runs)


def _returns_one_of(function: Function, ending: Collection[str]) -> bool:
    """Return whether a function returns one of its own that never returns: a placeholder, called as ``f()()``."""
    last = function.body[-1]
    inner = {each.name for each in function.body if is_function(each)}
    return (
        isinstance(last, ast.Return)
        and isinstance(last.value, ast.Name)
        and last.value.id in inner.intersection(ending)
    )


def _giving(source: SourceFile) -> frozenset[str]:
    """Return the names of functions and methods that never return None: each returns what it itself has used."""
    found: dict[str, bool] = {}
    for each in source.functions:
        found[each.name] = found.get(each.name, True) and _gives(each)
    return frozenset(name for name, gives in found.items() if gives)


def _gives(function: Function) -> bool:
    nodes = [*own_nodes(function.body)]
    returned = [each.value for each in nodes if isinstance(each, ast.Return)]
    if not returned or not isinstance(function.body[-1], ast.Return) or isinstance(function, ast.AsyncFunctionDef):
        return False
    if function.decorator_list or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in nodes):
        return False
    used = {
        each.value.id
        for each in nodes
        if isinstance(each, (ast.Attribute, ast.Subscript)) and isinstance(each.value, ast.Name)
    }
    return all(isinstance(each, ast.Name) and each.id in used for each in returned)


def _always_imported(source: SourceFile) -> frozenset[str]:
    """Return the names that the module imports without a condition, from libraries, and never binds again."""
    found: set[str] = set()
    for each in source.tree.body:
        if isinstance(each, ast.Import) or (isinstance(each, ast.ImportFrom) and _is_of_library(each)):
            found.update(map(bound_name, each.names))
    return frozenset(found) - {each.id for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load)}


def _tables(source: SourceFile) -> frozenset[str]:
    """Return the names that the module sets once, to a dictionary, and that nothing else in the file binds."""
    found: set[str] = set()
    for each in source.tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() | ast.DictComp()):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict() | ast.DictComp()):
                found.add(name)
    if not found:
        return frozenset()
    bound = Counter(each.id for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load))
    others = {each.arg for each in source.nodes(ast.arg)} | imported_names(source.tree).keys()
    return frozenset(name for name in found - others if bound[name] == 1)


def _is_of_library(statement: ast.ImportFrom) -> bool:
    return not statement.level and (statement.module or "").partition(".")[0] in WELL_KNOWN


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


def _runs(
    function: Function,
    source: SourceFile,
    constants: Mapping[str, object],
    ending: frozenset[str],
    imported: Mapping[str, str],
    present: frozenset[str],
    giving: frozenset[str],
    tables: frozenset[str],
) -> Iterator[tuple[Use, ...]]:
    """Yield the uses in a function; if it has too many paths, also those of each name that is followed by itself."""
    followed = partial(follow, function, constants, ending, imported, present=present, giving=giving, tables=tables)
    whole = followed()
    yield whole.uses
    if not whole.cut and not whole.lost:
        return
    from review_bot.flow.slices import slices

    unclear = {use.place for use in whole.uses if use.state.doubts}
    steps = 0
    lines = lines_of(function) if source.removed else source.added
    for name, deciding in slices(function, lines, ending, None if whole.cut else whole.lost | unclear):
        if steps < MOST_STEPS:
            alone = followed(only=deciding)
            steps += alone.steps
            yield tuple(use for use in alone.uses if use.place == name)


def _place_in_text(use: Use) -> tuple[int, int, bool]:
    return use.node.lineno, use.node.col_offset, not use.how
