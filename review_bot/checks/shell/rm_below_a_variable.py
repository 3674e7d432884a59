"""``rm -rf $DIR/*`` where nothing above shows that ``DIR`` has a value: then the shell deletes below ``/``.

A variable has one if each assignment in the file gives it some text of its own (``DIR=$ROOT/result``), or if a line
above asks whether it is empty or whether its folder exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DELETES = LazyRegex(
    r"\brm\s+(?=(?:-[a-z]+\s+){0,3}-[a-z]*r)(?:-[a-z]+\s+){1,4}"
    r'"?\$\{?(?P<name>[a-z_]\w*)\}?"?/"?\*?"?(?:\s|[;&|)]|$)',
    re.IGNORECASE,
)
_ASSIGNS = LazyRegex(r"(?:^|[\s;&|(])(?P<name>[A-Za-z_]\w*)=(?P<value>\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
_ASKS = LazyRegex(r"(?:\[\[?|\btest)\s+(?:!\s+)?-[nzdef]\s+\"?\$\{?(?P<name>[A-Za-z_]\w*)\b")
_MAY_BE_EMPTY = LazyRegex(r"\$\w+|\$\{[^{}]*\}|\$\(.*|`.*")
"""Applied twice: a variable may have another one as its default."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each added command that deletes below a variable which may be empty."""
    known: dict[str, bool] = {}
    asked: set[str] = set()
    for number, line in enumerate(source.lines, start=1):
        if line.lstrip().startswith("#"):
            continue
        found = _DELETES.search(line) if number in source.added else None
        if found is not None and found["name"] not in asked and not known.get(found["name"], False):
            yield Hit(number, column=found.start() + 1, end_column=found.end() + 1)
        asked.update(each["name"] for each in _ASKS.finditer(line))
        for each in _ASSIGNS.finditer(line):
            known[each["name"]] = _has_text(each) and known.get(each["name"], True)


def _has_text(assignment: re.Match[str]) -> bool:
    """Return whether a value is more than what other variables and commands give."""
    value = assignment["value"]
    if value.startswith("'"):
        return value.strip("'/ ") != ""
    return _MAY_BE_EMPTY.sub("", _MAY_BE_EMPTY.sub("", value)).strip("\"'/ ") != ""


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("rm $",)))
