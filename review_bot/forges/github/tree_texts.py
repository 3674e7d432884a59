"""The texts of all files of both trees, for rules that ask for them: from one archive, the rest one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from review_bot.changes.pull_request import Unreviewed
from review_bot.changes.reading import text_as_declared
from review_bot.changes.repository import Repository, closed
from review_bot.errors import BadData, Forbidden, ForgeError, NotFound, RateLimited, TokenRefused, TooLarge
from review_bot.forges.github.archive import (
    MOST_PACKED,
    ArchiveDamaged,
    ArchiveRefused,
    ArchiveTooLarge,
    is_gzip,
    read_archive,
    wanted_texts,
)
from review_bot.forges.github.blobs import MOST_BYTES, Blobs, Want
from review_bot.forges.github.client import Client
from review_bot.forges.github.trees import Tree

MOST_SINGLE_TEXTS = 200
"""Texts of the tree fetched one by one where no archive could be read."""

MOST_LEFT_OUT = 2_000
"""The same, of those that git leaves out of the archive of the base, or that come after more bytes than are read."""

MOST_ANONYMOUS_TEXTS = 10
"""The same without a token, which every text costs one of 60 requests an hour."""

MOST_CHANGED_TEXTS = 8_000
"""The same, of files that the change touches."""

_MOST_ARCHIVES = 3


class TreeTexts:
    """Fetches the texts of two trees into ``blobs`` once ``wanted`` is set.

    ``ends``: returns the commits of the merge base and of the head; ``trees``: their trees.
    """

    def __init__(
        self,
        client: Client,
        repository: str,
        blobs: Blobs,
        ends: Callable[[], tuple[str, str]],
        trees: Callable[[], tuple[Tree, Tree]],
    ) -> None:
        self._client, self._name, self._blobs = client, repository, blobs
        self._ends, self._trees = ends, trees
        self.wanted = False
        self._along: frozenset[str] = frozenset()
        self._archive: bytes | None = None
        self._archive_of_base = self._base_was_read = False
        self._outage: ForgeError | None = None
        self._damaged = 0

    def take_along(self, paths: Iterable[str]) -> None:
        """Read these files from the archive too, whatever their kind."""
        self.wanted, self._along = True, frozenset(paths)

    def repository(self) -> Repository:
        """Return both trees as closed data, without texts that are missing; none where a tree is not whole.

        Raises ForgeError if texts are missing that GitHub would give out on another day.
        """
        base, head = self._trees()
        if not (base.whole and head.whole):
            return Repository()
        texts: dict[str, str | None] = {}

        def texts_of(tree: Tree) -> dict[str, str]:
            found: dict[str, str] = {}
            for path, entry in tree.entries.items():
                if entry.blob not in texts:
                    texts[entry.blob] = self._blobs.text(entry.blob)
                text = texts[entry.blob]
                if text is None and path.endswith((".py", ".pyi")):
                    text = text_as_declared(self._blobs.get(entry.blob) or b"", path)
                if text is not None and entry.mode.startswith("100"):
                    found[path] = text
            return found

        complete = self.wanted and not self._untouched(self._missing())
        if self.wanted and not complete and self._outage is not None:
            raise self._outage
        opaque = frozenset(path for path, entry in head.entries.items() if not entry.mode.startswith("100"))
        texts_then = texts_of(head), texts_of(base)
        return closed(head.entries, base.entries, *texts_then, texts_available=complete, opaque=opaque)

    def archive_calls(self) -> list[Callable[[], object]]:
        """Return the call that fetches the archive, if it is wanted and not here yet."""
        if not self.wanted or self._archive is not None:
            return []

        def download() -> None:
            path = f"/repos/{self._name}/tarball/{self._archived()}"
            try:
                self._archive = self._client.download(path, most=MOST_PACKED, is_right=is_gzip)
            except (TokenRefused, RateLimited):
                raise
            except (TooLarge, NotFound, Forbidden):
                self._archive = b""  # rules that need texts do without, and are named
            except ForgeError as error:
                self._archive, self._outage = b"", error

        return [download]

    def _archived(self) -> str:
        """Return the commit whose archive is read: the head, or the merge base."""
        return self._ends()[0 if self._archive_of_base else 1]

    def turn_to_base(self) -> None:
        """Go on to the archive of the merge base if that of the head is incomplete.

        The change decides what the head's holds (``export-ignore``, more bytes than are read here, or hundreds of old
        texts that only the base has), and must not switch off rules by that. It does not affect the base's.
        """
        told = self._archive is not None and not self._archive_of_base
        if self._applies() and told and not self._are_few(self._untouched(self._missing())):
            self._archive, self._archive_of_base, self._damaged = None, True, 0

    def unpack(self) -> None:
        """Keep the texts that the archive holds; one that is refused holds none."""
        tree = self._trees()[0 if self._archive_of_base else 1]
        if self._archive and tree.whole:
            try:
                along = {path: tree.entries[path].blob for path in self._along & tree.entries.keys()}
                for blob, data in read_archive(self._archive, along | wanted_texts(tree)):
                    self._blobs.keep(blob, data)
                self._base_was_read = self._archive_of_base
            except ArchiveDamaged as error:
                self._damaged += 1
                if self._damaged < _MOST_ARCHIVES:
                    self._archive = None
                    return
                self._outage = BadData(f"GitHub's archive of {self._archived()[:12]} cannot be used: {error}")
            except ArchiveTooLarge:
                self._base_was_read = self._archive_of_base  # as far as it is read
            except ArchiveRefused:
                pass  # what it lacks is named
        self._archive = b"" if self._archive is not None else None

    def single_texts(self, wanted: Iterable[Want]) -> list[Want]:
        """Return the texts that the archive should have held and did not, if they are few enough to fetch."""
        if not self._applies() or list(wanted):  # old texts may come of what is wanted
            return []
        missing, sizes = self._missing(), self._sizes_of_texts()
        untouched = self._untouched(missing)
        changed = sorted({*missing}.difference(untouched))
        found = [Want(blob, sizes[blob], untouched=True) for blob in untouched if self._are_few(untouched)]
        return found + [Want(blob, sizes[blob]) for blob in changed if len(changed) <= MOST_CHANGED_TEXTS]

    def _applies(self) -> bool:
        """Return whether the texts of both trees are asked for, and both are known."""
        return self.wanted and all(tree.whole for tree in self._trees())

    def _are_few(self, untouched: list[str]) -> bool:
        """Return whether texts that the change does not touch can be fetched one by one."""
        sizes = self._sizes_of_texts()
        total = sum(sizes[blob] or 0 for blob in untouched)
        most = MOST_LEFT_OUT if self._base_was_read else MOST_SINGLE_TEXTS
        most = MOST_ANONYMOUS_TEXTS if self._client.anonymous else most
        return len(untouched) <= most and total <= MOST_BYTES

    def _sizes_of_texts(self) -> dict[str, int | None]:
        return {entry.blob: entry.size for tree in self._trees() for entry in tree.entries.values()}

    def lost_texts(self) -> Iterator[Unreviewed]:
        """Yield the changed files whose text rules about other files ask for, and which could not be had.

        Otherwise a change could switch off these rules by its own size.
        """
        if not self._applies():
            return
        missing = set(self._missing())
        base, head = self._trees()
        for tree, other in ((head, base), (base, head)):
            for path, blob in wanted_texts(tree).items():
                if blob in missing and other.entries.get(path) != tree.entries[path]:
                    reason = self._blobs.problem(blob) or "GitHub does not return its text"
                    yield Unreviewed(path, f"{reason}; rules about other files also need it")

    def _untouched(self, blobs: Iterable[str]) -> list[str]:
        """Return those of the blobs that both trees have at the same place."""
        base, head = self._trees()
        same = {entry.blob for path, entry in base.entries.items() if head.entries.get(path) == entry}
        return [blob for blob in blobs if blob in same]

    def _missing(self) -> list[str]:
        blobs = {blob for tree in self._trees() for blob in wanted_texts(tree).values()}
        return sorted(blob for blob in blobs if self._blobs.get(blob) is None)
