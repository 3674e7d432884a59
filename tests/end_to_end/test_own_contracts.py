"""Contracts of a repository's own, through the command line and through the whole Action."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fake_github.git_store import Link, Submodule
from review_bot.github_action import settings_edits
from tests.action import Action, Result
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

FOLDER = ".github/review-bot/contracts"
OWN = """\
library: halcyon
contracts:
  - functions: [ops.fold_rows]
    requires:
      - {of: index, at: 1, dtype: [int64], raises: TypeError, reason: "`fold_rows` takes an index of int64"}
  - functions: [ops.load_table]
    returns: {dtype: [float32], device: [cpu]}
"""
RULE = "tensor/operand-mismatch"
OPS = (
    '"""Operations."""\n\n\ndef fold_rows(x, index):\n    return x[index]\n\n\ndef load_table(path):\n    return path\n'
)
CODE = '''"""A model."""

import torch

{imports}


def run(x: torch.Tensor, path):
    """Fold the rows of a table."""
    index = load_table(path)
    return fold_rows(x, index)
'''
ABSOLUTE = "from halcyon.ops import fold_rows, load_table"
RELATIVE = "from .ops import fold_rows, load_table"
BASE = {f"{FOLDER}/halcyon.yml": OWN, "halcyon/__init__.py": '"""Halcyon."""\n', "halcyon/ops.py": OPS}


class Answer(NamedTuple):
    code: int
    out: str
    error: str


def run(folder: Path, *arguments: str) -> Answer:
    """Run the command as a process, in a folder."""
    done = run_command(arguments, cwd=folder, text=True, env={**ENVIRONMENT, "REVIEW_BOT_NO_CACHE": "1"})
    return Answer(done.returncode, done.stdout, done.stderr)


def found(result: Result, rule: str = RULE) -> list[tuple[str, int | None]]:
    return [(each["path"], each["line"]) for each in result.report()["findings"] if each["rule"] == rule]


@pytest.mark.parametrize("imports", [ABSOLUTE, RELATIVE])
def test_the_command_line_finds_what_an_own_contract_forbids(tmp_path: Path, imports: str) -> None:
    repo = GitRepository(tmp_path / "repo")
    repo.commit({**BASE, f"{FOLDER}/halcyon.yml": "library: halcyon\ncontracts: []\n"})
    repo.commit({"halcyon/a.py": CODE.format(imports=imports)})
    command = ("review", "HEAD~1..HEAD", "--format", "json")
    assert RULE not in run(repo.folder, *command).out
    repo.write({f"{FOLDER}/halcyon.yml": OWN})
    answer = run(repo.folder, *command)
    assert "`index` has the dtype `float32`, but `fold_rows` takes an index of int64" in answer.out
    repo.write({f"{FOLDER}/halcyon.yml": OWN.replace("int64]", "int66]")})
    answer = run(repo.folder, *command)
    assert (answer.code, answer.out) == (2, "")
    assert f"{FOLDER}/halcyon.yml:5: contracts.0.requires.0.dtype.0: must be one of" in answer.error


ASYNC = '''"""A server."""

import asyncio

from .store import read_manifest


class Server:
    """Serves."""

    async def answer(self, request):
        """Answer."""
        return self._manifest(request)

    async def models(self):
        """List."""
        return await asyncio.gather(*self.names)

    def _manifest(self, request):
        return read_manifest(request.name)
'''


def test_a_function_that_blocks_by_its_own_contract_is_slow_work(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    contract = "library: halcyon\ncontracts:\n  - {functions: [store.read_manifest], effects: [blocks]}\n"
    repo.commit({**BASE, f"{FOLDER}/halcyon.yml": contract, "halcyon/store.py": "from native import read_manifest\n"})
    repo.commit({"halcyon/server.py": ASYNC})
    answer = run(repo.folder, "review", "HEAD~1..HEAD", "--format", "concise")
    assert (
        "While `read_manifest` (line 20) in `Server._manifest` runs, the event loop of `answer` serves nothing"
        in answer.out
    )


def test_a_bare_repository_reads_them_from_the_base(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    repo.commit(BASE)
    repo.git("checkout", "-q", "-b", "topic")
    changes = {"halcyon/a.py": CODE.format(imports=ABSOLUTE), f"{FOLDER}/halcyon.yml": None}
    repo.commit(changes)
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(bare))
    answer = run(bare, "review", "--base", "main", "--head", "topic", "--format", "json")
    assert RULE in answer.out


def test_the_command_checks_them(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    repo.write(BASE)
    answer = run(repo.folder, "config", "check")
    assert f"{FOLDER}: 1 valid file of contracts, 2 functions described" in answer.out + answer.error


def test_a_pull_request_is_judged_by_the_contracts_of_the_default_branch(action: Action) -> None:
    action.repository.commit(BASE)
    code = {"halcyon/a.py": CODE.format(imports=RELATIVE)}
    assert found(action.run(action.open(code))) == [("halcyon/a.py", 11)]
    without = {**code, f"{FOLDER}/halcyon.yml": None}
    result = action.run(action.open(without))
    assert found(result) == [("halcyon/a.py", 11)], "the change cannot take them away"
    assert "the contracts require less of 2 functions: `halcyon.ops.fold_rows`, `halcyon.ops.load_table`" in (
        result.summary
    )


def test_a_change_cannot_bring_contracts_for_itself(action: Action) -> None:
    action.repository.commit({"halcyon/ops.py": OPS})
    pr = action.open({"halcyon/a.py": CODE.format(imports=ABSOLUTE), f"{FOLDER}/halcyon.yml": OWN})
    result = action.run(pr)
    assert (result.code, found(result), found(result, settings_edits.RULE)) == (0, [], [])


MISTAKES: list[tuple[str, Any, int | None, str]] = [
    ("halcyon.yml", OWN.replace("int64]", "int66]"), 5, "must be one of"),
    ("more/halcyon.yaml", OWN, 3, "has a contract already, in"),
    ("new.yml", "library: [\n", None, ""),
    ("new.yml", OWN.replace("reason", "raeson"), 5, "raeson"),
    ("new.yml", Link("halcyon.yml"), None, "symbolic link"),
    ("new.yml", Submodule("b" * 40), None, "submodule"),
    ("new.yml", b"\xff\xfe\x00i\x00d" * 99, None, ""),
]


@pytest.mark.parametrize(("name", "content", "line", "said"), MISTAKES)
def test_an_edit_that_the_next_run_cannot_use_is_an_error(
    action: Action, name: str, content: Any, line: int | None, said: str
) -> None:
    action.repository.commit(BASE)
    changes = {f"{FOLDER}/{name}": content}
    result = action.run(action.open(changes))
    [finding] = [each for each in result.report()["findings"] if each["rule"] == settings_edits.RULE]
    assert result.code in {1, 3}, "3 where the file is one that nobody can read"
    assert finding["path"] == f"{FOLDER}/{name}"
    assert said in finding["message"]
    if line is not None:
        assert finding["line"] == line
    action.repository.commit(changes)
    assert action.run(action.open({"halcyon/fine.py": '"""Fine."""\n'})).code == 2


@pytest.mark.parametrize("content", [Link("../elsewhere"), "a file\n"])
def test_a_folder_of_contracts_that_becomes_something_else_is_an_error(action: Action, content: Any) -> None:
    action.repository.commit(BASE)
    result = action.run(action.open({f"{FOLDER}/halcyon.yml": None, FOLDER: content}))
    assert (result.code, found(result, settings_edits.RULE)) == (1, [(FOLDER, None)])


def test_an_edit_that_requires_more_says_nothing(action: Action) -> None:
    action.repository.commit(BASE)
    result = action.run(action.open({f"{FOLDER}/more.yml": OWN.replace("ops.", "operations.")}))
    assert (result.code, found(result, settings_edits.RULE)) == (0, [])
    assert "the contracts require less" not in result.summary
