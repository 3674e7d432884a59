"""What a statement or expression does besides its value: binds names, runs other code, may raise."""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import below, kept_on_node, nodes_of, walk
from review_bot.flow.state import places_in
from review_bot.text.lazy_regex import LazyRegex

LOG_LEVELS = frozenset({"critical", "debug", "error", "exception", "info", "warn", "warning"})
"""Methods of a logger that write one message."""
_LOGGING = LOG_LEVELS | {"log", "print"}
_ENDING_IN_CLASSES = frozenset({"critical", "error", "exception"})
"""Methods that raise in classes which projects write around a logger."""
_RAISING = (
    *(ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.Await, ast.Yield, ast.YieldFrom, ast.Starred),
    *(ast.Raise, ast.Assert, ast.Import, ast.ImportFrom, ast.With, ast.AsyncWith, ast.AsyncFor),
)
"""What may raise an exception that is no mistake in the program."""

_NEVER_FAILING = frozenset({
    "callable", "isinstance", "issubclass",
    "str", "repr", "id", "type", "bool", "object", "uuid.uuid4", "uuid.uuid1", "uuid4", "time.time", "time.time_ns",
    "time.monotonic", "time.perf_counter", "perf_counter", "monotonic", "datetime.now", "datetime.datetime.now",
    "os.environ.get", "environ.get", "os.getenv", "getenv",
    "asyncio.Event", "asyncio.Queue", "asyncio.Lock", "threading.Event", "threading.Lock", "queue.Queue",
})  # fmt: skip
"""Functions that raise only if the program could not go on anyway; their arguments are asked by themselves."""

_COPYING = frozenset({"copy.copy", "copy.deepcopy", "deepcopy"})
"""Functions that copy what a name or an attribute holds, which what follows is more likely to fail with."""

_MAKING_PATHS = frozenset({
    "len", "os.path.abspath", "os.path.basename", "os.path.dirname", "os.path.expanduser", "os.path.join",
    "os.path.normpath", "os.path.splitext", "Path", "pathlib.Path", "str",
})  # fmt: skip
"""Functions that make text or a path, without a look at the disk."""

_EXITS = frozenset({"exit", "_exit", "abort", "quit", "assert_never", "reraise"})
_ENDING = LazyRegex(
    r"(?i)(?:^|_)(?:(?:re_?)?raise|error|fail|abort|exit|die|fatal|usage|throw|reject|unreachable|skip|missing|panic|crash|terminate"
    r"|not_?(?:available|found|implemented|installed|supported)|un(?:available|implemented|supported))"
)
"""Names of functions that may not return."""

_OWN_STEPS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def logs(call: ast.Call) -> bool:
    """Return whether a call writes to a log or prints, which neither raises nor ends the function."""
    name = last_name(call.func)
    if name == "error" and isinstance(call.func, ast.Attribute):
        return "log" in ast.unparse(call.func.value).lower() and not _is_of_class(call)
    return name in _LOGGING and not (name in _ENDING_IN_CLASSES and _is_of_class(call))


def _is_of_class(call: ast.Call) -> bool:
    """Return whether a class logs, as ``Logger.error()``: one of the project's own, which may raise what it logs."""
    name = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return name[:1].isupper() and not name.isupper()


def called_name(call: ast.Call) -> str:
    """Return the last part of the name of what is called; ``f()`` of ``f(x)(y)``, which calls what a call returns."""
    return f"{last_name(call.func)}()" if isinstance(call.func, ast.Call) else last_name(call.func)


def ends(call: ast.Call) -> bool:
    """Return whether a call ends the program by its name."""
    return last_name(call.func) in _EXITS


def may_end(call: ast.Call) -> bool:
    """Return whether a call may not return, by the name of its function."""
    name = last_name(call.func)
    return (
        ends(call)
        or (name in _ENDING_IN_CLASSES and _is_of_class(call))
        or (not logs(call) and _ENDING.search(name) is not None)
    )


@kept_on_node
def effects(node: ast.AST) -> tuple[list[str], bool]:
    """Return the names that ``:=`` binds in a statement or expression, and whether it runs other code."""
    inner = [*walk(node)]
    walrus = [each.target.id for each in inner if isinstance(each, ast.NamedExpr)]
    return walrus, any(isinstance(each, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)) for each in inner)


@kept_on_node
def asked_on_the_way(statement: ast.stmt) -> frozenset[str]:
    """Return the places that a statement tests within itself: ``a and a.use()`` raises only where ``a`` is true."""
    found: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.BoolOp):
            found.update(place for each in node.values[:-1] for place in places_in(each))
        elif isinstance(node, ast.IfExp):
            found |= places_in(node.test)
        waiting += [each for each in below(node) if not isinstance(each, _OWN_STEPS)]
    return frozenset(found)


@kept_on_node
def guard_of(statement: ast.stmt) -> ast.Name | None:
    """Return the name that is true wherever a statement raises, as ``a`` is of ``a and a.use()``; None: none is."""
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    if not isinstance(value, ast.BoolOp) or not isinstance(value.op, ast.And):
        return None
    first = value.values[0]
    return first if isinstance(first, ast.Name) else None


@kept_on_node
def may_reach_files(statement: ast.stmt) -> bool:
    """Return whether a statement may raise an OSError: it raises, waits, or calls more than what makes a path."""
    calls = nodes_of(statement, ast.Call)
    others = (*nodes_of(statement, ast.Await), *nodes_of(statement, ast.Raise), *nodes_of(statement, ast.With))
    return bool(others) or any(dotted(call.func) not in _MAKING_PATHS for call in calls)


@kept_on_node
def may_raise(code: ast.stmt | ast.expr) -> bool:
    """Return whether an expression or a statement itself may raise; statements of blocks are asked by themselves."""
    waiting: list[ast.AST] = [code]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and (logs(node) or dotted(node.func) in _NEVER_FAILING):
            waiting += [*node.args, *node.keywords]
            continue
        if isinstance(node, ast.Call) and dotted(node.func) in _COPYING and all(map(dotted, node.args)):
            continue
        if isinstance(node, _RAISING):
            return True
        closed = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda))
        waiting += [] if closed else [each for each in below(node) if not isinstance(each, _OWN_STEPS)]
    return False
