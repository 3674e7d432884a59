"""``rm -rf $DIR/*`` where nothing above shows that ``DIR`` has a value: then the shell deletes below ``/``.

A variable has one if each assignment in the file gives it some text of its own (``DIR=$ROOT/result``), or if a line
above asks whether it is empty or whether its folder exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DELETES = LazyRegex(
    r"\brm\s+(?=(?:-[a-z]+\s+){0,3}-[a-z]*r)(?:-[a-z]+\s+){1,4}"
    r'"?\$\{?(?P<name>[a-z_]\w*)\}?"?/"?\*?"?(?:\s|[;&|)]|$)',
    re.IGNORECASE,
)
_ASSIGNS = LazyRegex(r"(?:^|[\s;&|(])(?P<name>[A-Za-z_]\w*)=(?P<value>\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
_ASKS = LazyRegex(r"(?:(?:^|[\s!;&|(])\[\[?|\btest)\s[^\];&|]*")
_CREATES = LazyRegex(r"\bmkdir\s[^;&|]*")
_NAMED = LazyRegex(r"\$\{?([A-Za-z_]\w*)")
_SETS = LazyRegex(r"\$\{(\w+):?[?=]|\bfor\s+(\w+)\s+in\s")
"""``${name:?}``, ``${name:=text}`` and loops, after which a variable has a value."""
_STOPS = LazyRegex(r"(?m)^\s*set\s+-[a-z]*e|^#!.*\s-[a-z]*e")
_ALWAYS_SET = frozenset({"GITHUB_WORKSPACE", "HOME", "PWD", "RUNNER_TEMP"})
"""Variables to which the shell or the runner gives a value."""
_PRINTS = LazyRegex(r"[\"']?(?:\$\(|`)\s*(?:pwd|dirname\s|cd\s.*\bpwd)\b")
_MAKES_FOLDER = LazyRegex(r"[\"']?(?:\$\(|`)\s*mktemp\b")
_DEFAULT = LazyRegex(r"\$\{\w+:?(?:(?P<insists>\?)|[-=])(?P<default>[^{}]*)\}")
_MAY_BE_EMPTY = LazyRegex(r"\$\w+|\$\{[^{}]*\}|\$\(.*|`.*")
"""Applied twice: a variable may have another one as its default."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each added command that deletes below a variable which may be empty."""
    known: dict[str, bool] = dict.fromkeys(_ALWAYS_SET, True)
    asked: set[str] = set()
    stops = _STOPS.search(source.text or "") is not None
    for number, line in enumerate(source.lines, start=1):
        if line.lstrip().startswith("#"):
            continue
        found = _DELETES.search(line) if number in source.added else None
        if found is not None:
            asked |= _asked(line[: found.start()], stops=True)
            if found["name"] not in asked and not known.get(found["name"], False):
                yield Hit(number, column=found.start() + 1, end_column=found.end() + 1)
        asked |= _asked(line, stops=stops)
        for each in _ASSIGNS.finditer(line):
            known[each["name"]] = _has_text(each, stops=stops) and known.get(each["name"], True)


def _asked(text: str, *, stops: bool) -> set[str]:
    """Return the variables that have a value where the commands of a text succeed, and those that they test."""
    commands = [each[0] for each in _ASKS.finditer(text)]
    commands += [each[0] for each in _CREATES.finditer(text)] if stops else []
    found = {name for command in commands for name in _NAMED.findall(command)}
    return found | {each[1] or each[2] for each in _SETS.finditer(text)}


def _has_text(assignment: re.Match[str], *, stops: bool) -> bool:
    """Return whether a value is more than what other variables give, and commands that may print nothing."""
    value, written = assignment["value"], assignment.string[assignment.start("value") :]
    if value.startswith("'"):
        return value.strip("'/ ") != ""
    if _PRINTS.match(written) or (stops and _MAKES_FOLDER.match(written)):
        return True
    value = _DEFAULT.sub(lambda each: "set" if each["insists"] else each["default"], value)
    return _MAY_BE_EMPTY.sub("", _MAY_BE_EMPTY.sub("", value)).strip("\"'/ ") != ""


CHECK = file_check(examine, CheckTraits(literals=("rm $",)))
