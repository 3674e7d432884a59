"""The same replay with Review Bot as it was at an earlier commit: its rules, its checks, its engine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from review_bot.configuration import rule_registry
from review_bot.errors import ReviewBotError, UsageError
from review_bot.forges import git_process
from review_bot.replay import recorded

_PARTS = ("review_bot", "rules", "contracts", "pyproject.toml")
"""What a source tree is known by, and what it runs on; early commits have no contracts."""


def replay_at(revision: str, arguments: Sequence[str]) -> recorded.Recorded:
    """Replay with the program of ``revision`` of the checkout that this one runs from.

    ``arguments`` are those of ``review-bot replay``, with an absolute folder. Raises UsageError if this is not a
    checkout or holds no such revision, ReviewBotError if the earlier program fails.
    """
    checkout = Path(rule_registry.SOURCE).parent
    if not rule_registry.is_checkout():
        raise UsageError("--against compares versions of Review Bot itself; run it from a checkout of its repository")
    with tempfile.TemporaryDirectory(prefix="review-bot-") as name:
        folder = Path(name)
        archive = folder / "program.tar"
        listed = git_process.run(  # with a revision that cannot be an option
            str(checkout), "ls-tree", "--name-only", "--end-of-options", revision, *_PARTS
        )
        parts = [part for part in _PARTS if part.encode() in listed.output.split()]
        made = git_process.run(
            str(checkout), "archive", f"--output={archive}", "--end-of-options", revision, *(parts or _PARTS)
        )
        if made.code:
            reason = git_process.last_line(made.error)
            raise UsageError(f"--against {revision}: {reason}; name a commit of {checkout.name}")
        _unpack(archive, folder)
        output = folder / "replay.json"
        with output.open("wb") as stream:
            done = subprocess.run(  # our own program of an earlier day
                [sys.executable, "-m", "review_bot", "replay", *arguments, "--format", "json"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(folder)},
                stdout=stream,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise ReviewBotError(f"Review Bot at {revision} failed: {lines[-1] if lines else 'no output'}")
        return recorded.read(str(output))


def _unpack(archive: Path, folder: Path) -> None:
    """Write the regular files of an archive below a folder; ``extractall(filter=)`` came with Python 3.11.4."""
    import tarfile

    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isreg() else None
            if content is None:
                continue
            path = folder / member.name
            if ".." in path.parts or not path.is_relative_to(folder):
                raise ReviewBotError(f"the archive of the earlier version contains the name {member.name!r}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())
