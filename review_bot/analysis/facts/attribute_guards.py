"""What a file does about attributes that a module may lack: it asks for them first, sets them, or patches them.

::

    cache.lookup(1) if hasattr(cache, "lookup") else None      guarded
    getattr(cache, "lookup", None)                             asked for
    cache.lookup = slow;  patch("pkg.cache.lookup")            set
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.call_targets import CallTargets
from review_bot.analysis.facts.code_file import AttributeUse, CodeFile
from review_bot.analysis.facts.replaced_names import is_given_by_name, named_by_replacing, stored_attributes
from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.statements import choices_of, last_name
from review_bot.analysis.python.syntax import structure, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_BY_NAME = frozenset({"getattr", "hasattr", "setattr", "delattr"})


class UnguardedUse(NamedTuple):
    """A read of an attribute that no condition guards. ``asked``: the file asks the same object for it elsewhere."""

    use: AttributeUse
    asked: bool


def unguarded_uses(file: CodeFile, before: CodeFile | None, names: frozenset[str]) -> Iterator[UnguardedUse]:
    """Yield the reads of some attributes, except where they are to fail, do not run, or are asked for first.

    ``before`` is the file at the base: what it asks the same object for there, or sets, and still does is left out.
    """
    if before is not None and names:
        names -= named_by_replacing([file.tree]) & named_by_replacing([before.tree])
    asked = _asked(file) if names else frozenset()
    handled = (asked & _asked(before)) | (_set(file) & _set(before)) if names and before is not None else frozenset()
    guarded = _guarded(file) if asked else frozenset()
    for use in file.attributes(names) if names else ():
        written = (structure(use.node.value), use.node.attr) if asked or handled else ("", "")
        if use.node not in guarded and written not in handled:
            yield UnguardedUse(use, written in asked)


def sets_attribute(file: CodeFile, use: ast.Attribute, place: str, targets: CallTargets) -> bool:
    """Return whether a file sets what it reads of a module, or may do so by a function that replaces it by its name."""
    if is_given_by_name(use.attr, file, {structure(use.value)}, targets):
        return True
    stores = stored_attributes(file.tree).get(use.attr, ())
    return any(place in targets.modules(file, each.value, ()) for each in stores)


def _asked(file: CodeFile) -> frozenset[tuple[str, str]]:
    """Return the objects and names that a file asks for or sets by a function: ``hasattr``, ``setattr``."""
    calls = nodes_of(file.tree, ast.Call)
    return frozenset((structure(value), name) for call in calls for value, name in _named_by(call))


def _set(file: CodeFile) -> frozenset[tuple[str, str]]:
    """Return the objects and names that a file sets as attributes: ``cache.lookup = slow``."""
    stores = stored_attributes(file.tree)
    return frozenset((structure(each.value), name) for name, found in stores.items() for each in found)


def _named_by(call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """Yield the object and the name that a call of ``hasattr``, ``setattr`` and the like is about."""
    if last_name(call.func) in _BY_NAME and len(call.args) > 1 and (name := text_of(call.args[1])) is not None:
        yield call.args[0], name


def _guarded(file: CodeFile) -> frozenset[ast.AST]:
    """Return the attributes in code whose condition asks whether the same object has them."""
    found: set[ast.AST] = set()
    for each in choices_of(file.tree):
        calls = nodes_of(each.test, ast.Call) if truth(each.test, {}) is None else []
        asked = {(structure(value), name) for call in calls for value, name in _named_by(call)}
        for node in _branches(each) if asked else ():
            found.update(_of(asked, node))
    for chain in nodes_of(file.tree, ast.BoolOp):
        before: set[tuple[str, str]] = set()
        for operand in chain.values:
            found.update(_of(before, operand) if before else ())
            before.update(
                (structure(value), name) for call in nodes_of(operand, ast.Call) for value, name in _named_by(call)
            )
    return frozenset(found)


def _of(asked: set[tuple[str, str]], node: ast.AST) -> Iterator[ast.AST]:
    for use in nodes_of(node, ast.Attribute):
        if (structure(use.value), use.attr) in asked:
            yield use


def _branches(condition: ast.If | ast.IfExp) -> list[ast.stmt] | list[ast.expr]:
    """Return what a condition chooses between; an ``elif`` has a condition of its own."""
    if isinstance(condition, ast.IfExp):
        return [condition.body, condition.orelse]
    is_chain = len(condition.orelse) == 1 and isinstance(condition.orelse[0], ast.If)
    return condition.body if is_chain else [*condition.body, *condition.orelse]
