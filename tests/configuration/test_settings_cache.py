"""The memory of configurations: believed only where it is whole and nobody else's, never in the way."""

from __future__ import annotations

import os

import pytest

from review_bot.configuration import config_file
from review_bot.configuration.settings_cache import MOST_KEPT, keep, recall

TEXT = """\
fail-on: warning
on-incomplete: warn
scorecard: off
families: [errors, style]
layout: {sections: [checklist, must-fix], intro: Hello., outro: "Bye, all."}
rules:
  style/*: off
  errors/swallowed-exception: {severity: error, files: ["src/**"], ignores: ["src/x.py"], enabled: true}
paths: {ignore: ["third_party/**"]}
unreviewed-ok: [{path: "*.csv", reason: measured data, max-bytes: 10000}, {path: "a", reason: "b"}]
"""


@pytest.fixture
def home(tmp_path):
    return {"HOME": str(tmp_path)}


def kept_file(home):
    (name,) = os.listdir(folder(home))
    return os.path.join(folder(home), name)


def folder(home):
    return os.path.join(home["HOME"], ".cache/review-bot")


@pytest.fixture
def kept(home):
    keep(TEXT, config_file.read(TEXT), home)
    return home


def test_what_was_read_is_recalled_the_same(kept):
    assert recall(TEXT, kept) == config_file.read(TEXT)


def test_another_text_is_not_known(kept):
    assert recall(TEXT + "\n", kept) is None


def test_the_cache_folder_of_the_desktop_is_used(tmp_path):
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": "/nowhere"}
    keep(TEXT, config_file.read(TEXT), environment)
    assert recall(TEXT, environment) == config_file.read(TEXT)
    assert os.listdir(tmp_path / "cache") == ["review-bot"]


@pytest.mark.parametrize("environment", [{}, {"HOME": "relative"}, {"HOME": "/", "CI": "true"}])
def test_without_a_home_and_on_ci_nothing_is_kept(environment):
    keep(TEXT, config_file.read(TEXT), environment)
    assert recall(TEXT, environment) is None


def test_what_is_kept_is_private(kept):
    assert os.stat(folder(kept)).st_mode & 0o077 == 0
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
    os.chmod(folder(kept), 0o777)
    assert recall(TEXT, kept) is None


def test_a_link_is_not_followed(kept, tmp_path):
    path = kept_file(kept)
    os.rename(path, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", path)
    assert recall(TEXT, kept) is None


def test_a_home_that_cannot_be_written_is_no_error(tmp_path):
    tmp_path.chmod(0o500)
    environment = {"HOME": "/proc" if os.geteuid() == 0 else str(tmp_path)}  # there root may not write either
    keep(TEXT, config_file.read(TEXT), environment)
    assert recall(TEXT, environment) is None
    assert not os.path.exists(folder(environment))


def test_a_home_that_is_a_file_is_no_error(tmp_path):
    (tmp_path / "home").write_text("")
    environment = {"HOME": str(tmp_path / "home")}
    keep(TEXT, config_file.read(TEXT), environment)
    assert recall(TEXT, environment) is None


def test_only_the_newest_are_kept(home):
    for number in range(MOST_KEPT + 5):
        text = f"# {number}\n"
        keep(text, config_file.read(text), home)
    assert len(os.listdir(folder(home))) == MOST_KEPT
    assert recall(f"# {MOST_KEPT + 4}\n", home) is not None
