"""``python -m bench.fix_commits --clones DIR``: pick fix commits out of the histories of other projects, by rule.

What is picked: the subject is about a fix, a bug or a revert and not of documentation, tests, types or continuous
integration; one to three Python files outside tests, documentation and examples changed, by at most 30 lines together;
of those the first ``--each`` of every repository by the SHA-256 of the commit's name. The half (``write`` or ``hold``)
is a bit of the same hash, so it is fixed before anyone has read the change. What is printed is one JSON object a line:
``rules/evidence/bugs.jsonl`` holds those that a reader took for real defects of code, with what they say of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

REPOSITORIES = (
    "vllm-project/vllm-omni", "huggingface/diffusers", "ModelTC/LightLLM", "InternLM/lmdeploy", "hao-ai-lab/FastVideo",
    "deepspeedai/DeepSpeed", "flashinfer-ai/flashinfer", "huggingface/accelerate",
    "huggingface/text-generation-inference", "bitsandbytes-foundation/bitsandbytes", "xdit-project/xDiT",
)  # fmt: skip

MOST_FILES = 3
MOST_LINES = 30

_FIX = re.compile(r"\b(?:fix(?:es|ed|ing)?|bug ?fix|bugs?|hot-?fix|revert)\b", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:docs?|docstrings?|documentation|readme|typos?|ci|tests?|testing|unittests?|lint|format(?:ting)?|mypy|ruff"
    r"|style|quality|spelling|links?|examples?|workflows?|comments?|changelog|type ?hints?|typing|warnings?)\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:^|/)(?:tests?|testing|docs?|examples?|benchmarks?|ci|\.github|setup\.py|conftest\.py)(?:/|$)"
)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


class Place(NamedTuple):
    """Lines of a file at the parent that the fix removed, or between which it put something (``line``, ``line``)."""

    path: str
    line: int
    end_line: int


def half_of(commit: str) -> str:
    """Return the half that a commit belongs to, ``write`` or ``hold``."""
    return "write" if hashlib.sha256(commit.encode()).digest()[-1] & 1 else "hold"


def folder_of(clones: Path, repository: str) -> Path:
    """Return the clone of a repository below a folder of clones: ``OWNER+NAME``, or ``OWNER+NAME/repo``."""
    folder = clones / repository.replace("/", "+")
    return folder / "repo" if (folder / "repo").is_dir() else folder


def git(folder: Path, *arguments: str) -> str:
    """Return what git prints; bytes that are no UTF-8 are replaced."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def candidates(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (commit, subject) of each commit whose subject is about a fix, in the order of the commits' hashes."""
    rows = [row.split("\t", 1) for row in git(folder, "log", "--no-merges", "--format=%H%x09%s").splitlines()]
    fixes = [(commit, subject) for commit, subject in rows if _FIX.search(subject) and not _ASIDE.search(subject)]
    yield from sorted(fixes, key=lambda fix: hashlib.sha256(fix[0].encode()).digest())


def places(folder: Path, commit: str) -> list[Place] | None:
    """Return where a small fix of Python code touched its parent, or None for a change that is not picked."""
    paths = git(folder, "diff-tree", "-r", "--no-renames", "--no-commit-id", "--name-only", commit).splitlines()
    code = [path for path in paths if path.endswith(".py") and not _LEFT_OUT.search(path) and "test" not in path]
    if not 1 <= len(code) <= MOST_FILES:
        return None
    diff = git(
        folder, "diff-tree", "-r", "--no-renames", "-p", "-U0", "--no-commit-id", "--no-color", commit, "--", *code
    )
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:4] not in {"+++ ", "--- "}]
    if not 1 <= len(changed) <= MOST_LINES:
        return None
    found: list[Place] = []
    path = ""
    for line in diff.splitlines():
        if line.startswith("--- "):
            path = line[6:] if line != "--- /dev/null" else ""
        elif path and (hunk := _HUNK.match(line)):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            last = first + count - 1 if count else first + 1
            found.append(Place(path, max(first, 1), max(last, 1)))
    return found or None


def main() -> int:
    """Print the picked commits."""
    parser = argparse.ArgumentParser(prog="python -m bench.fix_commits", description=__doc__)
    parser.add_argument("--clones", type=Path, required=True, metavar="DIR", help="holds OWNER+NAME/repo")
    parser.add_argument("--each", type=int, default=26, metavar="N", help="commits of each repository (default: 26)")
    options = parser.parse_args()
    for repository in REPOSITORIES:
        folder = folder_of(options.clones, repository)
        left = options.each
        for commit, subject in candidates(folder):
            where = places(folder, commit)
            if where is None:
                continue
            row = {
                "repository": repository,
                "commit": commit,
                "parent": git(folder, "rev-parse", f"{commit}^").strip(),
                "half": half_of(commit),
                "subject": subject,
                "places": [list(place) for place in where],
            }
            print(json.dumps(row, ensure_ascii=False))
            left -= 1
            if not left:
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
