"""A command of a document that runs a script which its folder does not hold: ``python examples/generate.py``.

Documents also run scripts of other repositories and of their readers, so a name counts only where the folder exists
and holds scripts of the kind, or where a script next to the document has nearly that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from posixpath import basename, normpath

from review_bot.analysis.project.manifests import project_folders
from review_bot.analysis.project.path_mentions import ignored_by_git
from review_bot.analysis.project.third_party import normalised
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_RUN = LazyRegex(r"(?:^|[\s`$;&(!])(?:python3?|torchrun|deepspeed|accelerate launch|bash|sh|source|pytest) ([^`|;&]*)")
_SCRIPT = LazyRegex(r"(?:\./)?[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)*\.(?:py|sh)")
_PLACEHOLDER = LazyRegex(
    r"(?i)(?:^|[/_.-])(?:my|your|new|foo|bar|path|modified|test_x|xxx?|script|example|demo)(?:[/_.-]|$)"
)
_ASIDE = LazyRegex(
    r"(?i)(?:^|/)(?:\.[^/]+|third_?party|vendor|archived?|blogs?|_?tutorials)/|AGENTS|JOURNAL|SKILL|CHANGELOG"
)
_MADE = LazyRegex(r"(?i)generat|creat|writ|download|clone|save|wget|curl|cat >")
"""What a document says where a script comes from somewhere else."""
_CLONED = LazyRegex(r"\bgit clone (?:-[^\s|;&]+ )*([^\s|;&]+)(?: ([\w.-]+))?")
_ENTERED = LazyRegex(r"(?:^|[\s;&(])cd[ \t]+(?:\./)?([\w.-]+)")
_SUFFIXES = (".py", ".sh")
_ALIKE = 0.85
"""How alike the name of a script must be to be meant (a ratio)."""


class Command(NamedTuple):
    """A script that an added line runs; columns are 1-based."""

    script: str
    line: int
    column: int


def gather(source: SourceFile) -> tuple[Command, ...] | None:
    """Return the scripts that added lines of a document run."""
    if _ASIDE.search(source.path):
        return None
    found: list[Command] = []
    for number, line in sorted(source.added.items()):
        for run in _RUN.finditer(line):
            script = next((word for word in run[1].split() if _SCRIPT.fullmatch(word)), None)
            if script is not None and not _PLACEHOLDER.search(script):
                found.append(Command(script, number, line.index(script) + 1))
    return tuple(found) or None


def relate(facts: Mapping[str, tuple[Command, ...]], change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each script that a document runs and that is nowhere in the tree."""
    if not facts:
        return
    names = {path.rpartition("/")[2] for path in codebase.head.paths}
    scripts: dict[tuple[str, str], list[str]] = {}
    for path in codebase.head.paths:
        if path.endswith(_SUFFIXES):
            folder, _, name = path.rpartition("/")
            scripts.setdefault((folder, name[-3:]), []).append(name)
    folders = {key: _Folder(found) for key, found in scripts.items()}
    own = {*project_folders(codebase), normalised((change.repository or "").rpartition("/")[2])}
    for path, commands in sorted(facts.items()):
        lines = (codebase.head.text(path) or "").split("\n")
        home = path.rpartition("/")[0]
        said: dict[str, bool] = {}
        for command in commands:
            place, _, name = normpath(command.script).rpartition("/")
            if name in names or _is_in_a_clone(lines[: command.line], own):
                continue
            if command.script not in said:
                said[command.script] = _is_made(command.script, name, lines)
            if said[command.script] or name in ignored_by_git(codebase.head):
                continue  # a build or an earlier step makes what git ignores
            for folder in dict.fromkeys((place, normpath(f"{home}/{place}").removeprefix("./"))):
                siblings = folders.get((folder, name[-3:]))
                near = "" if siblings is None else siblings.near(name)
                if siblings is not None and (place or near):
                    meant = f"; the closest name is `{near}`" if near else ""
                    values = {"script": command.script, "meant": meant}
                    yield Hit(command.line, column=command.column, values=values, path=path)
                    break


class _Folder:
    """The scripts of one kind in one folder."""

    def __init__(self, names: list[str]) -> None:
        self._names = NearNames(names, _ALIKE)
        self._by_words = {_words(name): name for name in sorted(names, reverse=True)}

    def near(self, name: str) -> str:
        """Return the script whose name has the same words, or nearly the same letters; nothing if there is none."""
        return self._by_words.get(_words(name)) or self._names.nearest(name)


def _is_in_a_clone(lines: list[str], own: AbstractSet[str]) -> bool:
    """Return whether the commands before the last line, in its block, clone another repository and enter a folder.

    The folder may have another name: ``cd Other Project``.
    """
    cloned = False
    start = next((at for at in range(len(lines) - 1, 0, -1) if lines[at - 1].lstrip().startswith(("```", "~~~"))), 0)
    for line in lines[start:]:
        names = [each[2] or basename(each[1].rstrip("/")).removesuffix(".git") for each in _CLONED.finditer(line)]
        cloned = cloned or any(normalised(each) not in own for each in names)
        if cloned and any(normalised(each[1]) not in own for each in _ENTERED.finditer(line)):
            return True
    return False


def _is_made(script: str, name: str, lines: list[str]) -> bool:
    """Return whether a line that names a script says that it comes from somewhere else."""
    about = (line.replace(script, "").replace(name, "") for line in lines if name in line)
    return any(_MADE.search(line) for line in about)


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a file name, sorted, so that names that differ in their order have the same."""
    return tuple(sorted(name.replace("-", "_").replace(".", "_").split("_")))


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=_SUFFIXES))
