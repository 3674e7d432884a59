"""Which functions and classes of Python a change adds, edits or removes, as far as its hunks show.

Only the lines of the diff are read, so it costs next to nothing and needs no whole text. An edit whose ``def``
is outside of the hunk is not named, and a name is as long as the hunk shows: ``step`` where ``class Engine`` is out
of sight.
"""

from __future__ import annotations

from typing import Literal

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

Touch = Literal["added", "changed", "removed"]

MOST_LINES = 20_000
"""Changed lines of a file above which its names are not listed one by one."""

DEEPEST = 20
"""Blocks inside each other that a person writes at most."""

LONGEST_LINE = 400
"""Length of a line above which it is not a definition that a person wrote."""

_DEFINITION = LazyRegex(r"(?:async[ \t]+)?(def|class)[ \t]+([^\W\d]\w*)[ \t]*(?:[(\[:\\]|$)")
_CLOSING = (")", "]", "}")
"""What starts a line that ends no block, whatever its indent: the end of a long signature."""


class Definition(NamedTuple):
    """A function or class, by its dotted name; ``line`` is 1-based, at the head, or at the base if it was removed."""

    name: str
    kind: Literal["def", "class"]
    touch: Touch
    line: int

    @property
    def public(self) -> bool:
        """Whether no part of its name starts with ``_``."""
        return not any(part.startswith("_") for part in self.name.split("."))


class _Seen(NamedTuple):
    name: str
    kind: Literal["def", "class"]
    indent: int
    line: int


def definitions(file: ChangedFile) -> tuple[Definition, ...]:
    """Return what is touched in one file, by line; nothing for a file that is not Python, or huge."""
    if not file.path.endswith(".py") or file.added + file.removed > MOST_LINES:
        return ()
    found: dict[str, Definition] = {}
    for hunk in file.hunks:
        old, _ = _side(hunk, "-")
        new, names = _side(hunk, "+")
        # A function that stays below a class that was renamed has one name, the one at the head.
        kept = [
            each._replace(name=names.get(each.line, each.name)) if each.touch == "changed" else each for each in old
        ]
        for definition in (*kept, *new):
            before = found.get(definition.name)
            found[definition.name] = definition if before is None else _both(before, definition)
    return tuple(sorted(found.values(), key=lambda each: (each.line, each.name)))


def _both(before: Definition, now: Definition) -> Definition:
    """Return what two sightings of one name come to: a definition that goes and comes was changed."""
    if before.touch == now.touch:
        return before
    if {before.touch, now.touch} == {"added", "changed"}:
        return before if before.touch == "added" else now
    kept = before if now.touch == "removed" else now
    return kept._replace(touch="changed")


def _side(hunk: Hunk, sign: Literal["+", "-"]) -> tuple[list[Definition], dict[int, str]]:
    """Return what one side of a hunk shows: definitions on its own lines and around such lines; all names by line."""
    old_line, new_line = hunk.old_start, hunk.new_start
    own: Touch = "added" if sign == "+" else "removed"
    around: list[_Seen] = []
    found: list[Definition] = []
    names: dict[int, str] = {}
    for line in hunk.lines:
        marker = line[:1]
        number = old_line if marker == "-" else new_line
        old_line += marker in {" ", "-"}
        new_line += marker in {" ", "+"}
        if marker not in {sign, " "}:
            continue
        text = line[1:].rstrip()
        code = text.lstrip(" \t")
        if not code or code.startswith("#"):
            continue
        indent = len(text) - len(code)
        if not code.startswith(_CLOSING):
            while around and around[-1].indent >= indent:
                around.pop()
        defined = _DEFINITION.match(code) if len(code) <= LONGEST_LINE and len(around) < DEEPEST else None
        if defined is not None and not any(each.kind == "def" for each in around):
            seen = _Seen(
                ".".join([*(each.name.rpartition(".")[2] for each in around), defined[2]]),
                "class" if defined[1] == "class" else "def",
                indent,
                number,
            )
            around.append(seen)
            names[number] = seen.name
            if marker == sign:
                found.append(Definition(seen.name, seen.kind, own, number))
        elif marker == sign and around:
            within = around[-1]
            found.append(Definition(within.name, within.kind, "changed", within.line))
    return _once(found), names


def _once(found: list[Definition]) -> list[Definition]:
    """Leave out that a definition was changed where it was added or removed itself, or twice."""
    kept: dict[str, Definition] = {}
    for each in found:
        before = kept.get(each.name)
        kept[each.name] = each if before is None or before.touch == "changed" else before
    return list(kept.values())
