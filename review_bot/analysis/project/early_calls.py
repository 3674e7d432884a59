"""The calls while a module is imported, or run as a script, of functions that need what the module binds further down.

::

    def main():
        return load()
    main()                  NameError: `load` is defined below
    def load(): ...

Only what such a function surely evaluates counts, and what the functions do that it calls in turn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.early_uses import bound_first
from review_bot.analysis.project.unbound_names import quiet_nodes
from review_bot.analysis.python.bindings import binding_counts, name_bound_by
from review_bot.analysis.python.statements import Function, is_for_scripts
from review_bot.analysis.python.sure_evaluation import may_leave, surely_evaluated
from review_bot.analysis.python.syntax import is_generator, own_nodes
from review_bot.changes.codebase import query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple

_DEEPEST = 4


class EarlyRead(NamedTuple):
    """A read that fails, the name in the call at the top level that runs it, and the line of the first binding."""

    node: ast.Name
    by: ast.Name
    bound_at: int


@query
def early_calls(source: SourceFile) -> tuple[EarlyRead, ...]:
    """Return the calls that fail so, at most one for each statement, in the order of the text. Raises CannotParse."""
    first = bound_first(source) if source.path.endswith(".py") else {}
    counts = binding_counts(source.tree) if first else {}
    functions = {
        each.name: each
        for each in source.tree.body
        if isinstance(each, ast.FunctionDef) and counts.get(each.name) == 1 and _is_plain(each)
    }
    found: list[EarlyRead] = []
    quiet = quiet_nodes(source) if functions else frozenset[int]()
    for number, statement in enumerate(source.tree.body if functions else ()):
        later = {name: line for name, (at, line) in first.items() if at > number}
        run = _Run({name: each for name, each in functions.items() if first.get(name, (number,))[0] < number}, later)
        is_main = isinstance(statement, ast.If) and is_for_scripts(statement) and _asks_for_main(statement)
        body = statement.body if isinstance(statement, ast.If) and is_main else [statement]
        made = next((each for each in run.failing(body) if id(each.node) not in quiet), None) if later else None
        if made is not None and id(made.by) not in quiet:
            found.append(made)
    return tuple(found)


def _is_plain(function: ast.FunctionDef) -> bool:
    return not function.decorator_list and not is_generator(function)


def _asks_for_main(statement: ast.If) -> bool:
    return ast.unparse(statement.test) in {"__name__ == '__main__'", "'__main__' == __name__"}


class _Run:
    """What happens where some functions exist, and the names in ``later`` are bound below."""

    def __init__(self, functions: Mapping[str, ast.FunctionDef], later: Mapping[str, int]) -> None:
        self._functions, self._later = functions, later

    def failing(self, body: list[ast.stmt]) -> Iterator[EarlyRead]:
        """Yield the calls of functions in a block at the top level that surely fail."""
        for node in surely_evaluated(body):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self._functions:
                read = next(self._reads(self._functions[node.func.id], ()), None)
                if read is not None:
                    yield EarlyRead(read, node.func, self._later[read.id])

    def _reads(self, function: ast.FunctionDef, above: tuple[str, ...]) -> Iterator[ast.Name]:
        """Yield what a function surely reads too early, with what it calls."""
        local = _bound_in(function)
        for node in surely_evaluated(function.body):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in local:
                if node.id in self._later:
                    yield node
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in local:
                called = self._functions.get(node.func.id)
                if called is None or called.name in above:
                    continue
                if len(above) < _DEEPEST:
                    yield from self._reads(called, (*above, function.name))
                if any(may_leave(each) for each in called.body[:-1] or called.body):
                    return


def _bound_in(function: Function) -> set[str]:
    """Return the names that a function binds itself."""
    found = {each.arg for each in nodes_of(function.args, ast.arg)}
    found.update(name for node in own_nodes(function.body) if (name := name_bound_by(node)))
    return found
