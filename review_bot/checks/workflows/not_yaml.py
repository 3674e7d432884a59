"""A workflow that GitHub cannot read, because it is not YAML or has a key twice in one mapping."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.yaml_documents import read_documents
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the line at which reading stops; the nearest added one in front of it if it was not added."""
    try:
        twice = [each for document in read_documents(source) for each in document.twice]
    except CannotRead as error:
        if error.line is not None and error.reason.startswith("not YAML"):
            yield _hit(source, error.line, error.reason.removeprefix("not YAML: "))
        return
    for each in twice[:1]:
        yield _hit(source, each.line, f"the key `{each.key}` is in this mapping already")


def _hit(source: SourceFile, line: int, why: str) -> Hit:
    near = [number for number in source.added if line - 3 <= number <= line]
    return Hit(line if line in source.added or not near else max(near), values={"why": why, "line": str(line)})


CHECK = file_check(examine, CheckTraits(literals=None))
