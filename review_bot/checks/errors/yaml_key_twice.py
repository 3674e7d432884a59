"""A key that a mapping of a YAML file holds twice, so that its first value is lost."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.yaml_documents import read_documents
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PLACEHOLDER = LazyRegex(r"<.*>|(?:[xX*]+[.:-])+[xX*]+|[xX.?*]+")
"""A key that users replace: ``x.x.x.x``, ``<host>``."""
_TEMPLATE = LazyRegex(r"\{%|\{\{-|^\s*\{\{|^\s*#@ ")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the line of each second key. A file that is no plain YAML has none."""
    if source.path.startswith(".github/workflows/") or _TEMPLATE.search(source.text or ""):
        return  # a workflow with such a key is refused as a whole, and reported so
    try:
        documents = read_documents(source)
    except CannotRead:
        return
    for document in documents:
        for twice in document.twice:
            if not _PLACEHOLDER.fullmatch(twice.key):
                yield Hit(twice.line, values={"key": twice.key})


CHECK = file_check(examine, CheckTraits(literals=(":",)))
