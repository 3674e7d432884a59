"""A changed last line without a line end."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    r"""Yield the last line if the diff says ``\ No newline at end of file`` after a line that was added."""
    for hunk in source.change.hunks[-1:]:
        if hunk.lines[-1][:1] == "\\" and hunk.lines[-2][:1] == "+":
            last = hunk.new_start + hunk.new_count - 1
            text = hunk.lines[-2][1:].rstrip(" \t")  # a blank line is better deleted than ended
            yield Hit(last, suggestion=Suggestion(last, last, f"{text}\n") if text else None)


CHECK = file_check(examine, CheckTraits(literals=None, reads_text=False))
