r"""A variable of free text that a script puts between the quotes of a JSON string.

::

    curl -d "{\"prompt\": \"$PROMPT\"}" ...       PROMPT='say "hi"' ends the string early

A variable to which the script gives nothing but constants is reported only if one of these is no content of a JSON
string: ``\n`` in it is a legal escape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PUT_IN = LazyRegex(
    r"\"\w+\"\s*:\s*\"(?:'\"?|\\\")?\$\{?(?P<bare>\w+)\}?(?:\"?'|\\\")?\""
    r"|\\\"\w+\\\"\s*:\s*\\\"\$\{?(?P<escaped>\w+)\}?\\\""
)
_FREE_TEXT = LazyRegex(r"(?i)PROMPT|TEXT|QUERY|QUESTION|MESSAGE|CONTENT|CAPTION|DESCRIPTION|INSTRUCTIONS?|LYRICS")
_NO_TEXT = LazyRegex(r"(?i)escaped?|json|encoded|quoted|_?(ID|LEN|LENGTH|SIZE|COUNT|PATH|FILE|URL|TYPE|TOKENS)\b")
"""Escaped before, or no free text."""
_ASSIGNS = LazyRegex(
    r"(?:^|(?<=[\s;&|(]))(?P<name>[A-Za-z_]\w*)\+?="
    r"(?:\"(?P<double>(?:[^\"\\]|\\[\s\S])*)(?:\"|\\?\Z)|'(?P<single>[^']*)(?:'|\Z)|(?P<plain>[^\s;&|()\"']*))"
    r"(?P<more>[^\s;&|)]?)"
)
_SETS = LazyRegex(r"\b(?:read|for|mapfile|readarray|getopts|printf\s+-v)\s[^\n;]*|\$\{\w+:?=")
_NAME = LazyRegex(r"\w+")
_EXPANDS = LazyRegex(r"(?<!\\)[$`]")
_KEPT = LazyRegex(r"\\([\"\\$`]|\n)")
"""What a backslash quotes between double quotes; before anything else it stays."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such place on an added line."""
    harmless: frozenset[str] | None = None
    for number in source.added:
        for found in _PUT_IN.finditer(source.lines[number - 1]):
            name = found["bare"] or found["escaped"]
            if not _FREE_TEXT.search(name) or _NO_TEXT.search(found[0]):
                continue
            harmless = _harmless(source.text or "") if harmless is None else harmless
            if name not in harmless:
                yield Hit(number, column=found.start() + 1, end_column=found.end() + 1)


def _harmless(text: str) -> frozenset[str]:
    """Return the variables that a script sets, and to constants alone that a JSON string may hold."""
    values: dict[str, list[str | None]] = {}
    for each in _ASSIGNS.finditer(text):
        values.setdefault(each["name"], []).append(_constant(each))
    changed = {name for each in _SETS.finditer(text) for name in _NAME.findall(each[0])}
    kept = {name: found for name, found in values.items() if name not in changed}
    return frozenset(
        name for name, found in kept.items() if all(each is not None and _is_content(each) for each in found)
    )


def _constant(assignment: re.Match[str]) -> str | None:
    """Return the text that an assignment gives a variable; None if it is not written there."""
    value: str | None
    if assignment["single"] is not None:
        value = assignment["single"]
    elif assignment["double"] is not None:
        written = assignment["double"]
        value = None if _EXPANDS.search(written) else _KEPT.sub(lambda each: each[1].strip("\n"), written)
    else:
        value = None if _EXPANDS.search(assignment["plain"]) else assignment["plain"].replace("\\", "")
    return None if assignment["more"] else value


def _is_content(value: str) -> bool:
    """Return whether a text may be between the quotes of a JSON string."""
    try:
        json.loads(f'"{value}"')
    except ValueError:
        return False
    return True


CHECK = file_check(examine, CheckTraits(literals=(": $",)))
