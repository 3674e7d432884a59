"""The measured precision of a rule.

The figures come from labelled findings (docs/evidence.md); ``rules/evidence/precision.json`` holds them.
"""

from __future__ import annotations

import math

from review_bot.records import NamedTuple

_Z = 1.959964
"""The normal distribution between -z and z is 95 %."""


class Precision(NamedTuple):
    """Counts of a rule's labelled findings. ``gone``: no longer reported by the rule, and not counted elsewhere.

    ``waiting``: annotated without agreement or adjudication yet. ``shown``: judged findings that are comments on lines;
    the same rule may report others in the summary only.
    """

    judged: int = 0
    true: int = 0
    useful: int = 0
    repositories: int = 0
    gone: int = 0
    waiting: int = 0
    shown: int = 0
    shown_useful: int = 0

    @property
    def share(self) -> float:
        """The share of the judged findings that is useful, 0 to 1."""
        return self.useful / self.judged if self.judged else 0.0

    @property
    def lower(self) -> float:
        """The lower end of Wilson's 95 % interval of that share (Wilson 1927, without continuity correction)."""
        return wilson_lower(self.useful, self.judged)


NOT_MEASURED = Precision()


def wilson_lower(hits: int, of: int) -> float:
    """Return the lower end of Wilson's 95 % interval for a share of ``hits`` among ``of``; 0 for no hits."""
    if not hits:
        return 0.0
    share, z2 = hits / of, _Z * _Z
    middle = share + z2 / (2 * of)
    spread = _Z * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, (middle - spread) / (1 + z2 / of))
