"""The same change gives the same bytes, whatever the number of workers, the locale, the hash seed or the order of files."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

REVIEW_BOT = os.path.join(os.path.dirname(sys.executable), "review-bot")

HEADER = '''\
"""Läuft überall, 漢字 too."""
import os, sys
import torch
from a_module_that_is_nowhere import thing


'''
SAMPLE = """\
def load_{0}(path, cache={{}}, *names):
    try:
        value_{0} = torch.load(path)
    except Exception:
        pass
    try:
        return eval(path)
    except:  # review-bot: ignore[errors/bare-except] an older tool writes such files, see #4
        return None


class Model{0}(torch.nn.Module):
    def forward(self, x):
        print(x.item())
        for i in range(10):
            time.sleep(1)
        is_image = True
        if not is_image:
            return x
        return x.cuda()
"""


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a change large enough for workers: a repository with a working tree and its diff beside it."""
    folder = tmp_path_factory.mktemp("change")
    repository = folder / "repository"
    repository.mkdir()
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments: str) -> bytes:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(command, cwd=repository, env=environment, check=True, capture_output=True).stdout

    git("init", "-q", "-b", "main")
    moved = "".join(f"    step_{n}(value)\n" for n in range(30))
    for name in ("one", "two", "three"):
        (repository / f"{name}.py").write_text(f"def {name}(value):\n{moved}", encoding="utf-8")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    for number in range(16):
        text = HEADER + "".join(SAMPLE.format(f"{number}_{part}") + "\n\n" for part in range(6))
        path = repository / f"package_{number % 3}" / f"module_{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (repository / "one.py").write_text("x = 1\n")
    (repository / "four.py").write_text(f"def four(value):\n{moved}", encoding="utf-8")
    (repository / "broken.py").write_text("def broken(:\n    eval(x)\n" * 20)
    (repository / "\u00dcmlaut.py").write_text("eval(x)\n", encoding="utf-8")
    git("add", ".")
    (folder / "change.diff").write_bytes(git("diff", "--cached", "--no-color", "HEAD"))
    return folder


def run(change: Path, *arguments: str, **environment: str) -> bytes:
    command = [REVIEW_BOT, "review", "--format", "json", *arguments]
    result = subprocess.run(
        command, cwd=change / "repository", env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert result.returncode in {0, 1, 3}, result.stderr.decode()
    assert not result.stderr, result.stderr.decode()
    return result.stdout


def test_workers_locales_and_hash_seeds_change_no_byte(change):
    first = run(change, "--jobs", "1")
    report = json.loads(first)

    assert report["change"]["added"] > 1_900
    assert len({finding["rule"] for finding in report["findings"]}) > 5
    assert report["suppressed"]
    for arguments, environment in [
        (("--jobs", "2"), {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONUTF8": "0", "PYTHONHASHSEED": "1"}),
        (("--jobs", "5"), {"LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "2"}),
        (("--jobs", "1"), {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "TZ": "Asia/Tokyo"}),
    ]:
        assert run(change, *arguments, **environment) == first, (arguments, environment)


def test_the_order_of_files_in_a_diff_changes_no_byte(change):
    text = (change / "change.diff").read_bytes()
    sections = [b"diff --git " + part for part in text.split(b"diff --git ")[1:]]
    assert b"".join(sections) == text
    answers = set()
    for seed, jobs in ((0, "1"), (1, "5")):
        random.Random(seed).shuffle(sections)
        (change / "shuffled.diff").write_bytes(b"".join(sections))
        answers.add(run(change, "--diff", str(change / "shuffled.diff"), "--source", ".", "--jobs", jobs))
        assert len(answers) == 1, seed
