"""The tree around a change: every path at base and head, and text by path.

A ``Repository`` is filled from what the source can read before or while the rules run; a rule can ask it for text,
never for a connection.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from review_bot.changes.pull_request import without_mark


def _nothing(_path: str) -> str | None:
    return None


class Repository(NamedTuple):
    """Paths are relative to the root, with ``/``. ``available`` is false when the tree is unknown (a bare diff).

    ``texts_available`` is false when the paths are known and the texts are not: rules that need text do not run then.
    Texts come without a byte order mark.
    """

    head_paths: frozenset[str] = frozenset()
    base_paths: frozenset[str] = frozenset()
    read_head: Callable[[str], str | None] = _nothing
    read_base: Callable[[str], str | None] = _nothing
    available: bool = False
    texts_available: bool = True

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if it is absent or is not UTF-8 text."""
        return _marked_off(self.read_head(path)) if path in self.head_paths else None

    def base_text(self, path: str) -> str | None:
        """Return the text of a file at the base (the merge base), or None if it is absent or is not UTF-8 text."""
        return _marked_off(self.read_base(path)) if path in self.base_paths else None


def _marked_off(text: str | None) -> str | None:
    return None if text is None else without_mark(text)


def remembered(repository: Repository) -> Repository:
    """Return the same repository, which keeps each text that was asked for, since it will be asked for again."""
    return repository._replace(read_head=cache(repository.read_head), read_base=cache(repository.read_base))


NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def closed(
    head_paths: Iterable[str],
    base_paths: Iterable[str],
    head_texts: Mapping[str, str] = NO_TEXTS,
    base_texts: Mapping[str, str] = NO_TEXTS,
    *,
    texts_available: bool = True,
) -> Repository:
    """Return a repository that is plain data: nothing is read any more, and it can be sent to another process.

    ``head_texts`` and ``base_texts`` hold the text of every path that is UTF-8 text; two sides that share a text should
    share the object, so that it is kept and sent once. ``texts_available=False``: only the paths are known.
    """
    head, base = dict(head_texts), dict(base_texts)
    return Repository(frozenset(head_paths), frozenset(base_paths), head.get, base.get, True, texts_available)
