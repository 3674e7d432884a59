"""Recognises pointers of Git LFS, by the whole of their grammar; what only begins like one is text.

::

    version https://git-lfs.github.com/spec/v1
    ext-0-name sha256:...                         at most ten, sorted, each priority once
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
    size 12345

Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md. The spec leaves the hash open; git-lfs writes and
reads SHA-256 alone. No line has room for text of the author's choice but the names of extensions, in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.changes.pull_request import Hunk
from review_bot.text.lazy_regex import LazyRegex

LARGEST = 1024
"""Bytes; a pointer is smaller."""

_POINTER = LazyRegex(
    r"version https://git-lfs\.github\.com/spec/v1\n"
    r"((?:ext-[0-9]-[a-z0-9.-]{1,100} sha256:[0-9a-f]{64}\n){0,10})"
    r"oid sha256:[0-9a-f]{64}\n"
    r"size (?:0|[1-9][0-9]{0,18})\n"
)
_CONTEXT = 3


def is_pointer(text: str) -> bool:
    """Return whether a whole text is a pointer of Git LFS."""
    if len(text) >= LARGEST:
        return False
    found = _POINTER.fullmatch(text)
    if found is None:
        return False
    extensions = found[1].splitlines()
    priorities = {line[:5] for line in extensions}
    return extensions == sorted(extensions) and len(priorities) == len(extensions)


def shows_pointer(hunks: Sequence[Hunk], *, old: bool) -> bool:
    """Return whether hunks show all of one side of a file, and that it is a pointer. ``old``: the old side."""
    if len(hunks) != 1:
        return False
    (hunk,) = hunks
    if (hunk.old_start if old else hunk.new_start) != 1 or _goes_on(hunk):
        return False  # a diff ends in so many lines that did not change where the file goes on
    gone, last = "+" if old else "-", ""
    lines: list[str] = []
    for line in hunk.lines:
        if line[:1] == "\\":
            if last != gone:
                return False  # the last line has no line end
            continue
        last = line[:1]
        if last != gone:
            lines.append(line[1:])
    return is_pointer("".join([f"{line}\n" for line in lines]))


def _goes_on(hunk: Hunk) -> bool:
    last = hunk.lines[-_CONTEXT:]
    return len(last) == _CONTEXT and all(line[:1] == " " for line in last)
