"""A word as the argument of ``strip``, ``lstrip`` or ``rstrip``, which strip any of its characters.

What drops a word instead depends on the side, and on the oldest Python that the project promises to run on:
``removeprefix`` and ``removesuffix`` came with Python 3.9.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.manifests import lowest_python
from review_bot.analysis.python.syntax import source_text, span_at
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Span, hit_over
from review_bot.text.lazy_regex import LazyRegex

_SINCE = 9
"""The Python 3.x that brought the methods which drop a word."""
_INSTEAD = {
    "lstrip": ("`removeprefix`", "use `removeprefix`", "`startswith`"),
    "rstrip": ("`removesuffix`", "use `removesuffix`", "`endswith`"),
    "strip": (
        "`removeprefix` and `removesuffix`",
        "use `removeprefix` at the start and `removesuffix` at the end",
        "`startswith` or `endswith`",
    ),
}
"""The methods that drop a word on the same sides, the advice, and the tests that an older Python needs."""
_WORD = LazyRegex(r"[A-Za-z]{3}|\.[A-Za-z]{2}|[A-Za-z]{2}[._/:-]")
_SET_OF_CHARACTERS = LazyRegex(
    r"""(?i)(abc|xyz)|["'](?:[aeiouy]+|[acgtu-]{4,}|[acgtn-]{5,})["']|["'](?-i:[BCDFGHJ-NP-TV-XZ]+)["']"""
)
"""The alphabet, vowels, units of sizes, nucleotides."""


class Stripped(NamedTuple):
    """A call that strips the characters of a word, and its method."""

    call: str
    method: str
    span: Span


def gather(source: SourceFile) -> tuple[Stripped, ...] | None:
    """Return the calls on added lines that get a word as it would be written to drop it. Raises CannotParse."""
    found = []
    for call in source.nodes(ast.Call):
        if call.lineno not in source.added or len(call.args) != 1 or call.keywords:
            continue
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _INSTEAD:
            continue
        word = source_text(source, call.args[0])
        is_set = _SET_OF_CHARACTERS.search(word) is not None or _has_both_cases(word)
        if _is_plain(word) and _WORD.search(word) and not is_set:
            written = "".join(map(str.strip, source_text(source, call).split("\n")))
            found.append(Stripped(written, call.func.attr, span_at(source, call)))
    return tuple(found) or None


def _is_plain(text: str) -> bool:
    """Return whether an argument is written as a string without an escape or another quotation mark."""
    quotes = {text[:1], text[-1:]} <= {'"', "'"} and len(text) > 1
    return quotes and not any(sign in text[1:-1] for sign in "\"'\\")


def _has_both_cases(text: str) -> bool:
    """Return whether a text has each of its letters as a capital and as a small one: ``kKmMgG``."""
    return all(each.swapcase() in text for each in text if each.isalpha())


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield each such call, with what drops a word on the Python versions of its project."""
    for path, found in sorted(facts.items()):
        lowest = lowest_python(path, codebase)
        for each in found:
            methods, instead, tests = _INSTEAD[each.method]
            if lowest is not None and lowest.minor < _SINCE:
                instead = (
                    f"slice after a test with {tests}: Python 3.{lowest.minor}, which `{lowest.path}` declares support "
                    f"for, does not have {methods}"
                )
            yield hit_over(each.span, path=path, values={"call": each.call, "instead": instead})


CHECK = change_check(gather, relate, CheckTraits(literals=("strip",)))
