"""The import statements of a text, found without parsing it: a quick answer to what a file may import.

::

    from pkg.core import (a, b as c)     pkg.core, level 0, words a, b, as, c
    from . import a                      level 1, words a
    import pkg.core as core, json        no module, words pkg.core, as, core, json

Everything that Python would import is found. What only looks like an import (in a docstring or a comment) is found as
well, and a statement may have words too many, never too few.
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_IMPORT = LazyRegex(r"(?:^|[;:])[ \t\f]*(?:from\b([^;:#]*?))?(?<!\w)import\b([^;:]*)")
"""In one line; two matches never share a character, so that all of them take linear time."""

_WORD = LazyRegex(r"[\w.]+|\*")


class ImportClause(NamedTuple):
    """One statement. ``module`` is None for ``import a, b``; ``words`` are all names that it mentions, with ``*``."""

    module: str | None
    level: int
    words: frozenset[str]


def import_clauses(text: str) -> Iterator[ImportClause]:
    """Yield the import statements of a text, in the order in which they end, in linear time."""
    opened: list[tuple[str | None, int]] = []  # statements in whose parentheses the line is; they share their words
    listed: set[str] = set()
    for line in text.replace("\r\n", "\n").replace("\\\n", " ").split("\n"):
        if opened:
            code = line.partition("#")[0]
            listed.update(_WORD.findall(code))
            if ")" in code:
                yield from (ImportClause(*each, frozenset(listed)) for each in opened)
                opened, listed = [], set()
        if "import" not in line:
            continue
        for source, names in _IMPORT.findall(line):
            dotted = "".join(source.split())
            module = dotted.lstrip(".")
            level = len(dotted) - len(module)
            statement = (module if dotted else None, level)
            code = names.partition("#")[0]
            words = _WORD.findall(code)
            if "(" in code and ")" not in code:
                opened.append(statement)
                listed.update(words)
            else:
                yield ImportClause(*statement, frozenset(words))
    yield from (ImportClause(*each, frozenset(listed)) for each in opened)
