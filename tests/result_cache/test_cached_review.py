"""Local reviews as real processes: with results kept or not, in whatever surroundings, they print the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

REVIEW_BOT = os.path.join(os.path.dirname(sys.executable), "review-bot")
NAMES_OF_MODULES = (
    "import sys\nfrom review_bot.cli import main\nmain(sys.argv[1:])\nprint(*sys.modules, file=sys.stderr)\n"
)

STAGE = """\
import torch

from engine.gone import name


def load(path, cache={}):
    try:
        return torch.load(path)
    except Exception:
        pass
    if path == None:
        return eval(path)
"""
CALLER = "from engine.core import run\n\n\ndef go():\n    return run(1, 2)\n"


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "clone")
    made.commit(
        {"engine/__init__.py": "", "engine/core.py": "def run(one, two):\n    return one\n", "engine/use.py": CALLER}
    )
    made.commit({"engine/stage.py": STAGE, "engine/core.py": "def run(one):\n    return one\n"})
    return made


def review(repository: GitRepository, *arguments: str, given: dict[str, str] | None = None, code: int = 1) -> bytes:
    """Return what a review prints, at home in the folder around the clone."""
    home = {"HOME": str(repository.folder.parent), "REVIEW_BOT_NO_CACHE": "", "XDG_CACHE_HOME": "", "CI": ""}
    command = ["review", "--format", "json", *(arguments or ("HEAD~1..HEAD",))]
    done = run_command(command, cwd=repository.folder, env={**ENVIRONMENT, **home, **(given or {})})
    assert (done.returncode, done.stderr) == (code, b""), done.stderr.decode()
    printed: bytes = done.stdout
    return printed


def kept(repository: GitRepository, what: str = "*") -> list[Path]:
    return sorted(repository.folder.parent.glob(f".cache/review-bot/results-{what}-*"))


def test_what_the_base_raises_doubt_of_is_the_same_with_kept_results(tmp_path):
    repository = GitRepository(tmp_path / "clone")
    users = {f"engine/{name}.py": f"from engine.core import {name}\n\nprint({name})\n" for name in ("fast", "slow")}
    repository.commit({"engine/__init__.py": "", "engine/core.py": "def run():\n    return 1\n", **users})
    repository.commit({"engine/wide.py": "from engine.core import wide\n\nprint(wide)\n"})

    expected = review(repository, "HEAD~1..HEAD", "--no-cache", code=0)

    assert b"the base has the same" in expected
    assert review(repository, code=0) == expected
    kept(repository, "change")[0].unlink()
    assert review(repository, code=0) == expected


def test_a_second_review_prints_the_same(repository):
    expected = review(repository, "HEAD~1..HEAD", "--no-cache")
    assert b"errors/broad-except-silent" in expected
    assert b"engine/use.py" in expected
    assert not kept(repository)
    assert review(repository) == expected
    assert len(kept(repository, "change")) == len(kept(repository, "files")) == 1
    assert review(repository) == expected
    kept(repository, "change")[0].unlink()
    assert review(repository) == expected
    kept(repository, "change")[0].write_bytes(b"0" * 64 + b"\n[]")
    kept(repository, "files")[0].write_bytes(b"")
    assert review(repository) == expected
    assert review(repository, "HEAD~1..HEAD", "--jobs", "3") == expected


SURROUNDINGS = {
    "on a CI machine": {"CI": "true"},
    "switched off": {"REVIEW_BOT_NO_CACHE": "1"},
    "a home that is no folder": {"HOME": os.devnull},
    "no home": {"HOME": ""},
    "a cache folder that cannot be made": {"XDG_CACHE_HOME": f"{os.devnull}/cache"},
}


@pytest.mark.parametrize("what", SURROUNDINGS)
def test_where_nothing_is_kept_the_review_is_the_same(repository, what):
    repository.write({".github/review-bot.yml": "fail-on: warning\n"})
    expected = review(repository, "HEAD~1..HEAD", "--no-cache")
    for _ in range(2):
        assert review(repository, given=SURROUNDINGS[what]) == expected
    assert not (repository.folder.parent / ".cache").exists()
    assert review(repository) == expected
    assert {path.name.partition("-")[0] for path in (repository.folder.parent / ".cache/review-bot").iterdir()} == {
        "results",
        "settings",
    }


def test_a_cache_folder_in_the_working_tree_is_not_used(repository):
    expected = review(repository, "HEAD~1..HEAD", "--no-cache")
    inside = {"XDG_CACHE_HOME": str(repository.folder / "cache")}
    assert review(repository, given=inside) == expected
    assert not (repository.folder / "cache").exists()


def test_a_full_disk_changes_nothing(repository):
    expected = review(repository, "HEAD~1..HEAD", "--no-cache")
    command = f"ulimit -f 1; exec {REVIEW_BOT} review --format json HEAD~1..HEAD"
    environment = {**ENVIRONMENT, "HOME": str(repository.folder.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=repository.folder, env=environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, expected, b"")
    assert review(repository) == expected


def test_reviews_at_the_same_time_print_the_same(repository):
    expected = review(repository, "HEAD~1..HEAD", "--no-cache")
    environment = {**ENVIRONMENT, "HOME": str(repository.folder.parent), "REVIEW_BOT_NO_CACHE": "", "CI": ""}
    command = [REVIEW_BOT, "review", "--format", "json", "HEAD~1..HEAD"]
    for _ in range(2):
        running = [
            subprocess.Popen(command, cwd=repository.folder, env=environment, stdout=subprocess.PIPE) for _ in range(3)
        ]
        assert [each.communicate()[0] for each in running] == [expected] * 3
    assert len(kept(repository)) == 3


def test_edits_of_the_working_tree_are_seen(repository):
    arguments = ("--base", "HEAD~1")
    for text in (STAGE, f"{STAGE}\n\nprint(eval('1'))\n", STAGE.replace("pass", "raise"), STAGE):
        repository.write({"engine/stage.py": text})
        for _ in range(2):
            assert review(repository, *arguments) == review(repository, *arguments, "--no-cache")
    repository.write({"engine/use.py": CALLER.replace("1, 2", "1")})  # a file that the change called wrongly
    assert review(repository, *arguments) == review(repository, *arguments, "--no-cache")
    assert b"engine/use.py" in review(repository, *arguments)


def test_another_clone_in_the_same_place_is_another_one(repository, tmp_path):
    """An archive can hold any objects under the ids of the commits that a later clone has, too."""
    first = review(repository)
    repository.folder.rename(tmp_path / "first")
    subprocess.run(["git", "clone", "--quiet", tmp_path / "first", repository.folder], check=True, capture_output=True)
    before = kept(repository, "change")
    assert review(repository) == first
    assert len(kept(repository, "change")) == 2 > len(before)


def test_a_review_of_which_all_is_known_needs_no_engine(repository):
    environment = {**ENVIRONMENT, "HOME": str(repository.folder.parent), "REVIEW_BOT_NO_CACHE": "", "CI": ""}
    command = [sys.executable, "-c", NAMES_OF_MODULES, "review", "HEAD~1..HEAD", "--format", "json"]
    imported = []
    for _ in range(2):
        done = subprocess.run(
            command, cwd=repository.folder, env=environment, capture_output=True, text=True, check=True
        )
        imported.append({*done.stderr.split()})
    engine = {"ast_grep_py", "re2", "review_bot.engine.examination"}
    assert engine <= imported[0]
    assert not engine & imported[1]
