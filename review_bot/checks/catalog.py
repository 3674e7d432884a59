"""The checks: each module of this package is one, named as rule files name it; its folders hold what checks share."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_NO_CHECKS = {"__init__", "catalog"}


def names() -> list[str]:
    """Return the name of every check, sorted."""
    stems = {name.removesuffix(".py") for name in os.listdir(_FOLDER) if name.endswith(".py")}
    return sorted(stems - _NO_CHECKS)


@cache
def load(name: str) -> Any:
    """Import the module of a check: a ``FileCheck`` or a ``ChangeCheck``. Raises ModuleNotFoundError for no check."""
    return import_module(f"review_bot.checks.{name}")
