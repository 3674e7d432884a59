"""Calls that a look at one file by itself has noted by their places, found again with what the tree says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from review_bot.analysis.facts.call_targets import CallTargets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.python.statements import last_name

Noted = TypeVar("Noted")

Place = tuple[int, int, str]
"""Of a call: its line (1-based), its column (bytes from 0, as in ``ast``), and the last name under which it calls."""


def calls_at(
    targets: CallTargets, path: str, places: Mapping[Place, Noted], *, hidden: bool = False
) -> Iterator[tuple[CodeFile, Call, Noted]]:
    """Yield the calls of a file at some places, with what was noted, except where they are to fail or do not run.

    ``hidden``: see ``CodeFile.calls``.
    """
    file = targets.file(path) if places else None
    for call in () if file is None else file.calls(frozenset(name for _, _, name in places), hidden=hidden):
        place = call.node.lineno, call.node.col_offset, last_name(call.node.func)
        if file is not None and place in places:
            yield file, call, places[place]
