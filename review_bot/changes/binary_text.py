"""Tells text that git takes for binary from what has no text.

Git calls a file binary if an attribute says so, if it is very large, or if a NUL stands among its first bytes. A change
must not be able to hide its text behind any of the three.
"""

from __future__ import annotations

from typing import Literal

Content = Literal["text", "utf-16", "binary", "source", "large"]
"""``source``: no text, under a name that promises source code; ``large``: text, and too much of it."""

_SNIFFED = 8000
_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_SOURCE_SUFFIXES = (
    ".bash", ".c", ".cc", ".cpp", ".cu", ".cuh", ".go", ".h", ".hpp", ".java", ".js", ".md", ".py", ".pyi", ".pyx",
    ".rs", ".sh", ".toml", ".yaml", ".yml",
)  # fmt: skip


def content_of(path: str, data: bytes, size: int) -> Content:
    """Return what a file holds. ``data``: all its bytes, or the first ones of ``size``."""
    if _is_text(data):
        return "text" if len(data) == size else "large"
    if _is_utf16(data):
        return "utf-16"
    return "source" if path.lower().endswith(_SOURCE_SUFFIXES) else "binary"


def _is_text(data: bytes) -> bool:
    if b"\0" not in data[:_SNIFFED]:
        return True
    # A lone NUL makes no binary of a text; in what is binary they are many, or the rest is no UTF-8.
    if data.count(b"\0") > max(1, len(data) // 100):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_utf16(data: bytes) -> bool:
    encoding = _MARKS.get(data[:2])
    if encoding is None:
        return False
    try:
        data[2 : len(data) - len(data) % 2].decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
