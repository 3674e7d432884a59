"""A place that is None on a path, used as an object there (see ``flow``)."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import AbsentValue, absent_values
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use for each reason. Raises CannotParse."""
    for each in absent_values(source):
        if each.presence == "none":
            values = {"place": each.place, "how": each.how, "because": each.because}
            yield hit_on(
                source, each.node, values=values, message=_other_message(each), related=each.places(source.path)
            )


def _other_message(found: AbsentValue) -> str | None:
    """Return what is said instead of the rule's message where a test alone suggests None, or a handler logs the error.

    The test may be needless: then the place never holds None, but the two places still disagree about it.
    """
    steps = found.steps
    tested, _, asked = steps[0].note.rpartition(" is tested for ") if steps else ("", "", "")
    if asked == "None":
        rest = "".join(f" and {step.note} (line {step.line})" for step in steps[1:])
        said = f"Line {steps[0].line} tests {tested} for None. Where it is None{rest},"
        also = "" if tested == f"`{found.place}`" else f" so is `{found.place}`, and"
        return f"{said}{also} {found.how} here all the same.{found.after}"
    said = f"`{found.place}` can be None here, where {found.how}: {found.because}."
    return f"{said}{found.after}" if found.logged else None


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("None",)))
