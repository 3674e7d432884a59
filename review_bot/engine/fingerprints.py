"""Names for findings that survive a rebase: ``A-B``.

``A``: the first 16 hex digits of SHA-256(rule NUL normalised statement);
``B``: the first 8 of SHA-256(path at the base NUL ordinal), the ordinal counting this rule's findings with an equal
statement in the file, top down, from 0. Normalised: each run of white space becomes one blank, ends trimmed.
"""

from __future__ import annotations

from hashlib import sha256


def normalise(statement: str) -> str:
    """Make white space count for nothing but separation."""
    return " ".join(statement.split())


def fingerprint(rule: str, statement: str, base_path: str, ordinal: int) -> str:
    """Return the fingerprint of a finding; ``base_path`` is empty for one about the whole pull request."""
    what = sha256(f"{rule}\0{normalise(statement)}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    where = sha256(f"{base_path}\0{ordinal}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{what}-{where}"
