"""A real git repository in a temporary folder, for tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
ENVIRONMENT: Mapping[str, str] = _CLEAN | {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Halcyon",
    "GIT_AUTHOR_EMAIL": "halcyon@example.org",
    "GIT_AUTHOR_DATE": "2026-03-01T12:00:00+00:00",
    "GIT_COMMITTER_NAME": "Halcyon",
    "GIT_COMMITTER_EMAIL": "halcyon@example.org",
    "GIT_COMMITTER_DATE": "2026-03-01T12:00:00+00:00",
}


class GitRepository:
    """``git init`` at ``folder``, on ``main``; nothing of the user's configuration counts."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.git("init", "--quiet", "--initial-branch=main", *options)

    def git(self, *arguments: str | bytes, check: bool = True, given: bytes | None = None) -> bytes:
        """Run git there and return what it printed."""
        answer = subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            input=given,
            capture_output=True,
            check=False,
            env=dict(ENVIRONMENT),
        )
        assert not check or answer.returncode == 0, answer.stderr.decode("utf-8", "replace")
        return answer.stdout

    def write(self, files: Mapping[str, bytes | str | None]) -> None:
        """Write files; None deletes one."""
        for name, content in files.items():
            path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
            if content is None:
                os.unlink(path)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.islink(path):
                os.unlink(path)
            with open(path, "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, bytes | str | None] | None = None, message: str = "change") -> str:
        """Write files, add everything, commit, and return the commit's id."""
        self.write(files or {})
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").decode().strip()

    def text(self, revision: str, path: str) -> bytes:
        """Return the bytes of a file in a commit."""
        return self.git("cat-file", "blob", os.fsencode(f"{revision}:{path}"))
