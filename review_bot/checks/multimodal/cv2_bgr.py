"""Images in OpenCV's order of colours that go to code which expects red first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.syntax import argument_values, full_name, hit_at, imported_names, own_nodes, source_text
from review_bot.analysis.python.value_origins import ValueOrigins
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SINKS = {"torch.from_numpy", "torch.tensor", "torch.as_tensor", "PIL.Image.fromarray"}
_READERS = {"cv2.imread", "cv2.imdecode", "cv2.VideoCapture"}
_KEEP_ORDER = ("cv2.", "numpy.", "torch.")
_BUILT_IN = frozenset({"enumerate", "iter", "list", "next", "reversed", "sorted", "tuple", "zip"})
_NO_BGR = frozenset({"0", "-1"})
"""Flags of ``imread`` for greyscale, and for what the file holds, such as a mask."""
_OTHER_ORDER = LazyRegex(
    r"cvtColor|BGR|RGB|GRAY|UNCHANGED|::\s*-1|flip\(|\.split\(|\[\s*2\s*,\s*1\s*,\s*0|\[(?:\.{3}|:\s*,\s*:),\s*\d\]"
)
"""What reorders the channels, or takes one of them."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each place where what OpenCV read becomes a tensor or a Pillow image as it is. Raises CannotParse."""
    names = imported_names(source.tree)
    for function in source.functions:
        origins: ValueOrigins | None = None
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call) or full_name(node.func, names) not in _SINKS or not node.args:
                continue
            origins = origins or ValueOrigins(function)
            calls = [part for part in origins.of(node.args[0]) if isinstance(part, ast.Call)]
            reader = next(
                (
                    name
                    for part in calls
                    if (name := full_name(part.func, names)) in _READERS
                    if not any(ast.unparse(each) in _NO_BGR for each in part.args)
                ),
                None,
            )
            if (
                reader is None
                or _may_reorder(calls, names, origins)
                or _OTHER_ORDER.search(source_text(source, function))
            ):
                continue
            yield hit_at(source, node, values={"reader": reader, "sink": ast.unparse(node.func)})
            break


def _may_reorder(calls: list[ast.Call], names: Mapping[str, str], origins: ValueOrigins) -> bool:
    """Return whether a function that may change the order of the channels gets the image on the way."""
    readers = {id(each) for each in calls if full_name(each.func, names) in _READERS}
    others = (
        each
        for each in calls
        if id(each) not in readers
        and not (full_name(each.func, names) or "").startswith(_KEEP_ORDER)
        and not (isinstance(each.func, ast.Name) and each.func.id in _BUILT_IN)
    )
    return any(id(part) in readers for each in others for value in argument_values(each) for part in origins.of(value))


CHECK = file_check(examine, CheckTraits(literals=("cv2 from_numpy", "cv2 fromarray", "cv2 tensor")))
