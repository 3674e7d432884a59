"""A method that repeats, statement by statement, the one that its class would inherit.

A name that a body reads from its module may mean something else in the other one, as ``logger`` does: then both methods
are left alone.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, Symbol, call_targets
from review_bot.analysis.python.names import names_in
from review_bot.analysis.python.parameters import all_parameters
from review_bot.analysis.python.statements import Function, is_function, is_string, last_line, last_name
from review_bot.analysis.python.syntax import classes, from_imports, imported_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_KEPT = frozenset({"staticmethod", "classmethod", "property"})
_BUILTINS = frozenset(dir(builtins))


def gather(source: SourceFile) -> tuple[str, ...] | None:
    """Return the edited methods of top-level classes with one base, as ``Class.method``. Raises CannotParse."""
    found = tuple(
        f"{owner.name}.{method.name}"
        for owner in classes(source.tree)
        if owner in source.tree.body and len(owner.bases) == 1
        for method in owner.body
        if is_function(method) and _may_repeat(method) and source.any_added(method.lineno, last_line(method))
    )
    return found or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield each of them that equals the method of the nearest class above that defines it."""
    targets = call_targets(codebase.head)
    for path, methods in sorted(facts.items()):
        for name in methods:
            owner, _, method = name.rpartition(".")
            mine = _method(targets, Symbol(path, owner), method)
            for parent in _line(targets, Symbol(path, owner)):
                theirs = _method(targets, parent, method)
                if theirs is None:
                    continue
                if mine is not None and _are_equal(mine, theirs) and _mean_the_same(targets, path, parent.path, mine):
                    base = f"{parent.name}.{method}"
                    related = (Related(parent.path, theirs.lineno, f"`{base}`"),)
                    yield Hit(mine.lineno, values={"name": name, "base": base}, path=path, related=related)
                break


def _line(targets: CallTargets, symbol: Symbol) -> Iterator[Symbol]:
    """Yield the classes above one that has one base, as long as each has one that the tree contains."""
    for base in targets.bases(symbol):
        node = None if base is None else targets.class_of(base)
        if base is None or node is None:
            return
        yield base
        if len(node.bases) > 1:
            return


def _method(targets: CallTargets, owner: Symbol, name: str) -> Function | None:
    """Return the only method of a name in a class."""
    node = targets.class_of(owner)
    found = [each for each in (node.body if node is not None else ()) if is_function(each) and each.name == name]
    return found[0] if len(found) == 1 else None


def _may_repeat(method: Function) -> bool:
    """Return whether a method does something that does not depend on the class that it is in."""
    if method.name.startswith("__") or not {last_name(each) for each in method.decorator_list} <= _KEPT:
        return False
    if not {"super", "__class__"}.isdisjoint(names_in(method)):
        return False
    if any(each.attr.startswith("__") for each in nodes_of(method, ast.Attribute) if not each.attr.endswith("__")):
        return False
    body = _without_docstring(method)
    does_nothing = (ast.Pass, ast.Raise)
    return not all(
        isinstance(each, does_nothing) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in body
    )


def _without_docstring(method: Function) -> list[ast.stmt]:
    return method.body[1:] if is_string(method.body[0]) else method.body


def _are_equal(one: Function, other: Function) -> bool:
    """Return whether two methods take the same and do the same; docstrings and annotations aside."""
    if type(one) is not type(other) or _decorators(one) != _decorators(other) or _parameters(one) != _parameters(other):
        return False
    bodies = [list(map(ast.dump, _without_docstring(each))) for each in (one, other)]
    return bodies[0] == bodies[1]


def _decorators(method: Function) -> list[str]:
    return [ast.dump(each) for each in method.decorator_list]


def _parameters(method: Function) -> tuple[Any, ...]:
    arguments = method.args
    defaults = [None if each is None else ast.dump(each) for each in (*arguments.defaults, *arguments.kw_defaults)]
    kinds = [[each.arg for each in group] for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs)]
    rest = [each and each.arg for each in (arguments.vararg, arguments.kwarg)]
    return kinds, rest, defaults


def _mean_the_same(targets: CallTargets, path: str, other: str, method: Function) -> bool:
    """Return whether the names that a method reads from its module mean the same in both files."""
    if path == other:
        return True
    own = {each.arg for each in all_parameters(method)} | {
        each.id for each in nodes_of(method, ast.Name) if isinstance(each.ctx, ast.Store)
    }
    body = _without_docstring(method)
    read = set().union(*(names_in(each) for each in body)) - own - _BUILTINS
    one, two = targets.file(path), targets.file(other)
    if one is None or two is None:
        return not read
    meanings = [{**imported_names(each.tree), **from_imports(each.tree)} for each in (one, two)]
    for name in read:
        symbols = [targets.named_by(each, ast.Name(name, ast.Load()), ()) for each in (one, two)]
        of_tree = symbols[0] is not None and symbols[0] == symbols[1]
        if not of_tree and (name not in meanings[0] or meanings[0][name] != meanings[1].get(name)):
            return False
    return True


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("class def",)))
