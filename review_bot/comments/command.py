"""A command in a comment: ``/review-bot VERB [ID] [REASON]``, on its first line."""

from __future__ import annotations

import re

from review_bot.fingerprints import FORM, STATEMENT
from review_bot.records import NamedTuple

_ID = re.compile(rf"{FORM}|{STATEMENT}")


class Command(NamedTuple):
    """``finding``: the ID that it names, or an empty text; ``reason``: the words after it. Both are untrusted."""

    verb: str
    finding: str = ""
    reason: str = ""


def parse(body: str) -> Command:
    """Return the command of a comment that starts with ``/NAME``; without a verb it is ``help``."""
    words = body.split("\n", 1)[0].split()[1:]
    verb, rest = (words[0].lower(), words[1:]) if words else ("help", [])
    has_id = bool(rest) and _ID.fullmatch(rest[0]) is not None
    return Command(verb, rest[0] if has_id else "", " ".join(rest[has_id:]))


def is_named(fingerprint: str, finding: str) -> bool:
    """Return whether an ID, whole or its first half, names a finding."""
    return fingerprint == finding or fingerprint.startswith(f"{finding}-")
