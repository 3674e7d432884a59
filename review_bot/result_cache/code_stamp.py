"""Identifies the code that computes results: this package, the native libraries that it matches with, and Python."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import review_bot
from review_bot.files.stamp import stamp_of
from review_bot.version import VERSION

LIBRARIES = ("ast_grep_py", "re2", "unidiff", "yaml")
"""What the engine imports besides the standard library."""


def code_stamp() -> str | None:
    """Return what changes with any file of the code, and with how Python was started; None if that is not known.

    A version would not do: a checkout is edited without a new one.
    """
    folders = [os.path.dirname(review_bot.__file__), *map(_folder_of, LIBRARIES)]
    started = (VERSION, sys.version, sys.flags, sys.warnoptions, sys.getrecursionlimit())
    try:
        return f"{stamp_of(*folders)} {started}" if all(folders) else None
    except OSError:
        return None


def _folder_of(library: str) -> str:
    """Return the folder of a library that is not imported for this; empty if it has none."""
    spec = find_spec(library)
    return "" if spec is None or spec.origin is None else os.path.dirname(spec.origin)
