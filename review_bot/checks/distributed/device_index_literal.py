"""A device chosen by a number in the code: every process of the server takes the same one."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.devices import cuda_literals
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first place that the change adds to a file, with the further ones listed. Raises CannotParse."""
    places = [each for each in cuda_literals(source) if each.number is not None and each.node.lineno in source.added]
    if not places:
        return
    first, *others = places
    yield hit_at(
        source,
        first.node,
        values={"written": first.written, "more": f" (and {len(others)} more in this file)" if others else ""},
        related=tuple(Related(source.path, each.node.lineno, f"`{each.written}`") for each in others),
    )


CHECK = file_check(examine, CheckTraits(literals=("cuda", "set_device", "CUDA_VISIBLE_DEVICES")))
