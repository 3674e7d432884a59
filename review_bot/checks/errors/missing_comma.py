"""Two strings of a list, each on a line of its own, that no comma separates: Python joins them to one element."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from review_bot.analysis.python.syntax import hit_at, source_text
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LINE = re.compile(r"""\s*(["'])([^"'\\\s]+)\1\s*(?:#.*)?""")
_HAS_SPACE = re.compile(r"\s")
_JOINS = "_-./:,= "
"""Signs with which a text that goes on begins or ends."""
_FEWEST_OTHERS = 2


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each element that reads like two of a list of words. Raises CannotParse."""
    displays: list[ast.List | ast.Tuple | ast.Set] = [
        *source.nodes(ast.List),
        *source.nodes(ast.Tuple),
        *source.nodes(ast.Set),
    ]
    for display in displays:
        if len(display.elts) <= _FEWEST_OTHERS or display.lineno == display.end_lineno:
            continue
        words = [each for each in display.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if len(words) < len(display.elts) or any(_HAS_SPACE.search(str(each.value)) for each in words):
            continue
        split = [each for each in words if each.lineno != each.end_lineno]
        if len(split) * 3 > len(words) or len(words) - len(split) < _FEWEST_OTHERS:
            continue
        if len({each.lineno for each in words}) < len(words):
            continue  # several on a line: the line ends say nothing
        for element in split:
            lines = [each.strip() for each in source_text(source, element).split("\n")]
            parts = [_LINE.fullmatch(each) for each in lines if not each.startswith("#")]
            texts = [part[2] for part in parts if part is not None]
            goes_on = any(one[-1] in _JOINS or two[0] in _JOINS for one, two in pairwise(texts))
            if len(texts) == len(parts) and not goes_on:
                yield hit_at(source, element, values={"joined": repr(element.value)})


CHECK = file_check(examine, CheckTraits(literals=None))
