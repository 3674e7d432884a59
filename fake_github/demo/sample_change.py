"""Lays out the sample as a real git repository: a ``main`` branch, and a branch with a dozen planted defects."""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from pathlib import Path

from review_bot.forges import git_process

BRANCH = "embeds"
SUBJECT = "Accept prompt embeddings"
OUTPUTS = "step-outputs"
OUTPUTS_SUBJECT = "Add the output of a step"
FIX = "Count tokens again"


def lay_out(folder: Path) -> None:
    """Make the repository in an empty folder and leave its branch checked out. Raises ForgeError if git fails."""
    root = str(folder)
    git_process.output(root, "init", "--quiet", "--initial-branch=main")
    _copy("base", folder)
    _commit(root, "Start")
    git_process.output(root, "checkout", "--quiet", "-b", BRANCH)
    _copy("head", folder)
    _commit(root, SUBJECT)


def texts(side: str) -> dict[str, str]:
    """Return path → text of a side of the sample: ``base``, ``head``, ``fix``, ``outputs``; only what it changes.

    ``coverage`` holds what the tests of the fixed change leave behind.
    """
    source = Path(str(files("fake_github.demo") / "sample" / side))
    found = {}
    for path in sorted(source.rglob("*.txt")):
        found[path.relative_to(source).as_posix().removesuffix(".txt")] = path.read_text(encoding="utf-8")
    return found


def _copy(side: str, folder: Path) -> None:
    source = Path(str(files("fake_github.demo") / "sample" / side))
    for parent, _, names in os.walk(source):
        for name in names:
            target = folder / (Path(parent) / name.removesuffix(".txt")).relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(parent) / name, target)


def _commit(root: str, subject: str) -> None:
    git_process.output(root, "add", "--all")
    identity = ["-c", "user.name=Halcyon", "-c", "user.email=halcyon@example.org", "-c", "commit.gpgSign=false"]
    git_process.output(root, *identity, "commit", "--quiet", "--no-verify", "-m", subject)
