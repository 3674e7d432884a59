"""Which calls of a file may run code of the tree, as far as the file by itself shows."""

from __future__ import annotations

import ast

from review_bot.analysis.python.assigned_names import aliases_in
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.source_file import SourceFile


class CalledNames:
    """The names under which a file may call functions of the tree. Raises CannotParse.

    ``imports``: by the first part of its dotted name, the module (with its level) from which it is imported: any, as
    the tree may hold the package of a well-known library, or one that is called like one of the standard library. A
    name that has another meaning elsewhere in the file, as a function may give it one, is not among them.
    """

    def __init__(self, source: SourceFile) -> None:
        origins: dict[str, set[tuple[str, int]]] = {}
        for statement in source.nodes(ast.Import):
            for alias in statement.names:
                top = alias.name.partition(".")[0]
                origins.setdefault(alias.asname or top, set()).add((alias.name if alias.asname else top, 0))
        for node in source.nodes(ast.ImportFrom):
            for alias in node.names:
                origins.setdefault(alias.asname or alias.name, set()).add((node.module or "", node.level))
        self._takes_all = "*" in origins
        functions = {each.name for each in source.functions}
        own = functions | {each.name for each in source.nodes(ast.ClassDef)} | {*aliases_in(source.tree)}
        bound = own | {each.id for each in source.nodes(ast.Name) if isinstance(each.ctx, ast.Store)}
        bound |= {each.arg for each in source.nodes(ast.arg)}
        self.imports = {
            name: next(iter(found)) for name, found in origins.items() if len(found) == 1 and name not in bound
        }
        self._own = own | (origins.keys() - self.imports)

    def root(self, call: ast.Call) -> str:
        """Return the first part of the dotted name that is called, or an empty text."""
        function = call.func
        owner = function.value if isinstance(function, ast.Attribute) else function
        return (dotted(owner) or "").partition(".")[0]

    def may_be_own(self, call: ast.Call) -> bool:
        """Return whether a call may run what the file defines or takes by a star import, or a method of an object.

        ``cls()`` makes an object of the class around it, as ``type(self)()`` does.
        """
        name = last_name(call.func)
        makes_own = name == "cls" or (name == "type" and isinstance(call.func, ast.Call))
        return self._takes_all or isinstance(call.func, ast.Attribute) or name in self._own or makes_own
