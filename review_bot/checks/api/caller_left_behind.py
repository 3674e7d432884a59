"""Calls in the tree that no longer fit a function whose parameters this change alters.

Only calls whose target the text proves count (see ``call_targets``), which fitted the old form and surely fail now, or
give one of their arguments by place to another parameter, or a keyword that was a parameter to a ``**kwargs`` which
nothing reads. A function that moves to another file counts too, for a file
with the same call at the base if that ran what another file loses under the same name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.candidate_callers import CandidateCallers, candidate_callers
from review_bot.analysis.facts.changed_constructors import ChangedConstructor, changed_constructors
from review_bot.analysis.facts.changed_meaning import shift, swallowed, words_in
from review_bot.analysis.facts.changed_signatures import (
    ChangedSignature,
    changed_classes,
    changed_properties,
    changed_signatures,
    one_sided_signatures,
)
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.former_links import behind_links
from review_bot.analysis.facts.runs import Run, Symbol
from review_bot.analysis.facts.signatures import CallForm, form_of, misfit
from review_bot.analysis.facts.started_calls import starters_in
from review_bot.analysis.project.notebooks import SUFFIX, Additions, line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, first_note, places_in_words
from review_bot.analysis.python.assigned_names import aliases_in
from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import lines_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import was_link
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_COMPUTES = "computes"
"""The kind of code that fails for any method."""


class Facts(NamedTuple):
    """What changed in a file in a way that some call might not fit any more. ``classes``: each with a line.

    ``one_sided`` are the functions that the file loses or gains, ``old_path`` is where it was, and ``properties`` are
    the methods that became properties, and the reverse.
    """

    signatures: tuple[ChangedSignature, ...]
    classes: tuple[tuple[str, int], ...]
    one_sided: tuple[ChangedSignature, ...]
    old_path: str
    properties: tuple[ChangedSignature, ...]


def gather(source: SourceFile) -> Facts | None:
    """Return the functions with other parameters, those lost or gained, and the classes that changed otherwise."""
    changed, classes, one_sided = changed_signatures(source), changed_classes(source), one_sided_signatures(source)
    properties = changed_properties(source)
    is_needed = changed or classes or one_sided or properties or was_link(source.change)
    return Facts(changed, classes, one_sided, source.change.base_path, properties) if is_needed else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each changed header with calls that no longer fit it; the calls are its related places."""
    facts = behind_links(facts, gather, codebase.change, codebase)
    targets, certainty, before = call_targets(codebase.head), CallCertainty(codebase), call_targets(codebase.base)
    changed = {
        Symbol(path, each.name): each
        for path, found in facts.items()
        for each in found.signatures
        if not each.freed or before.signature(Symbol(found.old_path, each.name)) is not None
    }
    changed |= {Symbol(path, each.name): each for path, found in facts.items() for each in found.properties}
    edited = [(Symbol(path, name), line) for path in sorted(facts) for name, line in facts[path].classes]
    made: dict[Symbol, ChangedConstructor] = {}
    for each in changed_constructors(edited, codebase):
        if each.symbol not in changed:
            changed[each.symbol], made[each.symbol] = each.signature, each
    moves = _Moves(facts, changed, codebase.change, codebase)
    changed |= moves.changed
    calls: dict[Symbol, dict[Related, bool]] = {}
    candidates = candidate_callers(changed, codebase.head)
    added = Additions(codebase.change, codebase)
    for path in candidates.paths:
        written = added.lines_of_code(path)
        for symbol, line, why, sure in _broken(
            path, changed, candidates, targets, certainty, written, moves, codebase.head
        ):
            place = Related(path, line_in_file(path, line, codebase.head), why)
            found = calls.setdefault(symbol, {})
            found[place] = sure or found.get(place, False)  # another call on the line may be a doubtful one
    for symbol in sorted(calls):
        found = calls[symbol]
        places = sorted(found, key=lambda place: (not found[place], place))
        first, _ = places_in_words(places[:1])
        became, constructor = changed[symbol].became, made.get(symbol)
        noun = "read" if became == "method" else "call"
        words = f"the {noun} at {first} {first_note(places, noun)}"
        yield Hit(
            changed[symbol].line,
            values={"name": symbol.name, "calls": words},
            path=symbol.path if constructor is None else constructor.path,
            related=tuple(places[:MOST_RELATED]),
            statement=f"def {symbol.name}",
            severity=None if any(found.values()) else "warning",
            message=_message(symbol, became, constructor, words),
        )


def _message(symbol: Symbol, became: str, made: ChangedConstructor | None, words: str) -> str | None:
    """Return the message of a hit, if that of the rule does not say what changed."""
    if made is not None and made.heir:
        return f"The constructor of `{made.heir}` is `{symbol.name}` now, but {words}."
    return f"`{symbol.name}` is a {became} now, but {words}." if became else None


class _Moves:
    """The functions that one file loses and another one gains with other parameters.

    ``changed``: each by where it is now, with the parameters of all functions of its name that files lose.
    """

    def __init__(
        self,
        facts: Mapping[str, Any],
        known: Mapping[Symbol, ChangedSignature],
        pull_request: PullRequest,
        codebase: Codebase,
    ) -> None:
        self._targets = call_targets(codebase.base)
        self._old_paths = {each.path: each.base_path for each in pull_request.files}
        self._lost: dict[str, dict[Symbol, ChangedSignature]] = {}
        for found in facts.values():
            for each in found.one_sided:
                if each.before:
                    self._lost.setdefault(each.name, {})[Symbol(found.old_path, each.name)] = each
        self.changed: dict[Symbol, ChangedSignature] = {}
        for path, found in facts.items():
            for each in found.one_sided:
                symbol, lost = Symbol(path, each.name), self._lost.get(each.name, {})
                before = tuple(dict.fromkeys(form for one in lost.values() for form in one.before))
                if each.after and symbol not in known and before not in {(), each.after}:
                    self.changed[symbol] = each._replace(before=before)
        self._calls: dict[str, frozenset[tuple[str, CallForm]]] = {}

    def before(self, path: str) -> CodeFile | None:
        """Return a file of the head as it was at the base; None if it was none or cannot be parsed."""
        return self._targets.file(self._old_paths.get(path, path))

    def had_call(self, path: str, run: Run, names: frozenset[str]) -> bool:
        """Return whether a file had the same call at the base, and it ran a function that its file loses."""
        if path not in self._calls:
            self._calls[path] = frozenset(self._calls_in(self._old_paths.get(path, path), names))
        return (run.symbol.name, run.form) in self._calls[path]

    def _calls_in(self, path: str, names: frozenset[str]) -> Iterator[tuple[str, CallForm]]:
        file = self._targets.file(path)
        for call in () if file is None else file.calls(names):
            found = None if file is None else self._targets.run_or_start(file, call)
            if found is None:
                continue
            _, run = found
            if run.misfit is None and run.symbol in self._lost.get(run.symbol.name, {}):
                yield run.symbol.name, run.form


def _broken(
    path: str,
    changed: Mapping[Symbol, ChangedSignature],
    candidates: CandidateCallers,
    targets: CallTargets,
    certainty: CallCertainty,
    written: AbstractSet[int],
    moves: _Moves,
    side: Snapshot,
) -> Iterator[tuple[Symbol, int, str, bool]]:
    """Yield the calls in a file that fitted a changed function and no longer do, and whether they surely fail.

    ``written`` are the added lines of its code: a call on them means the new form, and matched nothing before.
    """
    file = targets.file(path)
    if file is None:
        return
    names = _called_names(changed, candidates, file)
    yield from _still_read(file, moves.before(path), changed, targets, certainty, written)
    for call in file.calls(names, hidden=True):
        if (found := targets.run_or_start(file, call)) is None:
            symbol = targets.target(file, call)
            each = None if symbol is None else changed.get(symbol)
            if symbol is not None and each is not None and each.became == "property":
                run = Run(symbol, (), form_of(call.node))
                yield symbol, call.node.lineno, "still calls it", certainty.of(file, call, run)
            continue
        call, run = found  # noqa: PLW2901  # the call that it starts
        each = changed.get(run.symbol)
        if each is None or (each.hollow and isinstance(call.node.func, ast.Attribute)):
            continue
        if is_patched(file, call, run, targets):
            continue
        each = each.by_class() if run.by_class else each
        fitted = any(misfit(run.form, form) is None for form in each.before)
        whys = [misfit(run.form, form) for form in each.after]
        if each.refuses_object and run.refuses_object:
            whys = [run.misfit]
        lines = lines_of(call.node)
        if run.symbol in moves.changed and not (written.isdisjoint(lines) and moves.had_call(path, run, names)):
            continue  # of an added call, the rule on those says whether it fits
        if not fitted or certainty.is_for_subclass(file, call, run):
            continue
        if None not in whys and not written.isdisjoint(lines) and not path.endswith(SUFFIX):
            continue  # the change wrote it: the rule on added calls, which reads no notebooks, reports it
        if None not in whys:
            lost = swallowed(run.form, each, run.symbol, side)
            why = f"{whys[0]} and {lost}" if lost else whys[0] or ""
            yield run.symbol, call.node.lineno, why, certainty.of(file, call, run)
            continue
        if call.written is None and not run.by_class and written.isdisjoint(lines):
            meaning = shift(run.form, each, call.node, run.symbol, side) or swallowed(run.form, each, run.symbol, side)
            if meaning:
                yield run.symbol, call.node.lineno, meaning, False


def _still_read(
    file: CodeFile,
    before: CodeFile | None,
    changed: Mapping[Symbol, ChangedSignature],
    targets: CallTargets,
    certainty: CallCertainty,
    written: AbstractSet[int],
) -> Iterator[tuple[Symbol, int, str, bool]]:
    """Yield the reads of what was a property, which get the method itself now.

    Of those on lines that the change wrote, which may want the method, the ones that the file had before, as
    a part of the same kind of code, and those that compute with it.
    """
    names = frozenset(symbol.name.rpartition(".")[2] for symbol, each in changed.items() if each.became == "method")
    if not names:
        return
    called = {id(call.func) for call in nodes_of(file.tree, ast.Call)}
    ways, had = _ways_of_reading(file.tree, names), set[tuple[str, str]]()
    if written and before is not None:
        had.update(_ways_of_reading(before.tree, names).values())
    for use in file.attributes(names):
        call = Call(ast.copy_location(ast.Call(use.node, [], []), use.node), use.scopes, written=None)
        way = ways.get(id(use.node), ("", ""))
        is_new = not written.isdisjoint(lines_of(use.node)) and way[1] != _COMPUTES and way not in had
        symbol = None if id(use.node) in called or is_new else targets.target(file, call)
        if symbol is None or symbol not in changed or changed[symbol].became != "method":
            continue
        if not targets.names_class(file, use.node.value, use.scopes):
            sure = certainty.of(file, call, Run(symbol, (), form_of(call.node)))
            yield symbol, use.node.lineno, "does not call it", sure


def _ways_of_reading(tree: ast.Module, names: frozenset[str]) -> dict[int, tuple[str, str]]:
    """Return how a file reads some attributes: by the id of each node, its name, and of what code it is a part."""
    return {
        id(child): (child.attr, _COMPUTES if _computes(parent) else type(parent).__name__)
        for parent in walk(tree)
        for child in ast.iter_child_nodes(parent)
        if isinstance(child, ast.Attribute)
        and child.attr in names
        and not (isinstance(parent, ast.Call) and child is parent.func)
    }


def _computes(node: ast.AST) -> bool:
    """Return whether code computes with its parts, or asks which is greater, as no method allows."""
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], ORDERS)
    is_text = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and not isinstance(node.left, ast.Attribute)
    return isinstance(node, ast.BinOp) and not is_text  # "%s" % each


def _called_names(
    changed: Mapping[Symbol, ChangedSignature], candidates: CandidateCallers, file: CodeFile
) -> frozenset[str]:
    """Return the last names under which a file may call what changed: its own, a class's, and an object's."""
    last = {symbol.name.rpartition(".")[2] for symbol in changed} | candidates.aliases | candidates.classes
    last.update(local for local, imported in file.imports.items() if imported.name in last)
    last.update(aliases_in(file.tree))
    objects = {"self", "cls", "type", "__class__", *_objects(file.tree, last)} if candidates.classes else set[str]()
    return frozenset(last | starters_in(file.tree) | objects)


def _objects(tree: ast.Module, classes: AbstractSet[str]) -> Iterator[str]:
    """Yield the names and attributes that may hold an object of these classes: made by a call, or annotated."""
    for target, value in assigned_values(tree):
        if isinstance(value, ast.Call) and last_name(value) in classes and last_name(target):
            yield last_name(target)
    for argument in nodes_of(tree, ast.arg):
        if argument.annotation is not None and not classes.isdisjoint(words_in(argument.annotation)):
            yield argument.arg


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
