"""What was probably meant by a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name that is nearest, or ``""`` if none is near."""
    from difflib import get_close_matches  # needed for mistakes alone

    spelled = {each.lower().replace("_", "-"): each for each in sorted(known)}
    near = get_close_matches(name.lower().replace("_", "-")[:100], spelled, n=1, cutoff=0.7)
    return f"; did you mean {spelled[near[0]]!r}?" if near else ""
