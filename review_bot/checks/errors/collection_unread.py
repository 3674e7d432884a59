"""A local list, set or dictionary that a function fills and that nothing reads.

::

    source_tokens = []
    for tokens in src_tokens:
        source_tokens.append(torch.cat([tokens, language]))
    return Dataset(src_tokens, lengths)                 without the language
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.collection_methods import FILLING
from review_bot.analysis.python.syntax import hit_at, imported_names
from review_bot.analysis.python.unread_collections import unread_collections
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the place where each of them is made. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.touched_functions:
        for each in unread_collections(function, imported):
            line = each.filled.lineno
            related = (Related(source.path, line, f"`{each.name}` is filled here"),)
            yield hit_at(source, each.made, values={"name": each.name, "line": str(line)}, related=related)


CHECK = file_check(examine, CheckTraits(literals=("[ =", *sorted(FILLING))))
