"""Every error that Review Bot raises on purpose.

::

    ReviewBotError            exit 3, unless a subclass says otherwise
    ├── UsageError            exit 2: the command line, a revision or a folder is wrong
    ├── ConfigError           exit 2: a configuration or baseline file is wrong
    ├── RuleError             exit 2: a rule file is wrong
    ├── DiffError             exit 3: a diff cannot be read
    └── ForgeError            exit 3: git (later: GitHub) did not give what was asked for

"The review found problems" is a verdict, not an error.
"""

from __future__ import annotations


class ReviewBotError(Exception):
    """Something a person has to mend; its text says what happened, where, and what to do now."""

    exit_code = 3


class UsageError(ReviewBotError):
    """The command line names something that does not exist or does not fit together."""

    exit_code = 2


class LocatedError(ReviewBotError):
    """An error in a file that a person wrote; ``line`` is 1-based, ``field`` is dotted."""

    exit_code = 2

    def __init__(self, message: str, *, path: str = "", line: int | None = None, field: str = "") -> None:
        self.message, self.path, self.line, self.field = message, path, line, field
        where = path + (f":{line}" if line is not None else "")
        super().__init__(": ".join(part for part in (where, field, message) if part))


class ConfigError(LocatedError):
    """A configuration or baseline file cannot be used."""


class RuleError(LocatedError):
    """A rule file cannot be used."""


class DiffError(ReviewBotError):
    """A diff cannot be read; the text names the line of the diff where that shows."""


class ForgeError(ReviewBotError):
    """The place that holds the change did not answer as it should."""
