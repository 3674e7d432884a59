"""Names that the base sets on another object or module: ``core.load = patched``, ``setattr(core, "load", x)``."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.replaced_names import stored_attributes
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import is_standard, module_tree, places_of
from review_bot.analysis.project.standard_names import standard_modules
from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, imported_names, text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_BY_COMPUTED_NAME = LazyRegex(r"setattr\(|\bvars\(\w|\.__dict__")
_GIVES_MODULE = frozenset({"import_module", "__import__", "reload", "ModuleType", "modules"})
_NAMES_MODULE = LazyRegex(r"(?i)mod(?:ule)?s?(?:$|_|\d)|package|pkg|namespace")


class OutsideStores:
    """The names of some that both sides set as an attribute of something other than ``self`` and ``cls``.

    The base must do so too: a change cannot excuse itself. What tests set is set in tests alone. ``on_modules``: only
    what may be a module of the tree counts.
    """

    def __init__(self, names: frozenset[str], codebase: Codebase, *, on_modules: bool = False) -> None:
        everywhere, in_tests = set[str](), set[str]()
        for path in files_with(codebase.head, names, ".py") if names else ():
            found = _found_in(path, names, codebase.head, on_modules=on_modules)
            if found and (kept := found & _found_in(path, found, codebase.base, on_modules=on_modules)):
                in_tests |= kept
                everywhere |= set() if is_test(path) else kept
        self._everywhere, self._in_tests = frozenset(everywhere), frozenset(in_tests)

    def names(self, path: str) -> frozenset[str]:
        """Return those that may be set where a file runs."""
        return self._in_tests if is_test(path) else self._everywhere


def _found_in(path: str, names: frozenset[str], side: Snapshot, *, on_modules: bool) -> frozenset[str]:
    """Return those of some names that a file sets on another object, or on a module."""
    found = _written(side.text(path) or "", names)
    return frozenset(name for name in found if not on_modules or stored_on_modules(path, name, side))


def _written(text: str, names: frozenset[str]) -> frozenset[str]:
    """Return those of some names that a text seems to set on something."""
    if "setattr(" not in text and not any(f".{name}" in text for name in names):
        return frozenset()  # most files, at a fraction of what the expression costs
    return frozenset(one or two or three for one, two, three in _setting(names).findall(text))


@lru_cache(maxsize=64)
def _setting(names: frozenset[str]) -> re.Pattern[str]:
    each = "|".join(map(re.escape, sorted(names)))
    return re.compile(
        rf"""\.(?<!\bself\.)(?<!\bcls\.)({each})[ \t]*(?::[^=\n]{{0,300}})?=(?!=)"""
        rf"""|setattr\([^,()]{{0,300}},\s*["']({each})["']|\.({each})["'][^)]{{0,300}}\b(?:create|raising)[ \t]*="""
    )


def stored_on_modules(path: str, name: str, side: Snapshot) -> frozenset[str]:
    """Return the places of the modules on which a file sets a name; empty text: of one that its text does not show."""
    targets, tree = call_targets(side), module_tree(side)
    file = targets.file(path) if _written(side.text(path) or "", frozenset({name})) else None
    if file is None:
        return frozenset()
    receivers = [each.value for each in stored_attributes(file.tree).get(name, ()) if isinstance(each.ctx, ast.Store)]
    by_calls = _set_by_calls(file.tree).get(name, ())
    receivers += [each for each in by_calls if not isinstance(each, str)]
    found: set[str] = set()
    for receiver in receivers:
        found.update(targets.modules(file, receiver, ()) or ([""] if _may_be_module(file, receiver) else ()))
    for module in by_calls:
        if isinstance(module, str):
            found.update(places_of(module, 0, path, tree))
    return frozenset(found)


@kept_on_node
def _set_by_calls(tree: ast.AST) -> dict[str, list[ast.expr | str]]:
    """Return what calls set names on, by name: an object, or the dotted name of one.

    Functions of tests set only names that are there, without an argument that allows others.
    """
    found: dict[str, list[ast.expr | str]] = {}
    for call in nodes_of(tree, ast.Call):
        creates = any(each.arg in {"create", "raising"} for each in call.keywords)
        if last_name(call.func) == "setattr" and len(call.args) > 1 and (name := text_of(call.args[1])) is not None:
            if creates or isinstance(call.func, ast.Name):
                found.setdefault(name, []).append(call.args[0])
        elif creates and call.args and (path := text_of(call.args[0])) is not None:
            module, _, name = path.rpartition(".")
            found.setdefault(name, []).append(module)
    return found


def _may_be_module(file: CodeFile, receiver: ast.expr) -> bool:
    """Return whether an expression that shows no module of the tree may mean one: by what is assigned, or its name."""
    root = receiver
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return _gives_module(root)
    if root.id in {"self", "cls"}:
        return False
    tops = {
        ("." * node.level + (node.module or "")).partition(".")[0]
        for node in nodes_of(file.tree, ast.ImportFrom)
        if root.id in {alias.asname or alias.name for alias in node.names}
    } | {
        alias.name.partition(".")[0]
        for node in nodes_of(file.tree, ast.Import)
        for alias in node.names
        if root.id == (alias.asname or alias.name.partition(".")[0])
    }
    if tops:
        imported = file.imports.get(root.id)
        if imported is not None and imported.places:  # what it names is no module, but an attribute may be one
            return isinstance(receiver, ast.Attribute) and receiver.attr.islower()
        return not all(is_standard(top) or top in WELL_KNOWN for top in tops)
    values = [each.value for each in nodes_of(file.tree, ast.Assign) if root.id in map(last_name, each.targets)]
    return any(map(_gives_module, values)) or _NAMES_MODULE.search(last_name(receiver)) is not None


def _gives_module(value: ast.expr) -> bool:
    return any(last_name(each) in _GIVES_MODULE for each in walk(value) if isinstance(each, (ast.Name, ast.Attribute)))


def standard_modules_set(codebase: Codebase) -> frozenset[str]:
    """Return the standard modules that both sides give names which no text shows: ``setattr(logging, level, 5)``."""
    return _standard_modules_set(codebase.base) & _standard_modules_set(codebase.head)


@query
def _standard_modules_set(side: Snapshot) -> frozenset[str]:
    found: set[str] = set()
    for path in files_with(side, ["setattr"], ".py"):
        tree = side.tree(path) if _BY_COMPUTED_NAME.search(side.text(path) or "") else None
        calls = [] if tree is None else [each for each in nodes_of(tree, ast.Call) if last_name(each.func) == "setattr"]
        names = {} if tree is None or not calls else imported_names(tree)
        for call in calls:
            if len(call.args) > 1 and text_of(call.args[1]) is None:
                found.add(full_name(call.args[0], names) or "")
    return frozenset(found.intersection(standard_modules()))


@query
def modules_open_from_outside(side: Snapshot) -> frozenset[str]:
    """Return the places of the modules that some file may give names that its text does not show.

    ::

        setattr(core, name, value)     vars(core).update(found)     core.__dict__[name] = value
    """
    targets = call_targets(side)
    found: set[str] = set()
    for path in files_with(side, ["setattr", "vars", "__dict__"], ".py"):
        file = targets.file(path) if _BY_COMPUTED_NAME.search(side.text(path) or "") else None
        if file is None:
            continue
        owners = [each.value for each in nodes_of(file.tree, ast.Attribute) if each.attr == "__dict__"]
        for call in nodes_of(file.tree, ast.Call):
            is_setting = last_name(call.func) == "setattr" and len(call.args) > 1 and text_of(call.args[1]) is None
            if is_setting or (last_name(call.func) == "vars" and call.args):
                owners.append(call.args[0])
        for owner in owners:
            found.update(targets.modules(file, owner, ()))
    return frozenset(found)
