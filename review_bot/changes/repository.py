"""The tree around a change: every path at base and head, and text by path.

A ``Repository`` is filled from what the source can read before or while the rules run; a rule can ask it for text,
never for a connection.
"""

import posixpath
from bisect import bisect_left
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
    other clone has it; None where nothing is known to do so. ``opaque``: the symbolic links and submodules among
    ``head_paths``; None where they are not known.
    """

    head_paths: frozenset[str] = frozenset()
    base_paths: frozenset[str] = frozenset()
    read_head: Callable[[str], str | None] = _nothing
    read_base: Callable[[str], str | None] = _nothing
    available: bool = False
    texts_available: bool = True
    identity: str | None = None
    opaque: frozenset[str] | None = None

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if it is absent or is not UTF-8 text."""
        return _marked_off(self.read_head(path)) if path in self.head_paths else None

    def base_text(self, path: str) -> str | None:
        """Return the text of a file at the base (the merge base), or None if it is absent or is not UTF-8 text."""
        return _marked_off(self.read_base(path)) if path in self.base_paths else None


def _marked_off(text: str | None) -> str | None:
    return None if text is None else without_mark(text)


_LINK_MODE = "120000"

_MOST_BEHIND_LINKS = 200_000
"""Paths in folders behind links up to which they are followed, those with the fewest first."""


def with_changed_links(repository: Repository, files: Iterable[ChangedFile]) -> Repository:
    """Return the same repository, in which a link that the change adds or edits is the file or folder it points to.

    A link to nothing, to itself or out of the repository does not count as a file, and one with a name of Python code
    to something without such a name is no module. A link that the change does not touch stays what it is: its target is
    not known. A submodule with a name of Python code is not a module. ``opaque`` keeps the links behind which anything
    may be.
    """
    links: dict[str, str] = {}
    gone: set[str] = set()
    for file in files:
        if file.status == "deleted":
            continue
        if file.kind == "symlink":
            target = next((text for _, text in file.added_lines()), None)
            if target is not None:
                links[file.path] = _behind(file.path, target)
        elif file.kind == "submodule" and _is_module(file.path):
            gone.add(file.path)
    if not links and not gone:
        return repository
    targets: dict[str, str] = {}
    of_files: set[str] = set()
    folders: list[tuple[int, str, str]] = []
    listed, opaque = _Listed(repository.head_paths, repository.opaque), repository.opaque
    for path, end in _ends(links).items():
        if end is None or not listed.has(end) or (_is_module(path) and not _is_module(end)):
            gone.add(path)
        elif end in repository.head_paths:
            targets[path] = end
            if opaque is None or end not in opaque or "." in posixpath.basename(end):
                of_files.add(path)
        elif size := listed.count_below(end):
            gone.add(path)
            folders.append((size, path, end))
    left = _MOST_BEHIND_LINKS
    for size, path, end in sorted(folders):
        left -= size
        if left < 0:
            break
        targets |= {f"{path}{each[len(end) :]}": each for each in listed.below(end) if each not in links}
    read = repository.read_head
    return repository._replace(
        head_paths=repository.head_paths.difference(gone).union(targets),
        read_head=lambda path: read(targets.get(path, path)),
        opaque=None if opaque is None else opaque - of_files,
    )


def was_link(file: ChangedFile) -> bool:
    """Return whether a file was a symbolic link at the base, and is a file now."""
    return file.status == "retyped" and file.old_mode == _LINK_MODE


def former_links(files: Iterable[ChangedFile], base_paths: frozenset[str]) -> dict[str, str]:
    """Return the modules that are files now and were links at the base, each with the module that it led to there."""
    links = {
        file.base_path: _behind(file.base_path, target)
        for file in files
        if was_link(file) and _is_module(file.base_path)
        for _, target in file.removed_lines()
    }
    return {path: end for path, end in _ends(links).items() if end in base_paths and _is_module(end)}


def _behind(path: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _ends(links: Mapping[str, str]) -> dict[str, str | None]:
    """Return what each link leads to, through other links too; None for one that leads to itself."""
    ends: dict[str, str | None] = {}
    for path in links:
        trail: dict[str, None] = {}
        end = path
        while end in links and end not in ends and end not in trail:
            trail[end] = None
            end = links[end]
        last = None if end in trail else ends.get(end, end)
        ends.update((each, last) for each in trail)
    return ends


def _is_module(path: str) -> bool:
    return path.endswith((".py", ".pyi"))


class _Listed:
    """The paths of a tree in order, so that those below a folder are found without reading all."""

    def __init__(self, paths: frozenset[str], opaque: frozenset[str] | None) -> None:
        self._paths, self._sorted = paths, sorted(paths)
        self._opaque = paths if opaque is None else opaque

    def has(self, path: str) -> bool:
        """Return whether a path is a file or a folder, or is behind a link or submodule."""
        above = path.rpartition("/")[0]
        while above:
            if above in self._opaque:
                return True
            above = above.rpartition("/")[0]
        return path in self._paths or self.count_below(path) > 0

    def count_below(self, folder: str) -> int:
        """Return the number of files below a folder."""
        first, last = self._range(folder)
        return last - first

    def below(self, folder: str) -> list[str]:
        """Return the files below a folder."""
        first, last = self._range(folder)
        return self._sorted[first:last]

    def _range(self, folder: str) -> tuple[int, int]:
        after = chr(ord("/") + 1)
        return bisect_left(self._sorted, f"{folder}/"), bisect_left(self._sorted, f"{folder}{after}")


NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def closed(
    head_paths: Iterable[str],
    base_paths: Iterable[str],
    head_texts: Mapping[str, str] = NO_TEXTS,
    base_texts: Mapping[str, str] = NO_TEXTS,
    *,
    texts_available: bool = True,
    opaque: frozenset[str] | None = None,
) -> Repository:
    """Return a repository that is plain data: nothing is read any more, and it can be sent to another process.

    ``head_texts`` and ``base_texts`` hold the text of every path that is UTF-8 text; two sides that share a text should
    share the object, so that it is kept and sent once. ``texts_available=False``: only the paths are known.
    """
    head, base = dict(head_texts), dict(base_texts)
    return Repository(
        frozenset(head_paths), frozenset(base_paths), head.get, base.get, True, texts_available, opaque=opaque
    )
