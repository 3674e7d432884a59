"""The description of a pull request as its readers see it: without HTML comments, in sections.

Everything here takes time linear in the length of the text, which the author of a pull request controls.
"""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import first_of

_COMMENT = LazyRegex(r"(?s)<!--.*?(?:-->|$)")
_OF_A_TEMPLATE = LazyRegex(
    r"(?i)(?:[-*+]\s*\[[ x]?\].*|(?:<[^>]*>[^<]*)+|(?:[-*+]\s*)?(?:n/?a|none|tbd|todo|\.{3}|-+|_+|\*+)?\.?"
    r"|(?:fix(?:es)?|close[sd]?|resolves?)\s*#\s*(?:\(issue\))?|please fill in .*|\W*before submitting.*"
    r"|anyone in the .*)"
)
"""Lines that say nothing of this change: boxes to tick, markup, placeholders, and words of well-known templates."""


LONGEST_HEADING = 100
"""Characters of a heading; the rest is cut off."""

_MOST_NAMED = 5


class Section(NamedTuple):
    """A heading (empty before the first one) and how many letters and digits the author wrote below it."""

    heading: str
    written: int


def visible(body: str) -> str:
    r"""Return a description without its HTML comments; lines end with ``\n``, as those that a browser sends do not."""
    return _COMMENT.sub("", body.replace("\r\n", "\n"))


def sections(text: str) -> list[Section]:
    """Return the sections of a visible text; what a template says in them does not count as written."""
    found = [Section("", 0)]
    for line in text.splitlines():
        heading = _heading(line)
        if heading is not None:
            found.append(Section(heading[:LONGEST_HEADING], 0))
        elif not _OF_A_TEMPLATE.fullmatch(line.strip()):
            found[-1] = found[-1]._replace(written=found[-1].written + sum(map(str.isalnum, line)))
    return found


def named(headings: Sequence[str]) -> str:
    """Return headings in quotation marks, the first few of many."""
    return first_of((f"“{heading}”" for heading in headings), _MOST_NAMED)


def _heading(line: str) -> str | None:
    """Return the words of ``## Words ##`` or ``**Words**:`` without a colon, or None if a line is neither."""
    text = line.strip()
    if line[:4].isspace() and len(line) > 3:
        return None  # code
    words = text.lstrip("#")
    if 0 < len(text) - len(words) <= 6 and words[:1].isspace():
        return words.strip().rstrip("#").strip().rstrip(":") or None
    bold = text.removesuffix(":")
    if bold.startswith("**") and bold.endswith("**") and bold[2:-2].strip() and "*" not in bold[2:-2]:
        return bold[2:-2].strip().rstrip(":")
    return None
