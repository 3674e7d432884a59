"""The calls of given names in a text, found without parsing it: a quick answer to which file is worth parsing first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from review_bot.changes.python_parsing import parsed
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_LONGEST = 2_000
_PART = LazyRegex(r"""[()\[\]{}]|#[^\n]*|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""")


class TextCall(NamedTuple):
    """A name that a bracket follows. ``call`` is None if it is long or cannot be parsed; a ``def`` looks like a call.

    ``owner``: the word before the dot in front of the name; None without a dot.
    """

    owner: str | None
    name: str
    call: ast.Call | None


def calls_in_text(text: str, names: re.Pattern[str]) -> Iterator[TextCall]:
    """Yield what looks like a call of a name in a text. ``names``: from ``names_called``."""
    for match in names.finditer(text):
        start = match.start(3)
        owner = (match[2] or "") if match[1] else None
        yield TextCall(owner, match[3], _call(text[start : start + _LONGEST]))


def names_called(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the calls of some names."""
    return re.compile(rf"((\b\w+)?\.)?\b({'|'.join(map(re.escape, sorted(names)))})[ \t]*\(")


def _call(text: str) -> ast.Call | None:
    depth = 0
    for part in _PART.finditer(text):
        if part[0] in "([{":
            depth += 1
        elif part[0] in ")]}":
            depth -= 1
            if not depth:
                tree = parsed(f"{text[: part.end()]}\n")
                statement = tree.body[0] if tree is not None and tree.body else None
                value = statement.value if isinstance(statement, ast.Expr) else None
                return value if isinstance(value, ast.Call) else None
    return None
