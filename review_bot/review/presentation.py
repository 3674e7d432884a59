"""What a repository may say about the form of its summaries: which parts, in which order, and words of its own."""

from typing import Literal, NamedTuple, get_args

SectionName = Literal[
    "must-fix",
    "should-fix",
    "criteria",
    "next-steps",
    "neighbours",
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
"""Parts that nobody can leave out. The verdict, and what could not be reviewed, come before all parts."""

LONGEST_TEXT = 600
"""Characters of a text of the repository's own."""


class Presentation(NamedTuple):
    """``intro`` stands below the headline, ``outro`` at the end: plain text, never a template."""

    sections: tuple[SectionName, ...] = SECTIONS
    intro: str = ""
    outro: str = ""

    @property
    def order(self) -> tuple[SectionName, ...]:
        """The parts to show, in this order; what must be there and is not named comes first."""
        return (*(part for part in ALWAYS if part not in self.sections), *self.sections)
