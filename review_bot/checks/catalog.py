"""The checks: ``<family>/<rule>.py`` each, named as rules are: ``errors/dead-after-exit``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from review_bot.rules.check import ChangeCheck, Check, FileCheck

_FOLDER = os.path.dirname(os.path.abspath(__file__))


@cache
def names() -> tuple[str, ...]:
    """Return the name of every check, sorted; kept, since a confined process may not list folders any more."""
    found = []
    for family in os.scandir(_FOLDER):
        if family.is_dir() and family.name != "__pycache__":
            stems = (name.removesuffix(".py") for name in os.listdir(family.path) if name.endswith(".py"))
            found += [f"{family.name}/{stem}".replace("_", "-") for stem in stems if stem != "__init__"]
    return tuple(sorted(found))


@cache
def load(name: str) -> Check:
    """Import the module of a check and return its ``CHECK``. Raises ModuleNotFoundError for a name without a check."""
    check = import_module(f"review_bot.checks.{name.replace('/', '.').replace('-', '_')}").CHECK
    if isinstance(check, FileCheck | ChangeCheck):
        return check
    raise TypeError(f"CHECK of {name} is neither a FileCheck nor a ChangeCheck")


class _Checks(Mapping[str, Check]):
    def __getitem__(self, name: str) -> Check:
        if name not in names():
            raise KeyError(name)
        return load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


CHECKS = _Checks()
"""Every check by its name; one is imported once it is asked for."""
