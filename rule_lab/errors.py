"""The errors of the laboratory's own files."""

from __future__ import annotations

from review_bot.errors import LocatedError


class LabelError(LocatedError):
    """A file of labels, a sheet, its key or an annotator's answers cannot be used."""
