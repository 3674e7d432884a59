"""A place that is None on a path, used as an object there (see ``flow``)."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import absent_values
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use for each reason. Raises CannotParse."""
    for each in absent_values(source):
        if each.presence == "none":
            values = {"place": each.place, "how": each.how, "because": each.because}
            message = f"`{each.place}` can be None here, where {each.how}: {each.because}.{each.after}"
            yield hit_on(
                source,
                each.node,
                values=values,
                message=message if each.logged else None,
                related=each.places(source.path),
            )


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("None",)))
