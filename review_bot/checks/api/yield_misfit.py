"""A loop that unpacks another number of values than the generator it goes over yields.

Each ``yield`` has to write its values out, and the text has to prove which function runs (see ``call_targets``). The
change adds the loop, or the ``yield``; then the loop may be anywhere in the tree::

    async def generate(self, prompt):
        yield self.number, text, status                        the status is new
    ...
    async for number, text in engine.generate(prompt):         ValueError
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.placed_calls import Place, calls_at
from review_bot.analysis.facts.returned_values import yielded_values
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.unpacked_items import UnpackedItems, unpacked_items
from review_bot.analysis.facts.word_search import files_with, held_before
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import imports_of
from review_bot.analysis.python.syntax import bound_name, is_generator
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_OF_PYTHON = frozenset(dir(builtins))

_MOST_FILES = 100
"""Files of the base that hold the name of a generator whose ``yield`` the change edits."""


class Edited(NamedTuple):
    """A generator by its name, and the first ``yield`` of it that the change adds or edits."""

    name: str
    line: int
    size: int


class LoopsAndGenerators(NamedTuple):
    """The loops that the change adds or edits in one file, and the generators with such a ``yield``."""

    loops: tuple[UnpackedItems, ...]
    generators: tuple[Edited, ...]


class _Misfit(NamedTuple):
    """A loop of a file over the results of a generator, and the first ``yield`` of that."""

    path: str
    loop: UnpackedItems
    generator: Symbol
    line: int
    size: int


def gather(source: SourceFile) -> LoopsAndGenerators | None:
    """Return what one file has of both. Raises CannotParse."""
    loops = [each for each in unpacked_items(source.tree) if _is_touched(each, source)]
    found: list[Edited] = []
    for function in source.functions:
        if source.any_added(*span_of(function)) and is_generator(function):
            new = ((source.first_added(each.line, each.last), each.size) for each in yielded_values(function))
            found += [Edited(function.name, line, size) for line, size in new if line is not None][:1]
    foreign = _foreign({each.name for each in loops}, source)
    loops = [each for each in loops if each.name not in foreign]
    return LoopsAndGenerators(tuple(loops), tuple(found)) if loops or found else None


def _foreign(names: set[str], source: SourceFile) -> set[str]:
    """Return those of some names of functions of Python, as ``enumerate``, that mean nothing else in a file."""
    found = names & _OF_PYTHON
    if not found:
        return found
    own = {bound_name(alias) for each in imports_of(source.tree) for alias in each.names}
    own.update(each.name for each in (*source.functions, *source.nodes(ast.ClassDef)))
    own.update(each.id for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load))
    own.update(each.arg for each in source.nodes(ast.arg))
    own.update(each.attr for each in source.nodes(ast.Attribute))
    return set() if "*" in own else found - own


def _is_touched(loop: UnpackedItems, source: SourceFile) -> bool:
    return source.touches(loop.at, loop.at) or source.touches(loop.line, loop.line)


def relate(facts: Mapping[str, LoopsAndGenerators], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each loop of the change that does not fit, and on each ``yield`` that another does not fit."""
    added = {(path, each) for path, found in facts.items() for each in found.loops}
    waiting = {(path, each.name) for path, each in added}
    for name in {each.name for found in facts.values() for each in found.generators}:
        paths = files_with(codebase.head, [name], ".py")
        known = held_before(codebase.head, [name]).intersection(paths)
        waiting |= {(path, name) for path in paths} if len(known) <= _MOST_FILES else set()
    left: dict[Symbol, list[_Misfit]] = {}
    for path, name in sorted(waiting):
        for each in _misfits(path, name, codebase):
            if (path, each.loop) in added:
                yield _on_loop(each)
            else:
                left.setdefault(each.generator, []).append(each)
    for generator, misfits in sorted(left.items()):
        edited = facts[generator.path].generators if generator.path in facts else ()
        name = generator.name.rpartition(".")[2]
        if (first := next((one for one in edited if one.name == name), None)) is not None:
            yield _on_yield(first, generator, misfits)


def _misfits(path: str, name: str, codebase: Codebase) -> Iterator[_Misfit]:
    """Yield the loops of a file over what a function of this name gives that unpack another number of values."""
    targets, certainty, tree = call_targets(codebase.head), CallCertainty(codebase), codebase.head.tree(path)
    places: dict[Place, list[UnpackedItems]] = {}
    for loop in () if tree is None else unpacked_items(tree):
        if loop.name == name:
            places.setdefault(loop.place, []).append(loop)
    for file, call, loops in calls_at(targets, path, places, hidden=True):
        run = targets.run(file, call)
        function = None if run is None else targets.function_of(run.symbol)
        yielded = [] if function is None else yielded_values(function)
        is_async, sizes = isinstance(function, ast.AsyncFunctionDef), {each.size for each in yielded}
        misfit = [each for each in loops if each.is_async == is_async and each.size not in sizes]
        if run is None or not yielded or not misfit:
            continue
        if not is_patched(file, call, run, targets) and certainty.of(file, call, run):
            yield from (_Misfit(path, each, run.symbol, yielded[0].line, yielded[0].size) for each in misfit)


def _on_loop(misfit: _Misfit) -> Hit:
    path, line = misfit.generator.path, misfit.line
    values = {
        "name": misfit.generator.name,
        "size": str(misfit.loop.size),
        "yielded": str(misfit.size),
        "place": f"{path}:{line}",
    }
    return Hit(misfit.loop.at, path=misfit.path, values=values, related=(Related(path, line, "yields other values"),))


def _on_yield(edited: Edited, generator: Symbol, misfits: list[_Misfit]) -> Hit:
    places = [Related(each.path, each.loop.at, f"unpacks {each.loop.size}") for each in misfits]
    where, alone = places_in_words(places)
    sizes = " or ".join(map(str, sorted({each.loop.size for each in misfits})))
    message = (
        f"`{generator.name}` yields {edited.size} values here, but {where} "
        f"{'unpacks' if alone else 'unpack'} {sizes} of each item."
    )
    related = tuple(places[:MOST_RELATED])
    return Hit(edited.line, path=generator.path, message=message, related=related, statement=generator.name)


CHECK = change_check(gather, relate, CheckTraits(literals=("yield", "for in")))
