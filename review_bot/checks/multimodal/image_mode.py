"""Images that become arrays with whatever channels their file has: one, three or four, or numbers of a palette."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, source_text
from review_bot.analysis.python.value_origins import ValueOrigins
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ARRAYS = {"numpy.array", "numpy.asarray"}
_TENSORS = {"to_tensor", "pil_to_tensor"}
_KEEPING = frozenset({"copy", "crop", "resize", "rotate", "transpose"})
"""Methods of an image that leave its mode as it is."""
_LOOKS_AT_MODE = LazyRegex(
    r"convert(?:(?!convert)\w)*\(|\.mode\b|getbands|\.ndim\b|\.shape\b|exif_transpose|seek\(|n_frames"
    r"|\bmask|\balpha\b|\brgba|\bseg\b|\bseg_|_seg\b|\blabel"
)
"""What a function says that looks at the mode, or names an image whose numbers are no colours."""
_TAKES_ANY = LazyRegex(r"\bchannels not in\b|\.ndim == 2\b")
"""What a file says that expects greyscale images, and looks at the channels after it has read them."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each array made of a file's image in a function that looks at no mode. Raises CannotParse."""
    if _TAKES_ANY.search(source.text or ""):
        return
    names = imported_names(source.tree)
    for function in source.functions:
        origins: ValueOrigins | None = None
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            made = "an array" if full_name(node.func, names) in _ARRAYS else "a tensor"
            if made == "a tensor" and last_name(node.func) not in _TENSORS:
                continue
            origins = origins or ValueOrigins(function)
            if _is_opened(node.args[0], origins, names, frozenset()) and not _LOOKS_AT_MODE.search(
                source_text(source, function)
            ):
                yield hit_at(source, node, values={"call": ast.unparse(node.func), "made": made})
                break


def _is_opened(value: ast.expr, origins: ValueOrigins, names: Mapping[str, str], seen: frozenset[str]) -> bool:
    """Return whether a value can only be an image as its file has it, or some of them.

    What another function makes of it, or a name that holds something else as well, may be converted.
    """
    parts: list[ast.expr] = []
    match value:
        case ast.Call(func=function) if full_name(function, names) == "PIL.Image.open":
            return True
        case ast.Name(id=name) if name in seen:
            return True  # one step of what the name goes through
        case ast.Name(id=name) if name not in origins.parameters:
            parts, seen = origins.given(name), seen | {name}
        case ast.Call(func=ast.Attribute(value=part, attr=method)) if method in _KEEPING:
            parts = [part]
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.Subscript(value=part):
            parts = [part]
        case ast.IfExp(body=one, orelse=other):
            parts = [one, other]
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            parts = elements
    return bool(parts) and all(_is_opened(each, origins, names, seen) for each in parts)


CHECK = file_check(examine, CheckTraits(literals=("Image",)))
