"""A path that code computes from ``__file__`` and that is not where it should be.

Either the file moved, and the path that led to something no longer does; or the change calls a new one the root of the
repository, and it is another folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.path_mentions import folders_around
from review_bot.analysis.python.file_anchors import FileAnchor, file_anchors
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ROOT_NAME = LazyRegex(r"(?i)_*(?:repo|repository)_?(?:root|dir|path)?|_*project_root(?:_dir|_path)?")
_ROOT_COMMENT = LazyRegex(
    r"(?i)#.{0,200}?\b(?:repo(?:sitory)?|project)(?:'s)?[ -]root\b|#.{0,200}?\broot of the (?:repo|project)"
)
_OF_A_ROOT = frozenset(
    {
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "requirements.txt",
        "package.json",
        "CMakeLists.txt",
        "LICENSE",
        ".gitignore",
    }
)
_PROJECT_NAME = LazyRegex(r"(?m)^\s*name\s*=\s*[\"']([\w.-]+)[\"']")
_PARTS = LazyRegex(r"[-_.]")
_LONGEST = 60
"""Characters of code in a message."""


def gather(source: SourceFile) -> str | None:
    """Return the path that a moved file had, or the file's own if the change writes such a path."""
    old = source.change.old_path
    if source.change.status in {"renamed", "copied"} and old is not None:
        return old if _folder(old) != _folder(source.path) else None
    return source.path if any("__file__" in text for text in source.added.values()) else None


def relate(facts: Mapping[str, str], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for the first path of each file that leads elsewhere."""
    added = codebase.change.added_numbers()
    for path, old in sorted({path: _place_before(path, old, codebase.change) for path, old in facts.items()}.items()):
        tree = codebase.head.tree(path) if "__file__" in (codebase.head.text(path) or "") else None
        if tree is None:
            continue
        anchors = list(file_anchors(tree))
        if old != path:
            before = codebase.base.tree(old)
            known = set() if before is None else {each.reach for each in file_anchors(before)}
            kept = [each for each in anchors if each.reach in known]
            if (lost := next(_moved(path, old, kept, codebase), None)) is not None:
                yield lost
                continue
        yield from _misnamed(path, anchors, added.get(path, frozenset()), codebase.head)


def _place_before(path: str, old: str, change: PullRequest) -> str:
    """Return where a file was: also one that is new, if the change deletes one file of its name elsewhere."""
    kinds = {file.path: file.status for file in change.files}
    if old != path or kinds.get(path) != "added":
        return old
    name = path.rpartition("/")[2]
    gone = [each for each, kind in kinds.items() if kind == "deleted" and each.rpartition("/")[2] == name]
    return gone[0] if len(gone) == 1 and name != "__init__.py" else old


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _moved(path: str, old: str, anchors: list[FileAnchor], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for the first path that led to a file, a folder or the root, and leads to no such thing now."""
    sound = {each.name for each in anchors if each.reach.below and _exists(each.reach.of(path), codebase.head)}
    for each in anchors:
        before, now = each.reach.of(old), each.reach.of(path)
        if before is None or before == now or each.name in sound:
            continue
        if each.reach.below:
            is_lost = before and _exists(before, codebase.base) and _exists(before, codebase.head)
            is_lost = is_lost and not _exists(now, codebase.head)
        else:
            is_lost = all(_is_root(before, side) for side in (codebase.base, codebase.head))
            is_lost = is_lost and not _is_root(now, codebase.head) and not _moved_along(before, now, path, codebase)
        if is_lost:
            where = "which does not exist" if each.reach.below else f"and no longer to {_named(before)}"
            there = f"; it led to `{before}` before" if each.reach.below else ""
            what = f"The file moved here from `{old}`, so `{_short(each)}` leads to {_named(now)}, {where}{there}"
            yield Hit(each.line, path=path, values={"what": what}, statement=f"path {before}")


def _moved_along(before: str, now: str | None, path: str, codebase: Codebase) -> bool:
    """Return whether a folder holds other modules of what a path led to: these moved with the file."""
    start = "" if now is None else f"{now}/"
    others = (each for each in codebase.head.paths if start and each.startswith(start) and each.endswith(".py"))
    inner = (each.removeprefix(start) for each in others if _folder(each) != _folder(path))
    was = f"{before}/" if before else ""
    return any(f"{was}{each}" in codebase.base.paths and f"{was}{each}" not in codebase.head.paths for each in inner)


def _misnamed(path: str, anchors: list[FileAnchor], added: frozenset[int], side: Snapshot) -> Iterator[Hit]:
    """Yield a hit for the first added path to another folder than the root that its name or comment says it is."""
    lines = (side.text(path) or "").split("\n")
    sound = {each.name for each in anchors if each.reach.below and _exists(each.reach.of(path), side)}
    for each in anchors:
        reached = each.reach.of(path)
        is_own = each.line in added and "__file__" in each.code  # else it is reached through a global name
        if not is_own or each.reach.below or each.reach.ups < 2 or _is_root(reached, side):
            continue
        if each.name in sound or side.paths.isdisjoint(_OF_A_ROOT):
            continue
        comments = "\n".join(line for line in lines[each.line - 1 : each.end] if "#" in line)
        named = f"`{each.name}`" if _ROOT_NAME.fullmatch(each.name) else ""
        if not named and (_ROOT_COMMENT.search(comments) or _says_root_of(comments, side)):
            named = "the comment"
        if named:
            what = f"`{_short(each)}` leads to {_named(reached)}, and not to the root that {named} means"
            yield Hit(each.line, each.end, path=path, values={"what": what})
            return


def _says_root_of(comments: str, side: Snapshot) -> bool:
    """Return whether a comment names the root of the project by the project's name."""
    if "root" not in comments:
        return False
    named = _PROJECT_NAME.search(side.text("pyproject.toml") or side.text("setup.py") or "")
    words = "[-_ ]".join(map(re.escape, _PARTS.split(named[1]))) if named is not None else ""
    return bool(words) and re.search(rf"(?i)#.{{0,200}}\b{words}[ -]root\b", comments) is not None


def _short(anchor: FileAnchor) -> str:
    return anchor.code if len(anchor.code) <= _LONGEST else f"{anchor.code[:_LONGEST]}..."


def _named(path: str | None) -> str:
    if path is None:
        return "a folder above the repository"
    return f"`{path}`" if path else "the root of the repository"


def _is_root(path: str | None, side: Snapshot) -> bool:
    """Return whether a folder is the root of the repository, or of a project in it."""
    return path == "" or (path is not None and any(f"{path}/{name}" in side.paths for name in _OF_A_ROOT))


def _exists(path: str | None, side: Snapshot) -> bool:
    return path is not None and (path == "" or path in side.paths or path in _folders(side))


@query
def _folders(side: Snapshot) -> frozenset[str]:
    return frozenset(folder for path in side.paths for folder in folders_around(path))


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False, new_names=True))  # fmt: skip
