"""A local name that every branch of an ``if`` sets, and that the function never reads.

::

    if step == 0:
        key = torch.cat([joint_key, k], dim=1)
    else:
        key = k                                 reported: the call goes on with `k`
    out = attention(q, k, v)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import chain

from review_bot.analysis.python.bindings import READS_BY_TEXT, reads_by_text
from review_bot.analysis.python.pure_calls import is_in_own_language, is_pure
from review_bot.analysis.python.statements import leaves
from review_bot.analysis.python.syntax import hit_on, imported_names, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such name once, at the first added line that sets it. Raises CannotParse."""
    imported = imported_names(source.tree)
    if is_in_own_language(imported):
        return
    for function in source.touched_functions:
        choices = [each for each in own_nodes(function.body) if isinstance(each, ast.If) and each.orelse]
        if not choices:
            continue
        known = _used(function)
        if not READS_BY_TEXT.isdisjoint(known) or any(map(reads_by_text, nodes_of(function, ast.Call))):
            continue
        for choice in sorted(choices, key=lambda each: each.lineno):
            for name, places in _set_by([choice], imported).items():
                added = next((each for each in places if each.lineno in source.added), None)
                if name not in known and not name.startswith("_") and added is not None and len(places) > 1:
                    known.add(name)
                    yield hit_on(source, added, values={"name": name, "line": str(choice.lineno)})


def _used(function: ast.AST) -> set[str]:
    """Return the names that a function reads or deletes, those of inner functions and of other scopes too."""
    found: set[str] = set()
    for node in walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return found


def _set_by(block: list[ast.stmt], imported: Mapping[str, str]) -> dict[str, list[ast.stmt]]:
    """Return the names that get a computed value on every path to the end of a block, with the statements."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in block:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            for name in _computed(statement.targets[0], statement.value, imported):
                found.setdefault(name, []).append(statement)
        elif isinstance(statement, ast.If) and statement.orelse:
            branches = [_set_by(each, imported) for each in (statement.body, statement.orelse) if not leaves(each)]
            for name in branches[0] if branches else ():
                if all(name in each for each in branches):
                    found.setdefault(name, []).extend(chain.from_iterable(each[name] for each in branches))
    return found


def _computed(target: ast.expr, value: ast.expr, imported: Mapping[str, str]) -> Iterator[str]:
    """Yield the names that get an expression without other effects; of ``a, b = x, y`` both."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, given in zip(target.elts, value.elts, strict=True):
            yield from _computed(one, given, imported)
    elif isinstance(target, ast.Name):
        nodes = list(walk(value))
        effects = any(isinstance(each, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)) for each in nodes)
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        if not effects and all(is_pure(each, imported) for each in calls):
            yield target.id


CHECK = file_check(examine, CheckTraits(literals=("if else",)))
