"""A copy to the host that the change adds to what the ``forward`` of a module runs, which made none before.

Functions of the file that ``forward`` calls count as well. Copies in loops are the matter of ``memory/item-in-loop``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, definitions, is_function, last_name
from review_bot.analysis.python.syntax import imported_names, names_in, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.checks.memory.item_in_loop import copies, is_cold, tensors_of
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_MODULES = LazyRegex(r"(?:Module|Layer|Attention|Block|Model)$")

_COPIES = ("item", "tolist", "cpu", "numpy")
_WAITS = frozenset({*_COPIES, "nonzero", "masked_select", "unique", "argwhere"})
"""What waits for the device: copies to the host, and functions whose result has a size that depends on the values."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such copy of each function. Raises CannotParse."""
    old = source.known_old_tree
    if old is None or not any(word in text for text in source.added.values() for word in _COPIES):
        return
    before, now = _functions(old), _functions(source.tree)
    known = {name for name, each in before.items() if any(x.attr in _WAITS for x in nodes_of(each[0], ast.Attribute))}
    reported = set[str]()
    for name, (function, owner) in now.items():
        if function.name != "forward" or owner is None or name not in before:
            continue
        if not any(_MODULES.search(last_name(base)) for base in owner.bases):
            continue
        if not known.isdisjoint({*_reached(name, now), *_reached(name, before)}):
            continue  # it waits for the device already
        for each in sorted(_reached(name, now, always=True) - reported):
            ends = _ends_of_slices(before[each][0]) if each in before else set[str]()
            added = [
                pair
                for pair in _copied(now[each], source.tree)
                if last_line(pair[0]) in source.added and ends.isdisjoint(names_in(pair[0]))
            ]
            if added:
                reported.add(each)
                values = {"value": added[0][1], "forward": name}
                related = (Related(source.path, function.lineno, "runs it in every call"),)
                yield Hit(last_line(added[0][0]), values=values, related=related)


_Owned = tuple[Function, ast.ClassDef | None]


def _functions(tree: ast.Module) -> dict[str, _Owned]:
    """Return the functions and methods of a file with their classes, by dotted name."""
    return {each.name: (each.node, each.owner) for each in definitions(tree.body) if is_function(each.node)}


def _reached(name: str, functions: dict[str, _Owned], *, always: bool = False) -> set[str]:
    """Return the functions of the file that one runs: itself, and those that are called by name or on ``self``.

    ``always``: only those that run whenever it does.
    """
    owner = name.rpartition(".")[0]
    found, waiting = set[str](), [name]
    while waiting:
        each = waiting.pop()
        if each in found or each not in functions:
            continue
        found.add(each)
        seldom = _seldom(functions[each][0])
        for call in nodes_of(functions[each][0], ast.Call):
            if always and id(call) in seldom:
                continue
            if isinstance(call.func, ast.Name):
                waiting.append(call.func.id)
            elif isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "self":
                waiting.append(f"{owner}.{call.func.attr}")
    return found


def _copied(owned: _Owned, tree: ast.Module) -> list[tuple[ast.Call, str]]:
    """Return the copies to the host that a function makes whenever it runs, with what each copies."""
    function, owner = owned
    if is_cold(function, owner) or isinstance(function, ast.AsyncFunctionDef):
        return []
    seldom = _seldom(function)
    found = copies(function.body, set(), *tensors_of(function, imported_names(tree)))
    return [each for each in found if id(each[0]) not in seldom]


def _ends_of_slices(function: Function) -> set[str]:
    """Return the names whose elements end slices: Python asks a tensor there for its ``__index__``, which copies it.

    ::

        x[: lengths[i]]
    """
    ends = [end for each in nodes_of(function, ast.Slice) for end in (each.lower, each.upper)]
    return {
        end.value.id
        for end in ends
        if isinstance(end, ast.Subscript) and isinstance(end.value, ast.Name) and text_of(end.slice) is None
    }


def _seldom(function: Function) -> set[int]:
    """Return the calls of a function that some condition decides, or that an earlier ``return`` may leave out."""
    parts: list[ast.AST] = []
    for branch in nodes_of(function, ast.If):
        parts += (*branch.body, *branch.orelse)
    for choice in nodes_of(function, ast.IfExp):
        parts += (choice.body, choice.orelse)
    for joined in nodes_of(function, ast.BoolOp):
        parts += joined.values[1:]
    found = {id(call) for part in parts for call in nodes_of(part, ast.Call)}
    leaves = [each.lineno for part in parts for each in nodes_of(part, ast.Return)]
    first = min(leaves, default=last_line(function))
    return found | {id(call) for call in nodes_of(function, ast.Call) if call.lineno > first}


CHECK = file_check(examine, CheckTraits(literals=("forward",), reads_old=True))
