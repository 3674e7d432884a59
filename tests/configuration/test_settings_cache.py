"""The memory of configurations: believed only where it is whole and nobody else's, never in the way."""

from __future__ import annotations

import os

import pytest

from review_bot.configuration import config_file
from review_bot.configuration.settings_cache import MOST_KEPT, keep, recall
from review_bot.files.cache_folder import CacheFolder

TEXT = """\
fail-on: warning
on-incomplete: warn
scorecard: off
families: [errors, style]
layout: {sections: [checklist, must-fix], intro: Hello., outro: "Bye, all."}
rules:
  style/*: off
  errors/swallowed-exception: {severity: error, files: ["src/**"], ignores: ["src/x.py"], show: summary}
paths: {ignore: ["third_party/**"]}
unreviewed-ok: [{path: "*.csv", reason: measured data, max-bytes: 10000}, {path: "a", reason: "b"}]
"""


@pytest.fixture
def folder(tmp_path):
    return CacheFolder(str(tmp_path / ".cache/review-bot"))


def kept_file(folder):
    (name,) = os.listdir(folder.path)
    return os.path.join(folder.path, name)


@pytest.fixture
def kept(folder):
    keep(TEXT, config_file.read(TEXT), folder)
    return folder


def test_what_was_read_is_recalled_the_same(kept):
    assert recall(TEXT, kept) == config_file.read(TEXT)


def test_another_text_is_not_known(kept):
    assert recall(TEXT + "\n", kept) is None


def test_what_is_kept_is_private(kept):
    assert os.stat(kept.path).st_mode & 0o077 == 0
    assert os.stat(kept_file(kept)).st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data.replace(b"warning", b"never  "),
        lambda data: b"\xff" + data,
    ],
)
def test_a_damaged_file_is_not_believed(kept, damage):
    path = kept_file(kept)
    with open(path, "rb") as stream:
        data = stream.read()
    with open(path, "wb") as stream:
        stream.write(damage(data))
    assert recall(TEXT, kept) is None
    keep(TEXT, config_file.read(TEXT), kept)
    assert recall(TEXT, kept) == config_file.read(TEXT)


def test_what_others_can_write_is_not_believed(kept):
    os.chmod(kept_file(kept), 0o666)
    assert recall(TEXT, kept) is None
    os.chmod(kept_file(kept), 0o600)
    os.chmod(kept.path, 0o777)
    assert recall(TEXT, kept) is None


def test_a_link_is_not_followed(kept, tmp_path):
    path = kept_file(kept)
    os.rename(path, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", path)
    assert recall(TEXT, kept) is None


def test_a_place_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    for place in ("/proc/review-bot", str(tmp_path / "file/review-bot")):  # in /proc root may not write either
        keep(TEXT, config_file.read(TEXT), CacheFolder(place))
        assert recall(TEXT, CacheFolder(place)) is None
        assert not os.path.exists(place)


def test_only_the_newest_are_kept(folder):
    for number in range(MOST_KEPT + 5):
        text = f"# {number}\n"
        keep(text, config_file.read(text), folder)
    assert len(os.listdir(folder.path)) == MOST_KEPT
    assert recall(f"# {MOST_KEPT + 4}\n", folder) is not None
