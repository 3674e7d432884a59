"""Names for findings that survive a rebase: ``A-B``.

``A``: the first 16 hex digits of SHA-256(rule NUL normalised statement);
``B``: the first 8 of SHA-256(path at the base NUL ordinal), the ordinal counting this rule's findings with an equal
statement in the file, top down, from 0. Normalised: each run of white space becomes one blank, ends trimmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from review_bot.text.lazy_regex import LazyRegex

STATEMENT = r"[0-9a-f]{16}"
FORM = rf"{STATEMENT}-[0-9a-f]{{8}}"
"""What a fingerprint looks like, and its first half alone; for use in larger patterns."""

_FINGERPRINT = LazyRegex(FORM)

_MOST_ALIKE = 50
"""Findings of a file with one rule and statement that are known by their fingerprints."""


def normalise(statement: str) -> str:
    """Make white space count for nothing but separation."""
    return " ".join(statement.split())


def fingerprint(rule: str, statement: str, base_path: str, ordinal: int) -> str:
    """Return the fingerprint of a finding; ``base_path`` is empty for one about the whole pull request."""
    what = sha256(f"{rule}\0{normalise(statement)}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{what}-{_place(base_path, ordinal)}"


def _place(base_path: str, ordinal: int) -> str:
    return sha256(f"{base_path}\0{ordinal}".encode("utf-8", "surrogatepass")).hexdigest()[:8]


def is_of_file(fingerprint: str, base_path: str) -> bool:
    """Return whether a fingerprint is of a file, as one of the first findings with its statement there."""
    place = fingerprint.partition("-")[2]
    return any(place == _place(base_path, ordinal) for ordinal in range(_MOST_ALIKE))


def is_fingerprint(text: str) -> bool:
    """Return whether a text has the form of a fingerprint."""
    return _FINGERPRINT.fullmatch(text) is not None


def statement_part(fingerprint: str) -> str:
    """Return the first half, which names rule and statement wherever they are."""
    return fingerprint.partition("-")[0]


def shared_fingerprints(fingerprints: Iterable[str]) -> frozenset[str]:
    """Return those that occur several times."""
    return frozenset(name for name, times in Counter(fingerprints).items() if times > 1)
