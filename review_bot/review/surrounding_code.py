"""The code of findings on lines that the diff does not show, for reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from review_bot.changes.pull_request import Hunk, PullRequest
from review_bot.findings import Finding

Code = Mapping[str, Mapping[int, str]]
"""Lines at the head without their ends, by path and number."""

NO_CODE: Code = MappingProxyType({})

LINES_AROUND = 2
"""Lines before and after those of a finding."""

MOST_LINES = 8
"""Lines of one finding."""


def surrounding_code(
    pull_request: PullRequest, findings: Iterable[Finding], text_of: Callable[[str], str | None]
) -> Code:
    """Return the lines of the findings that the diff does not show, with their neighbours.

    ``text_of``: returns the whole text of a changed file at the head, or None if it is not known.
    """
    hunks = {file.path: file.hunks for file in pull_request.files}
    missing: dict[str, set[int]] = {}
    for each in findings:
        if each.path not in hunks or each.line is None or each.side == "LEFT" or _shows(hunks[each.path], each.line):
            continue
        last = min(each.last_line, each.line + MOST_LINES - 1)
        missing.setdefault(each.path, set()).update(range(each.line - LINES_AROUND, last + LINES_AROUND + 1))
    code: dict[str, Mapping[int, str]] = {}
    for path, numbers in missing.items():
        text = text_of(path)
        lines = text.split("\n") if text else []
        code[path] = {n: lines[n - 1].removesuffix("\r") for n in sorted(numbers) if 1 <= n <= len(lines)}
    return code


def _shows(hunks: Iterable[Hunk], line: int) -> bool:
    return any(hunk.new_start <= line < hunk.new_start + hunk.new_count for hunk in hunks)
