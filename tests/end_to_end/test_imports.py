"""What a run imports, read from ``sys.modules`` of the real process: a fast start is a promise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from review_bot.configuration import rule_registry
from tests.git_repository import GitRepository

HEAVY = frozenset(
    [
        "asyncio",
        "dataclasses",
        "httpx",
        "inspect",
        "jinja2",
        "logging",
        "pathlib",
        "pydantic",
        "rich",
        "shutil",
        "subprocess",
        "tempfile",
        "yaml",
    ]
)

CODE = '''\
"""A stage."""

import os

import torch


class Stage:
    """Holds one stage."""

    def load(self, path):
        """Load the weights of this stage."""
        try:
            return torch.load(os.path.join(path, "weights.pt"))
        except Exception:
            pass
        if path is None:
            raise ValueError(f"no {path}")
        print(path)
'''

PROGRAM = """\
import sys
from review_bot.cli import main

code = main(sys.argv[1:])
sys.stderr.write(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
sys.exit(code)
"""


RECORD = "import typing\n\nclass Record(typing.NamedTuple):\n    field: int\n"
PARSER = "import argparse\n\nargparse.ArgumentParser().parse_args([])\n"
NAMES = 'import sys\n\nprint(" ".join({name.partition(".")[0] for name in sys.modules}))\n'


def of_the_library(program):
    """Return what Python's own modules import for a program: from 3.14 on, records need ast, and argparse inspect."""
    done = subprocess.run([sys.executable, "-c", program + NAMES], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.fixture
def repository(tmp_path):
    rule_registry.builtin_rulebook()  # compiles rules that were edited since, which the process under test would do otherwise
    made = GitRepository(tmp_path / "clone")
    made.commit({"README.md": "A project.\n"})
    made.commit({"engine/stage.py": CODE, "tests/test_stage.py": "def test_it():\n    assert True\n"})
    return made


def imported(folder, *arguments, home):
    switches = {"CI", "REVIEW_BOT_NO_CACHE", "XDG_CACHE_HOME"}
    environment = {name: value for name, value in os.environ.items() if name not in switches}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        env=environment | {"HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return set(done.stderr.split()), done.stdout


def test_a_local_review_as_json_imports_nothing_heavy(repository, tmp_path):
    modules, output = imported(repository.folder, "review", "HEAD~1..HEAD", "--format", "json", home=tmp_path)
    assert '"findings": [' in output
    assert "ast_grep_py" in modules
    assert not (modules & HEAVY) - of_the_library(RECORD + PARSER)


def test_a_configuration_is_read_once_and_then_remembered(repository, tmp_path):
    repository.write({".github/review-bot.yml": "fail-on: never\n"})
    arguments = ("review", "HEAD~1..HEAD", "--format", "json")
    first, output = imported(repository.folder, *arguments, home=tmp_path)
    for result in tmp_path.glob(".cache/review-bot/results-*"):
        result.unlink()
    again, same_output = imported(repository.folder, *arguments, home=tmp_path)
    assert {"pydantic", "yaml"} <= first
    assert not (again & HEAVY) - of_the_library(RECORD + PARSER)
    assert same_output == output


def test_a_version_imports_no_parser(tmp_path):
    modules, output = imported(tmp_path, "--version", home=tmp_path)
    assert output.startswith("review-bot ")
    parsers = {"argparse", "ast", "ast_grep_py", "json", "re2", "unidiff"}
    assert not (modules & (HEAVY | parsers)) - of_the_library(RECORD)
