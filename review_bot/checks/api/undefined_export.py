"""What ``__all__`` lists without need: a name that its module does not have, and what is no name.

::

    __all__ = ["laod"]          AttributeError in ``from module import *``
    __all__ = [load]            TypeError

It is an error if a module of the tree has such an import.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, cast

from review_bot.analysis.facts.word_search import files_with, held_before
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.statements import is_definition, last_name
from review_bot.analysis.python.syntax import argument_values, dotted, is_name, text_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_MOST_FILES = 200


def gather(source: SourceFile) -> tuple[tuple[str, int, bool], ...] | None:
    """Return what added lines list in the module's ``__all__``, each with its line and whether it is a name.

    Raises CannotParse.
    """
    found = [
        (read[0], each.lineno, read[1])
        for each in _items(source.tree)
        if each.lineno in source.added and (read := _listed(each, source.tree)) is not None
    ]
    return tuple(found) or None


def _items(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what top-level statements put into ``__all__``, as it is written.

    ::

        __all__ = ["load"] + core.__all__       __all__ += ["load"]
        __all__.extend(["load"])                __all__.append("load")
    """
    for statement in tree.body:
        value: ast.expr | None = None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            value = statement.value if is_name(statement.targets[0], "__all__") else None
        elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
            value = statement.value if is_name(statement.target, "__all__") else None
        elif isinstance(statement, ast.Expr) and _adds(statement.value):
            call = cast("ast.Call", statement.value)
            if last_name(call.func) == "append":
                yield from call.args
            else:
                value = call.args[0]
        waiting = [] if value is None else [value]
        for each in waiting:
            if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
                waiting += [each.left, each.right]
            elif isinstance(each, (ast.List, ast.Tuple)):
                yield from each.elts


def _adds(node: ast.expr) -> bool:
    """Return whether an expression adds one item, or those of one argument, to ``__all__``."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return dotted(node.func) in {"__all__.append", "__all__.extend"}


def _listed(item: ast.expr, tree: ast.Module) -> tuple[str, bool] | None:
    """Return an item as text, and whether it is a string; None: it may be one, or a call that is given it defines it.

    ::

        fixture_union("all_devices", ["cpu", "cuda"])       of pytest-cases, which adds the name to the module
    """
    if isinstance(item, ast.Constant):
        if not isinstance(item.value, str):
            return ast.unparse(item), False
        calls = (call for call in nodes_of(tree, ast.Call) if not _adds(call))
        given = (value for call in calls for value in argument_values(call))
        return None if any(text_of(each) == item.value for each in given) else (item.value, True)
    if not isinstance(item, ast.Name) or binding_counts(tree)[item.id] != 1:
        return None
    defined = (each for each in tree.body if is_definition(each) and not each.decorator_list)
    return (item.id, False) if any(each.name == item.id for each in defined) else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each name that the module surely lacks, and for what is none."""
    definitions = ModuleDefinitions(codebase)
    for path in sorted(facts):
        for name, line, is_text in facts[path]:
            if is_text and definitions.lack([place_of(path)], name) != "surely":
                continue
            hit = Hit(line, values={"name": name}, path=path)
            if not is_text:
                message = f"`__all__` lists `{name}` itself, and not its name as a string."
                hit = hit._replace(message=message, instead="Put it in quotes.")
            yield hit if _is_imported_by_star(path, codebase.head) else hit._replace(severity="warning")


def _is_imported_by_star(path: str, side: Snapshot) -> bool:
    """Return whether a statement of some module always imports all that another one lists."""
    tree, place = module_tree(side), place_of(path)
    folder = f"{place.rpartition('/')[0] if not path.endswith('/__init__.py') else place}/"
    word = place.rpartition("/")[2]
    named = files_with(side, [word], ".py")
    near = [each for each in side.paths if each.startswith(folder) and each.endswith(".py")]
    if len(held_before(side, [word])) > _MOST_FILES:
        named = []
    for other in sorted({*named, *(near if len(near) <= _MOST_FILES else ())} - {path}):
        text = side.text(other) or ""
        module = side.tree(other) if "import" in text and "*" in text else None
        for each in [] if module is None else module.body:
            is_star = isinstance(each, ast.ImportFrom) and each.names[0].name == "*"
            if isinstance(each, ast.ImportFrom) and is_star:
                places = places_of(each.module or "", each.level, other, tree)
                if places == [place] and tree.is_meant(path, other):
                    return True
    return False


CHECK = change_check(gather, relate, CheckTraits(literals=("__all__",)))
