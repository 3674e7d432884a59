"""The public names of modules of the standard library, in any Python that is supported and on any platform."""

from __future__ import annotations

from functools import cache

from review_bot.analysis.project.standard_name_table import TABLE

_FUNCTIONS = frozenset({
    "bisect.bisect", "copy.copy", "fnmatch.fnmatch", "getpass.getpass", "glob.glob", "pprint.pprint", "random.random",
    "time.time", "timeit.timeit",
})  # fmt: skip
"""Functions called like their module; a function has no public attributes."""
_OF_DATETIME = frozenset({
    "astimezone", "combine", "ctime", "date", "day", "dst", "fold", "fromisocalendar", "fromisoformat", "fromordinal",
    "fromtimestamp", "hour", "isocalendar", "isoformat", "isoweekday", "max", "microsecond", "min", "minute", "month",
    "now", "replace", "resolution", "second", "strftime", "strptime", "time", "timestamp", "timetuple", "timetz",
    "today", "toordinal", "tzinfo", "tzname", "utcfromtimestamp", "utcnow", "utcoffset", "utctimetuple", "weekday",
    "year",
})  # fmt: skip
"""What ``datetime.datetime`` has in any Python; https://docs.python.org/3/library/datetime.html#datetime-objects."""


def lacks_of_module(full: str, name: str) -> bool:
    """Return whether a class or function lacks a name that the module has which is called like it.

    ::

        from datetime import datetime      datetime.timedelta(1)      the module was meant
        from time import time              time.sleep(1)
    """
    lacks = full in _FUNCTIONS or (full == "datetime.datetime" and name not in _OF_DATETIME)
    return lacks and name in (standard_names(full.partition(".")[0]) or ())


@cache
def standard_names(module: str) -> frozenset[str] | None:
    """Return the public names of a module; None if the module is not of the library or its names are not known."""
    names = TABLE.get(module)
    return None if names is None else frozenset(names.split())


def standard_modules() -> tuple[str, ...]:
    """Return the modules whose names are known."""
    return tuple(TABLE)
