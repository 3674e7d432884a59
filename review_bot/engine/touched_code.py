"""Whether a structural rule can find anything in the statements of a Python module that the change touches.

::

    import a            the base has it       left out
    def f(): ...        the base has it       left out
    class C: ...        a line is added       searched once, as it is and in its other spellings together

A file has hundreds of rules and a change touches a part of it, so most rules end here. A rule that finds something is
run on the whole file as before, which decides what it reports. What a rule finds elsewhere does not matter: the base
has it too, if the rule looks at one statement of the module at a time (see ``rules.locality``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from review_bot.changes.imported_names import cuts_to_write_out, import_targets
from review_bot.changes.node_lines import last_line
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.engine import suppressions
from review_bot.engine.pattern_matches import Trees, tree_of
from review_bot.engine.required_imports import imports_any
from review_bot.records import NamedTuple
from review_bot.rules.matchers import Structural
from review_bot.rules.rule import Rule
from review_bot.rules.scope import language_of
from review_bot.rules.structural_pattern import Tree

if TYPE_CHECKING:
    import ast

_WORTH_IT = 0.8
"""The part of a text, of which what the change touches, in all spellings, is to be less for a search of it to pay."""

_trees: WeakKeyDictionary[SourceFile, Tree | None] = WeakKeyDictionary()


class _Part(NamedTuple):
    """Statements of a module that share lines, and the comments behind them, from one offset of the text to another."""

    start: int
    end: int
    first_line: int
    end_line: int


def may_report(rule: Rule, source: SourceFile, trees: Trees) -> bool:
    """Return whether a rule may find something that the change is answerable for; ``trees`` keeps what is parsed."""
    matcher = rule.matcher
    if not isinstance(matcher, Structural) or not (matcher.local and rule.builtin) or rule.lines == "file":
        return True
    if rule.required_imports and not _was_asked_before(rule, source):
        return True  # an import that the change adds may bring about a finding anywhere
    if source not in _trees:
        _trees[source] = _touched(source, trees)
    tree = _trees[source]
    return tree is None or next(tree.find(matcher.config, matcher.held), None) is not None


def _was_asked_before(rule: Rule, source: SourceFile) -> bool:
    """Return whether the base has an import that a rule requires, or cannot be read."""
    try:
        before = source.at_base()
    except CannotRead:
        return True
    return before is None or imports_any(before, rule.required_imports)


def _touched(source: SourceFile, trees: Trees) -> Tree | None:
    """Return the tree of what the change touches, in all its spellings; None where whole texts are to be searched."""
    text, change = source.text or "", source.change
    if change.status == "added" or language_of(source.path) != "python" or suppressions.MARK in text:
        return None
    try:
        before = source.at_base()
        if before is None:
            return None
        known = {(before.text or "")[part.start : part.end].strip() for part in _parts(before)}
        parts = _parts(source)
        new = [
            part
            for part in parts
            if text[part.start : part.end].strip() not in known or source.touches(part.first_line, part.end_line)
        ]
        renamed = parts if import_targets(source) != import_targets(before) else new
        pieces = [
            *(text[part.start : part.end] for part in new),
            *_respelled(text, new, source.unusual_parts),
            *_respelled(text, renamed, cuts_to_write_out(source)),
        ]
    except CannotRead:
        return None
    if sum(map(len, pieces)) > _WORTH_IT * len(text):
        return None
    whole = tree_of(trees, text, "python", ("new", source.path))
    if whole.too_deep or whole.not_parsed is not None:
        return None
    tree = Tree("\n".join(pieces), "python")
    return None if tree.too_deep or tree.not_parsed is not None else tree


def _parts(source: SourceFile) -> list[_Part]:
    """Return the statements of a module, and what is before the first. Raises CannotRead."""
    first_lines, end = [1], 0
    for each in source.tree.body:
        first = _first_line(each, end, source.lines)
        if first > end and first != 1:  # otherwise it begins on the last line of the one before: x = """..."""; f(x)
            first_lines.append(first)
        end = max(end, last_line(each))
    starts = source.line_starts
    ends = [*first_lines[1:], len(source.lines) + 1]
    return [
        _Part(starts[line - 1], starts[end - 1], line, end - 1) for line, end in zip(first_lines, ends, strict=True)
    ]


def _first_line(statement: ast.stmt, after: int, lines: list[str]) -> int:
    """Return the first line of a statement behind a line: that of its first ``@``, which no node of the tree has."""
    if not getattr(statement, "decorator_list", ()):
        return statement.lineno
    between = range(after + 1, statement.lineno)
    return next((line for line in between if lines[line - 1].lstrip().startswith("@")), statement.lineno)


def _respelled(text: str, parts: list[_Part], cuts: list[tuple[int, int, str]]) -> Iterator[str]:
    """Yield each part in which spans of the text are replaced, with them replaced."""
    starts = [start for start, _, _ in cuts]
    for part in parts:
        mine = cuts[bisect_right(starts, part.start - 1) : bisect_right(starts, part.end - 1)]
        if mine:
            pieces, at = [], part.start
            for start, end, instead in mine:
                pieces += [text[at:start], instead]
                at = end
            yield "".join([*pieces, text[at : part.end]])
