"""Files that say how to review, as read on a branch: configuration, rules, contracts, baseline and their like."""

from __future__ import annotations

from collections.abc import Mapping

from review_bot.errors import ConfigError
from review_bot.forges import folder
from review_bot.records import NamedTuple


class SettingsFile(NamedTuple):
    """A file of a branch that says how to review. ``problem``: why its content cannot be used."""

    data: bytes
    problem: str | None = None


Files = Mapping[str, SettingsFile]
"""Settings files by path."""


class SettingsFiles:
    """Settings that were read already; it is a ``SettingsSource``."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file, or None if there is none. Raises ConfigError if it cannot be used."""
        return settings_text(self._files, path)

    def own_files(self, below: str) -> list[tuple[str, str]]:
        """Return (path, text) of the YAML files below a folder. Raises ConfigError if one cannot be used."""
        return yaml_files(self._files, below)


def settings_text(files: Files, path: str) -> str | None:
    """Return the text of a settings file, or None if there is none. Raises ConfigError if it cannot be used."""
    found = files.get(path)
    if found is None:
        return None
    if found.problem is not None:
        raise ConfigError(found.problem, path=path)
    return folder.decode_settings(found.data, path)


def yaml_files(files: Files, below: str) -> list[tuple[str, str]]:
    """Return (path, text) of the YAML files below a folder, sorted. Raises ConfigError if one cannot be used."""
    paths = sorted(path for path in files if path == below or path.startswith(f"{below}/"))
    return [(path, settings_text(files, path) or "") for path in paths]
