"""``image/release.py``: a release is main, with the image named by its digest, and tags; nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository

ROOT = Path(__file__).resolve().parent.parent
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
DIGEST = "sha256:" + 32 * "5a"
CHANGELOG = """# Changelog

## [Unreleased]

### Added

- Reviews of changes.

## [0.1.0] - 2026-01-02

- The first one.
"""
BEFORE_THE_FIRST = CHANGELOG.partition("\n## [0.1.0]")[0]
RELEASED = CHANGELOG.replace("\n### Added\n\n- Reviews of changes.\n", "")

pytestmark = pytest.mark.skipif("image: Dockerfile" not in ACTION, reason="this is a release already")


def repository(folder: Path, changelog: str, version: str = "0.1.0") -> GitRepository:
    made = GitRepository(folder)
    made.commit(
        {
            "CHANGELOG.md": changelog,
            "action.yml": ACTION,
            "image/release.py": (ROOT / "image/release.py").read_bytes(),
            "review_bot/version.py": f'"""The version."""\n\nVERSION = "{version}"\n',
        }
    )
    return made


def release(made: GitRepository, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(made.folder / "image/release.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=dict(ENVIRONMENT))


def read(made: GitRepository, path: str) -> str:
    return (made.folder / path).read_text(encoding="utf-8")


def at(made: GitRepository, revision: str) -> str:
    return made.git("rev-parse", f"{revision}^{{commit}}").decode().strip()


def test_a_release_differs_from_main_in_the_image_alone(tmp_path):
    made = repository(tmp_path, RELEASED)
    main = at(made, "HEAD")
    done = release(made, "commit", DIGEST)
    assert (done.returncode, done.stdout) == (0, "v0.1.0 v0\n"), done.stderr
    assert at(made, "v0.1.0") == at(made, "v0") == at(made, "HEAD")
    assert at(made, "HEAD~") == main
    assert made.git("diff", "--name-only", main, "v0.1.0") == b"action.yml\n"
    pairs = zip(ACTION.splitlines(), read(made, "action.yml").splitlines(), strict=True)
    assert [(old, new) for old, new in pairs if old != new] == [
        ("  image: Dockerfile", f"  image: docker://ghcr.io/review-bot/review-bot@{DIGEST}")
    ]


def test_the_next_release_moves_the_tag_of_the_major_version_and_no_other(tmp_path):
    made = repository(tmp_path, RELEASED)
    main = at(made, "HEAD")
    assert release(made, "commit", DIGEST).returncode == 0
    first = at(made, "v0.1.0")
    made.git("checkout", "--quiet", main)
    made.write({"CHANGELOG.md": CHANGELOG})
    assert release(made, "cut", "0.2.0").returncode == 0
    made.commit(message="Prepare 0.2.0")
    assert release(made, "commit", DIGEST).stdout == "v0.2.0 v0\n"
    assert at(made, "v0.1.0") == first
    assert at(made, "v0") == at(made, "v0.2.0") != first


@pytest.mark.parametrize("digest", ["", "latest", "sha256:", DIGEST[:-1], DIGEST.upper(), DIGEST + "\n"])
def test_only_a_digest_names_an_image(tmp_path, digest):
    made = repository(tmp_path, RELEASED)
    done = release(made, "commit", digest)
    assert done.returncode == 1
    assert "is not the digest of an image" in done.stderr
    assert read(made, "action.yml") == ACTION
    assert made.git("tag") == b""


def test_a_version_is_released_once(tmp_path):
    made = repository(tmp_path, RELEASED)
    made.git("tag", "v0.1.0")
    done = release(made, "commit", DIGEST)
    assert (done.returncode, done.stderr) == (
        1,
        "release: the tag v0.1.0 exists; a released version never changes\n",
    )


def test_a_pinned_action_is_not_pinned_again(tmp_path):
    made = repository(tmp_path, RELEASED)
    assert release(made, "commit", DIGEST).returncode == 0
    made.git("tag", "--delete", "v0.1.0")
    assert "it may be pinned already" in release(made, "commit", DIGEST).stderr


def test_a_release_is_made_of_a_commit(tmp_path):
    made = repository(tmp_path, RELEASED)
    made.write({"action.yml": ACTION + "# edited\n"})
    assert "the working tree has changes" in release(made, "commit", DIGEST).stderr


@pytest.mark.parametrize(
    ("changelog", "error"),
    [
        (BEFORE_THE_FIRST, "CHANGELOG.md: version 0.1.0 has no section; run `image/release.py cut 0.1.0`"),
        (CHANGELOG, 'CHANGELOG.md: entries below "Unreleased" would not be in the notes of 0.1.0'),
        (RELEASED + 130_000 * "x", "CHANGELOG.md: the section of 0.1.0 has over 125,000 characters"),
    ],
)
def test_without_notes_there_is_no_release(tmp_path, changelog, error):
    made = repository(tmp_path, changelog)
    for command in (["notes"], ["commit", DIGEST]):
        done = release(made, *command)
        assert (done.returncode, done.stderr) == (1, f"release: {error}\n")
    assert made.git("tag") == b""


def test_cutting_names_the_entries_after_the_version(tmp_path):
    made = repository(tmp_path, CHANGELOG)
    assert release(made, "cut", "0.2.0").returncode == 0
    head, _, rest = read(made, "CHANGELOG.md").partition("## [0.2.0] - ")
    assert head.endswith("## [Unreleased]\n\n")
    assert rest[4:].startswith("-"), "a day"
    assert 'VERSION = "0.2.0"' in read(made, "review_bot/version.py")
    assert release(made, "notes").stdout == "### Added\n\n- Reviews of changes.\n"


@pytest.mark.parametrize(
    ("changelog", "version", "error"),
    [
        (CHANGELOG, "0.1.0", "version 0.1.0 has a section already"),
        (RELEASED, "0.2.0", 'there is nothing below "Unreleased" to release'),
        (CHANGELOG, "v0.2", "'v0.2' is not a version of the form 1.2.3"),
    ],
)
def test_what_cannot_be_cut_is_left_as_it_is(tmp_path, changelog, version, error):
    made = repository(tmp_path, changelog)
    done = release(made, "cut", version)
    assert done.returncode == 1
    assert error in done.stderr
    assert made.git("status", "--porcelain") == b""


def test_a_rehearsal_changes_nothing(tmp_path):
    made = repository(tmp_path, BEFORE_THE_FIRST)
    main = at(made, "HEAD")
    done = release(made, "rehearse", "--digest", DIGEST)
    assert done.returncode == 0, done.stderr
    assert "v0.1.0 and v0 would name " in done.stdout
    assert f"+  image: docker://ghcr.io/review-bot/review-bot@{DIGEST}" in done.stdout
    assert "- Reviews of changes." in done.stdout
    assert at(made, "HEAD") == main
    assert made.git("tag") + made.git("status", "--porcelain") == b""


def test_the_repository_itself_could_be_released_now(tmp_path):
    """Rehearses with the files as they are here, committed or not."""
    made = GitRepository(tmp_path / "clone")
    for path in ("CHANGELOG.md", "action.yml", "image/release.py", "review_bot/version.py"):
        (made.folder / path).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / path, made.folder / path)
    made.commit()
    done = release(made, "rehearse")
    assert done.returncode == 0, done.stderr
