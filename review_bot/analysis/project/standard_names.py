"""The public names of modules of the standard library, in any Python that is supported and on any platform."""

from __future__ import annotations

from functools import cache

from review_bot.analysis.project.standard_name_table import TABLE


@cache
def standard_names(module: str) -> frozenset[str] | None:
    """Return the public names of a module; None if the module is not of the library or its names are not known."""
    names = TABLE.get(module)
    return None if names is None else frozenset(names.split())


def standard_modules() -> tuple[str, ...]:
    """Return the modules whose names are known."""
    return tuple(TABLE)
