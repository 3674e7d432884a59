"""A ``__getattr__`` that reads an attribute which an object that is being copied or unpickled does not have yet.

::

    class Wrapper:
        def __init__(self, inner):
            self._inner = inner

        def __getattr__(self, name):
            return getattr(self._inner, name)

``copy`` and ``pickle`` make the object without ``__init__`` and ask it for ``__setstate__``, which leads to
``__getattr__``, which reads ``_inner``, which leads to ``__getattr__``, and so on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import classes, dotted, hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})
_PREPARED = frozenset({"__setstate__", "__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__", "__getattribute__"})

_HARMLESS = (ast.Expr, ast.Pass, ast.Assign, ast.Import, ast.ImportFrom)
"""Statements that do not part the names that are asked for."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the statement that reads it, in each class that does not say how it is copied. Raises CannotParse."""
    for owner in classes(source.tree):
        if owner.keywords or not {last_name(base) for base in owner.bases} <= _PLAIN_BASES:
            continue
        members = bound_names(owner.body)
        for method in owner.body:
            if not is_function(method) or method.name != "__getattr__" or members & _PREPARED:
                continue
            decides = next((each for each in method.body if not isinstance(each, _HARMLESS)), None)
            if decides is None or not method.args.args:
                continue
            read = _read_by(decides, method.args.args[0].arg)
            if read is not None and read.attr not in members and not read.attr.startswith("__"):
                yield hit_at(source, decides, values={"owner": owner.name, "name": dotted(read) or read.attr})


def _read_by(statement: ast.stmt, this: str) -> ast.Attribute | None:
    """Return an attribute of the object that a statement reads whatever is asked for, or None."""
    if not isinstance(statement, ast.Return) or statement.value is None:
        return None
    value = statement.value
    if isinstance(value, ast.Call) and dotted(value.func) == "getattr" and value.args:
        value = value.args[0]
    while isinstance(value, ast.Attribute) and not isinstance(value.value, ast.Name):
        value = value.value
    is_own = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == this
    return value if is_own and isinstance(value, ast.Attribute) else None


CHECK = file_check(examine, CheckTraits(literals=("__getattr__",)))
