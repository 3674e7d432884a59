"""Two string literals that Python joins, with the last word of one and the first of the other run together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FIRST = LazyRegex(r"""(?:^|[\s(=,])[fF]?(["'])((?:(?!\1)[^\\])*[a-z]{2}[,.;]?)\1$""")
_SECOND = LazyRegex(r"""^\s*[fF]?(["'])((?:[A-Za-z]\w*|(?!\1)[`"'(\[](?:(?!\1)[^\s\\])+)[ ](?:(?!\1)[^\\])*)\1""")
_DOTTED = LazyRegex(r"\w\.\w+\.$")
_PATH = LazyRegex(r"\w+(?:\.\w+)+\.")
"""The beginning of a dotted name that goes on in the next literal."""
_CODE = LazyRegex(r"[=({]")
_BRACKETS = "(["
"""What follows the name of a function or a list without a space."""
_MARKS = ",.;"

_FEWEST_WORDS = 3


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such literal of each text. Raises CannotParse."""
    found: list[tuple[int, str]] = []
    lines = source.lines
    for number in sorted(source.added):
        second = _SECOND.match(lines[number - 1]) if 1 < number <= len(lines) else None
        first = _FIRST.search(lines[number - 2].rstrip()) if second else None
        if first is None or second is None or min(first[2].count(" "), second[2].count(" ")) < _FEWEST_WORDS - 1:
            continue
        if _DOTTED.search(first[2]) and not second[2][0].isupper():
            continue  # a dotted name that is too long for one line
        if first[2].endswith(";") and _CODE.search(first[2]) and _CODE.search(second[2]):
            continue  # statements of another language
        last = first[2].split()[-1]
        is_call = second[2][0] in _BRACKETS and not last.rstrip(_MARKS).isalpha()
        if not is_call and not _PATH.fullmatch(last):
            found.append((number, last + second[2].split()[0]))
    if not found:
        return
    left = dict(found)
    for start, end in _spans(source):
        here = [(number, left.pop(number)) for number in [*left] if start < number <= end]
        if here:
            number, words = here[0]
            more = len(here) - 1
            others = f", and {more} more {'pair' if more == 1 else 'pairs'} of this text likewise" if more else ""
            yield Hit(number, values={"words": words, "others": others})


def _spans(source: SourceFile) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each text that is made of several literals."""
    for node in walk(source.tree):
        if isinstance(node, (ast.JoinedStr, ast.Constant)) and node.end_lineno and node.end_lineno > node.lineno:
            opening = source.lines[node.lineno - 1][source.column(node.lineno, node.col_offset) - 1 :].lstrip(
                "rRfFbBuU"
            )
            if not opening.startswith(('"""', "'''")):
                yield node.lineno, node.end_lineno


CHECK = file_check(examine, CheckTraits(literals=('"', "'")))
