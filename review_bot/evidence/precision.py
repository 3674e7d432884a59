"""How often a rule is right and useful, from marks; and the bar that a rule must reach to comment on lines."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from review_bot.findings import SEVERITY_WORDS, Severity

if TYPE_CHECKING:
    from review_bot.evidence.marks import Mark

USEFUL = 0.90
"""Share of judged findings of an inline rule that must be useful."""

FEWEST = 10
"""Judged findings below which a share says nothing: such a rule comments on lines only if its fact is provable."""

FEWEST_OF_AN_ERROR = 20
TRUE_OF_AN_ERROR = 0.95
"""A rule that turns the gate red has a fact that is provable, or so many judged findings with so large a share true."""

_Z = 1.959964
"""The normal distribution between -z and z is 95 %."""


class Precision(NamedTuple):
    """What is held of a rule's findings. ``gone``: marks of findings that the rule no longer makes; they do not count.

    ``waiting``: findings that were read and are not settled yet. ``shown``: the judged ones that stand beside the code;
    the same rule may leave others in the summary.
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
        """The useful ones among the judged, 0 to 1."""
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


def measure(marks: Iterable[Mark]) -> dict[str, Precision]:
    """Return the precision of each rule that has marks, by id."""
    by_rule: dict[str, list[Mark]] = {}
    for mark in marks:
        by_rule.setdefault(mark.rule, []).append(mark)
    return {rule: total(found) for rule, found in sorted(by_rule.items())}


def total(marks: Iterable[Mark]) -> Precision:
    """Count marks, whatever their rules."""
    known = list(marks)
    standing = [mark for mark in known if mark.fires]
    verdicts = [(mark, verdict) for mark in standing if (verdict := mark.verdict) is not None]
    shown = [verdict for mark, verdict in verdicts if mark.placement != "summary"]
    return Precision(
        judged=len(verdicts),
        true=sum(verdict.true for _, verdict in verdicts),
        useful=sum(verdict.useful for _, verdict in verdicts),
        repositories=len({mark.repository for mark, _ in verdicts}),
        gone=len(known) - len(standing),
        waiting=len(standing) - len(verdicts),
        shown=len(shown),
        shown_true=sum(verdict.true for verdict in shown),
        shown_useful=sum(verdict.useful for verdict in shown),
    )


class Standing(NamedTuple):
    """What the bar asks of a rule: whether it comments beside the code, may turn the gate red, and is provable."""

    rule: str
    inline: bool
    severity: Severity
    provable: bool


def placement_problems(rules: Iterable[Standing], measured: dict[str, Precision]) -> list[str]:
    """Return a sentence for each rule that comments on lines, or turns the gate red, without having earned it."""
    problems: list[str] = []
    for rule in rules:
        found = measured.get(rule.rule, NOT_MEASURED)
        if rule.inline and (problem := _inline_problem(rule, found)):
            problems.append(f"{rule.rule}: {problem}")
        if rule.severity == "error" and not rule.provable and not _certain(found):
            takes = f"a fact that is provable, or {FEWEST_OF_AN_ERROR} judged with {TRUE_OF_AN_ERROR:.2f} true"
            word = SEVERITY_WORDS["error"]
            problems.append(f"{rule.rule}: “{word}” takes {takes}; {found.true} of {found.judged} judged are true")
    return problems


def _inline_problem(rule: Standing, found: Precision) -> str:
    """Return what is missing, if anything: a fact that is provable makes up for few marks, not for bad ones."""
    if rule.provable and found.true < found.judged:
        return f"its fact is said to be provable, and {found.judged - found.true} of {found.judged} judged are not true"
    if found.shown >= FEWEST and found.shown_useful < USEFUL * found.shown:
        return f"{found.shown_useful} of {found.shown} comments judged are useful; that takes {USEFUL:.2f}"
    if found.shown < FEWEST and not rule.provable:
        return f"{found.shown} comments judged; that takes {FEWEST}, or a fact that is provable from the text"
    return ""


def _certain(found: Precision) -> bool:
    return found.judged >= FEWEST_OF_AN_ERROR and found.true / found.judged >= TRUE_OF_AN_ERROR
