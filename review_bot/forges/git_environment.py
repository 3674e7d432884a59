"""What every git process of this program is started with: which program, in which environment, with which settings.

The repository may be hostile: a clone of someone else's branch, or an unpacked archive with its own ``.git/config``.
No setting and no file of it may run a program or open a connection:

====================================  ============================================================
files of hooks, monitor, pager        switched off by ``FIXED_CONFIG``
external diff, textconv               switched off by options of each command that prints a diff
filters and hooks of the settings     switched off one by one (see ``git_process``)
lazy fetch, submodules, remotes       no protocol is allowed, and no helper asks for a password
a folder in the form of a repository  ``safe.bareRepository=explicit``; a bare one is named by ``--git-dir``
``git`` in the tree                   only absolute folders of PATH outside of the tree are searched
another history or working tree       replacements and grafts are ignored, the commit graph and ``core.worktree`` too
====================================  ============================================================
"""

import os
from collections.abc import Sequence
from functools import cache

from review_bot.changes.content import LARGEST_FILE

FIXED_CONFIG = (
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "credential.helper=",
    "core.askPass=",
    "core.sshCommand=false",
    "core.quotepath=off",
    "core.commitGraph=false",
    "core.warnAmbiguousRefs=true",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.splitIndex=false",
    "core.trustctime=true",  # else a file of equal size and time would be taken for unchanged
    "core.checkStat=default",
    "core.ignoreStat=false",  # it would take each file that is new to the index for unchanged
    f"core.bigFileThreshold={LARGEST_FILE}",
    "core.packedGitWindowSize=32m",  # of an address space that is limited; git takes 1 GiB, and all it can get
    "core.packedGitLimit=512m",
    "diff.external=",
    "diff.autoRefreshIndex=true",
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.suppressBlankEmpty=false",
    "diff.indentHeuristic=true",
    "diff.context=3",
    "diff.interHunkContext=0",
    "diff.orderFile=/dev/null",
    "diff.renameLimit=2000",
    "diff.submodule=short",
    "diff.ignoreSubmodules=none",
    "diff.wsErrorHighlight=none",
    "color.ui=false",
    "submodule.recurse=false",
    "log.showSignature=false",
)

_DROPPED = (
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_PAGER",
    "GIT_ATTR_SOURCE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_PROXY_COMMAND",
)

_DIFFS = frozenset({"diff", "diff-tree", "diff-index", "diff-files", "log", "show"})
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")


def environment(folder: str, protocols: str = "none") -> dict[str, str]:
    """Return the environment of a git process that runs in a folder.

    ``protocols``: what git may fetch with (``GIT_ALLOW_PROTOCOL``); no protocol has the name ``none``.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _DROPPED and name[:9] != "GIT_TRACE"}
    if "GIT_DIR" not in kept and os.path.exists(os.path.join(folder, ".git")):
        kept.setdefault("GIT_WORK_TREE", os.path.abspath(folder))  # which ``core.worktree`` would name
    return kept | {
        "LC_ALL": "C",
        "PATH": os.pathsep.join(search_path(folder, os.environ.get("PATH", os.defpath))),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": os.path.join(os.devnull, "none"),
        "GIT_ALLOW_PROTOCOL": protocols,
    }


def command(folder: str, arguments: Sequence[str], settings: Sequence[str] = ()) -> list[str]:
    """Return the command line of a git process that runs in a folder, with further settings (``NAME=VALUE``).

    The folder is the root of a working tree, or a bare repository; git searches no other folder for a bare one.
    """
    line = ["git", "--no-optional-locks", "--no-pager", "-C", folder]
    if is_bare_repository(folder) and not os.environ.get("GIT_DIR"):
        line.append(f"--git-dir={os.path.abspath(folder)}")
    for setting in (*FIXED_CONFIG, *settings):
        line += ["-c", setting]
    at = subcommand(arguments)
    if arguments[at] in _DIFFS:
        return [*line, *arguments[: at + 1], *_NO_PROGRAMS, *arguments[at + 1 :]]
    return [*line, *arguments]


def subcommand(arguments: Sequence[str]) -> int:
    """Return the position of the subcommand, behind settings (``-c NAME=VALUE``)."""
    at = 0
    while arguments[at] == "-c":
        at += 2
    return at


def is_bare_repository(folder: str) -> bool:
    """Return whether a folder is a bare repository, or has the form of one."""
    parts = ("HEAD", "objects", "refs")
    return all(os.path.exists(os.path.join(folder, name)) for name in parts) and not os.path.exists(
        os.path.join(folder, ".git")
    )


def find_git(path: Sequence[str]) -> str | None:
    """Return the absolute path of git in one of the folders, or None."""
    for folder in path:
        program = os.path.join(folder, "git")
        if os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    return None


@cache
def search_path(folder: str, path: str) -> tuple[str, ...]:
    """Return the folders of PATH that are absolute and not below ``folder``, whose files the change may have made."""
    tree = os.path.join(os.path.realpath(folder), "")
    return tuple(
        entry
        for entry in path.split(os.pathsep)
        if os.path.isabs(entry) and (tree == os.sep or not os.path.realpath(entry).startswith(tree))
    )
