"""Names and places in words: "`pkg/run.py:3` and at least 2 more still import `LIMIT`"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_bot.findings import Related
from review_bot.text.listing import all_of, first_of

MOST_RELATED = 10
_MOST_NAMES = 6
_EXACT_BELOW = 30


def places_in_words(places: Iterable[Related], named: Related | None = None) -> tuple[str, bool]:
    """Return the first place, or the one to be named, and how many others were found, and whether there is only one.

    There may be more: names are built at run time, and some code is not read.
    """
    found = sorted({(each.path, each.line) for each in places})
    path, line = found[0] if named is None else (named.path, named.line)
    first = f"`{path}:{line}`"
    return (first, True) if len(found) == 1 else (f"{first} and at least {len(found) - 1} more", False)


def about(number: int) -> str:
    """Return a count in words that can be counted in more ways than one: "about 310" lines of code for 312."""
    rounded = int(float(f"{number:.2g}"))
    return f"{number:,}" if number < _EXACT_BELOW else f"about {rounded:,}"


def in_one_line(code: str, most: int) -> str:
    """Return code in one line, of longer code that many characters and dots."""
    text = " ".join(code.split())
    return text if len(text) <= most else f"{text[:most]}..."


def names_in_words(names: Iterable[str]) -> str:
    """Return names as code, joined."""
    found = sorted(set(names))
    return listed(found) if len(found) > _MOST_NAMES else all_listed(found)


def all_listed(names: Iterable[str]) -> str:
    """Return names as code, as a sentence lists them."""
    return all_of([f"`{name}`" for name in names])


def listed(names: Iterable[str], most: int = _MOST_NAMES) -> str:
    """Return the first names as code, separated by commas, and the number of the others."""
    return first_of((f"`{name}`" for name in names), most)


def first_note(places: Sequence[Related], kind: str) -> str:
    """Return what is said of the first place, and how many others of its kind do not match either.

    There may be more of them: documents have calls too, and code that is not read.
    """
    others = len(places) - 1
    if not others:
        return places[0].note
    more = f"at least 1 other {kind} does" if others == 1 else f"at least {others} other {kind}s do"
    return f"{places[0].note}; {more} not match either"
