"""Lines of code in a Markdown document: those around a finding, and what a suggestion makes of them."""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.findings import Finding
from review_bot.reports import wording
from review_bot.reports.content.snippets import SnippetLine
from review_bot.reports.markdown import Code, Fence, name
from review_bot.text.console import disarm

LONGEST_LINE = 200
"""Characters of a line of code that are shown."""

_ENDLESS = "\\ No newline at end of file"


def at(finding: Finding) -> Code | str:
    """Return the place of a finding, shown above its lines."""
    return "The whole change" if finding.path is None else name(wording.place(finding))


def around(lines: Sequence[SnippetLine]) -> Fence | None:
    """Return numbered lines, the marked ones with a sign; None if there are none."""
    if not lines:
        return None
    digits = len(str(lines[-1].number))
    shown = (f"{'>' if line.marked else ' '} {line.number:>{digits}} | {_code(line.text)}".rstrip() for line in lines)
    return Fence("text", "\n".join(shown))


def change(lines: Sequence[tuple[str, str]], replacement: str) -> Fence | None:
    """Return the lines of a suggestion as a diff, each after ``+`` or ``-``; None if there are none.

    An empty line at the end of ``replacement`` is the line end that the file lacks.
    """
    if not lines:
        return None
    shown = [f"{sign}{_code(text)}" for sign, text in lines]
    if replacement.endswith("\n") and lines[-1] == ("+", ""):
        shown[-2:] = [f"-{_code(lines[-2][1])}", _ENDLESS, f"+{_code(lines[-2][1])}"]
    return Fence("diff", "\n".join(shown))


def _code(text: str) -> str:
    shown = "\t".join(map(disarm, text.split("\t")))
    return shown if len(shown) <= LONGEST_LINE else f"{shown[:LONGEST_LINE]} ..."
