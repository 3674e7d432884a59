"""An installed package beside a package named ``rules``: its own rules are read from itself, and nothing is written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import review_bot
from review_bot.configuration import rule_registry
from tests.git_repository import ENVIRONMENT, GitRepository

BAD = "try:\n    run()\nexcept:\n    pass\n"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder of packages with ours as a wheel lays it out, and a foreign package ``rules``."""
    site = tmp_path / "site-packages"
    package = Path(review_bot.__file__).parent
    shutil.copytree(package, site / "review_bot", ignore=shutil.ignore_patterns("__pycache__"))
    if rule_registry.is_checkout():
        (site / "review_bot/builtin_rules.json").write_bytes(rule_registry.compile_rules(Path(rule_registry.SOURCE)))
    (site / "rules/contrib").mkdir(parents=True)
    (site / "rules/__init__.py").write_text("VERSION = (3, 5)\n")
    return site


def run(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from review_bot.cli import run_process; run_process()"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        cwd=folder,
        env={**ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def files(site: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in site.rglob("*") if path.is_file() and path.suffix != ".pyc"}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    made.commit({"a.py": "x = 1\n"})
    made.write({"a.py": BAD})
    return made


def test_a_foreign_package_named_rules_changes_nothing(installed, repo):
    before = files(installed)
    done = run(installed, repo.folder, "review", "--fail-on", "warning", "--format", "json")
    assert done.returncode == 1, done.stderr
    assert "errors/swallowed-exception" in done.stdout
    assert not (installed / "rules/contrib/x.yaml").exists()
    assert {name: data for name, data in files(installed).items() if name in before} == before
    assert [name for name in files(installed) if name not in before and "__pycache__" not in name] == []


EMPTY = b'{"digest":"0","stamp":"","rules":[],"focus":[[],[],[]]}\n{}'
BLOBS = [None, b"", b"[]\n", EMPTY, b'{"digest":"0","stamp":"0a","rules":[1],"focus":[]}\n{}']
COMMANDS = [("rules", "list"), ("brief",), ("config", "check")]


@pytest.mark.parametrize(
    ("blob", "command"), [*((blob, ("review",)) for blob in BLOBS), *((EMPTY, command) for command in COMMANDS)]
)
def test_without_built_in_rules_nothing_is_green(installed, repo, blob, command):
    place = installed / "review_bot/builtin_rules.json"
    place.unlink()
    if blob is not None:
        place.write_bytes(blob)
    done = run(installed, repo.folder, *command)
    assert done.returncode == 3, done.stdout
    assert "has no built-in rules" in done.stderr
    assert place.exists() == (blob is not None)
    assert blob is None or place.read_bytes() == blob
