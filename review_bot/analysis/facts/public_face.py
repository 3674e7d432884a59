"""The public names of a project: what its packages export near the root, and what its documentation mentions.

Any module can be imported; only these names are a promise. Source: PEP 8, "Public and Internal Interfaces".
"""

from __future__ import annotations

import re

from review_bot.analysis.facts.documents import mentions, shows_call
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.text.lazy_regex import LazyRegex

_DEEPEST = 2
"""How many packages deep an ``__init__.py`` is public: ``pkg`` and ``pkg.part``, not ``pkg.part.inner``."""
_ROOTS = frozenset({"src", "python", "lib"})
_TELLING = LazyRegex(r"[a-z\d][A-Z]|[A-Z][A-Z][a-z]|\w_\w")
"""A name that is not a word of prose."""
_EXAMPLE = LazyRegex(r"(?:^|/)examples?/.*\.py$")
_MOST_EXAMPLES = 300
_OF_MODELS = frozenset({"models", "layers"})
_CALLED_WITH_THE_CLASS = frozenset({"__init__", "__call__"})


def is_public(name: str, path: str, codebase: Codebase) -> bool:
    """Return whether a definition (``name`` is qualified) that a module has at the base is public.

    Of a method also a call must be shown somewhere, unless it is called with the class or has a plain word for a name.
    Model code follows its upstream, so there only an export counts.
    """
    top, _, method = name.partition(".")
    if top not in exported_above(path, codebase):
        of_models = not _OF_MODELS.isdisjoint(path.split("/")[:-1])
        if of_models or _TELLING.search(top) is None:
            return False
        if not mentions(codebase.head).of(top) and not any(
            top in text and top in _words(text) for text in _examples(codebase.head)
        ):
            return False
    if not method or method in _CALLED_WITH_THE_CLASS or _TELLING.search(method) is None:
        return True
    return mentions(codebase.head).shows_call(method) or any(
        shows_call(text, method) for text in _examples(codebase.head)
    )


def exported_above(path: str, codebase: Codebase) -> frozenset[str]:
    """Return every word of the ``__init__.py`` files near the root above a module, at the base."""
    folders = path.split("/")[:-1]
    start = 1 if folders and folders[0] in _ROOTS else 0
    words: set[str] = set()
    for depth in range(start + 1, min(len(folders), start + _DEEPEST) + 1):
        words.update(_words(codebase.base.text(f"{'/'.join(folders[:depth])}/__init__.py") or ""))
    return frozenset(words)


@query
def _examples(side: Snapshot) -> list[str]:
    """Return the texts of the examples of one side."""
    paths = sorted(path for path in side.paths if _EXAMPLE.search(path))[:_MOST_EXAMPLES]
    return [side.text(path) or "" for path in paths]


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]\w*", re.sub(r"(?m)^[ \t]*#.*", "", text))
