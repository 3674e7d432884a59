r"""How Markdown is written here: the only user of jinja2's templates, and the one place that escapes.

The templates hold all markup. What one prints passes through ``show``, which knows text of people and code (escaped),
``Code`` (a code span), ``Link`` (a code span with a percent-encoded address) and what is made of these. A path, a line
of code or a message can thus make no link, picture, mention, heading or HTML.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.compiled_templates import CompiledTemplates
from review_bot.reports.content.items import Item
from review_bot.text.console import disarm
from review_bot.text.lazy_regex import LazyRegex

LONGEST = 60_000
"""UTF-8 bytes of a summary; GitHub takes 65,536 in a comment."""

SIZES = ((25, 5), (12, 3), (5, 2), (2, 1))
"""(entries of a list, places of an entry): the next pair is tried when the text is too long."""

_LONGEST_NAME = 300

_PUNCTUATION = LazyRegex(r"[\\`*_{}\[\]<>#|~&$!^]")
_AT_START = LazyRegex(r"^(?:[-+=:]|\d+(?=[.)]))")
# GitHub makes links of these when it reads the finished text, where a backslash is gone; a zero-width space is not.
_LINKING = LazyRegex(r"[@#]|(?i:\bGH-)|(?i:www\.)|(?<![A-Za-z0-9])(?i:[a-z0-9]+:)(?=//)|\b[0-9A-Fa-f]{7,}\b")
_KEY = LazyRegex(r"[a-z][a-z0-9]*(?:[-/][a-z0-9]+)*")
_SPACE = "\u200b"
_ADDRESS_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:/?#=%-._~&+,")


class Code(str):
    """Text of a code span."""

    __slots__ = ()


class Link(NamedTuple):
    """A code span that leads to an address, if that is one of https."""

    text: Code
    url: str


class Phrase(tuple[str | Code | Link, ...]):
    """Texts, code and links in a row. Blanks at the ends of a text are kept for the parts around it."""

    __slots__ = ()


class Key(str):
    """By which a line to tick is found again; a hidden comment that readers do not see."""

    __slots__ = ()


class Fence(NamedTuple):
    """Lines of code as they are, in a fence that is longer than every run of backticks inside."""

    language: str
    text: str


class Several(tuple[Code, ...]):
    """Code spans with commas between them."""

    __slots__ = ()


class Entry(NamedTuple):
    """One line of a list: what, a path or a rule if it has one, and why."""

    name: str = ""
    subject: Code | None = None
    reason: str = ""


def entry(item: Item) -> Entry:
    """Return a line of a list."""
    return Entry(item.kind, name(item.subject), item.reason)


def fitted(
    write: Callable[[dict[str, Any]], str],
    read: Callable[[int, int], dict[str, Any]],
    sizes: Sequence[tuple[int, int]],
    longest: int,
) -> str:
    """Return the text of the first size that has at most ``longest`` UTF-8 bytes, else that of the last."""
    text = ""
    for entries, places in sizes:
        text = write(read(entries, places)).rstrip("\n") + "\n"
        if len(text.encode()) <= longest:
            break
    return text


def show(value: object) -> str:
    """Return a value of the template as Markdown. Raises TypeError for any other type."""
    for kind, write in _WRITERS.items():
        if isinstance(value, kind):
            return write(value)
    raise TypeError(f"the template prints a {type(value).__name__}")


def _link(link: Link) -> str:
    return f"[{code(link.text)}]({address(link.url)})" if link.url.startswith("https://") else code(link.text)


def _fence(fence: Fence) -> str:
    ticks = "`" * max(3, max(map(len, re.findall("`+", fence.text)), default=0) + 1)
    return f"{ticks}{fence.language}\n{fence.text}{fence.text and chr(10)}{ticks}"


def _key(key: Key) -> str:
    return f"<!-- review-bot:tick {key} -->" if _KEY.fullmatch(key) else ""


def _several(codes: Several) -> str:
    return ", ".join(map(code, codes))


def _phrase(phrase: Phrase) -> str:
    written = ""
    for part in phrase:
        shown = show(part) if isinstance(part, Code | Link) else _with_blanks(part)
        apart = _SPACE if written.endswith("`") and shown.startswith("`") else ""  # else two fences would be one
        written += apart + shown
    return written


def prose(text: str) -> str:
    """Return text in one line that reads as it is written; text between single backticks becomes code."""
    escaped = [code(part) if number % 2 else _escape(part) for number, part in enumerate(wording.text_and_code(text))]
    return "".join(escaped)


def _with_blanks(text: str) -> str:
    return " " * (text[:1] == " ") + prose(text) + " " * (text[-1:] == " " and bool(text.strip(" ")))


def code(text: str) -> str:
    """Return a code span in one line; its fence is longer than every run of backticks inside."""
    shown = disarm(text).replace("@", "@" + _SPACE)
    if not shown.strip(" "):
        return "(blank)"
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def address(url: str) -> str:
    """Return the destination of a link, with everything else but plain address characters percent-encoded."""
    encoded = (
        char if char in _ADDRESS_SAFE else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
        for char in url
    )
    return "".join(encoded)


_WRITERS: dict[type, Callable[[Any], str]] = {
    Code: code,
    Link: _link,
    Fence: _fence,
    Key: _key,
    Phrase: _phrase,
    Several: _several,
    str: prose,
    int: str,
}
"""How each kind of value is written; the first that fits."""


def _escape(text: str) -> str:
    shown = _LINKING.sub(lambda match: "".join(f"{part}{_SPACE}" for part in _sixes(match[0])), disarm(text))
    shown = _PUNCTUATION.sub(lambda match: "\\" + match[0], shown)
    return _AT_START.sub(lambda match: match[0] + _SPACE if match[0].isdigit() else "\\" + match[0], shown)


def _sixes(text: str) -> list[str]:
    """Return text in parts of six characters, too short for GitHub to take one for a commit."""
    return [text[start : start + 6] for start in range(0, len(text), 6)]


@cache
def environment() -> Environment:
    """Return the templates of this package; whatever one prints passes through ``show``."""
    templates = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
    # HTML escaping is not enough for Markdown: `show` escapes every value, whatever the template does with it.
    return Environment(  # noqa: S701  # finalize escapes, see above
        loader=FileSystemLoader(templates),
        finalize=show,
        undefined=StrictUndefined,
        bytecode_cache=CompiledTemplates(templates),
    )


def name(text: str) -> Code:
    """Return a path or a rule as a code span that is not too long."""
    return Code(wording.shortened(text, _LONGEST_NAME))
