"""Which script of the tree a command means, and the options that the script takes."""

from __future__ import annotations

from posixpath import normpath

from review_bot.analysis.project.path_mentions import folders_around
from review_bot.analysis.project.script_runs import ScriptRun
from review_bot.analysis.python.script_options import ScriptOptions, script_options
from review_bot.changes.codebase import Snapshot, query
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_JOIN = LazyRegex(r"[_-]+")


class ScriptPath(NamedTuple):
    """The script of a run.

    ``surely``: its path leads there from the root, the file's folder, an earlier ``cd``, or a variable that the file
    sets to one of its folders. Otherwise it is the only script of the tree with that name, and another repository may
    have one too.
    """

    path: str
    surely: bool


def script_path(run: ScriptRun, home: str, side: Snapshot) -> ScriptPath | None:
    """Return the one file of a side that a run in a file of the folder ``home`` means."""
    if run.start:
        starts = ["", home, *folders_around(home)]
    else:
        starts = [run.folder, f"{home}/{run.folder}"] if run.folder else ["", home]
    found = {place for start in starts if (place := normpath(f"{start}/{run.script}").lstrip("/")) in side.paths}
    surely = bool(found) and run.start != "variable"
    if not found and not run.script.startswith("..") and ("/" in run.script or _has_words(run.script)):
        found = {place for place in side.paths if place.endswith(f"/{run.script}")}
    return ScriptPath(found.pop(), surely) if len(found) == 1 else None


def _has_words(name: str) -> bool:
    """Return whether the name of a script has two words or more, so that few scripts share it."""
    return sum(bool(each) for each in _JOIN.split(name.removesuffix(".py"))) > 1


@query
def options_of(side: Snapshot, script: str) -> ScriptOptions | None:
    """Return the options of a script of a side; None if it may take others too."""
    tree = side.tree(script) if "add_argument" in (side.text(script) or "") else None
    return None if tree is None else script_options(tree)
