"""Overrides that no longer take what a method of a base class passes to them.

::

    class Base:
        def run(self): return self.step(1)
        def step(self, x): ...
    class Fast(Base):
        def step(self, x, y): ...       y is new
    Fast().run()                        TypeError

It is an error if some code surely runs that method on an object of the class. Only then are two others reported: a call
in the base class that the change edits and an override refuses, and a new override that refuses what is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.changed_signatures import ChangedSignature, changed_signatures
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import Call
from review_bot.analysis.facts.made_objects import MadeObjects, functions_that_make
from review_bot.analysis.facts.read_only import is_made
from review_bot.analysis.facts.receivers import owner_of, receiver
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.signatures import form_of, misfit
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import files_with, held_before, unused_copies
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.python.statements import Function, is_function
from review_bot.analysis.python.sure_evaluation import surely_evaluated
from review_bot.analysis.python.syntax import is_generator, is_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_MOST_FILES = 200


class SelfCall(NamedTuple):
    """An edited call of ``self.name`` in a method of a class, by its first line and column."""

    owner: str
    method: str
    name: str
    line: int
    column: int


class Facts(NamedTuple):
    """What changed in one file: parameters of methods, methods that classes did not define, and calls of ``self``.

    ``added`` holds each new method with the line of its header.
    """

    changed: tuple[ChangedSignature, ...]
    added: tuple[tuple[str, int], ...]
    calls: tuple[SelfCall, ...]


def gather(source: SourceFile) -> Facts | None:
    """Return the methods of one file whose parameters changed, and what else may not fit. Raises CannotParse."""
    found = (each for each in changed_signatures(source) if "." in each.name and each.plain and not each.freed)
    changed = tuple(each for each in found if not each.hollow)
    is_code = source.path.endswith(".py")
    facts = Facts(changed, tuple(_added(source)) if is_code else (), tuple(_edited(source)) if is_code else ())
    return facts if any(facts) else None


def _added(source: SourceFile) -> Iterator[tuple[str, int]]:
    """Yield the methods on added lines of classes with bases that the base does not have under their names."""
    old = source.known_old_tree if source.old_text else None
    before = {f"{owner.name}.{each.name}" for owner, each in ([] if old is None else _methods(old))}
    for owner, method in _methods(source.tree):
        name = f"{owner.name}.{method.name}"
        if owner.bases and method.lineno in source.added and name not in before and _is_plain(method):
            yield name, method.lineno


def _edited(source: SourceFile) -> Iterator[SelfCall]:
    """Yield the calls of ``self`` with an added line, of which the class had none of the same form."""
    old = source.known_old_tree if source.old_text else None
    before = {
        (owner.name, call.func.attr, form_of(call))
        for owner, method in ([] if old is None else _methods(old))
        for call in nodes_of(method, ast.Call)
        if isinstance(call.func, ast.Attribute)
    }
    for owner, method in _methods(source.tree):
        for call in nodes_of(method, ast.Call):
            if not source.added.keys().isdisjoint(range(call.lineno, span_of(call)[1] + 1)) and (
                isinstance(call.func, ast.Attribute) and is_name(call.func.value, "self")
            ):
                name = call.func.attr
                if (owner.name, name, form_of(call)) not in before:
                    yield SelfCall(owner.name, method.name, name, call.lineno, call.col_offset)


def _methods(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, Function]]:
    for owner in tree.body:
        if isinstance(owner, ast.ClassDef):
            yield from ((owner, each) for each in owner.body if is_function(each))


def _is_plain(method: Function) -> bool:
    return all(is_name(each, "staticmethod") for each in method.decorator_list)


class _Above(NamedTuple):
    """A call of ``self`` in a method of a base class that an override refuses, and why."""

    owner: Symbol
    method: str
    line: int
    why: str


def relate(facts: Mapping[str, Facts], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each changed header that such a call no longer fits; the call is its related place."""
    targets = call_targets(codebase.head)
    for path, found in sorted(facts.items()):
        for each in found.changed:
            yield from _overrides(path, each.name, each.line, each, codebase)
        for name, line in found.added:
            yield from _overrides(path, name, line, None, codebase)
        for call in found.calls:
            yield from _refused(path, call, targets, codebase)


def _overrides(
    path: str, full_name: str, line: int, changed: ChangedSignature | None, codebase: Codebase
) -> Iterator[Hit]:
    """Yield a hit on a method that a base class cannot call; ``changed``: what it was, None for a new one."""
    owner, _, name = full_name.rpartition(".")
    above = next(_calls_above(Symbol(path, owner), name, changed, call_targets(codebase.head)), None)
    if above is None or is_set_elsewhere(codebase.head, name):
        return
    run = _run_by(Symbol(path, owner), above.method, codebase)
    if run is None and (changed is None or not is_made(codebase.head, owner)):
        return
    call = Related(above.owner.path, line_in_file(above.owner.path, above.line, codebase.head), above.why)
    runs = "" if run is None else f", which `{run.path}:{run.line}` runs,"
    where = f"`{above.owner.name}.{above.method}` at `{call.path}:{call.line}`{runs}"
    message = None
    if changed is None:
        message = f"`{full_name}` overrides what {where} calls in another way: that call {above.why}."
    yield Hit(
        line,
        path=path,
        values={"name": full_name, "where": where, "why": above.why},
        related=(call, *(() if run is None else (run,))),
        severity=None if run is not None else "warning",
        statement=f"def {full_name}",
        message=message,
    )


def _refused(path: str, called: SelfCall, targets: CallTargets, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on an edited call of a base class that an override refuses, if some code surely runs that."""
    base, file = Symbol(path, called.owner), targets.file(path)
    below = subclasses(codebase.head, called.owner)
    if file is None or not any(called.name in each.definition.methods for each in below):
        return
    if is_set_elsewhere(codebase.head, called.name):
        return
    calls = [
        each
        for each in file.calls(frozenset({called.name}))
        if (each.node.lineno, each.node.col_offset) == (called.line, called.column)
    ]
    for definition in (each for each in below if calls):
        owner = Symbol(definition.path, definition.definition.name)
        override = targets.method(owner, called.name)
        function = None if override is None else targets.function_of(override)
        if override is None or function is None or not _is_plain(function) or base not in targets.bases(owner):
            continue
        if override == Symbol(path, f"{called.owner}.{called.name}"):
            continue
        signature = targets.signature(override)
        above = next((each for each in _calls_in(owner, base, called.name, calls, targets)), None)
        run = None if above is None or signature is None else _run_by(owner, called.method, codebase)
        if above is None or signature is None or run is None:
            continue
        line = line_in_file(override.path, signature.line, codebase.head)
        yield Hit(
            called.line,
            path=path,
            values={"name": override.name, "where": "", "why": above.why},
            related=(Related(override.path, line, "the override"), run),
            message=f"This call also runs `{override.name}` at `{override.path}:{line}`, since `{run.path}:{run.line}` "
            f"runs `{called.method}` on an object of `{owner.name}`; but it {above.why}.",
            instead="Change the override in the same way.",
        )
        return


def _calls_above(owner: Symbol, name: str, changed: ChangedSignature | None, targets: CallTargets) -> Iterator[_Above]:
    """Yield the calls of a method in what a class inherits that surely fail now, and, if it changed, fitted before."""
    for base in filter(None, targets.bases(owner)):
        node, file = targets.class_of(base), targets.file(base.path)
        if node is None or file is None or name not in _called_of_self(node):
            continue
        for call in file.calls(frozenset({name})):
            form = form_of(call.node)
            if changed is None or any(misfit(form, each) is None for each in changed.before):
                yield from _calls_in(owner, base, name, [call], targets)


def _calls_in(owner: Symbol, base: Symbol, name: str, calls: Iterable[Call], targets: CallTargets) -> Iterator[_Above]:
    """Yield those of some calls of a method that one base of a class surely makes, and that the class refuses."""
    symbol = targets.method(owner, name)
    signature = None if symbol is None else targets.signature(symbol)
    if signature is None or signature.binding == "class" or signature.hollow or None in [*targets.bases(owner)]:
        return
    node = targets.class_of(base)
    for call in () if node is None else calls:
        around = owner_of(call.scopes)
        if around is None or around[0] is not node or len(call.scopes) != 2 or not _is_of_self(call, around[1]):
            continue
        method = Symbol(base.path, f"{base.name}.{around[1].name}")
        why = misfit(form_of(call.node), signature.parameters)
        if why is None or targets.method(owner, around[1].name) != method:
            continue
        if targets.function_of(method) is around[1] and any(
            each is call.node for each in surely_evaluated(around[1].body)
        ):
            yield _Above(base, around[1].name, call.node.lineno, why)


@kept_on_node
def _called_of_self(owner: ast.ClassDef) -> frozenset[str]:
    """Return the attributes of ``self`` that a class calls."""
    called = (each.func for each in nodes_of(owner, ast.Call))
    return frozenset(each.attr for each in called if isinstance(each, ast.Attribute) and is_name(each.value, "self"))


def _is_of_self(call: Call, method: Function) -> bool:
    function = call.node.func
    return isinstance(function, ast.Attribute) and receiver(method) == "self" and is_name(function.value, "self")


def _run_by(owner: Symbol, method: str, codebase: Codebase) -> Related | None:
    """Return the first call of an inherited method on an object that surely is of a class."""
    side = codebase.head
    targets, objects = call_targets(side), MadeObjects(codebase)
    wanted = {owner.name, *functions_that_make(side, owner.name)}
    called = frozenset({owner.name if method == "__init__" else method})
    held = set(files_with(side, wanted)).intersection(files_with(side, called)) - unused_copies(side)
    if len(held & held_before(side, wanted)) > _MOST_FILES:
        return None
    for path in sorted(held):
        file = targets.file(path)
        for call in () if file is None else file.calls(called):
            function = call.node.func
            value = (
                call.node if method == "__init__" else function.value if isinstance(function, ast.Attribute) else None
            )
            if file is not None and value is not None:
                made = objects.class_of(file, value, call.scopes, owner.__eq__)
                if made == owner and _runs_at_once(targets, owner, method):
                    return Related(path, line_in_file(path, call.node.lineno, side), f"runs `{method}`")
    return None


def _runs_at_once(targets: CallTargets, owner: Symbol, method: str) -> bool:
    """Return whether a call of an inherited method runs its body, as it is written."""
    symbol = targets.method(owner, method)
    function = None if symbol is None else targets.function_of(symbol)
    return isinstance(function, ast.FunctionDef) and not function.decorator_list and not is_generator(function)


CHECK = change_check(gather, relate, CheckTraits(literals=("def",), reads_old=True))
