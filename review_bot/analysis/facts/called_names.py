"""Which calls of a file may run code of the tree, as far as the file by itself shows."""

from __future__ import annotations

import ast

from review_bot.analysis.facts.code_file import aliases_in
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.source_file import SourceFile


class CalledNames:
    """The names under which a file may call functions of the tree. Raises CannotParse.

    ``imports``: by the first part of its dotted name, the module (with its level) from which it may be imported: any,
    as the tree may hold the package of a well-known library, or one that is called like one of the standard library.
    """

    def __init__(self, source: SourceFile) -> None:
        self.imports: dict[str, tuple[str, int]] = {}
        for statement in source.nodes(ast.Import):
            for alias in statement.names:
                top = alias.name.partition(".")[0]
                self.imports[alias.asname or top] = (alias.name if alias.asname else top, 0)
        for node in source.nodes(ast.ImportFrom):
            self.imports |= {alias.asname or alias.name: (node.module or "", node.level) for alias in node.names}
        self._takes_all = "*" in self.imports
        functions = {each.name for each in source.functions}
        self._own = functions | {each.name for each in source.nodes(ast.ClassDef)} | {*aliases_in(source.tree)}

    def root(self, call: ast.Call) -> str:
        """Return the first part of the dotted name that is called, or an empty text."""
        function = call.func
        owner = function.value if isinstance(function, ast.Attribute) else function
        return (dotted(owner) or "").partition(".")[0]

    def may_be_own(self, call: ast.Call) -> bool:
        """Return whether a call may run what the file defines or takes by a star import, or a method of an object."""
        return self._takes_all or isinstance(call.func, ast.Attribute) or last_name(call.func) in self._own
