"""The repository around a folder: where its root is, and whether it has a working tree."""

import os

from review_bot.errors import UsageError
from review_bot.forges import git_environment, git_process


def find_root(folder: str) -> tuple[str, bool]:
    """Return (root of the repository around a folder, whether it is bare). Raises UsageError.

    A folder of a working tree that has the form of a bare repository is content, and its configuration may be hostile:
    it is taken for a repository only where GIT_DIR names it.
    """
    if not os.path.isdir(folder):
        raise UsageError(f"the folder {folder!r} does not exist; pass the repository to review with -C DIR")
    if os.environ.get("GIT_DIR"):
        return _root_of_git_dir(folder)
    current, bare = os.path.abspath(folder), None
    while True:
        if os.path.exists(os.path.join(current, ".git")):
            if bare is None:
                return current, False
            if bare == os.path.join(current, ".git"):
                raise UsageError(f"{bare!r} has no working tree; review the working tree {current!r}, with -C")
            raise UsageError(
                f"{bare!r} looks like a bare repository inside the working tree {current!r}; to review the "
                f"working tree, pass -C {current!r}; to review the bare repository, set GIT_DIR to its folder"
            )
        if bare is None and git_environment.is_bare_repository(current):
            bare = current
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    if bare is None:
        raise git_process.no_repository(folder)
    return bare, True


def _root_of_git_dir(folder: str) -> tuple[str, bool]:
    answer = git_process.run(folder, "rev-parse", "--is-bare-repository", "--show-toplevel")
    lines = answer.output.decode("utf-8", "surrogateescape").split("\n")
    if lines and lines[0] == "true":
        return folder, True
    if answer.code == 0 and len(lines) > 1 and lines[1]:
        return lines[1], False
    raise git_process.failure(folder, "rev-parse", answer)
