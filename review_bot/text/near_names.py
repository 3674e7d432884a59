"""What was probably meant by a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


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
