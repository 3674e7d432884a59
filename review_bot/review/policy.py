"""When the gate fails: the settings that the verdict obeys."""

from typing import Literal, NamedTuple

from review_bot.findings import Severity
from review_bot.review.presentation import Presentation

FailOn = Severity | Literal["never"]
OnIncomplete = Literal["fail", "warn"]
Suppressions = Literal["head", "base"]


class Allowance(NamedTuple):
    """A file that may stay unreviewed: a path pattern, why, and up to how many bytes (None: any size)."""

    path: str
    reason: str
    max_bytes: int | None = None


class Policy(NamedTuple):
    """``source`` says where the policy comes from; ``digest`` identifies the text it was read from.

    ``scorecard``: whether a change gets scores; ``presentation``: the form of summaries. The verdict reads neither.
    """

    fail_on: FailOn = "error"
    on_incomplete: OnIncomplete = "fail"
    unreviewed_ok: tuple[Allowance, ...] = ()
    scorecard: bool = True
    source: str = "built-in"
    sha: str | None = None
    digest: str | None = None
    presentation: Presentation = Presentation()


FAIL_ON: tuple[FailOn, ...] = ("never", "error", "warning", "info", "hint")
"""From the most lenient to the strictest."""


def strictest_fail_on(*values: FailOn | None) -> FailOn:
    """Return the strictest of the values that are set; ``error`` if none is."""
    return max((value for value in values if value is not None), key=FAIL_ON.index, default="error")


def strictest_on_incomplete(*values: OnIncomplete | None) -> OnIncomplete:
    """Return ``warn`` only if that is set and nobody says ``fail``."""
    said = {value for value in values if value is not None}
    return "warn" if said == {"warn"} else "fail"
