"""Rows that lie, lag or are damaged: what is read of a change is what its blobs hold, or it is named."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes import patching
from review_bot.changes.content import TOO_LARGE
from review_bot.changes.pull_request import ChangedFile, Status, Unreviewed
from review_bot.forges.github.blob_diff import hunks_between
from review_bot.forges.github.blobs import Blobs, Want
from review_bot.forges.github.change import Read, read_files
from review_bot.forges.github.changed_files import FileRow
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import blob_id
from review_bot.forges.github.tree_diff import TreeChange
from review_bot.forges.github.trees import Difference, Entry

OLD = "".join(f"line {n}\n" for n in range(30))
NEW = OLD.replace("line 3\n", "line three\n").replace("line 20\n", "") + "last\n"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client("http://127.0.0.1:9", "a-token") as made:  # nothing listens there, and nobody calls
        yield made


def entry(data: bytes, mode: str = "100644") -> Entry:
    return Entry(mode, blob_id(data, "0" * 40), len(data))


def patch_of(old: str, new: str) -> str:
    lines = []
    for hunk in hunks_between(old, new):
        lines += [f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@", *hunk.lines]
    return "\n".join(lines)


def read(
    client: Client,
    old: bytes | None,
    new: bytes | None,
    patch: str | None,
    *,
    counts: tuple[int, int] = (2, 2),
    known: bool = True,
    whole: bool = True,
    path: str = "a.py",
) -> Read:
    """Read one file. ``known``: its blobs have been fetched; ``whole``: somebody asks for its texts."""
    blobs = Blobs(client, "octo/halcyon")
    sides = Difference(None if old is None else entry(old), None if new is None else entry(new))
    for data, side in ((old, sides.old), (new, sides.new)):
        if known and data is not None and side is not None:
            assert blobs.keep(side.blob, data)
    status: Status = "added" if old is None else "deleted" if new is None else "modified"
    row = FileRow(filename=path, status="modified", additions=counts[0], deletions=counts[1], patch=patch)
    pair = TreeChange(path, None if status == "added" else path, status, sides, row)
    return read_files([pair], blobs, frozenset({path} if whole else ()))


def file_of(found: Read) -> ChangedFile:
    assert (found.unreviewed, found.wanted) == ((), frozenset())
    return found.files[0]


def test_a_patch_that_fits_is_shown_as_it_is(client: Client) -> None:
    file = file_of(read(client, OLD.encode(), NEW.encode(), patch_of(OLD, NEW)))

    assert file.shown
    assert (file.added, file.removed) == (2, 2)
    assert patching.apply(OLD, file.hunks) == NEW


@pytest.mark.parametrize(
    "patch",
    [
        patch_of(OLD, NEW).replace("@@ -1,7 +1,7 @@", "@@ -1,6 +1,7 @@"),  # too small
        patch_of(OLD, NEW).replace("@@ -1,7 +1,7 @@", "@@ -1,9 +1,9 @@"),  # too large
        patch_of(OLD, NEW)[:60],  # cut off
        patch_of(OLD, NEW).replace("@@ -1,7 +1,7 @@", "@@@ -1,7 -1,7 +1,7 @@@"),  # combined
        patch_of(OLD, NEW).replace("@@ -1,7", f"@@ -1,{10**20}"),
        patch_of(OLD, NEW.replace("last\n", "")),  # a part is missing
        "no patch at all",
        None,
    ],
)
def test_a_patch_that_does_not_is_replaced_by_what_the_blobs_say(client: Client, patch: str | None) -> None:
    file = file_of(read(client, OLD.encode(), NEW.encode(), patch))

    assert not file.shown
    assert patching.apply(OLD, file.hunks) == NEW
    assert not any(file.commentable(line) for line in range(40))


@pytest.mark.parametrize(("there", "told"), [("+line three", "+another line"), ("-line 20", "-line twenty")])
def test_hunks_in_the_right_place_are_filled_with_the_right_lines(client: Client, there: str, told: str) -> None:
    file = file_of(read(client, OLD.encode(), NEW.encode(), patch_of(OLD, NEW).replace(there, told)))

    assert patching.apply(OLD, file.hunks) == NEW


def test_what_is_lacking_is_asked_for(client: Client) -> None:
    old, new = entry(OLD.encode()), entry(NEW.encode())

    unwanted = read(client, OLD.encode(), NEW.encode(), patch_of(OLD, NEW), known=False, whole=False)
    assert file_of(unwanted).added == 2  # its counts are proof enough
    asked = read(client, OLD.encode(), NEW.encode(), patch_of(OLD, NEW), known=False)
    assert asked.wanted == {Want(new.blob, new.size)}
    hidden = read(client, OLD.encode(), NEW.encode(), None, known=False, whole=False)
    assert {want.blob for want in hidden.wanted} == {old.blob, new.blob}
    whole = read(client, None, b"made = 1\n", "@@ -0,0 +1 @@\n+made = 1", counts=(1, 0), known=False)
    assert file_of(whole).added == 1  # the patch holds all of it, and its hash is right
    gone = read(client, b"made = 1\n", None, "@@ -1 +0,0 @@\n-made = 1", counts=(0, 1), known=False)
    assert file_of(gone).removed == 1


def test_counts_of_a_row_without_its_lines(client: Client) -> None:
    file = file_of(read(client, OLD.encode(), NEW.encode(), None, counts=(0, 0)))

    assert (file.added, file.removed) == (2, 2)


def test_a_file_too_large_to_fetch_is_named_and_not_asked_for(client: Client) -> None:
    blobs = Blobs(client, "octo/halcyon")
    large = Entry("100644", "a" * 40, 1 << 30)
    found = read_files([TreeChange("a.py", None, "added", Difference(None, large), None)], blobs, frozenset())

    assert found.unreviewed == (Unreviewed("a.py", TOO_LARGE),)
    assert found.wanted == frozenset()
    model = TreeChange("model.weights", None, "added", Difference(None, large), None)
    # A query that tells only whether it is binary.
    assert read_files([model], blobs, frozenset()).wanted == {Want(large.blob, large.size, whole=False)}


def test_fetching_has_an_end(client: Client) -> None:
    blobs = Blobs(client, "octo/halcyon")
    large = [Want(f"{n:040}", 49_000_000) for n in range(3)]

    assert len(blobs.calls(large)) == 2
    assert blobs.problem(large[-1].blob) == "the files to fetch are larger than 100,000,000 bytes together"
    assert len(blobs.calls(large)) == 2  # what was counted stays so
    sniffed = [want._replace(blob="b" + want.blob[1:], whole=False) for want in large]
    assert len(Blobs(client, "octo/halcyon").calls(sniffed)) == 1  # one query, which holds no binary


def test_bytes_that_json_has_replaced_are_filled_in(client: Client) -> None:
    old, new = b"# caf\xe9\na = 1\n", b"# caf\xe9\xff\na = 1\n"
    patch = "@@ -1,2 +1,2 @@\n-# caf\ufffd\n+# caf\ufffd\ufffd\n a = 1"
    found = read(client, old, new, patch, counts=(1, 1))

    file = found.files[0]
    assert file.shown
    assert file.hunks[0].lines == ("-# caf\xe9", "+# caf\xe9\xff", " a = 1")
    assert [entry.path for entry in found.unreviewed] == ["a.py"]
    real = "a = '\ufffd'\n"  # a replacement character that is in the file itself
    assert file_of(read(client, None, real.encode(), "@@ -0,0 +1 @@\n+" + real[:-1], counts=(1, 0))).shown


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_no_damage_to_a_patch_loses_or_invents_a_line(client: Client, seed: int) -> None:
    chance = random.Random(seed)
    patch = list(patch_of(OLD, NEW))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(patch))
        patch[at : at + chance.randrange(3)] = chance.choice(["", "\n", "+", "-", " ", "@", "1", "x", "\ufffd", "\\"])
    damaged = "".join(patch)
    counts = (damaged.count("\n+"), damaged.count("\n-"))
    file = file_of(read(client, OLD.encode(), NEW.encode(), damaged, counts=counts))

    assert patching.apply(OLD, file.hunks) == NEW
    assert patching.undo(NEW, file.hunks) == OLD
