"""Whether code can go on after a statement, or surely ends in an exception or the end of the program.

::

    raise                                   ends
    sys.exit(1);  assert False              ends
    six.reraise(kind, error, traceback)     ends
    if a: raise / else: raise               ends
    with lock: raise                        ends
    while True: raise                       ends
    for _ in (1, 2): raise                  ends
    fail()                                  ends, if ``constants`` has it: see ``failing_functions``
    if a: raise                             goes on
    return                                  leaves the function, which goes on
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NoReturn

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.conditions import live_blocks, truth
from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import inner_blocks, is_definition, last_name
from review_bot.analysis.python.syntax import dotted, is_generator
from review_bot.changes.node_index import kept_on_node

_ENDINGS = frozenset({"exit", "_exit", "abort", "quit"})
_RERAISING = frozenset({"reraise", "six.reraise"})
"""Functions that raise the exception that they are given, as they are called."""
SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
"""Context managers after which code goes on if their body raises."""

_LEAVING = (ast.Return, ast.Continue, ast.Break)
_WITH_BLOCKS = (
    *(ast.If, *LOOPS, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Match),
    *_LEAVING,
)
"""Statements that leave, or that may hold one that does."""
NO_CONSTANTS: Mapping[str, object] = {}


@kept_on_node
def failing_functions(tree: ast.Module) -> Mapping[str, object]:
    """Return the top-level functions that end each call in an exception, as ``name()``, in the form of constants."""
    bound = binding_counts(tree)
    return {
        f"{each.name}()": NoReturn
        for each in tree.body
        if isinstance(each, ast.FunctionDef)
        and not each.decorator_list
        and bound[each.name] == 1
        and fails(each.body)
        and not is_generator(each)
    }


def fails(body: list[ast.stmt], constants: Mapping[str, object] = NO_CONSTANTS) -> bool:
    """Return whether a block surely raises or ends the program. ``constants``: see ``constants_of``."""
    for statement in body:
        if _fails(statement, constants):
            return True
        if isinstance(statement, _WITH_BLOCKS) and _leaves(statement):
            return False
    return False


def unreachable(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the outermost statements of a block that never run: behind one that leaves it, or in a dead branch."""
    pending = [body]
    while pending:
        block = pending.pop()
        end = next((number for number, each in enumerate(block, 1) if _is_left(each)), len(block))
        yield from block[end:]
        for statement in block[:end]:
            if isinstance(statement, ast.If):
                for link in _chain(statement):
                    live = live_blocks(link, NO_CONSTANTS)
                    dead = [each for each in (link.body, link.orelse) if not any(each is one for one in live)]
                    yield from (each for branch in dead for each in branch)
                    pending += [each for each in live if each is link.body or not _is_link(each)]
            elif not is_definition(statement):
                pending += inner_blocks(statement)


def _is_left(statement: ast.stmt) -> bool:
    """Return whether nothing behind a statement of the same block runs after it."""
    if not isinstance(statement, ast.If):
        return isinstance(statement, _LEAVING) or _fails(statement, NO_CONSTANTS)
    blocks = (
        block
        for link in _chain(statement)
        for block in live_blocks(link, NO_CONSTANTS)
        if block is link.body or not _is_link(block)
    )
    return all(any(map(_is_left, block)) for block in blocks)


def _chain(statement: ast.If) -> Iterator[ast.If]:
    """Yield an ``if`` and each ``elif`` of it that can run."""
    yield statement
    while _is_link(statement.orelse) and any(each is statement.orelse for each in live_blocks(statement, NO_CONSTANTS)):
        (following,) = statement.orelse
        if not isinstance(following, ast.If):
            return
        statement = following
        yield statement


def _is_link(block: list[ast.stmt]) -> bool:
    return len(block) == 1 and isinstance(block[0], ast.If)


@kept_on_node  # asked at each branch of a chain of ``elif``, about all that follow
def _leaves(statement: ast.stmt) -> bool:
    """Return whether a statement holds one that leaves; those in definitions aside."""
    return isinstance(statement, _LEAVING) or any(
        _leaves(each) for block in inner_blocks(statement) for each in block if isinstance(each, _WITH_BLOCKS)
    )


def _fails(statement: ast.stmt, constants: Mapping[str, object]) -> bool:
    if isinstance(statement, ast.Assert):
        return truth(statement.test, constants) is False
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return not _swallows(statement) and fails(statement.body, constants)
    if isinstance(statement, (ast.Try, ast.TryStar)):
        return _try_fails(statement, constants)
    surely_run = _surely_run(statement, constants)
    if surely_run:
        return all(fails(block, constants) for block in surely_run)
    return isinstance(statement, ast.Raise) or _ends_program(statement, constants)


def _surely_run(statement: ast.stmt, constants: Mapping[str, object]) -> list[list[ast.stmt]]:
    """Return the blocks of a condition or a loop of which one surely runs; none if it may run none."""
    if isinstance(statement, ast.If):
        return live_blocks(statement, constants)
    if isinstance(statement, ast.While):
        return [statement.body] if truth(statement.test, constants) is True else []
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        is_written = isinstance(statement.iter, (ast.Tuple, ast.List))
        return [statement.body] if is_written and truth(statement.iter, constants) else []
    if isinstance(statement, ast.Match):
        last = statement.cases[-1]
        is_any = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        return [case.body for case in statement.cases] if is_any else []
    return []


def _ends_program(statement: ast.stmt, constants: Mapping[str, object]) -> bool:
    call = statement.value if isinstance(statement, (ast.Expr, ast.Return, ast.Assign)) else None
    if not isinstance(call, ast.Call):
        return False
    called = dotted(call.func)
    return last_name(call.func) in _ENDINGS or called in _RERAISING or constants.get(f"{called}()") is NoReturn


def _swallows(statement: ast.With | ast.AsyncWith) -> bool:
    return any(
        isinstance(item.context_expr, ast.Call) and last_name(item.context_expr.func) in SWALLOWING
        for item in statement.items
    )


def _try_fails(statement: ast.Try | ast.TryStar, constants: Mapping[str, object]) -> bool:
    if fails(statement.finalbody, constants):
        return True
    tried = fails(statement.body, constants) or fails(statement.orelse, constants)
    return tried and all(fails(handler.body, constants) for handler in statement.handlers)
