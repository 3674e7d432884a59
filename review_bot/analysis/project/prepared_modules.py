"""Modules that code puts in place by itself, or whose absence it expects: ``sys.modules``, ``importorskip``.

Only code counts, never a comment or a docstring::

    sys.modules["pkg.fast"] = fake           prepares pkg.fast
    patch.dict("sys.modules", fakes)         prepares every module that the file names in a string
    pytest.importorskip("pkg.fast")          expects that pkg.fast may be missing, unless the tree has it
    sys.modules["pkg"] = sys.modules["pkg"]  does nothing, and neither does None, a loop or an entry of another ``sys``
    sys.meta_path.insert(0, Finder())        may prepare any module

A change could excuse its own broken imports so. What a file does at the base is believed. What the change adds must
name the module.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from review_bot.analysis.project.added_imports import AddedImport
from review_bot.analysis.project.module_names import code_strings
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.project.notebooks import code_of
from review_bot.analysis.project.skipped_imports import Skip, only_imported, skips_of
from review_bot.analysis.project.standard_names import standard_names
from review_bot.analysis.project.uncalled_functions import functions_around, is_uncalled, unreached
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import functions_of, last_name
from review_bot.analysis.python.syntax import argument_values, dotted, is_literal, iterated, structure, text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_test

_WORDS = ("sys.modules", "from sys", "sys as", "importorskip", "meta_path", "path_hooks", "__path__", "__editable__")
_LISTS = frozenset({"iter_modules", "walk_packages"})
_HOOKS = frozenset({"meta_path", "path_hooks"})
_READS = frozenset({"get", "keys", "values", "items", "copy", "pop"})
_READERS = frozenset({"len", "print", "sorted", "list", "set", "tuple", "dict", "id", "repr", "str", "bool", "type"})
_PATCHES = frozenset({"dict", "patch", "object", "multiple", "setitem", "delitem", "setattr"})
"""Functions that set entries of a dictionary that a string names, such as ``patch.dict``."""
_MOST_TARGETS = 20
"""Targets of one assignment that are looked at; what is behind them counts as not given."""


class Preparation(NamedTuple):
    """What one file does.

    ``named`` are the entries of ``sys.modules`` that a file sets (``modules``: it sets one besides its own), each with
    the function that must be called for it, or nothing, and its line, 0 in any function. ``strings`` are all strings
    where a key is not constant. ``skipped`` are the calls of ``importorskip``.
    ``hooks``: it changes how modules are found. ``path``: it uses ``__path__``.
    """

    named: frozenset[tuple[str, str, int]] = frozenset()
    strings: frozenset[str] = frozenset()
    skipped: frozenset[Skip] = frozenset()
    modules: bool = False
    hooks: bool = False
    path: bool = False

    def names(self, dotted: str, codebase: Codebase, statement: AddedImport | None = None) -> bool:
        """Return whether the file provides a module, or a package above it; a key may be built of strings.

        ``statement``: an import of the same file, before which it must do so.
        """
        provided = self.set_by(codebase, statement.line if statement is not None and statement.always else None)
        if any(dotted == each or dotted.startswith(f"{each}.") for each in provided | self.strings):
            return True
        return dotted.rpartition(".")[2] in self.strings or f".{dotted.rpartition('.')[2]}" in self.strings

    def set_by(self, codebase: Codebase, before: int | None = None) -> frozenset[str]:
        """Return the entries of ``sys.modules`` that code sets which may run, before a line of the module if given."""
        return frozenset(
            key
            for key, function, line in self.named
            if (before is None or line < before) and not is_uncalled(codebase.head, function)
        )

    def skips(self, dotted: str, statement: AddedImport | None, codebase: Codebase) -> bool:
        """Return whether the file expects at an import that a module may be missing.

        A module that is there skips nothing: what it lacks fails behind the call all the same.
        """
        return any(
            (dotted == each.module or (dotted.startswith(f"{each.module}.") and "." in each.module))
            and each.spares(statement)
            and not is_uncalled(codebase.head, each.function)
            and not _is_there(each.module, codebase.head)
            for each in self.skipped
        )


_NOTHING = Preparation()


def _is_there(dotted: str, side: Snapshot) -> bool:
    """Return whether a module is one of the standard library, or its text is in the tree."""
    tree, place = module_tree(side), dotted.replace(".", "/")
    in_tree = any(tree.at(f"{root}/{place}".lstrip("/")).kind == "module" for root in tree.roots)
    return in_tree or standard_names(dotted) is not None


@lru_cache(maxsize=512)
def preparation(text: str) -> Preparation:
    """Return what a file does to modules; nothing if it cannot be parsed."""
    if not any(word in text for word in _WORDS):
        return _NOTHING
    tree = parsed(text)
    if tree is None:
        return _NOTHING
    names = {node.id for node in nodes_of(tree, ast.Name)}
    attributes = {node.attr for node in nodes_of(tree, ast.Attribute)}
    imported = {alias.name for node in nodes_of(tree, ast.ImportFrom) for alias in node.names}
    used = names | attributes | imported
    keys = list(_written(tree))
    return Preparation(
        frozenset((key, function, line) for key, function, line in keys if key is not None),
        frozenset(code_strings(tree)) if any(key is None for key, _, _ in keys) else frozenset(),
        frozenset(skips_of(tree)),
        bool(keys),
        not _HOOKS.isdisjoint(used) or "__editable__" in text,
        "__path__" in used and _sets_path(tree),
    )


def _sets_path(tree: ast.Module) -> bool:
    """Return whether code may change where a package looks for its modules, and does not only list those it has.

    ::

        __path__ = extend_path(__path__, __name__)          for each in pkgutil.iter_modules(__path__): lists them
    """
    calls = (each for each in nodes_of(tree, ast.Call) if last_name(each.func) in _LISTS)
    read = {id(given) for call in calls for given in argument_values(call)}
    read.update(id(each.value) for each in nodes_of(tree, ast.Subscript) if isinstance(each.ctx, ast.Load))
    read.update(map(id, iterated(tree)))
    names = (each for each in nodes_of(tree, ast.Name) if each.id == "__path__")
    attributes = (each for each in nodes_of(tree, ast.Attribute) if each.attr == "__path__")
    return any(id(each) not in read for each in (*names, *attributes))


def _written(tree: ast.Module) -> Iterator[tuple[str | None, str, int]]:
    """Yield the key of each use of ``sys.modules`` that may set an entry but the file's own; None: not constant.

    With it come the plain function around the use, if there is one, and its line, 0 in any function.
    """
    within, dead = functions_around(tree), unreached(tree)
    later = {id(node) for function in functions_of(tree) for node in nodes_of(function, ast.Subscript)}
    systems = {name for name, full in only_imported(tree).items() if full == "sys"}
    systems.update({"sys"}.difference(binding_counts(tree)))
    local = {
        alias.asname or alias.name
        for node in nodes_of(tree, ast.ImportFrom)
        for alias in node.names
        if node.module == "sys" and alias.name == "modules"
    }

    def is_modules(node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == "modules" and isinstance(node.value, ast.Name) and node.value.id in systems
        return isinstance(node, ast.Name) and node.id in local

    accounted: set[int] = set()
    given = set(_given(tree))
    for subscript in nodes_of(tree, ast.Subscript):
        if is_modules(subscript.value):
            accounted.add(id(subscript.value))
            own = isinstance(subscript.slice, ast.Name) and subscript.slice.id == "__name__"
            if id(subscript) in given and not own and id(subscript) not in dead:
                line = 0 if id(subscript) in later else subscript.lineno
                yield text_of(subscript.slice), within.get(id(subscript), ""), line
    for attribute in nodes_of(tree, ast.Attribute):
        if is_modules(attribute.value) and attribute.attr in _READS:
            accounted.add(id(attribute.value))
    for compare in nodes_of(tree, ast.Compare):
        accounted.update(id(each) for each in compare.comparators)
    accounted.update(map(id, iterated(tree)))
    for call in nodes_of(tree, ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id in _READERS:
            accounted.update(id(each) for each in call.args)
    for node in (*nodes_of(tree, ast.Attribute), *nodes_of(tree, ast.Name)):
        if is_modules(node) and id(node) not in accounted:
            yield None, "", 0  # handed to something that may write to it
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) in _PATCHES and any(text_of(each) == "sys.modules" for each in call.args):
            yield None, "", 0


def _given(tree: ast.Module) -> Iterator[int]:
    """Yield the targets that an assignment gives something new; ``sys.modules`` forbids the import of a None."""
    bound = binding_counts(tree)
    assigned: list[tuple[ast.expr, ast.expr | None]] = [
        (target, each.value) for each in nodes_of(tree, ast.Assign) for target in each.targets[:_MOST_TARGETS]
    ]
    none = {
        target.id
        for target, value in assigned
        if isinstance(target, ast.Name) and bound[target.id] == 1 and is_literal(value, None)
    }
    assigned += [(each.target, each.value) for each in nodes_of(tree, ast.AnnAssign)]
    while assigned:
        target, value = assigned.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            is_paired = len(values) == len(target.elts)
            assigned += zip(target.elts, values if is_paired else [value] * len(target.elts), strict=True)
        elif isinstance(target, ast.Subscript) and value is not None and not _is_nothing(target, value, none):
            yield id(target)


def _is_nothing(entry: ast.Subscript, value: ast.expr, none: Collection[str]) -> bool:
    """Return whether a value is None, or what an entry holds anyway; ``none``: the names that hold None."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.NamedExpr):
            waiting.append(each.value)
        elif isinstance(each, ast.IfExp):
            waiting += (each.body, each.orelse)
        elif not (is_literal(each, None) or (isinstance(each, ast.Name) and each.id in none) or _is_same(entry, each)):
            return False
    return True


def _is_same(entry: ast.Subscript, value: ast.expr) -> bool:
    """Return whether a value is the entry itself, or the module that its key names: ``entries["a.b"] = a.b``."""
    if isinstance(value, ast.Subscript):
        return structure(entry.value) == structure(value.value) and structure(entry.slice) == structure(value.slice)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.args:
        return structure(entry.value) == structure(value.func.value) and (
            structure(entry.slice) == structure(value.args[0])
        )
    name = dotted(value)
    return name is not None and text_of(entry.slice) == name


def prepares(path: str, dotted: str, codebase: Codebase, statement: AddedImport | None = None) -> bool:
    """Return whether a file itself provides a module, or expects that it may be missing, where a statement runs.

    Without one, it is asked for code that runs at any time.
    """
    head = preparation(code_of(path, codebase.head) or "")
    if head.names(dotted, codebase, statement) or head.skips(dotted, statement, codebase):
        return True
    return head.modules and preparation(codebase.base.text(path) or "").modules


def tells_finder(path: str, dotted: str, codebase: Codebase, statement: AddedImport) -> bool:
    """Return whether a file that sets finders of modules names one apart from its import by a call.

    ::

        sys.meta_path.insert(0, Finder(["json.fast"]));  importlib.import_module("json.fast")
    """
    text = code_of(path, codebase.head) or ""
    tree = parsed(text) if statement.dynamic and preparation(text).hooks else None
    strings = () if tree is None else nodes_of(tree, ast.Constant)
    return sum(each.value == dotted for each in strings) > (statement.module == dotted)


def has_import_hooks(place: str, dotted: str, codebase: Codebase) -> bool:
    """Return whether a package above ``place`` changes how modules are found, or cannot be read."""
    folder = place
    while folder:
        folder = folder.rpartition("/")[0]
        for path in (f"{folder}/__init__.py", f"{folder}.py"):
            if path not in codebase.head.paths:
                continue
            text = codebase.head.text(path)
            if text is None or preparation(text).names(dotted, codebase):
                return True
            base = preparation(codebase.base.text(path) or "")
            if base.modules or base.hooks or base.path or _redirects(path, text, dotted, codebase):
                return True
    return False


def has_finder(place: str, codebase: Codebase) -> bool:
    """Return whether a package above ``place`` installs a finder of modules, maybe one that the change adds.

    ::

        sys.meta_path.insert(0, Finder())          # a class of the same file with a ``find_spec``
    """
    folders = place.split("/")[:-1]
    packages = ("/".join((*folders[: count + 1], "__init__.py")) for count in range(len(folders)))
    return any(_installs_finder(codebase.head.text(path) or "") for path in packages)


@lru_cache(maxsize=64)
def _installs_finder(text: str) -> bool:
    tree = parsed(text) if "meta_path" in text else None
    if tree is None:
        return False
    finders = {
        each.name
        for each in tree.body
        if isinstance(each, ast.ClassDef) and any(getattr(inner, "name", "") == "find_spec" for inner in each.body)
    }
    late, dead = functions_around(tree), unreached(tree)
    return any(
        dotted(call.func) in {"sys.meta_path.insert", "sys.meta_path.append"}
        and any(isinstance(each, ast.Call) and last_name(each.func) in finders for each in call.args)
        for call in nodes_of(tree, ast.Call)
        if id(call) not in late and id(call) not in dead
    )


def _redirects(path: str, text: str, dotted: str, codebase: Codebase) -> bool:
    """Return whether a package names a module, or one above it, and had functions at the base that provide modules.

    ::

        from pkg.importing import redirect          # at the base: sys.modules[old] = ...
        redirect("pkg.old", "pkg.new")
    """
    tree, before = parsed(text), parsed(codebase.base.text(path) or "")
    if tree is None or before is None:
        return False
    if not any(dotted == each or (dotted.startswith(f"{each}.") and "." in each) for each in code_strings(tree)):
        return False
    places = {
        place
        for node in nodes_of(before, ast.ImportFrom)
        for place in places_of(node.module or "", node.level, path, module_tree(codebase.base))
    }
    return any(preparation(codebase.base.text(f"{place}.py") or "").modules for place in sorted(places))


def is_stubbed(dotted: str, path: str, codebase: Codebase) -> bool:
    """Return whether another file puts this module into ``sys.modules`` by its name.

    Files of the tests count for tests only. What the change adds counts in a ``conftest.py`` above ``path``.
    """
    by_tests = is_test(path)
    for other, in_tests in _preparing(codebase.head):
        if in_tests and not by_tests:
            continue
        text = codebase.head.text(other) if _runs_before(other, path) else codebase.base.text(other)
        prepared = preparation(text or "")
        if dotted in prepared.set_by(codebase) or dotted in prepared.strings:
            return True
    return False


def _runs_before(other: str, path: str) -> bool:
    folder, _, name = other.rpartition("/")
    return name == "conftest.py" and (not folder or path.startswith(f"{folder}/"))


@query
def _preparing(side: Snapshot) -> tuple[tuple[str, bool], ...]:
    """Return (path, whether it is of the tests) of each Python file that uses ``sys.modules``.

    Kept, because a change may bring hundreds of imports that are asked for.
    """
    paths = sorted(path for path in side.paths if path.endswith(".py"))
    texts = ((path, side.text(path) or "") for path in paths)
    return tuple((path, _is_of_tests(path)) for path, text in texts if preparation(text).modules)


def _is_of_tests(path: str) -> bool:
    return "tests/" in path or path.rpartition("/")[2].startswith(("test_", "conftest"))
