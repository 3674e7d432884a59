"""What says how changes are reviewed around a folder, for the commands that review none."""

from collections.abc import Iterator
from contextlib import contextmanager

from review_bot.changes.source import SettingsSource
from review_bot.errors import NoRepository
from review_bot.forges.diff_text import DiffText
from review_bot.forges.local_git import LocalGit


@contextmanager
def open_settings(folder: str) -> Iterator[SettingsSource]:
    """Yield the settings of the repository around a folder; those of the folder, if it is in none. Raises UsageError.

    They are what ``review`` reads there, and what it reads with ``--diff`` and this folder as ``--source``.
    """
    try:
        source: LocalGit | DiffText = LocalGit(folder)
    except NoRepository:
        source = DiffText(b"", source=folder)
    try:
        yield source
    finally:
        source.close()
