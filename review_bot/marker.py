"""The line that ends each of our comments and tells which one it is: ``<!-- review-bot:1 NAME KIND FINGERPRINTS -->``.

GitHub shows nothing of it. ``1`` is the version of this form. A person may edit our comment and write below it, so the
line need not be the last one; inside a code block it is somebody's text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from review_bot.late_pattern import LatePattern

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"

NAME = LatePattern(_NAME)
"""What may name a Review Bot: two of them in one pull request tell their comments apart by it."""

KINDS = ("summary", "inline", "file")

_MARKER = LatePattern(
    rf"<!-- review-bot:1 (?P<name>{_NAME}) (?P<kind>{'|'.join(KINDS)})"
    r"(?: (?P<fingerprints>[0-9a-f]{16}-[0-9a-f]{8}(?:,[0-9a-f]{16}-[0-9a-f]{8})*))? -->"
)
_FENCE = LatePattern(r" {0,3}(?P<ticks>`{3,}|~{3,})(?P<rest>.*)")


class Marker(NamedTuple):
    """Which comment it is. ``fingerprints``: the findings that it is about, in the order that they were written."""

    name: str
    kind: str
    fingerprints: tuple[str, ...]


def write(name: str, kind: str, fingerprints: Iterable[str] = ()) -> str:
    """Return the marker as one line, without a line end. Raises ValueError if it could not be read again."""
    words = " ".join(part for part in (name, kind, ",".join(fingerprints)) if part)
    line = f"<!-- review-bot:1 {words} -->"
    if not _MARKER.fullmatch(line):
        raise ValueError(f"no marker can be made of {words!r}")
    return line


def read(body: str, name: str) -> Marker | None:
    """Return the marker of a comment, or None if it has none or one of another name."""
    lines = [line.rstrip() for line in body.rstrip().split("\n")]
    match = _MARKER.fullmatch(lines[-1])
    if match is None:
        for line in _outside_fences(lines):
            match = _MARKER.fullmatch(line) or match
    if match is None or match["name"] != name:
        return None
    fingerprints = match["fingerprints"]
    return Marker(match["name"], match["kind"], tuple(fingerprints.split(",")) if fingerprints else ())


def _outside_fences(lines: list[str]) -> list[str]:
    """Return the lines that are in no fenced code block; an open one runs to the end of the text.

    Source: https://github.github.com/gfm/#fenced-code-blocks
    """
    found = []
    fence = ""
    for line in lines:
        match = _FENCE.fullmatch(line)
        if fence:
            if match and match["ticks"].startswith(fence) and not match["rest"].strip():
                fence = ""
        elif match and not (match["ticks"][0] == "`" and "`" in match["rest"]):
            fence = match["ticks"]
        else:
            found.append(line)
    return found
