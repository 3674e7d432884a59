"""Methods of lists, sets, dictionaries and deques that change the collection."""

from __future__ import annotations

FILLING = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update"})
"""Those that put something in."""
CHANGING = FILLING | {"clear", "discard", "pop", "popitem", "popleft", "remove", "reverse", "sort"}
