"""The table of checks: the name that a rule file gives → the module that does it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

CHECKS: dict[str, str] = {}


def load(name: str) -> Any:
    """Import the module of a check; it satisfies ``FileCheck`` or ``ChangeCheck``. Raises KeyError for an unknown name."""
    return import_module(CHECKS[name])
