"""Contents of files by blob id, believed only if they are what the id says.

::

    wanted ids ── GraphQL, 40 a query ──▶ text, hashed ──▶ known
                                          binary, cut off, or another hash ── REST, one by one ──▶ known, or why not
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Lock

from review_bot.changes.content import LARGEST_FILE, TOO_LARGE
from review_bot.errors import BadData, NotFound
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import blob_id
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple

MOST_BYTES = 100_000_000
"""Bytes of all files that are fetched for one change, and once more of files that it does not touch."""

_MOST_IN_QUERY = 40
_MOST_BYTES_IN_QUERY = 4_000_000
_LARGEST_IN_QUERY = 400_000
_CUT_OFF_AT = 512_000
"""Bytes of a text, about, at which GraphQL cuts it off."""

_GUESSED_SIZE = 20_000
_TOO_MANY_BYTES = f"the files to fetch are larger than {MOST_BYTES:,} bytes together"
_RAW = "application/vnd.github.raw+json"


class Want(NamedTuple):
    """A blob to fetch. ``whole`` false: that GitHub calls it binary is answer enough.

    ``untouched``: the change does not touch its file, and so cannot use up the bytes that may be fetched for it.
    """

    blob: str
    size: int | None = None
    whole: bool = True
    untouched: bool = False


class Lacking(Exception):
    """Blobs that have to be fetched before the caller can go on."""

    def __init__(self, wanted: Iterable[Want]) -> None:
        super().__init__("blobs to fetch")
        self.wanted = tuple(wanted)


class Unreadable(Exception):
    """A blob cannot be had; the text says why, for people."""


class _BlobNode(Answer):
    oid: str | None = None
    byteSize: int | None = None  # noqa: N815  # GitHub's own name
    isBinary: bool | None = None  # noqa: N815
    isTruncated: bool = False  # noqa: N815
    text: str | None = None


class _BlobsAnswer(Answer):
    repository: dict[str, _BlobNode | None] | None


class Blobs:
    """What is known of the blobs of one repository."""

    def __init__(self, client: Client, repository: str) -> None:
        self._client, self._repository = client, repository
        self._known: dict[str, bytes] = {}
        self._binary: set[str] = set()
        self._asked: set[str] = set()
        self._failed: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._booked: dict[str, tuple[bool, int]] = {}
        self._left = {False: MOST_BYTES, True: MOST_BYTES}
        self._lock = Lock()

    def keep(self, blob: str, data: bytes) -> bool:
        """Keep a content if its hash is the id, and return whether it is."""
        if blob in self._known:
            return self._known[blob] == data
        if not blob or blob_id(data, blob) != blob:
            return False
        self._known[blob] = data
        return True

    def leave_query(self, *blobs: str) -> None:
        """Fetch these one by one: they are no text that a query could hold."""
        self._asked.update(blobs)

    def get(self, blob: str | None) -> bytes | None:
        """Return a content, if it is known."""
        return self._known.get(blob) if blob else None

    def text(self, blob: str | None) -> str | None:
        """Return a content as text, or None if it is not known or no UTF-8."""
        data = self.get(blob)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def problem(self, blob: str) -> str | None:
        """Return why a blob could not be had, or None."""
        return self._failed.get(blob)

    def need(self, *wanted: Want) -> list[bytes | None]:
        """Return contents; None where one was not wanted whole and is binary. Raises Lacking, Unreadable."""
        lacking = []
        for want in wanted:
            if self._is_enough(want):
                continue
            if not want.blob:
                raise Unreadable("the tree of the repository is too large to find its old text")
            if want.blob in self._failed:
                raise Unreadable(self._failed[want.blob])
            read_whole = want.whole or want.blob in self._asked or self._client.anonymous
            if want.size is not None and want.size > LARGEST_FILE and read_whole:
                raise Unreadable(TOO_LARGE)
            lacking.append(want)
        if lacking:
            raise Lacking(lacking)
        return [self._known.get(want.blob) for want in wanted]

    def calls(self, wanted: Iterable[Want]) -> list[Callable[[], None]]:
        """Return the calls that fetch blobs, for ``Client.together``; what they find is known afterwards."""
        by_query: list[Want] = []
        by_rest: list[Want] = []
        for want in {each.blob: each for each in sorted(wanted, key=_rank)}.values():
            if want.blob in self._failed or self._is_enough(want):
                continue
            if not self._is_affordable(want):
                self._failed[want.blob] = _TOO_MANY_BYTES
                continue
            fits = want.size is None or want.size <= _LARGEST_IN_QUERY or not want.whole
            by_rest_alone = self._client.anonymous or want.blob in self._asked
            (by_query if fits and not by_rest_alone else by_rest).append(want)
        calls = [self._by_query(share) for share in _shares(by_query)]
        return [*calls, *(self._by_rest(want.blob) for want in by_rest)]

    def _is_enough(self, want: Want) -> bool:
        """Return whether what is known of a blob is all that is wanted."""
        return want.blob in self._known or (not want.whole and want.blob in self._binary)

    def _is_affordable(self, want: Want) -> bool:
        """Book the bytes of a blob, guessed where its size is not known.

        Nothing is booked where GitHub is only asked whether a blob is binary that is too large for a query.
        """
        size = self._sizes.get(want.blob, _GUESSED_SIZE) if want.size is None else want.size
        if not want.whole and size > _LARGEST_IN_QUERY:
            return True
        with self._lock:
            booked = self._booked.get(want.blob, (want.untouched, 0))[1]
            if size - booked > self._left[want.untouched]:
                return False
        self._book(want.blob, max(size, booked), untouched=want.untouched)
        return True

    def _book(self, blob: str, size: int, *, untouched: bool | None = None) -> None:
        """Book the bytes of a blob in place of those that were booked for it before."""
        with self._lock:
            earlier, booked = self._booked.get(blob, (untouched or False, 0))
            self._left[earlier] += booked
            self._booked[blob] = (earlier, size)
            self._left[earlier] -= size

    def _is_over(self, *blobs: str) -> bool:
        """Return whether more was fetched than may be, and name these blobs if so."""
        with self._lock:
            over = [blob for blob in blobs if self._left[self._booked.get(blob, (False, 0))[0]] < 0]
        self._failed.update(dict.fromkeys(over, _TOO_MANY_BYTES))
        return bool(over)

    def _by_query(self, share: list[Want]) -> Callable[[], None]:
        names = [want.blob for want in share]

        def ask() -> None:
            if self._is_over(*names):  # sizes that were guessed were wrong
                return
            owner, _, name = self._repository.partition("/")
            answer = self._client.query(_document(names), {"owner": owner, "name": name}, _BlobsAnswer, partial=True)
            nodes = answer.repository or {}
            for index, blob in enumerate(names):
                self._asked.add(blob)
                node = nodes.get(f"b{index}")
                self._book(blob, 0)
                if node is None or node.oid != blob:
                    continue
                if node.byteSize is not None:
                    self._sizes[blob] = node.byteSize
                if node.isBinary:
                    self._binary.add(blob)
                if node.text is not None and not node.isTruncated:
                    data = node.text.encode("utf-8", "surrogatepass")
                    self._book(blob, len(data) if self.keep(blob, data) else 0)
                elif not node.isBinary and (node.byteSize or 0) > LARGEST_FILE:
                    self._failed[blob] = TOO_LARGE

        return ask

    def _by_rest(self, blob: str) -> Callable[[], None]:
        def ask() -> None:
            if self._is_over(blob):
                return
            try:
                data = self._client.get_bytes(
                    f"/repos/{self._repository}/git/blobs/{blob}",
                    accept=_RAW,
                    most=LARGEST_FILE,
                    is_right=lambda data: blob_id(data, blob) == blob,
                )
            except NotFound:
                self._failed[blob] = "GitHub does not return its text"
            except BadData as error:
                self._failed[blob] = f"its text could not be fetched: {error}"
            else:
                self._book(blob, len(data))
                self.keep(blob, data)

        return ask


def _rank(want: Want) -> tuple[str, bool, int]:
    return want.blob, want.whole, -1 if want.size is None else want.size


def _document(blobs: list[str]) -> str:
    fields = "... on Blob { oid byteSize isBinary isTruncated text }"
    aliases = "".join(f' b{index}: object(oid: "{blob}") {{ {fields} }}' for index, blob in enumerate(blobs))
    return f"query Blobs($owner: String!, $name: String!) {{ repository(owner: $owner, name: $name) {{{aliases} }} }}"


def _shares(wanted: list[Want]) -> Iterator[list[Want]]:
    share: list[Want] = []
    size = 0
    for want in wanted:
        bytes_of_it = _GUESSED_SIZE if want.size is None else min(want.size, _CUT_OFF_AT)
        if share and (len(share) == _MOST_IN_QUERY or size + bytes_of_it > _MOST_BYTES_IN_QUERY):
            yield share
            share, size = [], 0
        share.append(want)
        size += bytes_of_it
    if share:
        yield share
