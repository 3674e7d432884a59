"""Whether the file of a call, or that of what it runs, puts another function in the place of what is called.

::

    core.start = fast                     replaces ``start`` of a module that the file imports
    self.step = other                     replaces ``step`` of the class around it
    monkeypatch.setattr(core, "start", f) replaces ``start``; so does patch("pkg.core.start")
    log("start");  other.start = 1        replace nothing; nor does text.replace("start", "end")

What the base has in the same file counts in a wider sense: any such string if names that are replaced are in variables,
of whatever object they are, and for a method any such attribute. A change cannot add those to excuse its own error: of
what it adds outside of tests, the object or path must be one of the tree: ``apply_overrides(config, "start")`` is not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.runs import Run
from review_bot.analysis.project.module_tree import places_of
from review_bot.analysis.project.uncalled_functions import is_uncalled
from review_bot.analysis.python.statements import Function, functions_of, is_definition, last_name
from review_bot.analysis.python.syntax import argument_values, bound_name, dotted, structure, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_REPLACES = LazyRegex(
    r"(?i)patch|mock|stub|fake|spy|monkey|swap|overrid|overwrit|replac"
    r"|set_?attr|set_?item|(?<!text)wrap(?!s\b)|hook"
)
"""Names of functions that put something in the place of what they are given by its name."""

_PATH = LazyRegex(r"[\w.:/-]+")
_GIVES_OWNER = frozenset({"import_module", "__import__", "modules", "type"})
_NAMESPACES = frozenset({"globals", "vars", "__dict__"})


class ReplacedNames:
    """Looks for what replaces functions in the files of one change."""

    def __init__(self, codebase: Codebase) -> None:
        self._base, self._head, self._targets = call_targets(codebase.base), codebase.head, call_targets(codebase.head)

    def is_replaced(self, name: str, file: CodeFile, call: Call, run: Run, target: CodeFile) -> bool:
        """Return whether a name on the way from a call to what it runs may stand for something else."""
        if self._is_named(name, file, call, run) or self._base_names(name, file):
            return True
        return any(
            self._sets_globally(each, name)
            or ("." in run.symbol.name and self._base_stores(name, each))
            or self._stores(each, name, call, run)
            for each in (file, target)
        )

    def _is_named(self, name: str, file: CodeFile, call: Call, run: Run) -> bool:
        """Return whether a file gives a name to a call that replaces what it is given by its name."""
        before = self._base.file(file.path)
        had = before is not None and name in _named_by_replacing(before.tree) and name in _named_by_replacing(file.tree)
        owners = _owners(call, run)
        return had or is_given_by_name(name, file, owners, self._targets)

    def _sets_globally(self, file: CodeFile, name: str) -> bool:
        return any(each == name and not is_uncalled(self._head, by) for each, by in _set_globally(file.tree))

    def _stores(self, file: CodeFile, name: str, call: Call, run: Run) -> bool:
        """Return whether a file stores an attribute of this name on what may hold the function that a call runs."""
        owner = run.symbol.name.rpartition(".")[0]
        stores = [(node, dotted(node.value)) for node in stored_attributes(file.tree).get(name, ())]
        if not owner:
            return any(self._targets.named_by(file, node, ()) == run.symbol for node, _ in stores)
        function, around = call.node.func, call.scopes[0] if call.scopes else None
        receiver = dotted(function.value) if isinstance(function, ast.Attribute) else None
        classes = {owner, around.name if isinstance(around, ast.ClassDef) else owner}
        return any(
            _class_around(file.tree).get(node) in classes
            if written in {"self", "cls"}
            else written is not None and (written == receiver or written.rpartition(".")[2] in classes)
            for node, written in stores
        )

    def _base_names(self, name: str, file: CodeFile) -> bool:
        before = self._base.file(file.path)
        return before is not None and name in _last_words(before.tree) and _replaces_by_variable(before.tree)

    def _base_stores(self, name: str, file: CodeFile) -> bool:
        before = self._base.file(file.path)
        return before is not None and name in stored_attributes(before.tree)


def is_given_by_name(name: str, file: CodeFile, owners: AbstractSet[str], targets: CallTargets) -> bool:
    """Return whether a file names what is in a module or class of the tree, or in an owner, to what replaces it.

    ``owners``: by their ``structure``. Tests may name it of any object.
    """
    if name not in _named_by_replacing(file.tree):
        return False
    if is_test(file.path) or name in _named_in_namespaces(file.tree):
        return True
    replacing = [each for each in _replacing(file.tree) if name in _named_by(each)]
    return any(_is_about(each, file, owners, targets) for each in replacing)


def _owners(call: Call, run: Run) -> set[str]:
    """Return what has the function that a call runs, by its ``structure``: the object before the dot, and ``self``."""
    function = call.node.func
    found = {structure(function.value)} if isinstance(function, ast.Attribute) else set[str]()
    return found | {structure(ast.Name(each, ast.Load())) for each in ("self", "cls") if "." in run.symbol.name}


def replaces_around(around: Iterable[ast.expr], file: CodeFile, call: Call, run: Run, targets: CallTargets) -> bool:
    """Return whether contexts or decorators around a call replace what it runs; tests may do so in any object."""
    names, owners = run.names.union(run.symbol.name.split(".")), _owners(call, run)
    found = (each for node in around for each in _replacing(node) if not names.isdisjoint(_named_by(each)))
    return any(is_test(file.path) or _is_about(each, file, owners, targets) for each in found)


def _is_about(replacing: ast.Call, file: CodeFile, owners: AbstractSet[str], targets: CallTargets) -> bool:
    """Return whether a call is given the path or object of a module or class of the tree, or an owner."""
    named = [each.value for each in replacing.keywords if each.arg in {"target", "obj", "object"}]
    given = next(iter([*replacing.args, *named]), None)
    if given is None:
        return False
    if (text := text_of(given)) is not None:
        module, _, _ = text.rpartition(".")
        paths = {module, module.rpartition(".")[0]} - {""}  # of the module, or of a class in it
        places = [place for path in paths for place in places_of(path, 0, file.path, targets.tree)]
        return any(targets.tree.at(place).kind != "missing" for place in places)
    if structure(given) in owners:
        return True
    assigned = nodes_of(file.tree, ast.Assign) if isinstance(given, ast.Name) else []
    held = [each.value for each in assigned if last_name(given) in map(last_name, each.targets)]
    return any(
        last_name(each) in _GIVES_OWNER
        or targets.modules(file, each, ())
        or targets.named_by(file, each, ()) is not None
        for each in (given, *held)
    )


def named_by_replacing(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the last words of strings that calls are given which replace what they are given by name."""
    return frozenset[str]().union(*map(_named_by_replacing, nodes))


@kept_on_node
def _named_by_replacing(node: ast.AST) -> frozenset[str]:
    return _named_in_namespaces(node).union(name for call in _replacing(node) for name in _named_by(call))


@kept_on_node
def _named_in_namespaces(node: ast.AST) -> frozenset[str]:
    """Return the names that code stores by a string in the namespace of a module or object."""
    stores = (each for each in nodes_of(node, ast.Subscript) if not isinstance(each.ctx, ast.Load))
    found = (_last_words(each.slice) for each in stores if last_name(each.value) in _NAMESPACES)
    return frozenset[str]().union(*found)


@kept_on_node
def _replacing(node: ast.AST) -> tuple[ast.Call, ...]:
    """Return the calls that may replace what they are given by its name."""
    calls = nodes_of(node, ast.Call)
    return tuple(each for each in calls if _REPLACES.search(dotted(each.func) or last_name(each.func)))


@kept_on_node
def _replaces_by_variable(node: ast.AST) -> bool:
    """Return whether a call replaces something of an object under a name that is no constant."""
    return any(
        len(given := argument_values(call)) > 1 and not isinstance(given[1], ast.Constant) for call in _replacing(node)
    )


def _named_by(call: ast.Call) -> Iterator[str]:
    """Yield what a replacing function is given by name: behind the dots of a path, or as a name after an object."""
    given = argument_values(call)
    if last_name(call.func) == "replace" and (len(given) < 3 or isinstance(given[2], ast.Constant)):
        return  # of a text
    for number, each in enumerate(given):
        for text in (node.value for node in nodes_of(each, ast.Constant) if isinstance(node.value, str)):
            path, _, name = text.rpartition(".")
            if (path and _PATH.fullmatch(path)) or (number and not isinstance(given[0], ast.Constant)):
                yield name


@kept_on_node
def _last_words(node: ast.AST) -> frozenset[str]:
    texts = (each.value for each in nodes_of(node, ast.Constant) if isinstance(each.value, str))
    return frozenset(text.rpartition(".")[2] for text in texts)


@kept_on_node
def stored_attributes(tree: ast.AST) -> dict[str, list[ast.Attribute]]:
    """Return the attributes that code sets or deletes, by their names."""
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


@kept_on_node
def _set_globally(tree: ast.AST) -> frozenset[tuple[str, str]]:
    """Return the names that functions bind by ``global``, each with the function, unless a decorator may call it."""
    return frozenset(
        (name, "" if function.decorator_list else function.name)
        for function in functions_of(tree)
        if (declared := {name for each in nodes_of(function, ast.Global) for name in each.names})
        for name in declared.intersection(_bound(function))
    )


def _bound(function: Function) -> set[str]:
    """Return the names that a function binds, with those that functions in it do."""
    found = {each.id for each in nodes_of(function, ast.Name) if not isinstance(each.ctx, ast.Load)}
    for node in walk(function):
        if isinstance(node, ast.alias):
            found.add(bound_name(node))
        elif is_definition(node) and node is not function:
            found.add(node.name)
    return found
