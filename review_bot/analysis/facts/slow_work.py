"""Slow work that a function of the tree does itself or through the synchronous functions that it calls, three deep.

What runs once is left out: work under a test whether something is there yet, in a handler, or behind a cache. So is
work under a test of what the calls on the way pass as None or leave out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.slow_calls import SlowCall, SlowCalls
from review_bot.analysis.python.statements import (
    decorator_names,
    defaults_of,
    inner_blocks,
    is_definition,
    is_function,
    positional_parameters,
)
from review_bot.analysis.python.syntax import is_generator, names_in, unpacks
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import below
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

DEPTH = 3
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_PLAIN = frozenset({"staticmethod", "classmethod", "override", "no_grad", "inference_mode"})
"""Decorators after which a call runs the function, at once and in this thread."""
_ONCE = LazyRegex(
    r"\bis None\b|\bnot in\b|\bnot (self|cls)\.|hasattr\(|^not \w+$|\.exists\(|is_file\(|is_dir\(|isfile\(|isdir\("
    r"|initiali[sz]ed|loaded|cached?\b|(?i:debug|profil|verbose)"
)
"""Tests that let their work run once, or for developers alone."""
_DONE = LazyRegex(
    r"(?<![\w.])(self|cls)\.[\w.]+ is not None|^_\w+ is not None|\bin (self|cls)\.|initiali[sz]ed|loaded|cached?\b"
)
"""Tests after which a function returns because the work is done already."""


class SlowWork(NamedTuple):
    """The slow call that is reached, the line of it, and the functions on the way, nearest first."""

    call: SlowCall
    path: str
    line: int
    through: tuple[Symbol, ...] = ()


class SlowWorks:
    """Finds the slow work of the functions on one side of a change."""

    def __init__(self, side: Snapshot) -> None:
        self._targets: CallTargets = call_targets(side)
        self._slow: WeakKeyDictionary[CodeFile, SlowCalls] = WeakKeyDictionary()
        self._known: dict[tuple[Symbol, int, frozenset[str]], SlowWork | None] = {}

    def of_call(
        self, file: CodeFile, call: Call, depth: int = DEPTH, absent: frozenset[str] = frozenset()
    ) -> SlowWork | None:
        """Return the slow work that a call does, itself or through a function of the tree.

        ``absent``: the parameters that the calls before it pass as None, or leave out.
        """
        found = self._slow_calls(file).kind(call.node)
        if found is not None:
            return SlowWork(found, file.path, call.node.lineno)
        symbol = self._targets.target(file, call) if depth else None
        work = None if symbol is None else self._of(symbol, call.node, depth, absent)
        return None if work is None or symbol is None else work._replace(through=(symbol, *work.through))

    def _of(self, symbol: Symbol, call: ast.Call, depth: int, absent: frozenset[str]) -> SlowWork | None:
        """Return the first slow work of a function or method, if a call of it runs its body at once."""
        file = self._targets.file(symbol.path)
        defined = None if file is None else definition(file, symbol.name)
        if file is None or defined is None or not _runs_at_once(defined[-1]):
            return None
        key = (symbol, depth, _absent_within(defined, call, absent))
        if key not in self._known:
            self._known[key] = None
            calls = repeated_calls(defined[-1], key[2])
            found = (self.of_call(file, Call(node, defined), depth - 1, key[2]) for node in calls)
            self._known[key] = next((each for each in found if each is not None), None)
        return self._known[key]

    def _slow_calls(self, file: CodeFile) -> SlowCalls:
        if file not in self._slow:
            self._slow[file] = SlowCalls(file.tree, file.path)
        return self._slow[file]


@query
def slow_works(side: Snapshot) -> SlowWorks:
    """Return what finds the slow work of functions on one side of a change."""
    return SlowWorks(side)


def definition(file: CodeFile, name: str) -> tuple[Scope, ...] | None:
    """Return a top-level function, or a method after its class, by its dotted name."""
    owner, _, method = name.rpartition(".")
    if not owner:
        function = file.functions.get(name)
        return None if function is None else (function,)
    node = file.classes.get(owner)
    for each in () if node is None else node.body:
        if node is not None and is_function(each) and each.name == method:
            return node, each
    return None


def functions_within(tree: ast.Module) -> Iterator[tuple[Scope, ...]]:
    """Yield each function of a file, after the definitions around it, outermost first."""
    waiting: list[tuple[ast.stmt, tuple[Scope, ...]]] = [(each, ()) for each in reversed(tree.body)]
    while waiting:
        statement, scopes = waiting.pop()
        if is_definition(statement):
            scopes = (*scopes, statement)
            if not isinstance(statement, ast.ClassDef):
                yield scopes
        waiting += [(each, scopes) for block in inner_blocks(statement) for each in block]


def _absent_within(defined: tuple[Scope, ...], call: ast.Call, absent: frozenset[str]) -> frozenset[str]:
    """Return the names that hold nothing in a function that a call runs; ``absent``: those that do around the call.

    A local name that is called as one around the call is taken for the same thing.
    """
    function = defined[-1]
    if not isinstance(function, ast.FunctionDef) or unpacks(call):
        return frozenset()
    places = [each.arg for each in positional_parameters(function)]
    is_bound = len(defined) > 1 and "staticmethod" not in decorator_names(function)
    passed = dict(zip(places[1:] if is_bound else places, call.args, strict=False))
    passed |= {each.arg: each.value for each in call.keywords if each.arg is not None}
    defaults = {parameter.arg: default for parameter, default in defaults_of(function)}
    missing = frozenset(name for name, value in (defaults | passed).items() if _is_absent(value, absent))
    return absent.difference(passed) | missing


def _is_absent(value: ast.expr, absent: frozenset[str]) -> bool:
    return (isinstance(value, ast.Constant) and not value.value) or (isinstance(value, ast.Name) and value.id in absent)


def repeated_calls(function: Scope, absent: frozenset[str] = frozenset()) -> Iterator[ast.Call]:
    """Yield the calls of a function's own body that run whenever it is called, or often; those in handlers are not.

    ``absent``: names that hold nothing, so that what runs only where they hold something does not.
    """
    body = [] if isinstance(function, ast.Lambda) else function.body
    done = (number for number, each in enumerate(body) if isinstance(each, ast.If) and _returns_if_done(each))
    waiting: list[ast.AST] = [*reversed(body[: next(done, len(body))])]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        if isinstance(node, (*_SCOPES, ast.ExceptHandler, ast.Raise)):
            continue
        skipped: list[ast.AST] = []
        if isinstance(node, ast.If) and (not absent.isdisjoint(names_in(node.test)) or _is_for_once(node.test)):
            skipped = [*node.body]
        waiting += [each for each in below(node) if each not in skipped]


def _is_for_once(test: ast.expr) -> bool:
    return _ONCE.search(ast.unparse(test)) is not None


def _returns_if_done(statement: ast.If) -> bool:
    return isinstance(statement.body[-1], ast.Return) and bool(_DONE.search(ast.unparse(statement.test)))


def _runs_at_once(function: Scope) -> bool:
    """Return whether a call runs the body now: it is no coroutine, no generator, and nothing wraps it."""
    if not isinstance(function, ast.FunctionDef):
        return False
    if not decorator_names(function) <= _PLAIN:
        return False
    return not is_generator(function)
