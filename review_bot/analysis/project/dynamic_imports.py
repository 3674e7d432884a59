"""Imports without a statement: calls with a constant name, and tables of what a package imports when it is asked for.

::

    importlib.import_module("pkg.fast")                           pkg.fast
    import_module(".fast", __package__)                           .fast
    import_module(".fast", "pkg")                                 pkg.fast
    __import__("pkg.fast")                                        pkg.fast
    _import_structure = {"fast": ["run"]}                         run of .fast, with ``_LazyModule`` in the file
    _import_structure["fast"] = ["run"]                           the same, as ``+=``
    _import_structure["fast"].extend(["run"])                     the same, as ``append("run")``
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, joined_text, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

Importing = ast.Import | ast.ImportFrom | ast.Call | ast.Constant
TABLE = "_import_structure"


class DynamicImport(NamedTuple):
    """What one call or one entry of a table imports; see ``AddedImport``. ``names`` are constants that are strings."""

    module: str
    level: int
    names: tuple[ast.Constant, ...] = ()


def dynamic_imports(tree: ast.Module, path: str) -> dict[ast.Call | ast.Constant, DynamicImport]:
    """Return the imports of a file that calls and tables make, by the call, or by the key of the table."""
    return dict(_of_calls(tree)) | dict(_of_tables(tree) if path.endswith("/__init__.py") else ())


def _of_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, DynamicImport]]:
    calls = [call for call in nodes_of(tree, ast.Call) if call.args or call.keywords]
    functions = _functions(tree, calls)
    for call in calls if functions else ():
        if dotted(call.func) not in functions:
            continue
        arguments = [*call.args, *(each.value for each in call.keywords if each.arg == "name")]
        module = _module(arguments[0], tree) if arguments else ""
        level = len(module) - len(module.lstrip("."))
        if not module.strip("."):
            continue
        given = [*arguments[1:], *(each.value for each in call.keywords if each.arg != "name")]
        is_own = len(given) == 1 and isinstance(given[0], ast.Name) and given[0].id == "__package__"
        package = (text_of(given[0]) or "").split(".") if len(given) == 1 else []
        if dotted(call.func) == "__import__":
            if not level and not given:
                yield call, DynamicImport(module, 0)
        elif not level or is_own:
            yield call, DynamicImport(module.lstrip("."), level)
        elif level <= len(package) and all(package):
            yield call, DynamicImport(".".join([*package[: len(package) - level + 1], module.lstrip(".")]), 0)


def _module(argument: ast.expr, tree: ast.Module) -> str:
    """Return the name that a call is given, as a literal or by a name of the module that holds one; else nothing."""
    if isinstance(argument, ast.Name):
        constant = constants_of(tree).get(argument.id)
        return constant if isinstance(constant, str) else ""
    return joined_text(argument) or ""


def _functions(tree: ast.Module, calls: list[ast.Call]) -> frozenset[str]:
    """Return the dotted names by which calls mean ``import_module`` and ``__import__``; nothing else may bind them."""
    found = (
        [("__import__", "__import__")]
        + [
            (alias.asname or "importlib", f"{alias.asname or 'importlib'}.import_module")
            for node in nodes_of(tree, ast.Import)
            for alias in node.names
            if alias.name == "importlib" or (alias.name.startswith("importlib.") and not alias.asname)
        ]
        + [
            (alias.asname or alias.name, alias.asname or alias.name)
            for node in nodes_of(tree, ast.ImportFrom)
            for alias in node.names
            if node.module == "importlib" and alias.name == "import_module"
        ]
    )
    called = {dotted(call.func) for call in calls}
    if called.isdisjoint(name for _, name in found):
        return frozenset()
    bound, roots = binding_counts(tree), [root for root, _ in found[1:]]
    return frozenset(name for root, name in found if bound[root] == roots.count(root))


def _of_tables(tree: ast.Module) -> Iterator[tuple[ast.Constant, DynamicImport]]:
    if not any(last_name(call.func) == "_LazyModule" for call in nodes_of(tree, ast.Call)):
        return
    found: list[ast.Assign | ast.AnnAssign | ast.AugAssign] = list(nodes_of(tree, ast.Assign))
    for statement in (*found, *nodes_of(tree, ast.AnnAssign), *nodes_of(tree, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if isinstance(target, ast.Name) and target.id == TABLE:
            yield from _entries(statement.value)
        elif isinstance(target, ast.Subscript) and last_name(target.value) == TABLE:
            yield from _entry(target.slice, statement.value)
    for call in nodes_of(tree, ast.Call):
        function, given = call.func, call.args[0] if len(call.args) == 1 else None
        if not isinstance(function, ast.Attribute):
            continue
        if isinstance(function.value, ast.Subscript) and last_name(function.value.value) == TABLE:
            if function.attr in {"append", "extend"} and given is not None:
                one = ast.List([given], ast.Load()) if function.attr == "append" else given
                yield from _entry(function.value.slice, one)
        elif function.attr == "update" and isinstance(function.value, ast.Name) and function.value.id == TABLE:
            yield from _entries(given)


def _entries(table: ast.expr | None) -> Iterator[tuple[ast.Constant, DynamicImport]]:
    if isinstance(table, ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            yield from _entry(key, value)


def _entry(key: ast.expr | None, value: ast.expr | None) -> Iterator[tuple[ast.Constant, DynamicImport]]:
    module = text_of(key)
    if isinstance(key, ast.Constant) and module and isinstance(value, (ast.List, ast.Tuple)):
        names = tuple(each for each in value.elts if isinstance(each, ast.Constant) and text_of(each))
        yield key, DynamicImport(module, 1, names)
