"""Width and height in the wrong order: Pillow and OpenCV take and give (width, height), arrays are (height, width).

Only names that say which they are count, and only of images that the same function opened or made.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_HEIGHT, _WIDTH = re.compile(r"(?:^|_)(?:h|height)$"), re.compile(r"(?:^|_)(?:w|width)$")
_IMAGES = frozenset({"PIL.Image.open", "PIL.Image.new", "PIL.Image.fromarray", "PIL.Image.frombytes"})
_ARRAYS = frozenset({"cv2.imread", "cv2.imdecode", "cv2.cvtColor"})
_TAKES_SIZE: Mapping[str, int] = {"cv2.resize": 1, "PIL.Image.new": 1, "PIL.Image.frombytes": 1}
"""Functions that take (width, height), and the position of that argument."""
_KEEPS = frozenset({"convert", "copy", "crop"})
"""Methods of an image that give an image."""
_TURNS = re.compile(r"(?i)rot(?:ate|90)|transpose|swapaxes|permute|flip|^T$")
"""What exchanges width and height."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first pair of names in the wrong order in each function. Raises CannotParse."""
    names = imported_names(source.tree)
    if not {"cv2", "PIL"} & {each.partition(".")[0] for each in names.values()}:
        return
    for function in source.functions:
        yield from islice(_in_function(source, function, names), 1)  # what follows may undo it


def _in_function(source: SourceFile, function: Function, names: Mapping[str, str]) -> Iterator[Hit]:
    nodes = list(own_nodes(function.body))
    if any(isinstance(node, (ast.Name, ast.Attribute)) and _TURNS.search(last_name(node)) for node in nodes):
        return
    origins = _origins(nodes, names)
    for node in nodes:
        if isinstance(node, ast.Call):
            name = full_name(node.func, names) or ""
            position = _TAKES_SIZE.get(name)
            if isinstance(node.func, ast.Attribute) and node.func.attr == "resize":
                is_image = origins.get(dotted(node.func.value) or "") in _IMAGES
                name, position = (f"{dotted(node.func)}", 0) if is_image else (name, position)
            if position is not None and len(node.args) > position and _order(node.args[position]) == "hw":
                yield _hit(source, node.args[position], f"`{name}` takes the width first, then the height")
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            value, order = node.value, _order(node.targets[0])
            if isinstance(value, ast.Attribute) and value.attr == "size" and order == "hw":
                if origins.get(dotted(value.value) or "") in _IMAGES:
                    yield _hit(source, node, f"`{dotted(value)}` is (width, height)")
            elif order == "wh" and origins.get(_shape_of(value)) in _ARRAYS:
                yield _hit(source, node, f"`{_shape_of(value)}.shape` begins with (height, width)")


def _hit(source: SourceFile, node: ast.AST, fact: str) -> Hit:
    return hit_at(source, node, values={"fact": fact})


def _order(pair: ast.expr) -> str:
    """Return ``hw`` or ``wh`` for a pair of names that say what they are, else nothing."""
    if not isinstance(pair, (ast.Tuple, ast.List)) or len(pair.elts) != 2:
        return ""
    one, other = ((dotted(each) or "").rpartition(".")[2].casefold() for each in pair.elts)
    if _HEIGHT.search(one) and _WIDTH.search(other):
        return "hw"
    return "wh" if _WIDTH.search(one) and _HEIGHT.search(other) else ""


def _shape_of(value: ast.expr) -> str:
    """Return the name before ``.shape[:2]``, else nothing."""
    if not isinstance(value, ast.Subscript) or not isinstance(value.slice, ast.Slice) or value.slice.lower is not None:
        return ""
    upper, shape = value.slice.upper, value.value
    is_two = isinstance(upper, ast.Constant) and upper.value == 2
    return (dotted(shape.value) or "") if is_two and isinstance(shape, ast.Attribute) and shape.attr == "shape" else ""


def _origins(nodes: list[ast.AST], names: Mapping[str, str]) -> dict[str, str]:
    """Return the function that made what each local name holds that is bound once."""
    found: dict[str, str] = {}
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = node.value
            while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _KEEPS:
                value = value.func.value
            if isinstance(value, ast.Call) and bound[node.targets[0].id] == 1:
                found[node.targets[0].id] = full_name(value.func, names) or ""
    return found


CHECK = file_check(examine, CheckTraits(literals=("cv2", "PIL")))
