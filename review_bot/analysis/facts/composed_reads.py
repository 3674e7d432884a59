"""Attributes that code of a side may read under a name that it puts together: ``getattr(args, f"size_{split}")``."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.composed_names import LOOK_UP, Form, composed_names, may_give
from review_bot.changes.codebase import Snapshot
from review_bot.text.lazy_regex import LazyRegex

_FEWEST_WRITTEN = 3
"""Characters that begin or end a name, from which on another file that writes them out may mean it."""

_START = LazyRegex(r"[\"'](\w{3})")
_END = LazyRegex(r"(\w{3})[\"']")


def read_by_composed_name(side: Snapshot, names: Iterable[str]) -> frozenset[str]:
    """Return those of some names that a Python file may put together to read an attribute of any object.

    A file is parsed only if it looks attributes up and has a string that begins or ends as one of the names does.
    """
    wanted, found = {*names}, set[str]()
    starts = {name[:_FEWEST_WRITTEN] for name in wanted}
    ends = {name[-_FEWEST_WRITTEN:] for name in wanted}
    for path in files_with(side, LOOK_UP, (".py", ".pyi")) if wanted else ():
        text = side.text(path) or ""
        may_be = not starts.isdisjoint(_START.findall(text)) or not ends.isdisjoint(_END.findall(text))
        tree = side.tree(path) if may_be else None
        forms = frozenset[Form]() if tree is None else composed_names(tree)
        for form in forms:
            if max(len(form[0] or ""), len(form[-1] or "")) >= _FEWEST_WRITTEN:
                found |= {name for name in wanted if may_give(form, name)}
    return frozenset(found)
