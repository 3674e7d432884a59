"""Places that a change leaves behind, in words: "`pkg/run.py:3` and 2 more still import `LIMIT`"."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.findings import Related

MOST_RELATED = 10
_MOST_NAMES = 6


def places_in_words(places: Iterable[Related]) -> tuple[str, bool]:
    """Return the first place and the number of the others, and whether there is only one."""
    found = sorted({(each.path, each.line) for each in places})
    path, line = found[0]
    first = f"`{path}:{line}`"
    return (first, True) if len(found) == 1 else (f"{first} and {len(found) - 1} more", False)


def names_in_words(names: Iterable[str]) -> str:
    """Return names as code, joined."""
    found = [f"`{name}`" for name in sorted(set(names))]
    if len(found) > _MOST_NAMES:
        return f"{', '.join(found[:_MOST_NAMES])} and {len(found) - _MOST_NAMES} more"
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
