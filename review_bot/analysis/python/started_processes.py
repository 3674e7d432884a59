"""Processes that a function starts and keeps in a variable or an attribute.

::

    server = subprocess.Popen(command)                      polled with server.poll()
    self.worker = ctx.Process(target=run)                   asked with self.worker.is_alive()
    self.worker.start()
"""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import Function, last_name, statements
from review_bot.analysis.python.syntax import dotted
from review_bot.records import NamedTuple

_ASKED = {"Popen": "poll", "Process": "is_alive"}


class StartedProcess(NamedTuple):
    """``place``: the name or attribute that holds it, as written. ``asked``: the method that says whether it runs.

    ``statement`` starts it.
    """

    place: str
    asked: str
    statement: ast.stmt


def started_processes(function: Function) -> list[StartedProcess]:
    """Return the processes that the statements of a function start, in the order of the text."""
    made: dict[str, str] = {}
    found: list[StartedProcess] = []
    for statement in statements(function.body, into_definitions=False):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            kind = last_name(statement.value.func) if isinstance(statement.value, ast.Call) else ""
            place = dotted(statement.targets[0])
            if place is None or kind not in _ASKED:
                continue
            made[place] = _ASKED[kind]
            if kind == "Popen":
                found.append(StartedProcess(place, _ASKED[kind], statement))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            called = statement.value.func
            place = dotted(called.value) if isinstance(called, ast.Attribute) and called.attr == "start" else None
            if place in made:
                found.append(StartedProcess(place, made[place], statement))
    return found
