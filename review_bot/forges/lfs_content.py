"""Recognises the content of Git LFS objects in a working tree.

No filter of the repository runs here, ``git-lfs clean`` included. A file whose time stamp has changed is therefore
compared with its pointer, and would look modified although it holds exactly what the pointer names.
"""

import os
import re
from hashlib import sha256

_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize ([0-9]{1,18})\n")
"""https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md; a pointer with extensions is not recognised."""

LARGEST_POINTER = 1024
"""Bytes."""

_PIECE = 1 << 20


def is_content_of(pointer: bytes, path: str) -> bool:
    """Return whether a regular file holds what a pointer names. Nothing is read where the size differs."""
    match = _POINTER.fullmatch(pointer)
    if match is None:
        return False
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as stream:
            if os.fstat(handle).st_size != int(match[2]):
                return False
            digest = sha256()
            while piece := stream.read(_PIECE):
                digest.update(piece)
    except OSError:
        return False
    found: str = digest.hexdigest()
    return found.encode() == match[1]
