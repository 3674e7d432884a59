"""The measured precision of a rule, and the bar that a rule must reach to comment on lines or to fail the gate.

The figures come from labelled findings (docs/evidence.md); ``rules/evidence/precision.json`` holds them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from review_bot.findings import Severity

USEFUL = 0.90
"""Share of the judged findings of an inline rule that must be useful."""

FEWEST = 10
"""With fewer judged findings a share is not meaningful: the rule comments on lines only if its fact is provable."""

FEWEST_OF_AN_ERROR = 20
TRUE_OF_AN_ERROR = 0.95
"""A rule that fails the gate needs a provable fact, or this many judged findings with this share true."""

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
    shown_true: int = 0
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


class RulePlacement(NamedTuple):
    """Where a rule reports: on lines, and with which severity. ``provable``: its fact follows from the text."""

    rule: str
    inline: bool
    severity: Severity
    provable: bool


def placement_problems(rules: Iterable[RulePlacement], measured: dict[str, Precision]) -> list[str]:
    """Return a sentence for each rule that comments on lines, or fails the gate, without reaching the bar."""
    problems: list[str] = []
    for rule in rules:
        found = measured.get(rule.rule, NOT_MEASURED)
        if rule.inline and (problem := _inline_problem(rule, found)):
            problems.append(f"{rule.rule}: {problem}")
        if rule.severity == "error" and not rule.provable and not _certain(found):
            needs = f"a provable fact, or {FEWEST_OF_AN_ERROR} judged findings with {TRUE_OF_AN_ERROR:.2f} true"
            problems.append(f"{rule.rule}: `error` needs {needs}; {found.true} of {found.judged} judged are true")
    return problems


def _inline_problem(rule: RulePlacement, found: Precision) -> str:
    """Return what is missing, if anything: a provable fact makes up for few labels, not for bad ones."""
    if rule.provable and found.true < found.judged:
        return f"its fact is declared provable, but {found.judged - found.true} of {found.judged} judged are not true"
    if found.shown >= FEWEST and found.shown_useful < USEFUL * found.shown:
        return f"{found.shown_useful} of {found.shown} judged comments are useful; the bar is {USEFUL:.2f}"
    if found.shown < FEWEST and not rule.provable:
        return f"{found.shown} judged comments; it needs {FEWEST}, or a fact that is provable from the text"
    return ""


def _certain(found: Precision) -> bool:
    return found.judged >= FEWEST_OF_AN_ERROR and found.true / found.judged >= TRUE_OF_AN_ERROR
