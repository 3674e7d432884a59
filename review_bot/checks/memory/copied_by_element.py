"""Elements of one tensor that a function copies to the host one by one, where one copy would do.

::

    frames, height, width = int(row[0]), int(row[1]), int(row[2])       three copies
    frames, height, width = row.tolist()                                one
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, inner_blocks, is_definition, last_name
from review_bot.analysis.python.syntax import hit_at, imported_names, owners_of
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.checks.memory.item_in_loop import is_cold, is_left_out, items_of, tensors_of
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FEWEST = 3
_NUMBERS = frozenset({"bool", "float", "int"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first of such copies, for each tensor and block of statements. Raises CannotParse."""
    owners = owners_of(source.tree)
    for function in source.functions:
        if is_cold(function, owners.get(function)):
            continue
        tensors, on_host = tensors_of(function, imported_names(source.tree))
        loops = nodes_of(function, ast.For)
        known = tensors.union(*(items_of(loop, tensors) for loop in loops))
        for block in blocks(function.body, into_definitions=False):
            copies: dict[str, dict[str, ast.Call]] = {}
            for call in _calls(block):
                element = _element(call, known)
                if element is not None and not is_left_out(element, on_host):
                    tensor, place = _parts(element)
                    copies.setdefault(tensor, {}).setdefault(place, call)
            for tensor, places in copies.items():
                if len(places) >= _FEWEST:
                    first, *others = places.values()
                    lines = sorted({each.lineno for each in others} - {first.lineno})
                    related = tuple(Related(source.path, line, "another copy") for line in lines)
                    yield hit_at(source, first, values={"tensor": tensor, "times": str(len(places))}, related=related)


def _calls(block: list[ast.stmt]) -> Iterator[ast.Call]:
    """Yield the calls in the statements of one block that are no blocks themselves."""
    for statement in block:
        if not is_definition(statement) and not any(inner_blocks(statement)):
            yield from (each for each in walk(statement) if isinstance(each, ast.Call))


def _element(call: ast.Call, tensors: set[str]) -> ast.Subscript | None:
    """Return the element that a call copies to the host: ``x[0].item()``, or ``int(x[0])`` of a known tensor."""
    function = call.func
    if isinstance(function, ast.Attribute):
        value = function.value if function.attr == "item" and not call.args else None
        return value if isinstance(value, ast.Subscript) and _is_number(_last(value)) else None
    if last_name(function) in _NUMBERS and len(call.args) == 1:
        value = call.args[0]
        if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in tensors:
            return value if _is_number(_last(value)) else None
    return None


def _last(element: ast.Subscript) -> ast.expr:
    return element.slice.elts[-1] if isinstance(element.slice, ast.Tuple) and element.slice.elts else element.slice


def _is_number(index: ast.expr) -> bool:
    index = index.operand if isinstance(index, ast.UnaryOp) else index
    return isinstance(index, ast.Constant) and type(index.value) is int


def _parts(element: ast.Subscript) -> tuple[str, str]:
    """Return the row that an element is in, as written, and its place there."""
    rest = element.slice.elts[:-1] if isinstance(element.slice, ast.Tuple) else []
    before = f"[{', '.join(map(ast.unparse, rest))}]" if rest else ""
    return ast.unparse(element.value) + before, ast.unparse(_last(element))


CHECK = file_check(examine, CheckTraits(literals=("item", "Tensor int", "Tensor float")))
