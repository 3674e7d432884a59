"""The cache folder: believed only where no one else can have written it, bounded, and never in the way of a review."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from review_bot.files.cache_folder import CacheFolder, find

CONTENT = b"what was computed\n\x00\xff"


@pytest.fixture
def folder(tmp_path: Path) -> CacheFolder:
    made = CacheFolder(str(tmp_path / "cache" / "review-bot"))
    made.write("results", CONTENT)
    return made


def place(folder: CacheFolder, name: str = "results") -> Path:
    return Path(folder.path) / name


def test_what_was_written_is_read(folder):
    assert folder.read("results", 1_000) == CONTENT
    folder.write("results", b"other")
    assert folder.read("results", 1_000) == b"other"
    assert os.listdir(folder.path) == ["results"]


def test_folder_and_files_are_private(folder):
    assert os.stat(folder.path).st_mode & 0o777 == 0o700
    assert os.stat(place(folder)).st_mode & 0o777 == 0o600


def _linked_file(folder: CacheFolder) -> None:
    place(folder).rename(place(folder, "elsewhere"))
    place(folder).symlink_to("elsewhere")


def _linked_folder(folder: CacheFolder) -> None:
    Path(folder.path).rename(f"{folder.path}-elsewhere")
    Path(folder.path).symlink_to(f"{folder.path}-elsewhere")


def _pipe(folder: CacheFolder) -> None:
    place(folder).unlink()
    os.mkfifo(place(folder))


def _folder(folder: CacheFolder) -> None:
    place(folder).unlink()
    place(folder).mkdir()


def _edited(folder: CacheFolder) -> None:
    data = place(folder).read_bytes()
    place(folder).write_bytes(data.replace(b"computed", b"invented"))


NOT_TO_BE_BELIEVED = {
    "a symbolic link": _linked_file,
    "a symbolic link as the folder": _linked_folder,
    "a named pipe": _pipe,
    "a folder": _folder,
    "a file that others can write to": lambda folder: place(folder).chmod(0o602),
    "a file that the group can write to": lambda folder: place(folder).chmod(0o660),
    "a folder that others can write to": lambda folder: os.chmod(folder.path, 0o702),
    "a folder that the group can write to": lambda folder: os.chmod(folder.path, 0o770),
    "another content": _edited,
    "a shorter content": lambda folder: os.truncate(place(folder), 70),
    "an empty file": lambda folder: os.truncate(place(folder), 0),
}


@pytest.mark.parametrize("what", NOT_TO_BE_BELIEVED)
def test_what_others_can_have_written_or_damaged_is_not_read(folder, what):
    assert folder.read("results", 1_000) == CONTENT
    NOT_TO_BE_BELIEVED[what](folder)
    assert folder.read("results", 1_000) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
@pytest.mark.parametrize("name", ["", "results"])
def test_what_belongs_to_another_user_is_not_read(folder, name):
    os.chown(os.path.join(folder.path, name), 12345, -1)
    assert folder.read("results", 1_000) is None


def test_what_is_larger_than_expected_is_not_read(folder):
    size = place(folder).stat().st_size
    assert folder.read("results", size) == CONTENT
    assert folder.read("results", size - 1) is None


@pytest.mark.parametrize("what", ["a symbolic link as the folder", "a folder that others can write to"])
def test_nothing_is_written_where_others_can_write(folder, what):
    NOT_TO_BE_BELIEVED[what](folder)
    before = place(folder).read_bytes()
    folder.write("results", b"other")
    folder.write("more", b"other")
    assert place(folder).read_bytes() == before
    assert os.listdir(folder.path) == ["results"]


def test_a_link_in_place_of_a_file_is_replaced_and_not_followed(folder, tmp_path):
    (tmp_path / "precious").write_text("mine")
    place(folder).unlink()
    place(folder).symlink_to(tmp_path / "precious")
    folder.write("results", CONTENT)
    assert (tmp_path / "precious").read_text() == "mine"
    assert folder.read("results", 1_000) == CONTENT


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    (tmp_path / "file").write_text("no folder")
    folder = CacheFolder(str(tmp_path / "file" / "review-bot"))
    folder.write("results", CONTENT)
    folder.trim("results", most_files=0, most_bytes=0)
    assert folder.read("results", 1_000) is None


WRITES_IN_LITTLE_SPACE = """\
import os, resource, sys
from review_bot.files.cache_folder import CacheFolder

resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
CacheFolder(sys.argv[1]).write("results", os.urandom(20_000))
print("goes on")
"""


def test_a_write_that_fails_half_way_leaves_what_was_there(folder):
    command = [sys.executable, "-c", WRITES_IN_LITTLE_SPACE, folder.path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "goes on\n"
    assert os.listdir(folder.path) == ["results"]
    assert folder.read("results", 1_000) == CONTENT


def test_the_files_used_longest_ago_go_first(folder):
    for number in range(5):
        folder.write(f"results-{number}", b"x" * 1_000)
        os.utime(place(folder, f"results-{number}"), (number, number))
    assert folder.read("results-0", 2_000)  # and so it is used last
    folder.trim("results-", most_files=3, most_bytes=1_000_000)
    assert sorted(os.listdir(folder.path)) == ["results", "results-0", "results-3", "results-4"]
    folder.trim("results-", most_files=3, most_bytes=2_500)
    assert sorted(os.listdir(folder.path)) == ["results", "results-0", "results-4"]
    folder.trim("results-", most_files=0, most_bytes=2_500)
    assert os.listdir(folder.path) == ["results"]


def test_writers_at_the_same_time_leave_a_whole_file(folder):
    contents = [bytes([number]) * 50_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda content: [folder.write("results", content) for _ in range(20)], contents))
        list(pool.map(lambda _: folder.trim("results", most_files=1, most_bytes=10**9), contents))
    assert folder.read("results", 100_000) in contents
    assert os.listdir(folder.path) == ["results"]


def test_where_the_folder_is(tmp_path):
    for environment, expected in [
        ({"HOME": "/home/halcyon"}, "/home/halcyon/.cache/review-bot"),
        ({"HOME": "/home/halcyon", "XDG_CACHE_HOME": "/var/tmp/halcyon"}, "/var/tmp/halcyon/review-bot"),
        ({"HOME": "/home/halcyon", "XDG_CACHE_HOME": "relative"}, "/home/halcyon/.cache/review-bot"),
        ({"HOME": "relative"}, None),
        ({}, None),
        ({"HOME": "/home/halcyon", "CI": "true"}, None),
        ({"HOME": "/home/halcyon", "REVIEW_BOT_NO_CACHE": "0"}, None),
        ({"HOME": "/home/halcyon", "REVIEW_BOT_NO_CACHE": "", "CI": ""}, "/home/halcyon/.cache/review-bot"),
    ]:
        found = find(environment)
        assert (found and found.path) == expected, environment


@pytest.mark.parametrize(
    ("tree", "cache", "used"),
    [
        ("project", "project/cache", False),
        ("project", "project/a/b", False),
        ("project", "other/cache", True),
        ("home", "home/.cache", True),  # a checkout of the home could write to its profile, too
        ("home/project", "home/project/.cache", False),
        (".", "cache", False),
    ],
)
def test_a_folder_in_a_working_tree_is_not_used(tmp_path, tree, cache, used):
    (tmp_path / tree).mkdir(parents=True, exist_ok=True)
    (tmp_path / tree / ".git").write_text("gitdir: /elsewhere\n")
    found = find({"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / cache)})
    assert (found is not None) == used
