"""What a repository may say about the form of its summaries: which parts, in which order, and words of its own."""

from typing import NamedTuple

SECTIONS = (
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
)
"""The parts of a summary below its headline, in the usual order."""

ALWAYS = ("must-fix", "should-fix")
"""Parts that nobody can leave out. The verdict, and what could not be reviewed, come before all parts."""

LONGEST_TEXT = 600
"""Characters of a text of the repository's own."""


class Presentation(NamedTuple):
    """``intro`` stands below the headline, ``outro`` at the end: plain text, never a template."""

    sections: tuple[str, ...] = SECTIONS
    intro: str = ""
    outro: str = ""

    @property
    def order(self) -> tuple[str, ...]:
        """The parts to show, in this order; what must be there and is not named comes first."""
        return (*(part for part in ALWAYS if part not in self.sections), *self.sections)
