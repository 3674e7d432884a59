"""A requirement without a version bound, in a manifest that bounds nine in ten of its others."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.requirements import is_manifest, is_of_users, requirements_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such requirement of a manifest from which users install."""
    if not is_manifest(source.path):
        return
    wanted = [each for each in requirements_of(source.path, source.text or "") if is_of_users(source.path, each.group)]
    bound = sum(bool(each.bounds) for each in wanted)
    others = len(wanted) - 1
    for each in wanted:
        if each.line in source.added and not (each.bounds or each.url) and 10 * bound >= 9 * others > 0:
            values = {"name": each.name, "bound": str(bound), "others": str(others)}
            yield Hit(each.line, values=values, statement=each.text)


CHECK = file_check(examine, CheckTraits(literals=None))
