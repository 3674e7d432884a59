"""Lines that a merge left to mark a conflict.

Git writes seven signs and a label; the attribute ``conflict-marker-size`` asks for another number, and other tools
write no label. A line of such signs alone may also underline a title, so without a label or with more than seven signs
the three markers of one conflict must follow each other::

    <<<<<<<<<
    one side
    =========
    the other side
    >>>>>>>>>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_USUAL = 7
_MARKDOWN = (".md", ".mdx", ".markdown")
_MARKER = LazyRegex(r"(<{7,}|={7,}|>{7,}|\|{7,})(?: |\r?$)")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each added line that marks a conflict."""
    found: dict[int, int] = {}
    began: dict[int, int] = {}
    halves: dict[int, int] = {}
    for number, text in source.added.items():
        if text[:1] not in {"<", "=", ">", "|"} or (marker := _MARKER.match(text)) is None:
            continue
        size = len(marker[1])
        if size == _USUAL and marker[0].endswith(" ") and text[0] != "=":
            found[number] = size
        if text[0] == "<":
            began[size] = number
            halves.pop(size, None)
        elif text[0] == "=" and not text[size:].strip() and size in began:
            halves[size] = number
        elif text[0] == ">" and size in halves:
            places = (began.pop(size), halves.pop(size), number)
            if source.path.endswith(_MARKDOWN) and _is_fenced(source.added, places[0], number):
                found.pop(places[0], None)
                found.pop(number, None)
            elif not all(_is_underline(source.added, place, size) for place in places):
                found[places[0]] = found[number] = size
    for number, size in sorted(found.items()):
        yield Hit(number, number, 1, size + 1)


def _is_underline(lines: Mapping[int, str], number: int, size: int) -> bool:
    """Return whether a line of signs is as long as the line above it, a title, which has a blank line above it."""
    title, above = lines.get(number - 1, ""), lines.get(number - 2, "")
    return len(lines[number].rstrip()) == size == len(title.rstrip()) and not above.strip()


def _is_fenced(lines: Mapping[int, str], first: int, last: int) -> bool:
    """Return whether a conflict is all that a code block of a document holds: it shows what one looks like."""
    around = lines.get(first - 1, "").lstrip(), lines.get(last + 1, "").lstrip()
    return all(each.startswith(("```", "~~~")) for each in around)


CHECK = file_check(examine, CheckTraits(literals=None, reads_text=False))
