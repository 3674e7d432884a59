"""What was probably meant by a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

MOST_PAIRS = 50_000
"""Pairs of names that are compared for one set of known names: a change could bring thousands of unknown ones."""
_LONGEST = 200
"""Characters of a name that is compared."""


class NearNames:
    """Finds the nearest of some known names. ``least``: how alike two must be, from 0 to 1."""

    def __init__(self, known: Iterable[str], least: float) -> None:
        self._known = sorted(each for each in set(known) if len(each) <= _LONGEST)
        self._least, self._left = least, MOST_PAIRS
        self._found: dict[str, str] = {}

    def nearest(self, name: str) -> str:
        """Return the known name that is nearest; nothing if none is near, or if too many were asked for."""
        from difflib import get_close_matches  # needed for mistakes alone

        if name not in self._found:
            self._left -= len(self._known)
            compares = self._left >= 0 and len(name) <= _LONGEST
            near = get_close_matches(name, self._known, 1, self._least) if compares else []
            self._found[name] = "".join(near)
        return self._found[name]


def did_you_mean(name: str, known: Iterable[str], *, meant: Mapping[str, str] | None = None) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name that is nearest, or ``""`` if none is near.

    ``meant``: known name → the text to show for it.
    """
    from difflib import get_close_matches  # needed for mistakes alone

    spelled = {each.lower().replace("_", "-"): each for each in sorted(known)}
    near = get_close_matches(name.lower().replace("_", "-")[:100], spelled, n=1, cutoff=0.7)
    if not near:
        return ""
    found = spelled[near[0]]
    return f"; did you mean {found if meant is None else meant[found]!r}?"
