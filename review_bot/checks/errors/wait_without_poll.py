"""A loop that waits for a process which the function has started, and that never looks whether the process still runs.

::

    server = subprocess.Popen(command)
    while time.time() < deadline:               a server that died at once is waited for until the deadline
        if answers(port):
            return
        time.sleep(1)
    raise TimeoutError("the server did not start")
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.node_types import Loop
from review_bot.analysis.python.started_processes import started_processes
from review_bot.analysis.python.statements import Function, blocks, last_name
from review_bot.analysis.python.syntax import attribute_of_self, dotted, hit_on, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FAILS = frozenset({"fail", "exit"})
_WAITS = frozenset({"communicate", "wait", "join"})
_LOOKS = frozenset({"poll", "is_alive", "returncode", "exitcode", "pid_exists", "waitpid"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the head of each such loop. Raises CannotParse."""
    for function in source.functions:
        processes = started_processes(function)
        for block in blocks(function.body, into_definitions=False) if processes else ():
            for number, statement in enumerate(block):
                if not isinstance(statement, (ast.For, ast.While)) or not _waits(statement):
                    continue
                before = [each for each in processes if each.statement.lineno < statement.lineno]
                if not before or _has_ended(function, before[-1].place, statement.lineno):
                    continue
                if not _ends(statement, block[number + 1 :]) or _may_look(statement, before[-1].place):
                    continue
                process = before[-1]
                values = {"process": process.place, "asked": f"{process.place}.{process.asked}()"}
                related = (Related(source.path, process.statement.lineno, "starts it"),)
                yield hit_on(source, statement, values=values, related=related)


def _has_ended(function: Function, place: str, line: int) -> bool:
    """Return whether a call before a line waited for the end of a process: the loop is about something else."""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr in _WAITS
        and dotted(each.func.value) == place
        and each.lineno < line
        for each in own_nodes(function.body)
    )


def _waits(loop: Loop) -> bool:
    """Return whether a loop sleeps between attempts, and leaves at the first that succeeds or at a limit."""
    if isinstance(loop, ast.While) and not isinstance(loop.test, (ast.Compare, ast.BoolOp)):
        return False
    if isinstance(loop, ast.For) and not (isinstance(loop.iter, ast.Call) and last_name(loop.iter.func) == "range"):
        return False
    nodes = list(own_nodes(loop.body))
    tries = any(isinstance(each, (ast.Try, ast.TryStar, ast.If)) for each in nodes)
    leaves = any(isinstance(each, (ast.Return, ast.Break)) for each in nodes) or isinstance(loop, ast.While)
    return tries and leaves and any(isinstance(each, ast.Call) and last_name(each.func) == "sleep" for each in nodes)


def _ends(loop: Loop, after: list[ast.stmt]) -> bool:
    """Return whether the code behind a loop fails where it waited in vain."""
    nodes = own_nodes([*loop.orelse, *after])
    return any(
        isinstance(each, ast.Raise) or (isinstance(each, ast.Call) and last_name(each.func) in _FAILS) for each in nodes
    )


def _may_look(loop: Loop, place: str) -> bool:
    """Return whether a loop names the process, or calls a method of the object that may hold it."""
    tested = [loop.test] if isinstance(loop, ast.While) else []
    nodes = [node for each in (*loop.body, *tested) for node in walk(each)]
    if any(isinstance(each, ast.Attribute) and each.attr in _LOOKS for each in nodes):
        return True
    handed_out = {id(each) for node in nodes if isinstance(node, ast.Return) for each in walk(node)}
    named = (each for each in nodes if isinstance(each, (ast.Name, ast.Attribute)) and id(each) not in handed_out)
    if any(dotted(each) == place for each in named):
        return True
    calls_own = any(attribute_of_self(each.func) for each in nodes if isinstance(each, ast.Call))
    return calls_own and place.startswith("self.")


CHECK = file_check(examine, CheckTraits(literals=("Popen sleep", "Process sleep")))
