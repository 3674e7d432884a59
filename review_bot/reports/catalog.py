"""The table of report formats: name → module with ``render(review) -> str``, and which file suffix means which."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from review_bot.errors import UsageError
from review_bot.review.review import Review
from review_bot.text.console import PLAIN, Display

FORMATS: dict[str, str] = {
    "terminal": "review_bot.reports.terminal",
    "concise": "review_bot.reports.concise",
    "json": "review_bot.reports.json_v1",
    "markdown": "review_bot.reports.summary",
    "sarif": "review_bot.reports.sarif",
    "github": "review_bot.reports.annotations",
    "html": "review_bot.reports.html",
}

_SUFFIXES = {".json": "json", ".sarif": "sarif", ".md": "markdown", ".txt": "terminal", ".html": "html"}

LISTS = frozenset({"terminal", "concise"})
"""Formats that can list what is only counted otherwise."""

DOSSIER_FORMATS = frozenset({"markdown", "html"})
"""Formats that show the context of a change; it is not gathered for the others."""

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
    return path.endswith(tuple(_SUFFIXES))


def format_of(path: str) -> str:
    """Return the format that a file's suffix names. Raises UsageError."""
    for suffix, name in _SUFFIXES.items():
        if path.endswith(suffix):
            return name
    raise UsageError(f"--output {path}: unknown suffix; use one of {', '.join(_SUFFIXES)}")


def render(name: str, review: Review, display: Display = PLAIN, *, everything: bool = False) -> str:
    """Return a review in a format. Only the terminal report depends on the display; in a file it is plain.

    ``everything``: in the formats that leave out what is only counted, list it.
    """
    module = import_module(FORMATS[name])
    text: str
    if name == "terminal":
        text = module.render(review, display, everything=everything)
    elif name in LISTS:
        text = module.render(review, everything=everything)
    else:
        text = module.render(review)
    return text
