"""The defaults that prose states: ``Defaults to 50.``, ``(default: `True`)``, ``*optional*, defaults to "pil"``.

A value is read only where the sentence says no more about it: ``defaults to 5 if ...`` and ``defaults to 2 GB`` do.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

Value = bool | int | float | str | None

_STATED = LazyRegex(
    r"""(?i)\bdefaults?(?:\s+value)?(?:\s+is|\s+to|\s*[:=])\s*"""
    r"""(?:(?P<tick>`{1,2})(?P<quoted>[^`\n]+)(?P=tick)|(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<bare>[-+]?(?:\d[\d.]*[eE]-\d+|[\w.]+)))"""
)
_NO_MORE = LazyRegex(r"\s*(?:$|[)\]}\n\"']|[.,;](?!\w)|:\s)")
_NUMBER = LazyRegex(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORDS: dict[str, Value] = {"true": True, "false": False, "none": None}
_WORD = LazyRegex(r"(?:\w|[/:-]|\.(?!\.))+")
"""A text that a table shows without quotation marks."""
_OF_TEXT = {"true": True, "1": True, "on": True, "yes": True, "false": False, "0": False, "off": False, "no": False}
"""What texts of environment variables mean that are on or off."""
_CONDITION = LazyRegex(
    r"(?i)^[)\]`\"'.,;\s]*(?:if|when|unless|for|on|in|with|otherwise|else|or|and|but|except|depending)\b"
)
_OF_THIS = frozenset({"a", "the", "its", "optional", "with", "by", "and", "has", "int", "float", "str", "bool"})
"""Words in front of ``default`` that do not say whose default it is."""
_LOOK_AHEAD = 40
"""Characters behind a value in which a condition would begin."""


class StatedDefault(NamedTuple):
    """A default in a text: its value, how it is written, and where it begins, in code points from 0."""

    value: Value
    shown: str
    start: int


def stated_defaults(text: str) -> Iterator[StatedDefault]:
    """Yield each default that a text states without a condition."""
    for match in _STATED.finditer(text):
        written = match["quoted"] or match["text"] or match["bare"].rstrip(".")
        end = match.end() - (len(match["bare"]) - len(written) if match["bare"] else 0)
        rest = text[end : end + _LOOK_AHEAD]
        if not _NO_MORE.match(rest) or _CONDITION.search(rest) or _is_of_another(text, match):
            continue
        known = _read(written, is_quoted=match["bare"] is None)
        if known is not None:
            yield StatedDefault(known.value, written, match.start())


def _is_of_another(text: str, match: re.Match[str]) -> bool:
    """Return whether a text says whose default it gives: ``(Wan default: 5.0)``, not ``defaults to 5.0``."""
    before = text[max(0, match.start() - _LOOK_AHEAD) : match.start()]
    words = before.split()
    follows = before.endswith(" ") and bool(words) and words[-1].lstrip("(").replace("-", "").isalnum()
    is_noun = not match[0][len("default") :].lower().startswith("s")
    return follows and is_noun and words[-1].lstrip("(").lower() not in _OF_THIS


class Known(NamedTuple):
    """A value that is known, which may be None."""

    value: Value


def _read(written: str, *, is_quoted: bool) -> Known | None:
    written = written.strip()
    if written.lower() in _WORDS:
        return Known(_WORDS[written.lower()])
    if _NUMBER.fullmatch(written):
        plain = written.replace("_", "")
        return Known(int(plain) if plain.lstrip("+-").isdigit() else float(plain))
    if is_quoted and len(written) > 2 and written[0] == written[-1] and written[0] in "\"'":
        return Known(written[1:-1])
    return None


def cell_default(cell: str) -> StatedDefault | None:
    """Return the default that is all of a cell of a table; None if it says more, or is in words without ticks."""
    cell = cell.strip()
    written = cell.strip("`").strip()
    is_quoted = written != cell
    if written.lower() == "null":
        return StatedDefault(None, written, 0)
    known = _read(written, is_quoted=True)
    if known is None and is_quoted and _WORD.fullmatch(written):
        known = Known(written)
    return None if known is None else StatedDefault(known.value, written, 0)


def literal(node: ast.expr | None) -> Known | None:
    """Return the value of a literal of the kinds that prose states; None for another expression."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        known = literal(node.operand)
        if known is None or isinstance(known.value, bool | str | None):
            return None
        return Known(-known.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float | str | None):
        return Known(node.value)
    return None


def contradicts(stated: Value, actual: Value) -> bool:
    """Return whether a stated default is certainly not the one of the code.

    None in the code often stands for a value that the code computes later, so it contradicts nothing, and neither do
    values of two kinds: a stated ``1`` may mean True.
    """
    if actual is None:
        return False
    if stated is None:
        return isinstance(actual, bool | int | float)
    if isinstance(stated, bool) or isinstance(actual, bool):
        return isinstance(stated, bool) and isinstance(actual, bool) and stated is not actual
    if isinstance(stated, str) or isinstance(actual, str):
        texts = isinstance(stated, str) and isinstance(actual, str)
        return texts and stated != actual and "\\" not in f"{stated}{actual}"
    return not math.isclose(stated, actual, rel_tol=1e-9)


def contradicts_text(stated: Value, text: str) -> bool:
    """Return whether a stated default is certainly not the one of an environment variable, which is a text."""
    if isinstance(stated, bool):
        return _OF_TEXT.get(text.strip().lower(), stated) is not stated
    if isinstance(stated, int | float):
        return _NUMBER.fullmatch(text.strip()) is not None and not math.isclose(
            stated, float(text.strip().replace("_", "")), rel_tol=1e-9
        )
    return isinstance(stated, str) and contradicts(stated, text) and stated.strip() != text.strip()
