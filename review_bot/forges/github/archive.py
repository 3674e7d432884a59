"""The texts of a whole tree from one streamed ``tar.gz``, in memory, nothing of it believed without its hash.

The archive is made by git, which obeys the ``.gitattributes`` of its commit, so the change's own (``export-ignore``
leaves files out, ``export-subst`` rewrites them): what is missing or different is for the caller to fetch by its blob
id.
Source: https://docs.github.com/en/rest/repos/contents#download-a-repository-archive-tar
"""

from __future__ import annotations

import io
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping

from review_bot.forges.github.git_ids import blob_id
from review_bot.forges.github.trees import Tree
from review_bot.text.lazy_regex import LazyRegex

MOST_PACKED = 64 * 1024 * 1024
MOST_UNPACKED = 1024 * 1024 * 1024
MOST_MEMBERS = 100_000
LARGEST_TEXT = 1_000_000
"""Bytes of one file that is kept."""

_READ_BY_CHECKS = LazyRegex(
    r"\.(?:py|pyi|ipynb|pyx|toml|cfg|ini|txt|in|md|rst|ya?ml|cmake|bazel|build)\Z"
    r"|(?:^|/)(?:\.gitignore|[Mm]akefile|BUILD|Pipfile|justfile|[^/]*Dockerfile[^/]*)\Z",
    re.DOTALL,
)
"""Sources, manifests and build files: what the checks ask ``Repository`` for."""


class ArchiveRefused(Exception):
    """The archive is damaged or larger than a limit; the text says which, for people."""


class ArchiveTooLarge(ArchiveRefused):
    """The archive unpacks to more than is read."""


class ArchiveDamaged(ArchiveRefused):
    """The archive is not as it was sent: another one may be."""


def is_gzip(packed: bytes) -> bool:
    """Return whether bytes begin as an archive does, and not as a page of HTML."""
    return packed.startswith(b"\x1f\x8b")


def is_read_by_checks(path: str) -> bool:
    """Return whether a check may ask for the text of a file that is not part of the change."""
    return _READ_BY_CHECKS.search(path) is not None


def wanted_texts(tree: Tree) -> dict[str, str]:
    """Return the blob ids, by path, of the texts of a tree that checks may ask for."""
    return {
        path: entry.blob
        for path, entry in tree.entries.items()
        if entry.mode.startswith("100")
        and (entry.size is None or entry.size <= LARGEST_TEXT)
        and is_read_by_checks(path)
    }


def read_archive(
    packed: bytes,
    wanted: Mapping[str, str],
    *,
    most_unpacked: int = MOST_UNPACKED,
    most_members: int = MOST_MEMBERS,
) -> Iterator[tuple[str, bytes]]:
    """Yield the wanted contents with their blob ids, those whose hash is right. Raises ArchiveRefused, ArchiveDamaged.

    What was yielded before is right all the same: what makes an archive too large does not hide what comes before it.
    """
    stream = io.BufferedReader(_Unpacked(packed, most_unpacked))
    try:
        with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
            count = 0
            while (member := archive.next()) is not None:
                count += 1
                if count > most_members:
                    raise ArchiveRefused(f"it has more than {most_members:,} entries")
                archive.members = []  # type: ignore[attr-defined]  # it would keep a record of each
                blob = wanted.get(member.name.partition("/")[2])
                if blob is None or not member.isreg() or member.issparse() or member.size > LARGEST_TEXT:
                    continue
                content = archive.extractfile(member)
                data = content.read() if content is not None else b""
                kept = next((each for each in _as_stored(data) if blob_id(each, blob) == blob), None)
                if kept is not None:
                    yield blob, kept
    except (zlib.error, EOFError) as error:
        raise ArchiveDamaged(f"it is damaged ({type(error).__name__})") from error
    except (tarfile.TarError, OSError, ValueError, OverflowError, RecursionError) as error:
        raise ArchiveRefused(f"it is damaged ({type(error).__name__})") from error


def _as_stored(data: bytes) -> Iterator[bytes]:
    """Yield what a file of an archive may be in git: git writes its line ends as in a checkout (``eol=crlf``)."""
    yield data
    if b"\r\n" in data:
        yield data.replace(b"\r\n", b"\n")


class _Unpacked(io.RawIOBase):
    """Unpacks gzip piece by piece, up to a limit."""

    def __init__(self, packed: bytes, most: int) -> None:
        super().__init__()
        self._packed = memoryview(packed)
        self._position = 0
        self._left = most
        self._inflate = zlib.decompressobj(wbits=31)  # gzip, with its check sum

    def readable(self) -> bool:
        """Return true: it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed names no type of ours
        """Unpack into a buffer and return how many bytes. Raises ArchiveTooLarge, and EOFError if it is cut off."""
        while not self._inflate.eof:
            given = self._inflate.unconsumed_tail
            if not given:
                given = bytes(self._packed[self._position : self._position + 65_536])
                self._position += len(given)
            piece = self._inflate.decompress(given, len(buffer))
            if piece:
                self._left -= len(piece)
                if self._left < 0:
                    raise ArchiveTooLarge("it unpacks to more than the limit")
                buffer[: len(piece)] = piece
                return len(piece)
            if not given and not self._inflate.eof:
                raise EOFError("the archive is truncated")
        if self._inflate.unused_data or self._position < len(self._packed):
            raise EOFError("the archive continues after the end of its gzip data")
        return 0
