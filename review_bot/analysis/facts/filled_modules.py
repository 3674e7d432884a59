"""Names that a module gets from other files as those are imported, and binds nowhere itself."""

from __future__ import annotations

import ast
from itertools import product

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_names import Modules
from review_bot.analysis.python.module_body import run_on_import
from review_bot.changes.codebase import Codebase, Snapshot, query


def put_back(codebase: Codebase, after: Modules) -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    """Return (module, name) of what modules get from others: surely, or by code of the change that may never run.

    It surely runs where the base has it, and in the ``__init__`` of a package around the module.
    """
    before = {(target, source) for _, target, source in _filled(codebase.base)}
    known: set[tuple[str, str]] = set()
    new: set[tuple[str, str]] = set()
    for path, target, source in _filled(codebase.head):
        package = path.removesuffix("__init__.py")
        runs = (target, source) in before or (path.endswith("/__init__.py") and target.startswith(package))
        (known if runs else new).update((target, name) for name in after.at(source).names)
    return frozenset(known), frozenset(new)


def is_set_by_package(place: str, name: str, side: Snapshot) -> bool:
    """Return whether the ``__init__`` of a package around a module sets a name in it: it runs first.

    ::

        from . import core, legacy
        core.load = legacy.load
    """
    targets, folder = call_targets(side), place
    while folder:
        folder = folder.rpartition("/")[0]
        file = targets.file(f"{folder}/__init__.py") if folder and f"{folder}/__init__.py" in side.paths else None
        for statement in () if file is None else run_on_import(file.tree):
            match statement:
                case ast.Assign(targets=[ast.Attribute(value=owner, attr=attribute)]):
                    pass
                case ast.Expr(ast.Call(ast.Name("setattr"), [owner, ast.Constant(value=str(attribute)), _])):
                    pass
                case _:
                    continue
            if attribute == name and file is not None and place in targets.modules(file, owner, ()):
                return True
    return False


@query
def _filled(side: Snapshot) -> frozenset[tuple[str, str, str]]:
    """Return (file, module, other module) where a module gets all names of another as the file is imported.

    ::

        pkg.models.__dict__.update(legacy_models.__dict__)
    """
    targets = call_targets(side)
    found: set[tuple[str, str, str]] = set()
    for path in files_with(side, ["__dict__"], ".py"):
        file = targets.file(path) if "__dict__.update(" in (side.text(path) or "") else None
        for statement in () if file is None else file.tree.body:
            match statement:
                case ast.Expr(
                    ast.Call(
                        ast.Attribute(ast.Attribute(target, "__dict__"), "update"), [ast.Attribute(source, "__dict__")]
                    )
                ) if file is not None:
                    pairs = product(targets.modules(file, target, ()), targets.modules(file, source, ()))
                    found.update((path, *each) for each in pairs)
    return frozenset(found)
