"""The line that ends and identifies each of our comments: ``<!-- review-bot:1 NAME KIND FINGERPRINTS -->``.

GitHub shows nothing of it. ``1`` is the version of this form. A person may edit our comment and write below it, so the
line need not be the last one; inside a code block it is someone's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

from review_bot.comments.model import Accepted, Declined
from review_bot.fingerprints import FORM
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
"""The name of an installation; two of them on one pull request recognise their own comments by it."""

KINDS = ("summary", "inline", "file")

_FINGERPRINTS = f"{FORM}(?:,{FORM})*"
_MARKER = LazyRegex(
    rf"<!-- review-bot:1 (?P<name>{_NAME}) (?P<kind>{'|'.join(KINDS)})"
    rf"(?: (?P<fingerprints>{_FINGERPRINTS}))? -->"
)
_DECLINED = LazyRegex(
    rf"<!-- review-bot:declined (?P<name>{_NAME}) (?P<fingerprints>{_FINGERPRINTS})"
    r" by=(?P<by>[^\s<>]*) path=(?P<path>[^\s<>]*) reason=(?P<reason>[^\s<>]*) -->"
)
_ACCEPTED = LazyRegex(
    rf"<!-- review-bot:accepted (?P<name>{_NAME}) (?P<fingerprints>{_FINGERPRINTS})"
    r" by=(?P<by>[^\s<>]*) head=(?P<head>[0-9a-f]{40,64}) command=(?P<command>[0-9]{1,18})"
    r" reason=(?P<reason>[^\s<>]*) -->"
)
_FENCE = LazyRegex(r" {0,3}(?P<ticks>`{3,}|~{3,})(?P<rest>.*)")


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


def write_declined(name: str, declined: Declined) -> str:
    """Return the line that records declined findings: ``<!-- review-bot:declined NAME FINGERPRINTS by=... -->``.

    Texts of people are percent-encoded, so that nothing in them ends the line. Raises ValueError if it could not be
    read again.
    """
    by, path, reason = (_encoded(text) for text in (declined.by, declined.path or "", declined.reason))
    return _record(_DECLINED, "declined", name, declined.fingerprints, f"by={by} path={path} reason={reason}")


def read_declined(body: str, name: str) -> Declined | None:
    """Return the last such line of a comment, read, or None if there is none of that name."""
    match = _last(_DECLINED, body, name)
    return match and Declined(
        tuple(match["fingerprints"].split(",")),
        _decoded(match["by"]),
        _decoded(match["reason"]),
        _decoded(match["path"]) or None,
        body=body,
        line=match[0],
    )


def write_accepted(name: str, accepted: Accepted) -> str:
    """Return the line that records accepted findings, in the form of ``write_declined``. Raises ValueError."""
    by, reason = _encoded(accepted.by), _encoded(accepted.reason)
    fields = f"by={by} head={accepted.head} command={accepted.command} reason={reason}"
    return _record(_ACCEPTED, "accepted", name, accepted.fingerprints, fields)


def read_accepted(body: str, name: str) -> Accepted | None:
    """Return the last such line of a comment, read, or None if there is none of that name."""
    match = _last(_ACCEPTED, body, name)
    return match and Accepted(
        tuple(match["fingerprints"].split(",")),
        _decoded(match["by"]),
        _decoded(match["reason"]),
        match["head"],
        int(match["command"]),
        body=body,
        line=match[0],
    )


def _record(pattern: LazyRegex, what: str, name: str, fingerprints: Iterable[str], fields: str) -> str:
    line = f"<!-- review-bot:{what} {name} {','.join(fingerprints)} {fields} -->"
    if not pattern.fullmatch(line):
        raise ValueError(f"no line can be made of {line!r}")
    return line


def _last(pattern: LazyRegex, body: str, name: str) -> re.Match[str] | None:
    lines = _outside_fences([line.rstrip() for line in body.split("\n")])
    found = [match for line in lines if (match := pattern.fullmatch(line)) and match["name"] == name]
    return found[-1] if found else None


def _encoded(text: str) -> str:
    return quote(text, safe="/", errors="surrogatepass")


def _decoded(text: str) -> str:
    return unquote(text, errors="replace")


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
