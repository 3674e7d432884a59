"""Whether the file of a call, or that of what it runs, puts another function in the place of what is called.

::

    core.start = fast                     replaces ``start`` of a module that the file imports
    self.step = other                     replaces ``step`` of the class around it
    monkeypatch.setattr(core, "start", f) replaces ``start``; so does patch("pkg.core.start")
    log("start");  other.start = 1        replace nothing

What the base has in the same file counts in a wider sense: any such string, any such attribute. A change cannot add
those to excuse its own error.
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.call_targets import Run, call_targets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import argument_values, dotted
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.text.lazy_regex import LazyRegex

_REPLACES = LazyRegex(r"(?i)patch|mock|stub|fake|spy|monkey|swap|overrid|overwrit|replac|set_?attr|set_?item|wrap|hook")
"""Names of functions that put something in the place of what they are given by its name."""

_NAMESPACES = frozenset({"globals", "vars", "__dict__"})


class ReplacedNames:
    """Looks for what replaces functions in the files of one change."""

    def __init__(self, codebase: Codebase) -> None:
        self._base = call_targets(codebase.base)

    def is_replaced(self, name: str, file: CodeFile, call: Call, run: Run, target: CodeFile) -> bool:
        """Return whether a name on the way from a call to what it runs may stand for something else."""
        if name in _named_by_replacing(file.tree) or self._base_names(name, file):
            return True
        return any(
            _sets_globally(each.tree, name) or self._base_stores(name, each) or _stores(each, name, call, run)
            for each in (file, target)
        )

    def _base_names(self, name: str, file: CodeFile) -> bool:
        before = self._base.file(file.path)
        return before is not None and name in _last_words(before.tree)

    def _base_stores(self, name: str, file: CodeFile) -> bool:
        before = self._base.file(file.path)
        return before is not None and name in _stored_attributes(before.tree)


def named_by_replacing(expressions: list[ast.expr]) -> frozenset[str]:
    """Return the last words of strings that calls are given which replace what they are given by name."""
    return frozenset[str]().union(*map(_named_by_replacing, expressions))


@kept_on_node
def _named_by_replacing(node: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    for call in nodes_of(node, ast.Call):
        if _REPLACES.search(dotted(call.func) or last_name(call.func)):
            for given in argument_values(call):
                found |= _last_words(given)
    for store in nodes_of(node, ast.Subscript):
        if not isinstance(store.ctx, ast.Load) and last_name(store.value) in _NAMESPACES:
            found |= _last_words(store.slice)
    return frozenset(found)


@kept_on_node
def _last_words(node: ast.AST) -> frozenset[str]:
    texts = (each.value for each in nodes_of(node, ast.Constant) if isinstance(each.value, str))
    return frozenset(text.rpartition(".")[2] for text in texts)


@kept_on_node
def _stored_attributes(tree: ast.AST) -> dict[str, list[ast.Attribute]]:
    found: dict[str, list[ast.Attribute]] = {}
    for node in nodes_of(tree, ast.Attribute):
        if not isinstance(node.ctx, ast.Load):
            found.setdefault(node.attr, []).append(node)
    return found


@kept_on_node
def _class_around(tree: ast.AST) -> dict[ast.Attribute, str]:
    """Return the name of the innermost class around each attribute that is stored in one."""
    return {
        node: owner.name
        for owner in nodes_of(tree, ast.ClassDef)  # outer ones first
        for node in nodes_of(owner, ast.Attribute)
        if not isinstance(node.ctx, ast.Load)
    }


def _stores(file: CodeFile, name: str, call: Call, run: Run) -> bool:
    """Return whether a file stores an attribute of this name on what may hold the function that a call runs."""
    owner = run.symbol.name.rpartition(".")[0]
    stores = [(node, dotted(node.value)) for node in _stored_attributes(file.tree).get(name, ())]
    if not owner:
        return any(written is not None and written.partition(".")[0] in file.imports for _, written in stores)
    function, around = call.node.func, call.scopes[0] if call.scopes else None
    receiver = dotted(function.value) if isinstance(function, ast.Attribute) else None
    classes = {owner, around.name if isinstance(around, ast.ClassDef) else owner}
    return any(
        _class_around(file.tree).get(node) in classes
        if written in {"self", "cls"}
        else written is not None and (written == receiver or written.rpartition(".")[2] in classes)
        for node, written in stores
    )


@kept_on_node
def _set_globally(tree: ast.AST) -> frozenset[str]:
    functions: list[Function] = [*nodes_of(tree, ast.FunctionDef), *nodes_of(tree, ast.AsyncFunctionDef)]
    return frozenset(
        name
        for function in functions
        if (declared := {name for each in nodes_of(function, ast.Global) for name in each.names})
        for name in declared.intersection(_bound(function))
    )


def _bound(function: Function) -> set[str]:
    """Return the names that a function binds, with those that functions in it do."""
    found = {each.id for each in nodes_of(function, ast.Name) if not isinstance(each.ctx, ast.Load)}
    for node in walk(function):
        if isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif (is_function(node) or isinstance(node, ast.ClassDef)) and node is not function:
            found.add(node.name)
    return found


def _sets_globally(tree: ast.AST, name: str) -> bool:
    return name in _set_globally(tree)
