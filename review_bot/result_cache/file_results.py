"""Keeps the results for the files of one repository, in one file of the cache folder: a line for each.

::

    key of the input  result as JSON        used last
    ...
    key of the input  result as JSON        used longest ago: the first to go

A result is parsed only if its key is asked for, and then it is checked against the types of its fields, like one that
comes from another process.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from review_bot.files.cache_folder import CacheFolder
from review_bot.processes import typed_json
from review_bot.result_cache.keys import FileKeys

if TYPE_CHECKING:
    from review_bot.engine.file_examination import FileInput, FileResult

LARGEST = 40_000_000
"""Bytes of the results that are kept for one repository."""


class FileResults:
    """Results of files by their keys, as an earlier run left them and as this one finds them."""

    def __init__(self, folder: CacheFolder, name: str, keys: FileKeys) -> None:
        self._folder = folder
        self._name = name
        self._keys = keys
        self._earlier = _lines(folder.read(name, LARGEST + 100) or b"")
        self._used: dict[str, bytes] = {}
        self._is_new = False

    def recall(self, given: FileInput) -> Any:
        """Return the result for a file as parsed JSON; None if there is none."""
        key = self._keys.of(given)
        kept = self._earlier.pop(key, None)
        if kept is None:
            return None
        self._used[key] = kept
        return parsed(kept)

    def keep(self, given: FileInput, result: FileResult) -> None:
        """Keep the result for a file, unless something prevented a rule from looking at all of it."""
        if not result.failures and not result.unreviewed:
            self._used[self._keys.of(given)] = typed_json.encode(result).encode("ascii")
            self._is_new = True

    def write(self) -> None:
        """Write what was found in this run, and of earlier runs what there is room for."""
        if not self._is_new:
            return
        lines: list[bytes] = []
        left = LARGEST
        for key, result in [*self._used.items(), *self._earlier.items()]:
            left -= len(key) + len(result) + 2
            if left < 0:
                break
            lines += [key.encode("ascii"), b" ", result, b"\n"]
        self._folder.write(self._name, b"".join(lines))


def parsed(content: bytes) -> Any:
    """Return JSON as plain data, or None for what is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _lines(content: bytes) -> dict[str, bytes]:
    found = (line.partition(b" ") for line in content.split(b"\n") if line)
    return {key.decode("ascii", "replace"): result for key, _, result in found}
