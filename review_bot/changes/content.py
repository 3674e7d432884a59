"""Distinguishes text from content without text, by the bytes themselves.

git calls a file binary if an attribute says so, if it is very large, or if a NUL is among its first bytes; GitHub shows
no patch then. Each of the three is up to the author, so none of them counts here::

    no NUL among the first 8,000 bytes               text, as for git; bytes that are not UTF-8 are named later
    a byte order mark of UTF-16, and no bad pair     utf-16
    begins as the format of its suffix does          binary   .png, .zip, .tar, .safetensors, ...
    a name that promises text                        text     whatever it holds: .env, Dockerfile, x.py, ...
    nearly all of it is characters, NULs aside       text     under any name
    anything else                                    binary   weights, compiled code, all zeros
"""

from __future__ import annotations

from typing import Literal

from review_bot.changes.text_kinds import has_signature, text_kind
from review_bot.text.lazy_regex import LazyRegex

Content = Literal["text", "utf-16", "binary", "large"]
"""``large``: text, and too much of it."""

SNIFFED = 8000
"""Bytes in which git looks for a NUL to distinguish binary from text (see gitattributes(5), "diff")."""

LARGEST_FILE = 50_000_000
"""Bytes; of a larger file, at most the beginning is read."""

TOO_LARGE = f"larger than {LARGEST_FILE:,} bytes"

_MEASURED = 1_000_000
_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_NO_CHARACTERS = LazyRegex("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f\udc80-\udcff]+")
_FEW = 20
"""One in so many may be a control character, or a byte that is not UTF-8, in what is still text."""


def content_of(path: str, data: bytes, size: int) -> Content:
    """Return what a file holds. ``data``: all its bytes, or the first ones of ``size``."""
    if b"\0" in data[:SNIFFED]:
        if _is_utf16(data):
            return "utf-16"
        if has_signature(path, data) or not (text_kind(path) is not None or _is_mostly_text(data)):
            return "binary"
    return "text" if len(data) == size else "large"


def problem_with(content: Content) -> str | None:
    """Return why a file of this content cannot be reviewed, or None."""
    if content == "utf-16":
        return "UTF-16 text is not supported; save it as UTF-8"
    return TOO_LARGE if content == "large" else None


def _is_mostly_text(data: bytes) -> bool:
    text = data[:_MEASURED].replace(b"\0", b"").decode("utf-8", "surrogateescape")
    return bool(text) and (len(text) - len(_NO_CHARACTERS.sub("", text))) * _FEW < len(text)


def _is_utf16(data: bytes) -> bool:
    encoding = _MARKS.get(data[:2])
    if encoding is None:
        return False
    try:
        data[2 : len(data) - len(data) % 2].decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
