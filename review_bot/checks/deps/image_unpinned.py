"""A container image that is named without a tag, or by one that moves."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FROM = LazyRegex(r"(?i)^\s*FROM\s+(?:--platform=\S+\s+)?(\S+)(?:\s+AS\s+(\S+))?\s*(?:#.*)?$")
_MOVES = LazyRegex(r"(?:latest|nightly|main|master|dev|edge|stable)(?:[-.][A-Za-z][\w.-]*)?")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``FROM`` whose image is not an earlier stage, not ``scratch`` and not chosen by an argument."""
    stages = {"scratch"}
    for number, line in enumerate(source.lines, 1):
        match = _FROM.match(line)
        if match is None:
            continue
        image, stage = match[1], match[2]
        if image.lower() not in stages and "$" not in image and "@sha256:" not in image:
            tag = image.rpartition("/")[2].partition(":")[2]
            if not tag or _MOVES.fullmatch(tag):
                how = f"`{tag}` is a moving tag" if tag else "it has no tag"
                start = match.start(1) + 1
                yield Hit(number, number, start, start + len(image), values={"image": image, "how": how})
        if stage:
            stages.add(stage.lower())


CHECK = file_check(examine, CheckTraits(literals=("FROM", "from", "From")))
