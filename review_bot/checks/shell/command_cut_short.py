r"""An option of a command that no longer belongs to it, because the line before it does not continue the command.

::

    serve --model m \
        --port 8000 \ # the default     the shell takes the space for the last argument, and the command ends here
        --host 0.0.0.0
    serve --model m \
        --port 8000                     no backslash
        --host 0.0.0.0 \
        --tokens 8
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_OPTION = LazyRegex(r"([ \t]+)(--[A-Za-z][\w.-]*)")
_ESCAPES_SPACE = LazyRegex(r"\s\\[ \t]")
_OF_USAGE = LazyRegex(r"[\[\]{}|(]")
_COMMENT = LazyRegex(r"\s#")
_INSTRUCTION = LazyRegex(r"\s*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK|ENV|LABEL)\s")
_QUOTES = "'\"`"

_MISSING = "has no backslash"
_SPACE = "has a space after its backslash"
_COMMENT_AFTER = "has a comment after its backslash"
_IS_COMMENT = "is a comment"
_INSTEAD: Mapping[str, str] = {
    _SPACE: "Delete the space after the backslash.",
    _COMMENT_AFTER: "Move the comment above the command, so that the backslash ends the line.",
    _IS_COMMENT: "Move the comment above the command.",
}
"""What to do about a line, by the reason why it ends the command."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first line that ends a command too early, or the option behind it if only that was added."""
    lines, is_cut = ["", *source.lines], False
    for number in range(2, len(lines)):
        line = lines[number]
        option = _OPTION.match(line)
        is_cut = is_cut and bool(option or line.lstrip().startswith("#") or lines[number - 1].rstrip().endswith("\\"))
        reason = _why_cut(lines[number - 2], lines[number - 1], option[1]) if option else ""
        if option and reason:
            values = {"reason": reason, "option": option[2], "line": str(number), "end": str(number - 1)}
            command = lines[_start(lines, number - 2) : number]
            of_docker = reason == _IS_COMMENT and _INSTRUCTION.match(command[0])  # Docker leaves comments out
            if not is_cut and not of_docker and "".join(command).count('"') % 2 == 0:
                place = number - 1 if number - 1 in source.added else number
                yield Hit(place, values=values, instead=_advice(reason, lines[number - 1]))
            is_cut = True


def _start(lines: list[str], number: int) -> int:
    """Return the first line of the command that a line continues."""
    while number > 1 and lines[number - 1].rstrip().endswith("\\"):
        number -= 1
    return number


def _advice(reason: str, line: str) -> str | None:
    """Return what to do about a line that the rule's advice does not fit, which is to add a backslash."""
    if reason == _MISSING and _COMMENT.search(line):
        return "Move the comment above the command, and end the line with a backslash."
    return _INSTEAD.get(reason)


def _why_cut(earlier: str, line: str, indentation: str) -> str:
    """Return why a line does not continue the command that the one before it does; empty if it does, or is of none."""
    escapes = None if line.lstrip().startswith("#") else _ESCAPES_SPACE.search(line)
    if escapes is not None and not (after := line[escapes.end() :].strip()):
        return _SPACE
    if escapes is not None and after.startswith("#"):
        return _COMMENT_AFTER
    if not earlier.rstrip().endswith("\\"):
        return ""
    if line.lstrip().startswith("#"):
        return _IS_COMMENT
    own = _OPTION.match(line)
    is_whole = all(line.count(quote) % 2 == 0 for quote in _QUOTES) and not _OF_USAGE.search(line)
    continues = line.rstrip().endswith("\\")
    return _MISSING if own and own[1] == indentation and is_whole and not continues else ""


CHECK = file_check(examine, CheckTraits(literals=("\\",)))
