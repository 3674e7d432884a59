"""A parameter whose default is None and that every call uses as an object (see ``flow``).

Where callers and base classes decide the parameters, as for ``forward`` of a model, a default may be there for the sake
of the signature alone, and so may that of a parameter that is passed by keyword alone, or that every call in the file
passes. These are reported only if the function tests the parameter for None further down.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import (
    Definition,
    Function,
    definitions,
    is_function,
    last_name,
    positional_parameters,
    replaces_method,
)
from review_bot.analysis.python.syntax import dotted, hit_on, own_nodes
from review_bot.analysis.python.unread_parameters import is_registered
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import absent_values
from review_bot.flow.binders import left_out
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_PLAIN_BASES = frozenset({"ABC", "Dataset", "Module", "object"})
"""Last names of base classes that say nothing about the parameters of a method."""

_PLAIN_DECORATORS = frozenset({
    "cache", "classmethod", "compile", "contextmanager", "inference_mode", "lru_cache", "no_grad", "staticmethod",
})  # fmt: skip


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use of each parameter. Raises CannotParse."""
    found = [each for each in absent_values(source) if each.presence == "optional"]
    if not found:
        return
    owners = {id(each.node): each for each in definitions(source.tree.body) if is_function(each.node)}
    for each in found:
        definition = owners.get(id(each.function))
        name = next(name for name, step in left_out(each.function).items() if step.note == each.steps[0].note)
        tested = _first_test(each.function, name)
        by_keyword = any(argument.arg == name for argument in each.function.args.kwonlyargs)
        free = definition is not None and not by_keyword and _chooses_parameters(definition)
        if tested is None and (not free or _is_always_passed(definition, name, source)):
            continue
        later = f", and line {tested} tests it" if tested is not None else ""
        values = {"place": each.place, "name": name, "function": each.function.name, "how": each.how, "later": later}
        yield hit_on(source, each.node, values=values, related=each.places(source.path))


def _chooses_parameters(definition: Definition) -> bool:
    """Return whether nothing but the function itself decides which parameters it has."""
    node, owner = definition.node, definition.owner
    if owner is not None and is_registered(owner):
        return False
    if not is_function(node) or "forward" in node.name or node.name == "__call__":
        return False
    if not all(last_name(each) in _PLAIN_DECORATORS for each in node.decorator_list):
        return False
    if owner is None:
        return not replaces_method(node)
    if node.name == "__init__":
        return True
    return all((dotted(base) or "").rpartition(".")[2] in _PLAIN_BASES for base in owner.bases)


def _is_always_passed(definition: Definition | None, name: str, source: SourceFile) -> bool:
    """Return whether the file calls a function, and every such call passes a parameter or may do so."""
    if definition is None or not is_function(definition.node):
        return False
    function, owner = definition.node, definition.owner
    called = owner.name if owner is not None and function.name == "__init__" else function.name
    is_bound = owner is not None and not any(last_name(each) == "staticmethod" for each in function.decorator_list)
    place = [each.arg for each in positional_parameters(function)][is_bound:].index(name)
    calls = [each for each in source.nodes(ast.Call) if last_name(each.func) == called]
    return bool(calls) and all(
        len(each.args) > place
        or any(isinstance(one, ast.Starred) for one in each.args)
        or any(one.arg in {name, None} for one in each.keywords)
        for each in calls
    )


def _first_test(function: Function, name: str) -> int | None:
    """Return the line of the first test of a parameter for None, if nothing binds its name again."""
    nodes = list(own_nodes(function.body))
    if any(isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load) for each in nodes):
        return None
    tests = [
        each.lineno
        for each in nodes
        if isinstance(each, ast.Compare)
        and isinstance(each.ops[0], (ast.Is, ast.IsNot))
        and isinstance(each.left, ast.Name)
        and each.left.id == name
        and isinstance(each.comparators[0], ast.Constant)
        and each.comparators[0].value is None
    ]
    return min(tests, default=None)


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("None",)))
