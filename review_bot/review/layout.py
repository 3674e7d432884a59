"""The layout of a summary: which parts, in which order, and texts of the repository's own."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from review_bot.records import NamedTuple
from review_bot.setting import Setting

SectionName = Literal[
    "must-fix",
    "should-fix",
    "tests",
    "overlaps",
    "criteria",
    "next-steps",
    "lighter",
    "checklist",
    "scorecard",
    "fixes",
    "ledger",
    "set-aside",
    "counted",
    "about",
]

SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""The parts of a summary below its headline, in the usual order."""

ALWAYS: tuple[SectionName, ...] = ("must-fix", "should-fix")
"""Parts that are always shown. The verdict, and what could not be reviewed, come before all parts."""

LONGEST_TEXT = 600
"""Characters of a text of the repository's own."""


def _check_unique(names: tuple[str, ...]) -> None:
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{repeated[0]!r} is listed twice; remove one")


class Layout(NamedTuple):
    """The form of the summary, in the comment and in the reports."""

    sections: Annotated[
        tuple[SectionName, ...],
        Setting(
            "The parts to show, in this order. What must and should be fixed is always shown, first if it is not "
            "listed here.",
            check=_check_unique,
        ),
    ] = SECTIONS
    intro: Annotated[
        str, Setting("A paragraph below the headline: plain text, code between backticks.", least=1, most=LONGEST_TEXT)
    ] = ""
    outro: Annotated[str, Setting("A paragraph at the end, in the same form.", least=1, most=LONGEST_TEXT)] = ""

    @property
    def order(self) -> tuple[SectionName, ...]:
        """The parts to show, in this order; what must be there and is not named comes first."""
        return (*(part for part in ALWAYS if part not in self.sections), *self.sections)
