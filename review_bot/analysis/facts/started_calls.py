"""Calls that hand a function and its arguments to what calls it: a thread, a process, an executor, ``partial``.

::

    asyncio.to_thread(load, path)        loop.run_in_executor(None, load, path)
    Thread(target=load, args=(path,))    pool.submit(load, path)
    partial(load, path)                  load(path, ...)
"""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.python.assigned_names import local_names
from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.analysis.python.syntax import dotted, is_literal
from review_bot.changes.node_index import kept_on_node, nodes_of

_EXECUTORS = frozenset({"concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor"})
_CONTEXT = "multiprocessing.get_context"
_STARTS = frozenset({"threading.Thread", "multiprocessing.Process", f"{_CONTEXT}.Process"})
STARTERS = frozenset({"to_thread", "run_in_executor", "Thread", "Process", "submit", "partial"})
"""Last names of what is given a function of the tree and its arguments, and calls it elsewhere."""

_MADE: WeakKeyDictionary[CodeFile, dict[str, str]] = WeakKeyDictionary()


@kept_on_node
def starters_in(tree: ast.Module) -> frozenset[str]:
    """Return the names of starters, and those that a file gives them by its imports."""
    return local_names(tree, STARTERS)


def started_call(file: CodeFile, call: Call) -> Call | None:
    """Return the call that what a call starts will make, as if it were written there, or None."""
    arguments, keywords = call.node.args, {each.arg: each.value for each in call.node.keywords}
    function = call.node.func
    if last_name(function) not in starters_in(file.tree) or (arguments and isinstance(arguments[0], ast.Starred)):
        return None
    if isinstance(function, ast.Attribute) and function.attr == "run_in_executor":
        is_clear = len(arguments) > 1 and not keywords and not isinstance(arguments[1], ast.Starred)
        return _written(call, arguments[1], arguments[2:], []) if is_clear else None
    name = _standard_name(file, function, call)
    if arguments and (name == "asyncio.to_thread" or name.removesuffix(".submit") in _EXECUTORS):
        return _written(call, arguments[0], arguments[1:], call.node.keywords)
    if arguments and name == "functools.partial":
        rest = ast.Name("rest", ast.Load())  # what the later call adds
        starred, unpacked = ast.Starred(rest, ast.Load()), ast.keyword(None, rest)
        return _written(call, arguments[0], [*arguments[1:], starred], [*call.node.keywords, unpacked])
    if name not in _STARTS or arguments or None in keywords or "target" not in keywords:
        return None
    given = ast.Starred(keywords.get("args", ast.Tuple([], ast.Load())), ast.Load())
    named = [ast.keyword(None, keywords["kwargs"])] if "kwargs" in keywords else []
    return _written(call, keywords["target"], [given], named)


def _written(call: Call, function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Call:
    return Call(ast.copy_location(ast.Call(function, arguments, keywords), call.node), call.scopes, call.node)


def _standard_name(file: CodeFile, function: ast.expr, call: Call) -> str:
    """Return the dotted name of what is called, if it comes from the standard library, or nothing.

    A method of an object is named after the function or class that makes it: ``multiprocessing.get_context.Process``.
    """
    if isinstance(function, ast.Attribute) and (owner := dotted(function.value)) is not None:
        if file not in _MADE:
            _MADE[file] = _made_by(file)
        if owner in _MADE[file]:
            return f"{_MADE[file][owner]}.{function.attr}"
    root, _, rest = (dotted(function) or "").partition(".")
    imported = file.imported(root, call.scopes)
    has_star = any(each.names[0].name == "*" for each in nodes_of(file.tree, ast.ImportFrom))
    if imported is None or not imported.standard or has_star:  # a star import may bind the name again
        return ""
    return ".".join(filter(None, (imported.standard, imported.name, rest)))


def _made_by(file: CodeFile) -> dict[str, str]:
    """Return the standard function or class that alone makes what a name, or an attribute of ``self``, stands for."""
    stored: dict[str, int] = {}
    for name in nodes_of(file.tree, ast.Name):
        if isinstance(name.ctx, ast.Store):
            stored[name.id] = stored.get(name.id, 0) + 1
    for argument in nodes_of(file.tree, ast.arg):
        stored[argument.arg] = stored.get(argument.arg, 0) + 1
    for attribute in nodes_of(file.tree, ast.Attribute):
        if isinstance(attribute.ctx, ast.Store) and (written := dotted(attribute)) is not None:
            stored[written] = stored.get(written, 0) + 1
    values: list[tuple[ast.expr | None, ast.expr | None]] = [*assigned_values(file.tree)]
    values += [(each.optional_vars, each.context_expr) for each in nodes_of(file.tree, ast.withitem)]
    made: dict[str, set[str]] = {}
    for target, value in values:
        written = None if target is None else dotted(target)
        if written in stored and (value is None or isinstance(value, ast.Call) or is_literal(value, None)):
            stored[written] -= 1
            if isinstance(value, ast.Call):
                root, _, rest = (dotted(value.func) or "").partition(".")
                imported = file.imports.get(root)
                parts = () if imported is None else (imported.standard, imported.name, rest)
                made.setdefault(written, set()).add(".".join(filter(None, parts)) if parts and parts[0] else "")
    return {name: makers.pop() for name, makers in made.items() if len(makers) == 1 and not stored[name]}
