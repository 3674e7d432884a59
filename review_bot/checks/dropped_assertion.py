"""An assertion that a change takes out of a test which stays, and puts nothing in its place.

::

    def test_run():                    def test_run():
        out = run()               →        out = run()
        assert out.shape == (2, 3)         assert out.dtype == torch.half
        assert out.dtype == torch.half
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.python.assertions import Assertion, assertions
from review_bot.checks.python.function_pairs import FunctionPair, function_pairs, own_statements, plain
from review_bot.rules.rule import Hit, Options

LITERALS: tuple[str, ...] | None = ("assert",)
READS_OLD = True

_LONGEST = 80
"""Characters of an assertion that a message shows."""


def examine(source: SourceFile, _options: Options) -> Iterator[Hit]:
    """Yield a hit, on the old side, on the first assertion that each test lost for nothing."""
    if not any("assert" in line for line in source.removed.values()):
        return
    moved = {" ".join(line.split()) for line in source.added.values()}
    for pair in function_pairs(source):
        if not pair.new.name.startswith("test") or _is_edited(pair, source):
            continue
        lost = [each for each in _lost(pair, source) if _first_line(each, source) not in moved]
        if lost:
            text = plain(lost[0].statement).split("\n", 1)[0]
            shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
            more = "" if len(lost) == 1 else f" and {len(lost) - 1} more"
            values = {"assertion": shown, "more": more, "name": pair.new.name}
            yield Hit(lost[0].statement.lineno, side="LEFT", values=values, statement=f"{pair.name} {text}")


def _is_edited(pair: FunctionPair, source: SourceFile) -> bool:
    """Tell whether the change puts a line into the test or its decorators: then it may check in another way."""
    first = min([pair.new.lineno, *(each.lineno for each in pair.new.decorator_list)])
    return source.any_added(first, pair.new.end_lineno or first)


def _lost(pair: FunctionPair, source: SourceFile) -> Iterator[Assertion]:
    left = {plain(each) for each in own_statements(pair.new)}
    given = {node.id for node in ast.walk(pair.new) if isinstance(node, ast.Name)}
    for each in assertions(pair.old):
        if each.statement.lineno not in source.removed or plain(each.statement) in left:
            continue
        words = {node.id for node in ast.walk(each.asked) if isinstance(node, ast.Name)}
        subjects = {word for word in words if re.search(rf"^\s*(?:.*,\s*)?{word}\b.*=", plain(pair.old), re.MULTILINE)}
        if subjects and subjects <= given:
            yield each


def _first_line(assertion: Assertion, source: SourceFile) -> str:
    return " ".join(source.removed[assertion.statement.lineno].split())
