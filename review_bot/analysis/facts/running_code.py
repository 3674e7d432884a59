"""The nodes of a file that run and are not expected to fail, with the definitions around them.

::

    with pytest.raises(TypeError): load()    it is to fail
    try: load()                              it may fail
    except TypeError: pass
    try: load()                              it is only hidden, unless the handler calls it otherwise
    except Exception: log()
    if False: load()                         it does not run
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

from review_bot.analysis.facts.error_guards import ErrorGuards
from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.node_types import Comprehension
from review_bot.analysis.python.statements import Function, first_line, is_function, last_name, root_name
from review_bot.changes.node_index import Node, below, nodes_of, walk
from review_bot.changes.node_lines import last_line

Scope = Function | ast.ClassDef | ast.Lambda


class RunningCode:
    """Finds nodes of a file with the definitions around them. ``constants``: see ``conditions.constants_of``."""

    def __init__(self, tree: ast.Module, constants: Mapping[str, object]) -> None:
        self._tree, self._constants, self._guards = tree, constants, ErrorGuards(tree)

    def of(
        self, wanted: list[Node], caught: frozenset[str], hiding: frozenset[str] = frozenset()
    ) -> Iterator[tuple[Node, tuple[Scope, ...]]]:
        """Yield the nodes with the definitions around them, except where an error of ``caught`` is expected.

        A decorator, default or annotation belongs to what is around the function. ``hiding``: those of ``caught`` whose
        handlers expect nothing in particular, so that they count only if they call what the body calls.
        """
        guards = self._guards
        hidden = _named_in_comprehensions(self._tree, wanted)
        wanted = [node for node in wanted if node not in hidden]
        lines = sorted(node.lineno for node in wanted)  # type: ignore[attr-defined]  # expressions have one
        nodes: dict[ast.AST, Node] = {node: node for node in wanted}
        waiting: list[tuple[ast.AST, tuple[Scope, ...], frozenset[str] | None]] = []
        waiting += [(self._tree, (), None)] if wanted else []
        while waiting:
            node, scopes, expected = waiting.pop()
            if node in nodes and expected is None:
                yield nodes[node], scopes
            if isinstance(node, ast.stmt) and not _holds_one(node, lines):
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                skips = is_function(node) and guards.may_be_skipped(node, caught)
                inside, within = (*scopes, node), _in_definition(node, expected)
                body = frozenset[ast.AST]([node.body] if isinstance(node, ast.Lambda) else node.body)
                for child in below(node):
                    if child not in body:
                        waiting.append((child, scopes, expected))
                    elif not skips:
                        waiting.append((child, inside, within))
                continue
            guarded: frozenset[ast.AST] = frozenset()
            dead: list[ast.stmt] = []
            if isinstance(node, (ast.With, ast.AsyncWith)):
                if any(guards.may_expect(item.context_expr, caught) for item in node.items):
                    guarded = frozenset(node.body)
            elif isinstance(node, (ast.Try, ast.TryStar)) and guards.catches(node, caught):
                is_hidden = hiding and not guards.catches(node, caught - hiding) and not _calls_again(node, nodes)
                guarded = frozenset() if is_hidden else frozenset(node.body)
            elif isinstance(node, ast.If) and (known := truth(node.test, self._constants)) is not None:
                dead = node.orelse if known else node.body
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda) and expected is not None:
                stored = {each.id for each in node.targets if isinstance(each, ast.Name)}
                expected = expected if stored & expected or len(stored) < len(node.targets) else None
            read = expected or frozenset()
            if guarded:
                read = read.union(each.id for each in nodes_of(node, ast.Name) if isinstance(each.ctx, ast.Load))
            gone = frozenset[ast.AST](dead)
            waiting += [
                (child, scopes, read if child in guarded else expected) for child in below(node) if child not in gone
            ]


def _calls_again(statement: ast.Try | ast.TryStar, wanted: Mapping[ast.AST, ast.AST]) -> bool:
    """Return whether a handler calls, in another way maybe, one of the functions that the body calls."""
    calls = (call for each in statement.body for call in nodes_of(each, ast.Call) if call in wanted)
    names = {last_name(call.func) for call in calls}
    handled = (call for each in statement.handlers for call in nodes_of(each, ast.Call))
    return any(last_name(call.func) in names for call in handled)


def _in_definition(node: Scope, expected: frozenset[str] | None) -> frozenset[str] | None:
    """Return what ``expected`` is in a definition: None in a function that only code behind the block may run.

    ``expected``: the names that a block reads in which an error is expected; None elsewhere.
    """
    if expected is None or isinstance(node, ast.Lambda):
        return expected
    if isinstance(node, ast.ClassDef):
        methods = {each.name for each in node.body if is_function(each)}
        return expected | methods if node.name in expected else frozenset()
    return expected if node.name in expected else None


def _holds_one(statement: ast.stmt, lines: list[int]) -> bool:
    """Return whether a statement, with its decorators, holds one of some lines, which are sorted."""
    position = bisect_left(lines, first_line(statement))
    return position < len(lines) and lines[position] <= last_line(statement)


def _named_in_comprehensions(tree: ast.Module, wanted: Iterable[ast.AST]) -> set[ast.AST]:
    """Return those of some expressions that begin with a name which a comprehension around them binds."""
    names = {node: root for node in wanted if (root := root_name(node))}
    found: set[ast.AST] = set()
    comprehensions: list[Comprehension] = []
    if names:
        comprehensions += [*nodes_of(tree, ast.ListComp), *nodes_of(tree, ast.SetComp)]
        comprehensions += [*nodes_of(tree, ast.GeneratorExp), *nodes_of(tree, ast.DictComp)]
    for comprehension in comprehensions:
        first, *others = comprehension.generators
        targets = [each.target for each in comprehension.generators]
        bound = {each.id for one in targets for each in nodes_of(one, ast.Name) if isinstance(each.ctx, ast.Store)}
        if not bound.isdisjoint(names.values()):
            inside = [each for each in below(comprehension) if not isinstance(each, ast.comprehension)]
            for part in (*inside, *first.ifs, *others):  # the first iterable is of the scope around it
                found.update(node for node in walk(part) if names.get(node) in bound)
    return found
