"""The table of report formats, and the files of a dossier."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from review_bot.errors import UsageError
from review_bot.records import NamedTuple
from review_bot.review.review import Review
from review_bot.text.console import PLAIN, Terminal


class Format(NamedTuple):
    """A report format. ``module`` has ``render(review) -> str``; ``suffix``: of report files, empty if it has none.

    ``lists``: ``render`` takes ``everything``, to list what is only counted otherwise. ``shows_context``: it shows the
    context of a change, which is not gathered for other formats.
    """

    module: str
    suffix: str = ""
    lists: bool = False
    shows_context: bool = False


FORMATS: dict[str, Format] = {
    "terminal": Format("review_bot.reports.terminal", ".txt", lists=True),
    "concise": Format("review_bot.reports.concise", lists=True),
    "json": Format("review_bot.reports.json_v1", ".json"),
    "markdown": Format("review_bot.reports.summary", ".md", shows_context=True),
    "sarif": Format("review_bot.reports.sarif", ".sarif"),
    "github": Format("review_bot.reports.annotations"),
    "html": Format("review_bot.reports.html", ".html", shows_context=True),
}

_BY_SUFFIX = {each.suffix: name for name, each in FORMATS.items() if each.suffix}

SUFFIXES = tuple(_BY_SUFFIX)
"""Suffixes of report files."""

EXPORTED = {
    "SUMMARY.md": "review_bot.reports.summary",
    "REVIEW.md": "review_bot.reports.deep_dive",
    "SUGGESTED_FIXES.md": "review_bot.reports.suggested_fixes",
    "fixes.patch": "review_bot.reports.fixes_patch",
    "report.json": "review_bot.reports.json_v1",
    "report.sarif": "review_bot.reports.sarif",
    "report.html": "review_bot.reports.html",
}
"""The files of a dossier, and the modules whose ``render(review)`` writes them."""


def dossier(review: Review) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file of the dossier; an empty text if there is nothing to report."""
    for name, module in EXPORTED.items():
        yield name, import_module(module).render(review)


def has_format(path: str) -> bool:
    """Return whether a file's suffix names a format."""
    return path.endswith(SUFFIXES)


def format_of(path: str) -> str:
    """Return the format that a file's suffix names. Raises UsageError."""
    for suffix, name in _BY_SUFFIX.items():
        if path.endswith(suffix):
            return name
    raise UsageError(f"--output {path}: unknown suffix; use one of {', '.join(SUFFIXES)}")


def render(name: str, review: Review, terminal: Terminal = PLAIN, *, everything: bool = False) -> str:
    """Return a review in a format. Only the terminal report depends on it; in a file it is plain.

    ``everything``: in the formats that leave out what is only counted, list it.
    """
    module = import_module(FORMATS[name].module)
    text: str
    if name == "terminal":
        text = module.render(review, terminal, everything=everything)
    elif FORMATS[name].lists:
        text = module.render(review, everything=everything)
    else:
        text = module.render(review)
    return text
