"""What came of comparing one fact of a contract with a library."""

from __future__ import annotations

from review_bot.records import NamedTuple


class CallResult(NamedTuple):
    """A call or a name of a file of contracts; ``problems`` are the differences from its contract."""

    path: str
    call: str
    problems: tuple[str, ...]
