"""Overrides that no longer take what a method of a base class passes to them.

::

    class Base:
        def run(self): return self.step(1)
        def step(self, x): ...
    class Fast(Base):
        def step(self, x, y): ...       y is new
    Fast().run()                        TypeError

It is an error if some code surely runs that method on an object of the class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.changed_signatures import ChangedSignature, changed_signatures
from review_bot.analysis.facts.code_file import Call
from review_bot.analysis.facts.made_objects import MadeObjects, functions_that_make
from review_bot.analysis.facts.read_only import is_made
from review_bot.analysis.facts.receivers import owner_of, receiver
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.signatures import form_of, misfit
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import files_with, held_before, unused_copies
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.sure_evaluation import surely_evaluated
from review_bot.analysis.python.syntax import is_generator, is_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_MOST_FILES = 200


def gather(source: SourceFile) -> tuple[ChangedSignature, ...] | None:
    """Return the methods of one file whose parameters changed. Raises CannotParse."""
    found = (each for each in changed_signatures(source) if "." in each.name and each.plain and not each.freed)
    return tuple(each for each in found if not each.hollow) or None


class _Above(NamedTuple):
    """A call of ``self`` in a method of a base class that an override refuses, and why."""

    owner: Symbol
    method: str
    line: int
    why: str


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each changed header that such a call no longer fits; the call is its related place."""
    targets = call_targets(codebase.head)
    for path, found in sorted(facts.items()):
        for each in found:
            owner, _, name = each.name.rpartition(".")
            above = next(_calls_above(Symbol(path, owner), name, each, targets), None)
            if above is None or is_set_elsewhere(codebase.head, name):
                continue
            run = _run_by(Symbol(path, owner), above.method, codebase)
            if run is None and not is_made(codebase.head, owner):
                continue
            line = line_in_file(above.owner.path, above.line, codebase.head)
            call = Related(above.owner.path, line, above.why)
            runs = "" if run is None else f", which `{run.path}:{run.line}` runs,"
            where = f"`{above.owner.name}.{above.method}` at `{call.path}:{call.line}`{runs}"
            yield Hit(
                each.line,
                path=path,
                values={"name": each.name, "where": where, "why": above.why},
                related=(call, *(() if run is None else (run,))),
                severity=None if run is not None else "warning",
                statement=f"def {each.name}",
            )


def _calls_above(owner: Symbol, name: str, changed: ChangedSignature, targets: CallTargets) -> Iterator[_Above]:
    """Yield the calls of a method in what a class surely inherits that fitted it before and surely fail now."""
    here = Symbol(owner.path, f"{owner.name}.{name}")
    signature, bases = targets.signature(here), [*targets.bases(owner)]
    if signature is None or None in bases or signature.binding == "class":
        return
    for base in filter(None, bases):
        node, file = targets.class_of(base), targets.file(base.path)
        for call in () if node is None or file is None else file.calls(frozenset({name})):
            around = owner_of(call.scopes)
            if around is None or around[0] is not node or len(call.scopes) != 2 or not _is_of_self(call, around[1]):
                continue
            method = Symbol(base.path, f"{base.name}.{around[1].name}")
            form = form_of(call.node)
            why = misfit(form, signature.parameters)
            fitted = any(misfit(form, each) is None for each in changed.before)
            if why is None or not fitted or targets.method(owner, around[1].name) != method:
                continue
            if targets.function_of(method) is around[1] and any(
                each is call.node for each in surely_evaluated(around[1].body)
            ):
                yield _Above(base, around[1].name, call.node.lineno, why)


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


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("def",), reads_old=True))
