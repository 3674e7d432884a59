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
from collections.abc import Iterable, Iterator, Mapping

from review_bot.analysis.project.early_uses import bound_first
from review_bot.analysis.project.unbound_names import quiet_nodes
from review_bot.analysis.python.bindings import binding_counts, name_bound_by
from review_bot.analysis.python.statements import Function, is_for_scripts, last_name
from review_bot.analysis.python.syntax import is_generator, own_nodes
from review_bot.changes.codebase import query
from review_bot.changes.node_index import below, nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_DEEPEST = 4
_LEAVES = frozenset({"_exit", "abort", "error", "exit", "fail", "importorskip", "quit", "skip"})
_LEAVE = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_CATCHES = LazyRegex(r"\b(?:BaseException|Exception|NameError)\b")
_EXPECTS = LazyRegex(r"(?i)raises|suppress|ignor|expect|skip|fail|catch")


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
        for node in _evaluated(body):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self._functions:
                read = next(self._reads(self._functions[node.func.id], ()), None)
                if read is not None:
                    yield EarlyRead(read, node.func, self._later[read.id])

    def _reads(self, function: ast.FunctionDef, above: tuple[str, ...]) -> Iterator[ast.Name]:
        """Yield what a function surely reads too early, with what it calls."""
        local = _bound_in(function)
        for node in _evaluated(function.body):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in local:
                if node.id in self._later:
                    yield node
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in local:
                called = self._functions.get(node.func.id)
                if called is None or called.name in above:
                    continue
                if len(above) < _DEEPEST:
                    yield from self._reads(called, (*above, function.name))
                if any(_leaves(each) for each in called.body[:-1] or called.body):
                    return


def _bound_in(function: Function) -> set[str]:
    """Return the names that a function binds itself."""
    found = {each.arg for each in nodes_of(function.args, ast.arg)}
    found.update(name for node in own_nodes(function.body) if (name := name_bound_by(node)))
    return found


def _evaluated(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the parts that surely run once a block is reached, up to what may leave it."""
    for statement in body:
        if isinstance(statement, (ast.If, ast.While)):
            yield from _parts(statement.test)
        elif isinstance(statement, (ast.For, ast.AsyncFor)):
            yield from _parts(statement.iter)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            for item in statement.items:
                yield from _parts(item.context_expr)
            if any(_EXPECTS.search(ast.unparse(item.context_expr)) for item in statement.items):
                return
            yield from _evaluated(statement.body)
        elif isinstance(statement, ast.Try):
            if any(each.type is None or _CATCHES.search(ast.unparse(each.type)) for each in statement.handlers):
                return
            yield from _evaluated(statement.body)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for part in reversed(below(statement)):
                yield from _parts(part)
        if _leaves(statement):
            return


def _leaves(statement: ast.stmt) -> bool:
    """Return whether a statement may keep the next one from running."""
    nodes = list(own_nodes([statement]))
    return any(
        isinstance(each, _LEAVE) or (isinstance(each, ast.Call) and last_name(each.func) in _LEAVES) for each in nodes
    )


def _parts(part: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression that are surely evaluated."""
    waiting = [part]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.IfExp):
            waiting.append(node.test)
        elif isinstance(node, ast.BoolOp):
            waiting.append(node.values[0])
        elif isinstance(node, ast.Compare):
            waiting += [node.comparators[0], node.left]
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, ast.Lambda):
            yield node
            waiting += below(node)
