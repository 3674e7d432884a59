"""The tarball of a tree: only what its hash proves, within every limit, and never on the disk."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from review_bot.forges.github import archive
from review_bot.forges.github.archive import ArchiveRefused, is_read_by_checks, read_archive, wanted_texts
from review_bot.forges.github.git_ids import blob_id
from review_bot.forges.github.trees import Entry, Tree
from tests.git_repository import GitRepository


def packed(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as made:
        for info, data in members:
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type = kind
    if kind in {tarfile.SYMTYPE, tarfile.LNKTYPE}:
        info.linkname = "/etc/passwd"
    return info, data


def id_of(data: bytes) -> str:
    return blob_id(data, "0" * 40)


def test_an_archive_of_git_gives_every_text(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    files = {"a.py": b"import os\n", "deep/" * 30 + "long" * 20 + ".py": b"x = 1\n", "\u017elu\u0165 b.py": b"y\n"}
    head = repo.commit(dict(files))
    data = repo.git("archive", "--format=tar.gz", "--prefix=o-r-0123456/", head)

    found = dict(read_archive(data, {name: id_of(text) for name, text in files.items()}))

    assert found == {id_of(text): text for text in files.values()}


def test_an_attribute_of_the_change_neither_hides_nor_alters_a_text_unseen(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    files = {"seen.py": b"1\n", "gone.py": b"2\n", "other.py": b"$Format:%H$\n"}
    attributes = b"gone.py export-ignore\nother.py export-subst\n"
    head = repo.commit({**files, ".gitattributes": attributes})
    data = repo.git("archive", "--format=tar.gz", "--prefix=o-r-0123456/", head)

    assert dict(read_archive(data, {name: id_of(text) for name, text in files.items()})) == {id_of(b"1\n"): b"1\n"}


def test_line_ends_that_git_writes_for_a_checkout_are_those_of_the_text(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    files = {"a.py": b"x = 1\ny = 2\n", "b.py": b"x = 1\r\ny = 2\r\n", "c.py": b"no end"}
    head = repo.commit(dict(files))
    head = repo.commit({".gitattributes": b"* text eol=crlf\n"})
    data = repo.git("archive", "--format=tar.gz", "--prefix=o-r-0123456/", head)

    found = dict(read_archive(data, {name: id_of(text) for name, text in files.items()}))

    assert found == {id_of(text): text for text in files.values()}


def test_what_is_no_file_or_has_another_name_is_left() -> None:
    wanted = {name: id_of(b"text") for name in ("a.py", "link.py", "hard.py", "device.py", "large.py")}
    wanted["large.py"] = id_of(b"#" * 1_000_001)
    data = packed(
        member("top/link.py", kind=tarfile.SYMTYPE),
        member("top/hard.py", kind=tarfile.LNKTYPE),
        member("top/device.py", kind=tarfile.CHRTYPE),
        member("top/large.py", b"#" * 1_000_001),
        member("top/../a.py", b"text"),
        member("/a.py", b"other"),
    )

    assert not dict(read_archive(data, wanted))
    assert dict(read_archive(packed(member("top/a.py", b"text")), wanted)) == {id_of(b"text"): b"text"}


def test_what_comes_before_the_limit_of_an_archive_is_read() -> None:
    data = packed(member("top/a.py", b"text"), member("top/b.bin", bytes(5_000_000)), member("top/c.py", b"more"))
    texts = read_archive(data, {"a.py": id_of(b"text"), "c.py": id_of(b"more")}, most_unpacked=1_000_000)

    assert next(texts) == (id_of(b"text"), b"text")
    with pytest.raises(ArchiveRefused, match="unpacks to more"):
        next(texts)


def test_an_archive_over_a_limit_is_refused() -> None:
    bomb = packed(member("top/a.py", bytes(5_000_000)))
    assert len(bomb) < 10_000
    with pytest.raises(ArchiveRefused, match="unpacks to more"):
        dict(read_archive(bomb, {}, most_unpacked=1_000_000))
    many = packed(*(member(f"top/{n}") for n in range(30)))
    with pytest.raises(ArchiveRefused, match="more than 20 entries"):
        dict(read_archive(many, {}, most_members=20))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        gzip.compress(b"no tar" * 200),
        packed(member("top/a.py", b"x" * 100_000))[:-60],
        gzip.compress(b"") + packed(member("top/a.py", b"x")),
        gzip.compress(
            b"".join(tarfile.TarInfo("x").tobuf(tarfile.GNU_FORMAT)[:156] + b"L" + bytes(355) for _ in range(9))
        ),
    ],
    ids=[
        "nothing",
        "a page",
        "no tar",
        "cut off",
        "two gzip members",
        "a name without an end",
    ],  # the bytes tell the time
)
def test_a_damaged_archive_is_refused(data: bytes) -> None:
    with pytest.raises(ArchiveRefused, match="damaged"):
        dict(read_archive(data, {"a.py": id_of(b"x")}))


def test_what_checks_ask_for_is_kept() -> None:
    for path in (
        "a.py", "a/b.pyi", "pyproject.toml", "setup.cfg", "requirements/dev.txt", "requirements.in", ".gitignore",
        "x/.gitignore", "CMakeLists.txt", "Makefile", "BUILD", "BUILD.bazel", "docker/Dockerfile.gpu", "tox.ini",
        "environment.yml", "Pipfile", "meson.build", "x.cmake", "MANIFEST.in", "justfile", "Cargo.toml",
    ):  # fmt: skip
        assert is_read_by_checks(path), path
    for path in ("a.png", "b.py\n", "data.bin", "weights.safetensors"):
        assert not is_read_by_checks(path), path
    tree = Tree({
        "a.py": Entry("100644", "a" * 40, 10), "run.py": Entry("100755", "b" * 40, 10),
        "link.py": Entry("120000", "c" * 40, 10), "large.py": Entry("100644", "d" * 40, archive.LARGEST_TEXT + 1),
        "sub.py": Entry("160000", "e" * 40), "a.png": Entry("100644", "f" * 40, 10),
    })  # fmt: skip
    assert wanted_texts(tree) == {"a.py": "a" * 40, "run.py": "b" * 40}
