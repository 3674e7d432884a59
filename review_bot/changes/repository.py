"""The tree around a change: every path at base and head, and text by path.

A ``Repository`` is filled from what the source can read before or while the rules run; a rule can ask it for text,
never for a connection.
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from review_bot.changes.pull_request import ChangedFile, without_mark
from review_bot.records import NamedTuple


def _nothing(_path: str) -> str | None:
    return None


class Repository(NamedTuple):
    """Paths are relative to the root, with ``/``. ``available`` is false when the tree is unknown (a bare diff).

    ``texts_available`` is false when the paths are known and the texts are not: rules that need text do not run then.
    Texts come without a byte order mark. ``identity``: with the files of the change it determines both trees, and no
    other clone has it; None where nothing is known to do so.
    """

    head_paths: frozenset[str] = frozenset()
    base_paths: frozenset[str] = frozenset()
    read_head: Callable[[str], str | None] = _nothing
    read_base: Callable[[str], str | None] = _nothing
    available: bool = False
    texts_available: bool = True
    identity: str | None = None

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if it is absent or is not UTF-8 text."""
        return _marked_off(self.read_head(path)) if path in self.head_paths else None

    def base_text(self, path: str) -> str | None:
        """Return the text of a file at the base (the merge base), or None if it is absent or is not UTF-8 text."""
        return _marked_off(self.read_base(path)) if path in self.base_paths else None


def _marked_off(text: str | None) -> str | None:
    return None if text is None else without_mark(text)


_MOST_BEHIND_LINKS = 20_000
"""Paths in folders behind links up to which they are followed."""


def with_changed_links(repository: Repository, files: Iterable[ChangedFile]) -> Repository:
    """Return the same repository, in which a link that the change adds or edits is the file or folder it points to.

    A link to nothing, to itself or out of the repository does not count as a file. A link that the change does not
    touch stays what it is: its target is not known. A submodule with a name of Python code is not a module.
    """
    links: dict[str, str] = {}
    gone: set[str] = set()
    for file in files:
        if file.status == "deleted":
            continue
        if file.kind == "symlink":
            target = next((text for _, text in file.added_lines()), None)
            if target is not None:
                links[file.path] = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), target))
        elif file.kind == "submodule" and file.path.endswith(".py"):
            gone.add(file.path)
    if not links and not gone:
        return repository
    targets: dict[str, str] = {}
    for path in links:
        end, seen = path, set[str]()
        while end in links and end not in seen:
            seen.add(end)
            end = links[end]
        if end in links or not _exists(end, repository.head_paths):
            gone.add(path)
        elif end in repository.head_paths:
            targets[path] = end
        elif not path.startswith(f"{end}/"):
            inside = [each for each in repository.head_paths if each.startswith(f"{end}/")]
            if inside and len(inside) * len(links) <= _MOST_BEHIND_LINKS:
                gone.add(path)
                targets |= {f"{path}{each[len(end) :]}": each for each in inside}
    read = repository.read_head
    return repository._replace(
        head_paths=repository.head_paths.difference(gone).union(targets),
        read_head=lambda path: read(targets.get(path, path)),
    )


def _exists(path: str, paths: frozenset[str]) -> bool:
    """Return whether a path is a file or a folder of a tree, or is behind a link or submodule of it."""
    above = path
    while above:
        if above in paths:
            return True
        above = above.rpartition("/")[0]
    return any(each.startswith(f"{path}/") for each in paths)


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
