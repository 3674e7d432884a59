"""What a module shows of the names that its functions use: which are always bound, and what calls of them give."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Mapping
from types import MappingProxyType

from review_bot.analysis.project.third_party import WELL_KNOWN
from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import Function, is_function
from review_bot.analysis.python.syntax import bound_name, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple


class ModuleFacts(NamedTuple):
    """What is known of the names of a module. By default nothing is.

    ``constants``: see ``conditions.constants_of``. ``imported``: see ``syntax.imported_names``. ``ending``: names of
    functions and methods that never return. ``giving``: names of its functions and methods that never return None.
    ``present``: names of the module that never hold None. ``tables``: names of the module that hold a dictionary.
    """

    constants: Mapping[str, object] = MappingProxyType({})
    imported: Mapping[str, str] = MappingProxyType({})
    ending: frozenset[str] = frozenset()
    giving: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()


def module_facts(source: SourceFile, more_ending: frozenset[str]) -> ModuleFacts:
    """Return what a file shows. ``more_ending``: names of functions that never return besides. Raises CannotParse."""
    constants = constants_of(source.tree)
    ending = more_ending | {each.name for each in source.functions if fails(each.body, constants)}
    ending |= {f"{each.name}()" for each in source.functions if _returns_one_of(each, ending)}
    imported, present = imported_names(source.tree), _always_imported(source)
    return ModuleFacts(constants, imported, ending, _giving(source), present, _tables(source))


def _returns_one_of(function: Function, ending: Collection[str]) -> bool:
    """Return whether a function returns one of its own that never returns: a placeholder, called as ``f()()``."""
    last = function.body[-1]
    inner = {each.name for each in function.body if is_function(each)}
    return (
        isinstance(last, ast.Return)
        and isinstance(last.value, ast.Name)
        and last.value.id in inner.intersection(ending)
    )


def _giving(source: SourceFile) -> frozenset[str]:
    """Return the names of functions and methods that never return None: each returns what it itself has used."""
    found: dict[str, bool] = {}
    for each in source.functions:
        found[each.name] = found.get(each.name, True) and _gives(each)
    return frozenset(name for name, gives in found.items() if gives)


def _gives(function: Function) -> bool:
    nodes = [*own_nodes(function.body)]
    returned = [each.value for each in nodes if isinstance(each, ast.Return)]
    if not returned or not isinstance(function.body[-1], ast.Return) or isinstance(function, ast.AsyncFunctionDef):
        return False
    if function.decorator_list or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in nodes):
        return False
    used = {
        each.value.id
        for each in nodes
        if isinstance(each, (ast.Attribute, ast.Subscript)) and isinstance(each.value, ast.Name)
    }
    return all(isinstance(each, ast.Name) and each.id in used for each in returned)


def _always_imported(source: SourceFile) -> frozenset[str]:
    """Return the names that the module imports without a condition, from libraries, and never binds again."""
    found: set[str] = set()
    for each in source.tree.body:
        if isinstance(each, ast.Import) or (isinstance(each, ast.ImportFrom) and _is_of_library(each)):
            found.update(map(bound_name, each.names))
    return frozenset(found) - {each.id for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load)}


def _tables(source: SourceFile) -> frozenset[str]:
    """Return the names that the module sets once, to a dictionary, and that nothing else in the file binds."""
    found: set[str] = set()
    for each in source.tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() | ast.DictComp()):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict() | ast.DictComp()):
                found.add(name)
    if not found:
        return frozenset()
    bound = Counter(each.id for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load))
    others = {each.arg for each in source.nodes(ast.arg)} | imported_names(source.tree).keys()
    return frozenset(name for name in found - others if bound[name] == 1)


def _is_of_library(statement: ast.ImportFrom) -> bool:
    return not statement.level and (statement.module or "").partition(".")[0] in WELL_KNOWN
