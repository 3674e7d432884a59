"""Which function or class of the tree a name means, and which classes are above one."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from weakref import WeakValueDictionary

from review_bot.analysis.facts.ancestors import ancestors
from review_bot.analysis.facts.class_bodies import inherited
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.imported_names import ImportedNames
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.project.notebooks import code_of
from review_bot.analysis.python.statements import Function, is_function, statements
from review_bot.changes.codebase import Snapshot
from review_bot.changes.python_parsing import parsed

_NEWEST = 16
"""Files that are kept beyond those which a side keeps: the next call often leads to the same ones."""


class SymbolResolver:
    """Finds the definitions that names mean on one side of a change, whose modules are in ``tree``."""

    def __init__(self, side: Snapshot) -> None:
        self._side, self.tree = side, module_tree(side)
        self._names = ImportedNames(side, self.file)
        self._files: dict[str, CodeFile | None] = {}
        self._in_use: WeakValueDictionary[str, CodeFile] = WeakValueDictionary()
        self._newest: deque[CodeFile] = deque(maxlen=_NEWEST)

    def file(self, path: str) -> CodeFile | None:
        """Return a file, or None if it cannot be read or parsed.

        It is the same object as long as it is in use. Of a large change not every file is kept (``Snapshot.keeps``).
        """
        if path in self._files:
            return self._files[path]
        file = self._in_use.get(path)
        if file is None:
            text = code_of(path, self._side)
            tree = None if text is None else parsed(text)
            file = None if tree is None else CodeFile(path, tree, self.tree)
            if file is None or self._side.keeps(path, text or ""):
                self._files[path] = file
            else:
                self._in_use[path] = file
                self._newest.append(file)
        return file

    def class_named_by(self, file: CodeFile, expression: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return the top-level class that ``name`` or ``module.name`` means."""
        symbol = self.named_by(file, expression, scopes)
        return symbol if symbol is not None and self.class_of(symbol) is not None else None

    def named_by(self, file: CodeFile, expression: ast.expr, scopes: tuple[Scope, ...]) -> Symbol | None:
        """Return the top-level function or class that ``name`` or ``module.name`` means."""
        if isinstance(expression, ast.Name):
            if not file.is_local(expression.id, scopes):
                return self._names.symbol(file, expression.id)
            imported = file.import_of(expression.id, scopes)
            return None if imported is None else self._names.of_import(imported)
        if isinstance(expression, ast.Attribute):
            for place in self.modules(file, expression.value, scopes):
                found = self.tree.at(place)
                for path in found.files:
                    module = self.file(path)
                    if module is not None:
                        return self._names.symbol(module, expression.attr)
        return None

    def modules(self, file: CodeFile, expression: ast.expr, scopes: tuple[Scope, ...]) -> list[str]:
        """Return the places of the module that an expression means; one that is a mere folder now lacks its names."""
        if isinstance(expression, ast.Name):
            imported = file.import_of(expression.id, scopes)
            if imported is None:
                return []
            places = [f"{place}/{imported.name}" if imported.name else place for place in imported.places]
        elif isinstance(expression, ast.Attribute):
            places = [f"{place}/{expression.attr}" for place in self.modules(file, expression.value, scopes)]
        else:
            return []
        return [place for place in places if self._is_module(place)]

    def _is_module(self, place: str) -> bool:
        kind, earlier = self.tree.at(place).kind, self._side.earlier
        was = kind == "folder" and earlier is not None and module_tree(earlier).at(place).kind == "module"
        return kind == "module" or was

    def function_of(self, symbol: Symbol) -> Function | None:
        """Return the definition of a function or method, if it is the only one of its name.

        That of a function may be conditional, that of a method not.
        """
        owner, _, name = symbol.name.rpartition(".")
        file = self.file(symbol.path)
        if file is None or not owner:
            return None if file is None else file.functions.get(name)
        node = self.class_of(Symbol(symbol.path, owner))
        inside = () if node is None else statements(node.body, into_definitions=False)
        named = [each for each in inside if is_function(each) and each.name == name]
        return named[0] if len(named) == 1 and node is not None and named[0] in node.body else None

    def class_of(self, symbol: Symbol) -> ast.ClassDef | None:
        """Return the definition of a class."""
        file = self.file(symbol.path)
        return None if file is None else file.classes.get(symbol.name)

    def bases(self, owner: Symbol) -> Iterator[Symbol | None]:
        """Yield a class's bases and theirs, nearest first; None for one that the tree does not contain."""
        return ancestors(owner, self._bases_of)

    def _bases_of(self, owner: Symbol) -> Iterator[Symbol | None]:
        node, file = self.class_of(owner), self.file(owner.path)
        if node is None:
            yield None
            return
        for base in inherited(node, file.tree) if file is not None else node.bases:
            symbol = None if file is None else self.named_by(file, base, ())
            yield None if symbol is None or self.class_of(symbol) is None else symbol
