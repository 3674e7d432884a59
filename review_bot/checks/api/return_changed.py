"""A function that returns something of another form after the change, and calls that still use the old form.

Only calls whose target the text proves count (see ``call_targets``), and only uses that surely fail.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.made_objects import MadeObjects, functions_that_make
from review_bot.analysis.facts.named_tuple_init import tuple_sizes
from review_bot.analysis.facts.outdated_result_uses import must_fail, use_of_old_form
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.returned_values import Returned, returned_values
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.started_calls import STARTERS
from review_bot.analysis.facts.unpacked_results import runs_unpacked, unpacked_results
from review_bot.analysis.facts.word_search import files_with, looked_at, rarest_of, unused_copies, words_held
from review_bot.analysis.project.import_clauses import import_clauses
from review_bot.analysis.project.module_tree import place_of
from review_bot.analysis.project.notebooks import SUFFIX, code_of, line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs
from review_bot.analysis.python.return_shapes import Shape, context_of, returns_the_same, shape_of
from review_bot.analysis.python.statements import Function, is_stub
from review_bot.analysis.python.unread_parameters import is_decorated
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_MOST_FILES = 200
"""Files of the base that are parsed for one change, first those that import what changed and seem to unpack it, by
their text; with them, all that the change touches."""


class Changed(NamedTuple):
    """A function by its qualified name, with what it returned and returns, in words. ``line`` is on ``side``.

    ``old`` and ``new`` are the forms of both if they differ. ``lost``: how many values some return gave, and none gives
    now. ``is_class``: it is a named tuple, whose objects are unpacked.
    """

    name: str
    before: str
    after: str
    line: int
    side: str
    old: Shape | None
    new: Shape | None
    lost: frozenset[int]
    is_class: bool = False


def gather(source: SourceFile) -> tuple[Changed, ...] | None:
    """Return the functions of one file whose calls give another form. Raises CannotParse."""
    found = [each for pair in function_pairs(source, grown=True) for each in _changes(pair, source)]
    return (*found, *_changed_tuples(source)) or None


def _changed_tuples(source: SourceFile) -> Iterator[Changed]:
    """Yield the named tuples that have another number of fields than before."""
    old = source.known_old_tree if source.text and source.old_text else None
    before = {} if old is None else tuple_sizes(old)
    for name, (node, size) in (tuple_sizes(source.tree) if before else {}).items():
        if name in before and size != before[name][1]:
            line = source.first_added(*span_of(node)) or node.lineno
            was = before[name][1]
            yield Changed(name, f"{was} fields", str(size), line, "RIGHT", None, None, frozenset([was]), is_class=True)


def _changes(pair: FunctionPair, source: SourceFile) -> Iterator[Changed]:
    """Yield what changed in the returns of one function."""
    if is_stub(pair.old) or is_stub(pair.new):
        return
    is_awaited = isinstance(pair.new, ast.AsyncFunctionDef)
    old, new = (returned_values(each, is_awaited=is_awaited) for each in (pair.old, pair.new))
    lost = frozenset(each.size for each in old if each.size) - {each.size for each in new} if new else frozenset()
    before, after = _shapes(pair)
    if lost:
        words = (_in_words(old), _in_words(new))
        place = _place(source, [each.span for each in old], [each.span for each in new])
    elif before is not None and after is not None:
        words, place = (before.in_words, after.in_words), _place(source, before.spans, after.spans)
    else:
        return
    if place is not None:
        yield Changed(pair.name, *words, *place, before, after, lost)


def _shapes(pair: FunctionPair) -> tuple[Shape, Shape] | tuple[None, None]:
    """Return the forms of what a function returned and returns, if they surely differ otherwise than in a number."""
    before, after = _form(pair.old), _form(pair.new)
    if before is None or after is None or before.kind == after.kind:
        return None, None
    if (before.kind, after.kind) == ("coroutine", "value") and returns_the_same(pair.old, pair.new):
        after = after._replace(is_plain=True)
    is_sure = _is_sure(before, after) and not (after.kind == "none" and isinstance(pair.new.body[-1], ast.Raise))
    return (before, after) if is_sure else (None, None)


def _form(function: Function) -> Shape | None:
    return context_of(function) if is_decorated(function) else shape_of(function)


def _in_words(returned: list[Returned]) -> str:
    words = (f"a tuple of {each.size}" if each.size else each.words for each in returned)
    return " or ".join(dict.fromkeys(words))


def _place(
    source: SourceFile, before: Iterable[tuple[int, int]], after: Iterable[tuple[int, int]]
) -> tuple[int, str] | None:
    """Return the first line that the change adds to what returns now, or else removes from what returned, if any."""
    added = next(filter(None, (source.first_added(*span) for span in after)), None)
    removed = next(filter(None, (source.first_removed(*span) for span in before)), None)
    if added is not None:
        return added, "RIGHT"
    return None if removed is None else (removed, "LEFT")


def _is_sure(before: Shape, after: Shape) -> bool:
    """Return whether the new form is surely another: a single value may be a tuple that a name holds."""
    if "value" not in {before.kind, after.kind}:
        return True
    if {before.kind, after.kind} == {"value", "tuple"}:
        value, items = (before, after) if before.kind == "value" else (after, before)
        return value.texts <= items.texts
    return before.kind == "value" or (before.kind == "coroutine" and after.is_plain)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such function with calls that use the old form; the calls are its related places."""
    changed = {Symbol(path, each.name): each for path, found in facts.items() for each in found}
    targets, certainty, objects = call_targets(codebase.head), CallCertainty(codebase), MadeObjects(codebase)
    added = codebase.change.added_numbers()
    left: dict[Symbol, dict[Related, bool]] = {}
    for path, here in _callers(changed, codebase.head).items():
        for symbol, line, why in _unpacking(
            path, here, changed, targets, certainty, objects, added.get(path, frozenset())
        ):
            place = Related(path, line_in_file(path, line, codebase.head), why)
            left.setdefault(symbol, {})[place] = True
        file = targets.file(path)
        around: dict[ast.AST, ast.AST] | None = None
        for call in () if file is None else file.calls(here):
            run = None if file is None else targets.run(file, call)
            each = None if run is None else changed.get(run.symbol)
            if file is None or run is None or each is None or each.old is None or each.new is None:
                continue
            around = _parents(file) if around is None else around
            why = use_of_old_form(file, call, each.old, each.new, around)
            if why and not is_patched(file, call, run, targets) and certainty.of(file, call, run):
                place = Related(path, line_in_file(path, call.node.lineno, codebase.head), why)
                places = left.setdefault(run.symbol, {})
                is_sure = must_fail(file, call, around.get(call.node), each.old, each.new)
                places[place] = places.get(place, False) or is_sure
    for symbol in sorted(left):
        found = left[symbol]
        ordered = sorted(found, key=lambda place: (not found[place], place))
        yield _hit(symbol, changed[symbol], ordered, sure=any(found.values()))


def _callers(changed: Mapping[Symbol, Changed], side: Snapshot) -> dict[str, frozenset[str]]:
    """Return the files that may call what changed, and by which last names.

    For a method they name its class, or one below it.
    """
    held: dict[str, set[str]] = {}
    for symbol in changed:
        owner, _, name = symbol.name.rpartition(".")
        names = {name} if not changed[symbol].is_class else {name, *functions_that_make(side, name)}
        found = set(files_with(side, names))
        if owner:
            found &= {
                symbol.path,
                *files_with(side, {owner, *(each.definition.name for each in subclasses(side, owner))}),
            }
        for path in found:
            held.setdefault(path, set()).update(names)
    kept = sorted(held.keys() - unused_copies(side))
    if len(kept) > _MOST_FILES:
        rarest = rarest_of(words_held(side.earlier or side, set[str]().union(*held.values())))
        imported = {"*"}.union(
            *((each.name.partition(".")[0], place_of(each.path).rpartition("/")[2]) for each in changed)
        )

        def rank(path: str) -> tuple[object, ...]:
            return _is_unlikely(code_of(path, side) or "", held[path], imported), rarest.get(path, len(side.paths))

        kept = looked_at(side, kept, _MOST_FILES, rank)
    return {path: frozenset(held[path]) for path in kept}


def _is_unlikely(text: str, names: AbstractSet[str], imported: AbstractSet[str]) -> tuple[bool, bool]:
    """Return whether a file, as its text reads, has none of some names by an import or a definition, and unpacks none.

    ``names``: those of functions whose results it may unpack.
    """
    words = {word.rpartition(".")[2] for clause in import_clauses(text) for word in clause.words}
    has_it = not words.isdisjoint(imported) or any(f"def {name}(" in text for name in names)
    unpacks = any(
        "," in line.partition("=")[0] and "=" in line and any(f"{name}(" in line for name in names)
        for line in text.splitlines()
    )
    return not has_it, not unpacks


def _unpacking(
    path: str,
    names: AbstractSet[str],
    changed: Mapping[Symbol, Changed],
    targets: CallTargets,
    certainty: CallCertainty,
    objects: MadeObjects,
    added: AbstractSet[int],
) -> Iterator[tuple[Symbol, int, str]]:
    """Yield the calls in a file whose results are unpacked into as many values as no return gives now.

    ``added``: the added lines of the file, which the rule on added calls reads.
    """
    file = targets.file(path)
    unpacked = {
        each.place: each
        for each in (() if file is None else unpacked_results(file.tree))
        if each.name in names | STARTERS
        and (path.endswith(SUFFIX) or added.isdisjoint(range(each.first, each.last + 1)))
    }
    for ran in runs_unpacked(targets, path, unpacked, hidden=True):
        each, symbol = changed.get(ran.run.symbol), ran.run.symbol
        if each is None or ran.unpacked.size not in each.lost:
            continue
        if isinstance(ran.function, ast.AsyncFunctionDef) is not ran.unpacked.awaited:
            continue
        if not is_patched(ran.file, ran.call, ran.run, targets) and certainty.of(ran.file, ran.call, ran.run):
            yield symbol, ran.unpacked.at, f"unpacks {ran.unpacked.size} values"
    if not any(each.is_class for each in changed.values()):
        return
    for of, call, unpacked_call in calls_at(targets, path, unpacked, hidden=True):
        made = None if unpacked_call.awaited else objects.unpacked_size(of, call)
        each = None if made is None else changed.get(made[0])
        if made is not None and each is not None and unpacked_call.size in each.lost:
            yield made[0], unpacked_call.at, f"unpacks {unpacked_call.size} values"


def _hit(symbol: Symbol, each: Changed, places: list[Related], *, sure: bool) -> Hit:
    others = "" if len(places) == 1 else f"; {len(places) - 1} more {'does' if len(places) == 2 else 'do'} the like"
    first, _ = places_in_words(places[:1])
    values = {
        "name": symbol.name,
        "before": each.before,
        "after": each.after,
        "calls": f"the call at {first} still {places[0].note}{others}",
    }
    return Hit(
        each.line,
        side="LEFT" if each.side == "LEFT" else "RIGHT",
        values=values,
        path=symbol.path,
        related=tuple(places[:MOST_RELATED]),
        statement=f"return of {symbol.name}",
        severity=None if sure else "warning",
        message=f"`{symbol.name}` had {each.before} and now has {each.after}, but {values['calls']}."
        if each.is_class
        else None,
    )


def _parents(file: CodeFile) -> dict[ast.AST, ast.AST]:
    return {child: node for node in walk(file.tree) for child in ast.iter_child_nodes(node)}


CHECK = change_check(gather, relate, CheckTraits(literals=("def", "namedtuple", "NamedTuple"), reads_old=True))
