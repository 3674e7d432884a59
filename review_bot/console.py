"""The one printer to the terminal; the only user of rich."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Print text to standard output, as it is."""
    sys.stdout.write(text + "\n")


def warn(text: str) -> None:
    """Print text to standard error, as it is."""
    sys.stderr.write(text + "\n")
