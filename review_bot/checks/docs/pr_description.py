"""A pull request of some size whose description says little, or leaves sections that it begins empty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.codebase import Codebase
from review_bot.changes.description import Section, named, sections, visible
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import language_of
from review_bot.text.lazy_regex import LazyRegex

_BY_A_PROGRAM = LazyRegex(
    r"(?i)^\W*(?:revert|bump|backport|cherry[- ]?pick|merge|release|sync|(?:chore|build)\(deps|update dependency|auto)"
)
_NO_CODE = frozenset({None, "markdown", "json", "yaml", "html", "css"})
_FEWEST_LINES = 50
"""Added and removed lines of code from which a change needs more than its title."""
_FEWEST_CHARACTERS = 40
"""Letters and digits: the length of a short sentence."""
_ASKED_FOR = LazyRegex(
    r"(?i)(?:purpose|motivation|description|summary|overview|changes?|modifications?|test(?:ing)?(?: plans?| results?)?"
    r"|what (?:does|this|is)\b.*|why\b.*|how (?:was|has|did|to test)\b.*|benchmarks?|accuracy(?: tests?)?)\W*"
)


def gather(source: SourceFile) -> int | None:
    """Return how many lines a file of code gains and loses."""
    is_code = language_of(source.path) not in _NO_CODE
    return source.change.added + source.change.removed if is_code else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit; none where the description is not known, for a small change, and for what programs open."""
    title = codebase.change.title
    if title is None or _BY_A_PROGRAM.search(title) or sum(facts.values()) < _FEWEST_LINES:
        return
    found = sections(visible(codebase.change.body or ""))
    written = sum(each.written for each in found)
    if written < _FEWEST_CHARACTERS:
        what = f"contains only {written} letters and digits besides template text" if written else "is empty"
        yield Hit(None, values={"what": what}, statement="")
        return
    empty = [each.heading for number, each in enumerate(found) if _is_left_empty(found, number)]
    if empty:
        what = f"leaves {'a section' if len(empty) == 1 else 'sections'} empty: {named(empty)}"
        yield Hit(None, values={"what": what}, statement="")


def _is_left_empty(found: list[Section], number: int) -> bool:
    """Return whether a section that reviewers look for holds nothing, and is not followed by parts of its own."""
    if found[number].written or not _ASKED_FOR.fullmatch(found[number].heading):
        return False
    after = found[number + 1] if number + 1 < len(found) else None
    return after is None or not after.written or _ASKED_FOR.fullmatch(after.heading) is not None


CHECK = change_check(
    gather, relate, CheckTraits(literals=None, reads_text=False, reads_description=True, on_lines=False)
)
