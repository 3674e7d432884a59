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

from review_bot.changes.python_parsing import python_text
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_IMPORT = LazyRegex(r"(?:^|[;:])[ \t\f]*(?:from\b([^;:#]*?))?(?<!\w)import\b([^;:]*)")
"""In one line; two matches never share a character, so that all of them take linear time."""

_WORD = LazyRegex(r"[\w.]+|\*")
_AS = LazyRegex(r"as(?<=\bas)[\s\\]+(\w+)")
_SPACES = " \t\n\r\f\v\\"
_LONGEST_NAME = 200
"""Characters before ``as`` in which a name is looked for."""


class ImportClause(NamedTuple):
    """One statement. ``module`` is None for ``import a, b``; ``words`` are all names that it mentions, with ``*``."""

    module: str | None
    level: int
    words: frozenset[str]


def import_clauses(text: str) -> Iterator[ImportClause]:
    """Yield the import statements of a text, in the order in which they end, in linear time."""
    opened: list[tuple[str | None, int]] = []  # statements in whose parentheses the line is; they share their words
    listed: set[str] = set()
    for line in _joined_lines(python_text(text)):
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
            words = _WORD.findall(".".join(map(str.strip, code.split("."))))
            if "(" in code and ")" not in code:
                opened.append(statement)
                listed.update(words)
            else:
                yield ImportClause(*statement, frozenset(words))
    yield from (ImportClause(*each, frozenset(listed)) for each in opened)


def _joined_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, those that a backslash joins as one.

    A backslash at the end of a comment joins nothing, and a ``#`` may be in a string instead. So where a joined line
    has one, what is behind it is also a line of its own. No import goes on over a string: no line is in more than two.
    """
    if not _may_join_comments(text):
        yield from text.replace("\\\n", " ").split("\n")
        return
    before: list[str] = []
    here: list[str] = []
    for line in text.split("\n"):
        is_joined = line.endswith("\\")
        part = line[:-1] if is_joined else line
        here.append(part)
        if before:
            before.append(part)
        if is_joined and "#" not in line:
            continue
        if before:
            yield " ".join(before)
        before, here = (here, []) if is_joined else ([], here)
        if here:
            yield " ".join(here)
            here = []
    for lines in (before, here):
        yield " ".join(lines)


def _may_join_comments(text: str) -> bool:
    end = text.find("\\\n")
    while end >= 0:
        if "#" in text[text.rfind("\n", 0, end) + 1 : end]:
            return True
        end = text.find("\\\n", end + 2)
    return False


def names_given(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name before the word ``as`` with the name after it: ``import A as B``, ``import a.b as c``: the last.

    A name is cut to its last 200 characters, so that the time is linear.
    """
    for each in _AS.finditer(text):
        before = text[max(0, each.start() - _LONGEST_NAME) : each.start()]
        name = before.rstrip(_SPACES)
        start = len(name)
        while start and (name[start - 1].isalnum() or name[start - 1] == "_"):
            start -= 1
        if start < len(name) < len(before):
            yield name[start:], each[1]
