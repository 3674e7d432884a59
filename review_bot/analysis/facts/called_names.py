"""Which calls of a file may run code of the tree, as far as the file by itself shows."""

from __future__ import annotations

import ast

from review_bot.analysis.facts.code_file import aliases_in
from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.source_file import SourceFile


class CalledNames:
    """The names under which a file may call functions of the tree. Raises CannotParse.

    ``imports``: by the first part of its dotted name, the module (with its level) from which it may be imported;
    ``foreign``: the names of all other imports.
    """

    def __init__(self, source: SourceFile) -> None:
        self.imports: dict[str, tuple[str, int]] = {}
        self.foreign: set[str] = set()
        for statement in source.nodes(ast.Import):
            for alias in statement.names:
                if is_standard(top := alias.name.partition(".")[0]) or top in WELL_KNOWN:
                    self.foreign.add(alias.asname or top)
                else:
                    self.imports[alias.asname or top] = (alias.name if alias.asname else top, 0)
        for node in source.nodes(ast.ImportFrom):
            top = (node.module or "").partition(".")[0]
            names = {alias.asname or alias.name: (node.module or "", node.level) for alias in node.names}
            if not node.level and (is_standard(top) or top in WELL_KNOWN):
                self.foreign.update(names)
            else:
                self.imports |= names
        functions = {each.name for each in source.functions}
        self._own = functions | {each.name for each in source.nodes(ast.ClassDef)} | {*aliases_in(source.tree)}

    def root(self, call: ast.Call) -> str:
        """Return the first part of the dotted name that is called, or an empty text."""
        function = call.func
        owner = function.value if isinstance(function, ast.Attribute) else function
        return (dotted(owner) or "").partition(".")[0]

    def may_be_own(self, call: ast.Call) -> bool:
        """Return whether a call may run what the file itself defines, or a method of an object."""
        is_method = isinstance(call.func, ast.Attribute)
        return self.root(call) not in self.foreign and (is_method or last_name(call.func) in self._own)
