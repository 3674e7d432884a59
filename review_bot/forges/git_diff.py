"""Reads the output of ``git diff --raw --numstat -z -p``: a record for each file, with its names, and its patch.

Names, modes and object ids come from the records, lines from the patch, and the counts of both must agree.
"""

from collections.abc import Sequence

from review_bot.changes import reading, unified_diff
from review_bot.changes.pull_request import ChangedFile, Hunk, Status
from review_bot.errors import DiffError, ForgeError
from review_bot.records import NamedTuple

ARGUMENTS = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "-M",
    "--full-index", "--no-abbrev",
    "--no-relative", "--diff-algorithm=myers", "--unified=3", "--inter-hunk-context=0", "--ignore-submodules=dirty",
    "--submodule=short", "--raw", "--numstat", "-z", "-p",
)  # fmt: skip

_STATUS: dict[str, Status] = {
    "A": "added", "M": "modified", "D": "deleted", "R": "renamed", "C": "copied", "T": "retyped",
}  # fmt: skip
_SUBMODULE = "160000"


class Record(NamedTuple):
    """One file of ``--raw -z``, with its counts of ``--numstat`` (None: git calls it binary)."""

    status: str
    path: str
    old_path: str | None
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    added: int | None = None
    removed: int | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """All its names."""
        return (self.path,) if self.old_path is None else (self.old_path, self.path)


def split_answer(output: bytes) -> list[tuple[Record, list[bytes]]]:
    """Divide what git printed into records, each with its sections of the patch. Raises ForgeError.

    A file that changes its type (to a symlink, say) has two sections: a deletion and an addition. One with merge
    conflicts (status ``U``) has none.
    """
    records, patch = _split_records(output)
    sections = _split_patch(patch)
    pairs: list[tuple[Record, list[bytes]]] = []
    position = 0
    for record in records:
        taken = {"U": 0, "T": 2}.get(record.status, 1)
        pairs.append((record, sections[position : position + taken]))
        position += taken
    if position != len(sections):
        raise ForgeError(
            f"`git diff` lists {len(records)} files and prints {len(sections)}; this is a bug in Review Bot, "
            "please report it with `git diff --raw` of this change"
        )
    return pairs


def read_file(record: Record, sections: Sequence[bytes], *, as_text: bool = False) -> tuple[ChangedFile, str | None]:
    """Return a file, and why its text is unreviewed or None.

    ``as_text``: the sections were made with ``--text``, which ``--numstat`` does not obey.
    """
    file = ChangedFile(
        path=record.path,
        old_path=None if record.status == "A" else record.old_path or record.path,
        status=_STATUS.get(record.status, "modified"),
        kind="text" if as_text or record.added is not None else "binary",
        old_mode=record.old_mode,
        new_mode=record.new_mode,
        old_blob=record.old_blob if record.old_blob.strip("0") else None,
        new_blob=record.new_blob if record.new_blob.strip("0") else None,
    )
    if unified_diff.kind_of(record.old_mode, record.new_mode, ()) == "submodule":
        return file._replace(kind="submodule"), None
    if file.kind == "binary":
        return file, None
    try:
        parts = [_read_hunks(record, section) for section in sections]
    except DiffError as error:
        return file, str(error)
    if record.status == "T":
        gone = file._replace(status="deleted", hunks=parts[0][0], removed=unified_diff.counts(parts[0][0])[1])
        if record.old_mode == _SUBMODULE:
            gone = gone._replace(kind="submodule")
        new = file._replace(status="added", hunks=parts[1][0], added=unified_diff.counts(parts[1][0])[0])
        file = unified_diff.joined(gone, new)
    else:
        hunks = parts[0][0]
        added, removed = unified_diff.counts(hunks)
        if not as_text and (added, removed) != (record.added, record.removed):
            return file, f"the diff shows +{added} -{removed} lines, git reports +{record.added} -{record.removed}"
        file = file._replace(hunks=hunks, added=added, removed=removed)
    kind = unified_diff.kind_of(record.old_mode, record.new_mode, file.hunks)
    return file._replace(kind=kind), reading.NOT_UTF8 if parts[-1][1] else None


def _read_hunks(record: Record, section: bytes) -> tuple[tuple[Hunk, ...], bool]:
    """Return the hunks of a section, and whether its new side has bytes that are no UTF-8. Raises DiffError."""
    start = section.find(b"\n@@ -")
    if start < 0:
        return (), False
    if record.status != "T" and f"\nindex {record.old_blob}..".encode() not in section[:start]:
        raise DiffError("the diff shows a different file than git lists here")
    body = section[start + 1 :]
    try:
        return unified_diff.read_hunks(body.decode("utf-8")), False
    except UnicodeDecodeError:
        return reading.readable_hunks(unified_diff.read_hunks(body.decode("utf-8", "surrogateescape")))


def _split_records(output: bytes) -> tuple[list[Record], bytes]:
    """Return the records, a rename with both names, with their counts; and the patch after them."""
    records: list[Record] = []
    position = 0

    def field() -> str:
        nonlocal position
        end = output.index(b"\0", position)
        text = output[position:end].decode("utf-8", "surrogateescape")
        position = end + 1
        return text

    while output[position : position + 1] == b":":
        old_mode, new_mode, old_blob, new_blob, status = field()[1:].split(" ")
        first = field()
        second = field() if status[0] in "RC" else None
        path = first if second is None else second
        old_path = None if second is None else first
        records.append(Record(status[0], path, old_path, old_mode, new_mode, old_blob, new_blob))
    numbers: dict[str, tuple[int | None, int | None]] = {}
    while position < len(output) and output[position : position + 1] != b"\0":
        added, removed, name = field().split("\t", 2)
        if not name:
            field()
            name = field()
        numbers[name] = (None if added == "-" else int(added), None if removed == "-" else int(removed))
    with_counts = []
    for record in records:
        added_count, removed_count = numbers.get(record.path, (0, 0))
        with_counts.append(record._replace(added=added_count, removed=removed_count))
    return with_counts, output[position + 1 :]


def _split_patch(patch: bytes) -> list[bytes]:
    r"""Split a patch into one piece per file.

    Every line of a hunk has a marker before it and names are quoted, so this header is unmistakable. Files with merge
    conflicts leave lines of their own, which begin with ``*``.
    """
    pieces = (b"\n" + patch).split(b"\ndiff --git ")
    return [_without_unmerged(piece).removesuffix(b"\n") + b"\n" for piece in pieces[1:]]


def _without_unmerged(piece: bytes) -> bytes:
    start = piece.find(b"\n* Unmerged path ")
    return piece if start < 0 else piece[:start]
