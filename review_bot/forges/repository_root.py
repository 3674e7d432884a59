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


def clone_identity(root: str, *, bare: bool) -> str | None:
    """Return what no other clone has, and no later one in the same folder; None if it is not known.

    Ids of commits are not enough: what a clone holds under an id is up to the one who packed it. The time at which a
    file was last changed (``st_ctime``) is set by the system, so no archive can bring it along.
    """
    if os.environ.get("GIT_DIR"):
        return None
    try:
        folder = root if bare else _git_folder(os.path.join(root, ".git"))
        config = os.path.join(folder, "config")  # which few commands write, while new objects come all the time
        status = os.lstat(config if os.path.lexists(config) else os.path.join(folder, "objects"))
    except (OSError, ValueError):
        return None
    return f"{folder} {status.st_dev} {status.st_ino} {status.st_ctime_ns}"


def _git_folder(path: str) -> str:
    """Return the folder with the objects of a working tree, also of a linked one (see gitrepository-layout(5))."""
    if os.path.isdir(path):
        return path
    with open(path, encoding="utf-8") as stream:
        folder = os.path.join(os.path.dirname(path), stream.read(4096).removeprefix("gitdir:").strip())
    common = os.path.join(folder, "commondir")
    if not os.path.exists(common):
        return folder
    with open(common, encoding="utf-8") as stream:
        return os.path.join(folder, stream.read(4096).strip())


def _root_of_git_dir(folder: str) -> tuple[str, bool]:
    answer = git_process.run(folder, "rev-parse", "--is-bare-repository", "--show-toplevel")
    lines = answer.output.decode("utf-8", "surrogateescape").split("\n")
    if lines and lines[0] == "true":
        return folder, True
    if answer.code == 0 and len(lines) > 1 and lines[1]:
        return lines[1], False
    raise git_process.failure(folder, "rev-parse", answer)
