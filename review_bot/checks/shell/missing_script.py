"""A command of a shell script, Dockerfile or pipeline that runs a script or module which the tree does not hold.

Such files also run what they download, make or mount, so a path counts only where its folder exists and holds files of
the kind, no other line of the file names the script, and no file of the tree has its name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from posixpath import normpath
from typing import Literal

from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.project.path_mentions import folders_around, ignored_by_git
from review_bot.analysis.project.script_runs import ScriptRun, script_runs
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:archived?[^/]*|deprecated[^/]*|templates?)/|\.github/")
_KINDS: tuple[Literal["python", "shell", "tests"], ...] = ("python", "shell", "tests")
_ALIKE = 0.7
"""How alike the name of a script must be to be meant (a ratio)."""


def gather(source: SourceFile) -> tuple[ScriptRun, ...] | None:
    """Return the runs on added lines whose script no other line of the file names."""
    if _ASIDE.search(source.path) or is_vendored(source.path) or not source.added:
        return None
    runs = [each for kind in _KINDS for each in script_runs(source.lines, is_shell=True, of=kind)]
    found: list[ScriptRun] = []
    mentions = _Mentions(runs, source.lines)
    for each in runs:
        if each.line not in source.added or each.start == "variable" or source.lines[each.line - 1].lstrip()[:1] == "#":
            continue
        if each.is_module or not mentions.is_named_elsewhere(each.script.rpartition("/")[2]):
            found.append(each)
    return tuple(found) or None


class _Mentions:
    """Where the lines of a file name scripts."""

    def __init__(self, runs: list[ScriptRun], lines: Sequence[str]) -> None:
        self._text = "\n".join(lines)
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._known: dict[str, bool] = {}
        self._run: dict[int, set[str]] = {}
        for each in runs:
            self._run.setdefault(each.line, set()).add(each.script)

    def is_named_elsewhere(self, name: str) -> bool:
        """Return whether a line that does not run a script names it: it may make, copy or look for it."""
        if name not in self._known:
            self._known[name] = any(
                not any(script.endswith(name) for script in self._run.get(line, ())) for line in self._naming(name)
            )
        return self._known[name]

    def _naming(self, name: str) -> Iterator[int]:
        at = self._text.find(name)
        while at >= 0:
            line = bisect_right(self._starts, at)
            yield line
            at = self._text.find(name, self._starts[line])


def relate(facts: Mapping[str, tuple[ScriptRun, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each script or module that is nowhere in the tree, though its folder is."""
    if not facts:
        return
    head = codebase.head
    names = {path.rpartition("/")[2] for path in head.paths}
    ignored = ignored_by_git(codebase.base)
    for path, each in each_fact(facts):
        name = each.script.rpartition("/")[2]
        if each.is_module:
            siblings = _modules_next_to(each.script, head)
        elif name in names or name in ignored:
            continue  # a build or an earlier step makes what git ignores
        else:
            siblings = _scripts_next_to(each, path.rpartition("/")[0], head)
        if siblings:
            near = NearNames(siblings, _ALIKE).nearest(name)
            script = each.script.removesuffix(".py").replace("/", ".") if each.is_module else each.script
            values = {
                "what": f"module `{script}`" if each.is_module else f"`{script}`",
                "meant": f"; the closest name is `{near}`" if near else "",
            }
            yield Hit(each.line, path=path, values=values, subject=script)


def _scripts_next_to(run: ScriptRun, home: str, side: Snapshot) -> list[str]:
    """Return the names of the scripts in the folder that a run may mean; none if it may mean another place."""
    place = run.script.rpartition("/")[0]
    if not place or place.startswith(".."):
        return []
    if run.start:
        starts = ["", home, *folders_around(home)]
    else:
        starts = [run.folder, f"{home}/{run.folder}"] if run.folder else ["", home]
    folders = {normpath(f"{start}/{place}").lstrip("/") for start in starts}
    suffix = run.script[-3:]
    return [
        path.rpartition("/")[2] for path in side.paths if path.endswith(suffix) and path.rpartition("/")[0] in folders
    ]


def _modules_next_to(script: str, side: Snapshot) -> list[str]:
    """Return the modules next to one that a package of the tree lacks; none if it does not lack it."""
    tree = module_tree(side)
    top, _, rest = script.removesuffix(".py").partition("/")
    places = [f"{place}/{rest}" for place in tree.package_places(top)]
    if not places or any(tree.at(place).kind != "missing" for place in places):
        return []
    folders = {place.rpartition("/")[0] for place in places}
    return [
        path.rpartition("/")[2] for path in side.paths if path.endswith(".py") and path.rpartition("/")[0] in folders
    ]


CHECK = change_check(gather, relate, CheckTraits(literals=(".py", ".sh", "python"), doubted=True))
