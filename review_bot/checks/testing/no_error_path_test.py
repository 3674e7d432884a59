"""New errors that the library raises, in a change whose tests expect none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_tests import holds_tests
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_RAISE = LazyRegex(r"\s*raise\s+(\w*(?:Error|Exception))\s*\(")
_EXPECTS = LazyRegex(r"(?i)raises|status_code|\berror|exception|invalid|reject|fail")
_FEWEST = 3
_MOST_RELATED = 10


class Facts(NamedTuple):
    """The added ``raise`` statements of a library file as (line, text); of a test, whether it expects an error."""

    raised: tuple[tuple[int, str], ...]
    is_test: bool
    expects: bool


def gather(source: SourceFile) -> Facts | None:
    """Return what an added line of the file raises or expects."""
    if holds_tests(source.change):
        return Facts((), True, any(_EXPECTS.search(line) for line in source.added.values()))
    if not is_library(source.path):
        return None
    raised = tuple(
        (n, line.strip())
        for n, line in source.added_code.items()
        if "raise" in line and (match := _RAISE.match(line)) and "NotImplemented" not in match[1]
    )
    return Facts(raised, False, False) if raised else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit if tests are added, three errors or more are new, and no added line of a test is about one."""
    tests = [each for each in facts.values() if each.is_test]
    if not tests or any(each.expects for each in tests):
        return
    gone = Counter(
        line.strip() for file in codebase.change.files for _, line in file.removed_lines() if "raise" in line
    )
    places: list[tuple[str, int, str]] = []
    for path in sorted(facts):
        for line, text in facts[path].raised:
            if gone[text] > 0:
                gone[text] -= 1
            else:
                places.append((path, line, text))
    if len(places) < _FEWEST:
        return
    yield Hit(
        None,
        values={"count": str(len(places))},
        related=tuple(Related(path, line, "raised here") for path, line, _ in places[:_MOST_RELATED]),
        statement="",
    )


CHECK = change_check(
    gather, relate, CheckTraits(literals=("raise", "def", "Raises", "assert"), reads_text=False, on_lines=False)
)
