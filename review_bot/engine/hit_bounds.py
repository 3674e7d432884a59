"""Whether the places that hits name are in their file."""

from review_bot.changes.source_file import SourceFile
from review_bot.rules.rule import Hit


class OutsideFile(Exception):
    """A hit names a place that its file does not have."""


def in_file(hits: list[Hit], source: SourceFile) -> list[Hit]:
    """Return the hits of a rule. Raises OutsideFile if the file does not have a place that they name.

    Only added lines are kept, so without this a hit on a wrong line would be a finding that is lost.
    """
    for hit in hits:
        if hit.line is not None and not _is_inside(hit, source):
            raise OutsideFile(f"line {hit.line} to {hit.end_line or hit.line} of {source.path}, {hit.side}")
    return hits


def _is_inside(hit: Hit, source: SourceFile) -> bool:
    first, last = hit.line or 0, hit.end_line or hit.line or 0
    text = source.text if hit.side == "RIGHT" else source.old_text
    if text is None:  # only the diff is known
        return 1 <= first <= last
    lines = source.lines if hit.side == "RIGHT" else source.old_lines
    inside = 1 <= first <= last <= len(lines)
    return inside and _fits(hit.column, lines[first - 1]) and _fits(hit.end_column, lines[last - 1])


def _fits(column: int | None, line: str) -> bool:
    return column is None or 1 <= column <= len(line) + 1
