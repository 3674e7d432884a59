"""An attribute of parsed arguments that no option of the parser defines: it raises AttributeError.

Either the change adds the read, or it removes or renames the option and leaves the read behind. Only scripts whose text
shows the whole parser are read, and only names that no other code of the tree sets on an object.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.namespaces import destinations, reads_of_arguments
from review_bot.analysis.python.parsed_options import stays_in_file
from review_bot.analysis.python.statements import caught_lines
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_ALIKE = 0.85
"""How similar a name must be to be the one that was meant, from 0 to 1."""
_MOST_ALIKE = 20
"""Options for which one is looked for that is spelled alike."""
_CAUGHT = frozenset({"AttributeError", "BaseException", "Exception"})


class Undefined(NamedTuple):
    """The first read of an attribute: ``shown`` is the expression, ``meant`` an attribute with a similar name.

    ``is_removed``: the base defined it. ``alone``: what is parsed never leaves the file.
    """

    name: str
    shown: str
    line: int
    is_removed: bool
    meant: str
    alone: bool


def gather(source: SourceFile) -> tuple[Undefined, ...] | None:
    """Return the attributes that one script reads and its parser does not define. Raises CannotParse."""
    defined = destinations(source.tree)
    if defined is None:
        return None
    asked = {
        each.left.value
        for each in source.nodes(ast.Compare)
        if isinstance(each.left, ast.Constant) and isinstance(each.ops[0], (ast.In, ast.NotIn))
    }
    reads = [each for each in reads_of_arguments(source.tree) if each.attr not in {*defined, *asked}]
    caught = caught_lines(source.nodes(ast.Try), _CAUGHT)
    first: dict[str, ast.Attribute] = {}
    for each in sorted(reads, key=lambda read: (read.lineno not in source.added, read.lineno, read.col_offset)):
        if each.lineno not in caught:
            first.setdefault(each.attr, each)
    if not first:
        return None
    before, alone = _before(source), stays_in_file(source.tree)
    found: list[Undefined] = []
    for name, read in first.items():
        is_removed = name in before
        if read.lineno in source.added or is_removed:
            near = get_close_matches(name, sorted(defined), 1, _ALIKE) if len(found) < _MOST_ALIKE else []
            found.append(Undefined(name, ast.unparse(read), read.lineno, is_removed, near[0] if near else "", alone))
    return tuple(found) or None


def _before(source: SourceFile) -> frozenset[str]:
    """Return what the parser of the base defined."""
    old = source.known_old_tree
    return (None if old is None else destinations(old)) or frozenset()


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each first read."""
    files_with(
        codebase.head, {each.name for found in facts.values() for each in found if not each.alone}
    )  # in one pass
    for path, each in each_fact(facts):
        if not each.alone and is_set_elsewhere(codebase.head, each.name, path):
            continue
        what = "this change removes the option" if each.is_removed else "no option of the parser defines it"
        meant = f" (did you mean `{each.meant}`?)" if each.meant else ""
        values = {"shown": each.shown, "what": what, "meant": meant}
        yield Hit(each.line, path=path, values=values, statement=each.shown, subject=each.name)


CHECK = change_check(gather, relate, CheckTraits(literals=("add_argument parse_args",), reads_old=True, doubted=True))
