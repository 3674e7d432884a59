"""A list, dict, set or new object as a parameter's default that the function changes, or keeps where it is changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.class_kin import are_kin
from review_bot.analysis.python.collection_methods import CHANGING, FILLING
from review_bot.analysis.python.node_types import MUTABLE_LITERALS
from review_bot.analysis.python.statements import Function, defaults_of, last_name
from review_bot.analysis.python.syntax import class_at, hit_on
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_PER_CALL = frozenset({
    "Argument", "Body", "Cookie", "Depends", "Field", "File", "Form", "Header", "Option", "Path", "Query", "Security",
})  # fmt: skip
"""What FastAPI and Typer replace by a value of each call.

Source: https://fastapi.tiangolo.com/reference/dependencies/
"""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such parameter that the change adds, once per name in a file, with what is done to it.

    Raises CannotParse.
    """
    found: dict[str, list[tuple[ast.arg, str, int]]] = {}
    changed: Mapping[str, frozenset[str]] | None = None
    for function in source.functions:
        defaults = {
            argument.arg: argument
            for argument, default in defaults_of(function)
            if _is_mutable(default) and not argument.arg.startswith("_")  # such a one is a cache on purpose
        }
        if not defaults:
            continue
        if changed is None:
            changed = _changed_attributes(source)
        empty = frozenset(each.arg for each, default in defaults_of(function) if _is_empty(default))
        for name, (what, line) in _uses(function, frozenset(defaults), changed, source.tree, empty).items():
            if defaults[name].lineno in source.added:
                found.setdefault(name, []).append((defaults[name], what, line))
    for name, ((argument, what, line), *others) in found.items():
        values = {
            "name": name,
            "what": what,
            "line": str(line),
            "more": _others(len(others)),
        }
        related = tuple(Related(source.path, other.lineno, f"`{name}`") for other, _, _ in others)
        yield hit_on(source, argument, values=values, related=related)


def _others(count: int) -> str:
    if not count:
        return ""
    what = "1 other default of this name that the change adds is" if count == 1 else f"{count} others that it adds are"
    return f"; {what} modified or stored in the same way"


def _is_mutable(default: ast.expr) -> bool:
    if isinstance(default, ast.Call):
        name = last_name(default.func)
        return name in {"list", "dict", "set"} or (name[:1].isupper() and not name.isupper() and name not in _PER_CALL)
    return isinstance(default, MUTABLE_LITERALS)


def _is_empty(default: ast.expr) -> bool:
    """Return whether a default is written as a list, dictionary or set without anything in it."""
    if isinstance(default, ast.Call):
        return last_name(default.func) in {"list", "dict", "set"} and not default.args and not default.keywords
    return not any(isinstance(each, ast.expr) for each in ast.iter_child_nodes(default))


def _changed_attributes(source: SourceFile) -> Mapping[str, frozenset[str]]:
    """Return the attributes whose object some statement of the file changes, with where it does so.

    That is the class around the statement, if it is an attribute of ``self``, else the expression that holds it.
    """
    found: dict[str, set[str]] = {}
    calls = (call.func for call in source.nodes(ast.Call) if isinstance(call.func, ast.Attribute))
    objects = [each.value for each in calls if each.attr in CHANGING]
    objects += [each.value for each in source.nodes(ast.Subscript) if not isinstance(each.ctx, ast.Load)]
    for each in objects:
        if isinstance(each, ast.Attribute):
            found.setdefault(each.attr, set()).add(_holder(each, source.tree))
    return {name: frozenset(holders) for name, holders in found.items()}


def _holder(attribute: ast.Attribute, tree: ast.Module) -> str:
    held_by = ast.unparse(attribute.value)
    return f"class {class_at(attribute.lineno, tree)}" if held_by == "self" else held_by


def _is_changed(target: ast.expr, changed: Mapping[str, frozenset[str]], tree: ast.Module) -> bool:
    """Return whether some statement changes the object of an attribute: of the same class, or of the same holder."""
    if not isinstance(target, ast.Attribute):
        return False
    own = _holder(target, tree)
    return any(
        own == other or (own.startswith("class ") and other.startswith("class ") and are_kin(own[6:], other[6:], tree))
        for other in changed.get(target.attr, ())
    )


def _uses(
    function: Function,
    names: frozenset[str],
    changed: Mapping[str, frozenset[str]],
    tree: ast.Module,
    empty: frozenset[str],
) -> dict[str, tuple[str, int]]:
    """Return what is done to parameters, by name: the first change of the object, or where an attribute keeps it.

    ``changed``: attributes whose object is changed somewhere.

    ``empty``: the parameters whose default has nothing in it, from which nothing can be taken.

    A name that is bound again anywhere in the function is left out: it may be another object by then.
    """
    found: dict[str, tuple[str, int]] = {}
    bound: set[str] = set()

    def note(node: ast.expr, what: str, line: int) -> None:
        if isinstance(node, ast.Name) and node.id in names:
            found.setdefault(node.id, (what, line))

    for node in (inner for statement in function.body for inner in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif _takes_from(node, empty):
            continue
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            note(node.value, "modifies it", node.lineno)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            note(node.func.value, "modifies it", node.lineno)
        elif isinstance(node, ast.Assign) and any(_is_changed(each, changed, tree) for each in node.targets):
            note(node.value, "stores it in an attribute that is modified elsewhere", node.lineno)
    return {name: use for name, use in found.items() if name not in bound}


def _takes_from(node: ast.AST, empty: frozenset[str]) -> bool:
    """Return whether code takes something from a parameter: ``options.pop("cache", None)``, ``del options[0]``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING - FILLING:
        held = node.func.value
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Del):
        held = node.value
    else:
        return False
    return isinstance(held, ast.Name) and held.id in empty


CHECK = file_check(examine, CheckTraits(literals=("def",)))
