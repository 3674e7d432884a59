"""Which of a class's former bases it no longer inherits from at the head, directly or through its other bases.

::

    class Engine(Runner, Base)     was Engine(Base)
    class Engine(Runner)           has lost no base if Runner inherits from Base

Nothing is said of a class with a new base that the tree does not show: it may inherit from any of them.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Collection, Iterator

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, imported_names
from review_bot.changes.codebase import Codebase

_STANDARD = frozenset({"abc", "builtins", "collections", "collections.abc", "enum", "typing"})
"""Modules whose classes are asked for their bases."""
_ROOTS = frozenset({"nn.Module", "torch.nn.Module"})
"""Classes of libraries that inherit from none that a project has."""
_DEEPEST = 12


class _Unknown(Exception):
    """A base of which the tree does not show what it inherits from."""


def lost_bases(
    codebase: Codebase, owner: Symbol, old_path: str, former: Collection[str], gone: Collection[str]
) -> tuple[str, ...]:
    """Return those of some former bases that a class does not inherit from; none if it cannot be known.

    ``old_path``: its file at the base. ``former``: all bases that it had, as written; ``gone``: those of them that are
    not written any more.
    """
    targets = call_targets(codebase.head)
    node, file = targets.class_of(owner), targets.file(owner.path)
    if node is None or file is None:
        return ()
    kept: set[Symbol | str] = set()
    for base in node.bases:
        try:
            kept.update(_line(targets, owner.path, base, 0))
        except _Unknown:
            if ast.unparse(base) not in former:
                return ()
            kept.add(last_name(base))
    names = {each.name if isinstance(each, Symbol) else each for each in kept}
    lost = []
    here = (codebase.head, owner.path)
    for written in gone:
        base = ast.parse(written, mode="eval").body
        root = base.value if isinstance(base, ast.Subscript) else base
        meant = [_meaning(call_targets(side), path, root) for side, path in ((codebase.base, old_path), here)]
        called = {each.name if isinstance(each, Symbol) else each.rpartition(".")[2] for each in meant}
        if last_name(root) and names.isdisjoint({last_name(root), *called}) and kept.isdisjoint(meant):
            lost.append(written)
    return tuple(lost)


def _meaning(targets: CallTargets, path: str, base: ast.expr) -> Symbol | str:
    """Return the class of the tree that a base means in a file, through an alias too, or the full name of another."""
    file = targets.file(path)
    if file is None:
        return ""
    alias = file.aliases.get(base.id, base) if isinstance(base, ast.Name) else base
    return targets.named_by(file, alias, ()) or full_name(alias, imported_names(file.tree)) or ""


def _line(targets: CallTargets, path: str, base: ast.expr, depth: int) -> Iterator[Symbol | str]:
    """Yield a base of a class in a file and all that it inherits from: classes of the tree, and names of others."""
    file = targets.file(path)
    if file is None or depth > _DEEPEST:
        raise _Unknown
    root = base.value if isinstance(base, ast.Subscript) else base
    symbol = targets.named_by(file, root, ())
    node = None if symbol is None else targets.class_of(symbol)
    if symbol is not None and node is not None:
        yield symbol
        for each in node.bases:
            yield from _line(targets, symbol.path, each, depth + 1)
        return
    name = full_name(root, imported_names(file.tree)) if symbol is None else None
    known = () if name is None else _known(name)
    if not known:
        raise _Unknown
    yield from known


def _known(name: str) -> tuple[str, ...]:
    """Return the names of a class of the standard library, or of one like it, and of its bases; none if unknown."""
    if name in _ROOTS:
        return (name.rpartition(".")[2],)
    module, _, last = name.rpartition(".")
    module = module or "builtins"
    found = getattr(importlib.import_module(module), last, None) if module in _STANDARD else None
    return tuple(each.__name__ for each in found.__mro__) if isinstance(found, type) else ()
