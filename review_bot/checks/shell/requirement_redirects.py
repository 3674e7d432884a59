"""A version bound that the shell takes for a redirection, as no quotes are around the requirement.

::

    pip install pytest>=6.0                 installs any pytest, and writes pip's output into the file "=6.0"
    pip install "torch<2.6" numpy<2         reads the file "2", which does not exist

Lines that a backslash continues are one command. In Markdown, a command begins its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_INSTALLS = LazyRegex(r"(?:^|[\s;&|(])(?:pip[\d.]*|conda|mamba|micromamba)\s+install\s")
_QUOTED = LazyRegex(r"\"[^\"]*\"|'[^']*'|\\.")
_ENDS = LazyRegex(r"[\"'`;&|]|\s#")
_BOUND = LazyRegex(
    r"(?<=\s)(?P<package>[A-Za-z][\w.-]{0,80}(?:\[[\w,-]{1,80}\])?)(?P<sign>[<>])(?P<file>=?\d+(?:\.\d+|\.\*)*,?)(?P<more><\S+)?(?=\s|$)"
)
_SHOWS = LazyRegex(r"(?:^|[\s;&|(])(?:echo|printf|die|log|info|warn|error|name:)\s|[\"'#]")
"""What comes before a command that is only shown: the rest of the line is a text."""
_STARTS = LazyRegex(r"\s*(?:\$\s*)?(?:sudo\s+)?(?:uv|python[\d.]* -m)?\s*")
_DOES = {
    ">": ("takes this bound for a redirection of the output to a file named", "no version is excluded"),
    "<": ("takes this bound for a redirection of the input from a file named", "the command fails if there is none"),
}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such bound of each command, on its own line."""
    lines = source.lines
    number = 0
    while number < len(lines):
        first = number
        while number < len(lines) - 1 and lines[number].rstrip().endswith("\\"):
            number += 1
        number += 1
        parts = [each.rstrip().removesuffix("\\") for each in lines[first:number]]
        command = "\n".join("" if each.lstrip().startswith("#") else each for each in parts)
        found = _redirected(command, in_prose=source.path.endswith(".md"))
        if found is not None:
            line = first + 1 + command.count("\n", 0, found.start())
            column = found.start() - command.rfind("\n", 0, found.start())
            more = found["more"] or ""  # with "<" in it, the command fails before it could install anything
            does, then = _DOES["<" if more else found["sign"]]
            file = more.removeprefix("<") or found["file"]
            values = {"requirement": found[0], "file": file, "does": does, "then": then}
            yield Hit(line, column=column, end_column=column + len(found[0]), values=values)


def _redirected(command: str, *, in_prose: bool) -> re.Match[str] | None:
    """Return the first requirement with a bound outside quotes that a command installs.

    ``in_prose``: a line is a command only if it begins with it.
    """
    begin = _INSTALLS.search(command)
    if begin is None or _SHOWS.search(command[: begin.start() + 1]):
        return None
    if in_prose and not _STARTS.fullmatch(command[: begin.start()]):
        return None
    plain = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), command[begin.end() - 1 :])
    end = _ENDS.search(plain)
    return _BOUND.search(" " * (begin.end() - 1) + plain[: end.start() if end else len(plain)])


CHECK = file_check(examine, CheckTraits(literals=("install >", "install <")))
