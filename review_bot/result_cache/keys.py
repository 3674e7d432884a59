"""Keys of results: digests of all that a result depends on, taken from the very values that it is computed from.

The values are written as JSON, as they are sent between processes (``processes.typed_json``). Values of one type that
differ are written differently, so no field has to be named here, and none can be forgotten.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from review_bot.processes import typed_json
from review_bot.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from review_bot.engine.file_examination import FileInput


def of_rulebook(rulebook: Rulebook, code: str) -> str:
    """Return the key of some rules, as they are configured, and of the code that runs them."""
    kinds = [type(rule.matcher).__name__ for rule in rulebook.rules]  # the one field that may be of several types
    fields = rulebook._asdict()
    del fields["load_check"]  # a function of the code
    return digest([code, kinds, fields])


def digest(value: Any) -> str:
    """Return the digest of plain data."""
    return sha256(typed_json.encode(value).encode("ascii")).hexdigest()


class FileKeys:
    """Makes the keys of files under one rulebook. What several inputs share, such as a text, is read once."""

    def __init__(self, rulebook: str) -> None:
        self._rulebook = rulebook
        self._known: dict[int, tuple[Any, str]] = {}

    def of(self, given: FileInput) -> str:
        """Return the key of a file."""
        parts = given._asdict() | {"files": [*map(self._once, given.files)], "known": self._once(given.known)}
        return digest([self._rulebook, parts])

    def _once(self, value: Any) -> str:
        if id(value) not in self._known:
            self._known[id(value)] = value, digest(value)  # the value too, so that nothing else gets its id
        return self._known[id(value)][1]
