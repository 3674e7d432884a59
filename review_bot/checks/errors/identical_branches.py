"""Branches of one ``if`` that make no difference: all of them are the same code, or one repeats an earlier condition.

Branches that a comment explains, and short ones that only name a case and do what ``else`` does, are deliberate.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import caught_lines
from review_bot.analysis.python.syntax import hit_at, hit_on, reads_same, structure
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_SHORT = 2
"""Statements up to which a branch that equals ``else`` may be there to name its case."""
_LONGEST = 120
"""Characters of a condition that a message shows."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such ``if``, conditional expression and ``elif``. Raises CannotParse."""
    inner: set[int] = set()
    for first in source.nodes(ast.If):
        if id(first) in inner:
            continue
        chain = [first]
        while (following := _elif(chain[-1], source)) is not None:
            chain.append(following)
        inner.update(map(id, chain))
        yield from _repeated(chain, source)
        last = chain[-1]
        if last.orelse and all(reads_same(each.body, last.orelse) for each in chain):
            if _is_meant(chain, source):
                continue
            what = "Both branches do the same" if len(chain) == 1 else "All branches do the same"
            yield hit_on(source, first, values={"what": what, "so": f"`{_shown(first)}` decides nothing"})
        elif len(chain) > 1 and _equals_else(last, source):
            so = f"`{_shown(last)}` decides nothing"
            yield hit_on(source, last, values={"what": "This branch and `else` do the same", "so": so})
    probes = caught_lines(source.nodes(ast.Try), frozenset({"NameError"}))  # whether the condition has a value at all
    for choice in source.nodes(ast.IfExp):
        if reads_same(choice.body, choice.orelse) and choice.lineno not in probes:
            so = f"`{_shown(choice)}` decides nothing"
            yield hit_at(source, choice, values={"what": "Both values are the same", "so": so})


def _repeated(chain: list[ast.If], source: SourceFile) -> Iterator[Hit]:
    first: dict[str, ast.If] = {}
    for each in chain:
        earlier = first.setdefault(structure(each.test), each)
        if earlier is not each and not any(isinstance(node, ast.Call | ast.Await) for node in ast.walk(each.test)):
            what = f"Line {earlier.lineno} already tests `{_shown(each)}`"
            yield hit_on(source, each, values={"what": what, "so": "this branch never runs"})


def _elif(statement: ast.If, source: SourceFile) -> ast.If | None:
    """Return the ``elif`` that follows a branch."""
    if len(statement.orelse) == 1 and isinstance(following := statement.orelse[0], ast.If):
        return following if source.lines[following.lineno - 1].lstrip().startswith("elif") else None
    return None


def _equals_else(last: ast.If, source: SourceFile) -> bool:
    return len(last.body) > _SHORT and reads_same(last.body, last.orelse) and not _is_commented(last, source)


def _is_meant(chain: list[ast.If], source: SourceFile) -> bool:
    """Return whether equal branches do nothing, or are kept apart for a reader."""
    body = chain[0].body
    if all(isinstance(each, ast.Pass | ast.Raise | ast.Continue | ast.Break | ast.Assert) for each in body):
        return True
    return len(body) < _SHORT and (len(chain) > 1 or _is_commented(chain[0], source))


def _is_commented(branch: ast.If, source: SourceFile) -> bool:
    lines = source.lines_of_authors[branch.lineno - 1 : last_line(branch)]
    return any("#" in line for line in lines)


def _shown(node: ast.If | ast.IfExp) -> str:
    text = plain(node.test)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


CHECK = file_check(examine, CheckTraits(literals=("else", "elif")))
