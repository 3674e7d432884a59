"""Calls that ask an object for an attribute it may lack: ``getattr`` with a default, and ``hasattr``."""

from __future__ import annotations

import ast

from review_bot.analysis.facts.declared_class import is_typed
from review_bot.analysis.python.syntax import is_name, text_of
from review_bot.changes.source_file import SourceFile

LOOKUPS = frozenset({"getattr", "hasattr"})
_LONGEST = 40


def added_lookups(source: SourceFile) -> tuple[tuple[str, int], ...]:
    """Return the names, with their lines, that calls on added lines ask for, of objects whose class a file may show."""
    found = {
        (name, call.lineno)
        for call in source.nodes(ast.Call)
        if call.lineno in source.added and (name := looked_up(call)) and is_typed(call.args[0], source)
    }
    return tuple(sorted(found))


def looked_up(call: ast.Call) -> str:
    """Return the name that a call asks an object for, unless a missing one is an error; else an empty text."""
    wanted = {"getattr": 3, "hasattr": 2}.get(call.func.id, 0) if isinstance(call.func, ast.Name) else 0
    if len(call.args) != wanted or not wanted or is_name(call.args[0], "self"):
        return ""
    name = text_of(call.args[1]) or ""
    return name if name.isidentifier() and not name.startswith("__") else ""


def shown_default(call: ast.Call) -> str:
    """Return the default of a look-up as code, ``False`` for ``hasattr``; an empty text if it is too long to show."""
    default = ast.unparse(call.args[2]) if len(call.args) > 2 else "False"
    return f"`{default}`" if len(default) <= _LONGEST and "`" not in default else ""
