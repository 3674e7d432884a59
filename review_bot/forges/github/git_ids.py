"""Ids of git objects: what one looks like, and the id of a content."""

from __future__ import annotations

from hashlib import sha1, sha256
from typing import Annotated

from pydantic import StringConstraints

ObjectId = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
"""SHA-1 or SHA-256, in hexadecimal digits; nothing else enters a path or a query."""


def blob_id(data: bytes, like: str) -> str:
    """Return git's id of a content, in the object format of the id ``like``."""
    make = sha256 if len(like) == 64 else sha1
    # git's own name for it, no secret
    return make(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
