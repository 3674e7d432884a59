"""Calls that hand a function and its arguments to a thread or process, which calls it."""

from __future__ import annotations

import ast

from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.python.statements import last_name

_STARTS = frozenset({"threading.Thread", "multiprocessing.Process"})
STARTERS = frozenset({"to_thread", "run_in_executor", "Thread", "Process"})
"""Last names of what is given a function of the tree and its arguments, and calls it elsewhere."""


def started_call(file: CodeFile, call: Call) -> ast.Call | None:
    """Return the call that a thread or process will make which a call starts, as if it were written there, or None."""
    arguments, keywords = call.node.args, {each.arg: each.value for each in call.node.keywords}
    function, name = call.node.func, _standard_name(file, call)
    if name == "asyncio.to_thread" and arguments:
        return ast.Call(arguments[0], arguments[1:], call.node.keywords)
    if isinstance(function, ast.Attribute) and function.attr == "run_in_executor":
        is_clear = len(arguments) > 1 and not keywords and not isinstance(arguments[0], ast.Starred)
        return ast.Call(arguments[1], arguments[2:], []) if is_clear else None
    if name not in _STARTS or arguments or None in keywords or "target" not in keywords:
        return None
    given = ast.Starred(keywords.get("args", ast.Tuple([], ast.Load())), ast.Load())
    named = [ast.keyword(None, keywords["kwargs"])] if "kwargs" in keywords else []
    return ast.Call(keywords["target"], [given], named)


def _standard_name(file: CodeFile, call: Call) -> str:
    """Return the dotted name of the function or class of the standard library that is called, or nothing."""
    function = call.node.func
    owner = function.value if isinstance(function, ast.Attribute) else function
    imported = file.imported(owner.id, call.scopes) if isinstance(owner, ast.Name) else None
    if imported is None or not imported.standard or bool(imported.name) == isinstance(function, ast.Attribute):
        return ""
    return f"{imported.standard}.{imported.name or last_name(function)}"
