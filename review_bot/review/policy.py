"""When the gate fails: the settings that the verdict obeys."""

from __future__ import annotations

from typing import Annotated, Literal

from review_bot.findings import SEVERITIES, Severity
from review_bot.records import NamedTuple
from review_bot.review.layout import Layout
from review_bot.setting import Setting, Text
from review_bot.text.globs import PathPattern

FAIL_ON: tuple[Literal[Severity, "never"], ...] = ("never", *SEVERITIES)
"""From the most lenient to the strictest."""

FailOn = Annotated[Literal[Severity, "never"], Setting("Lowest severity that fails the gate.", order=FAIL_ON)]
OnIncomplete = Annotated[
    Literal["fail", "warn"], Setting("Whether unreviewed text fails the gate.", order=("warn", "fail"))
]


class Allowance(NamedTuple):
    """A file that may stay unreviewed without making the review incomplete."""

    path: Annotated[PathPattern, Setting("Path pattern of the files.")]
    reason: Annotated[Text, Setting("Why they may stay unreviewed.")]
    max_bytes: Annotated[int | None, Setting("Largest size; a file whose size is unknown is not covered.", least=0)] = (
        None
    )


class Policy(NamedTuple):
    """What the gate obeys. ``source``: where that is from; ``digest`` identifies the text it was read from."""

    fail_on: FailOn = "error"
    on_incomplete: OnIncomplete = "fail"
    accept: Annotated[
        Literal["on", "off"],
        Setting(
            "Whether people with write access may let a finding that is not an `error` pass the gate, for one commit, "
            "with the comment `/review-bot accept reason`.",
            order=("on", "off"),
        ),
    ] = "off"
    unreviewed_ok: Annotated[
        tuple[Allowance, ...],
        Setting(
            "Files that may stay unreviewed.",
            example='- path: "data/*.txt"\n  reason: kept in Latin-1 on purpose\n  max-bytes: 100000',
        ),
    ] = ()
    own_policy: Annotated[
        tuple[PathPattern, ...],
        Setting(
            "Branch patterns such as `release/*`: pull requests to these branches are judged by the configuration, "
            "rules and baseline of that branch, all others by those of the default branch. Read on the default branch "
            "only.",
            example='["release/*"]',
        ),
    ] = ()
    scorecard: Annotated[
        Literal["on", "off"],
        Setting("Whether the summary shows the scores, folded; the exported dossier and the page always have them."),
    ] = "off"
    layout: Annotated[
        Layout,
        Setting(
            "The parts of the summary, and your own texts above and below them.",
            example="sections: [must-fix, should-fix, criteria, next-steps, checklist, about]\n"
            'intro: "How we review: `docs/reviewing.md`."',
        ),
    ] = Layout()
    source: str = "built-in"
    sha: str | None = None
    digest: str | None = None

    @property
    def gate(self) -> Severity | None:
        """The lowest severity that fails, None if none does."""
        return None if self.fail_on == "never" else self.fail_on
