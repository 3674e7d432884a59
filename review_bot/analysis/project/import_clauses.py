"""The import statements of a text, found without parsing it: a quick answer to what a file may import.

::

    from pkg.core import (a, b as c)     pkg.core, level 0, words a, b, c
    from . import a                      level 1, words a
    import pkg.core as core, json        no module, words pkg.core, as, core, json

Everything that Python would import is found. A line of a docstring that looks like an import is found, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from review_bot.text.lazy_regex import LazyRegex

_CLAUSE = LazyRegex(
    r"(?m)(?:^|[;:])[ \t\f]*(?:from(?:[ \t]|\\\n)*(\.*)(?:[ \t]|\\\n)*([\w.]*)(?:[ \t]|\\\n)*)?"
    r"(?<!\w)import\b(?:[ \t]|\\\n)*(\((?:[^()#]|#[^\n]*\n)*\)|(?:[^\n\\;#]|\\\n)*)"
)
_COMMENT = LazyRegex(r"#[^\n]*")
_WORD = LazyRegex(r"[\w.]+|\*")


class ImportClause(NamedTuple):
    """One statement. ``module`` is None for ``import a, b``; ``words`` are all names that it mentions, with ``*``."""

    module: str | None
    level: int
    words: frozenset[str]


def import_clauses(text: str) -> Iterator[ImportClause]:
    """Yield the import statements of a text, in order."""
    for dots, module, names in _CLAUSE.findall(text):
        words = frozenset(_WORD.findall(_COMMENT.sub("", names)))
        yield ImportClause(module if dots or module else None, len(dots), words)
