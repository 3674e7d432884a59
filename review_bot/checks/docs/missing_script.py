"""A command of a document that runs a script which its folder does not hold: ``python examples/generate.py``.

Documents also run scripts of other repositories and of their readers, so a name counts only where the folder exists
and holds scripts of the kind, or where a script next to the document has nearly that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from posixpath import basename, normpath

from review_bot.analysis.project.manifests import project_folders
from review_bot.analysis.project.path_mentions import ignored_by_git
from review_bot.analysis.project.third_party import normalised
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_history, is_vendored
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_RUN = LazyRegex(r"(?:^|[\s`$;&(!])(?:python3?|torchrun|deepspeed|accelerate launch|bash|sh|source|pytest) ([^`|;&]*)")
_SCRIPT = LazyRegex(r"(?:\./)?[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)*\.(?:py|sh)")
_PLACEHOLDER = LazyRegex(
    r"(?i)(?:^|[/_.-])(?:my|your|new|foo|bar|path|modified|test_x|xxx?|script|example|demo)(?:[/_.-]|$)"
)
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:\.[^/]+|_?tutorials)/|AGENTS|SKILL")
_MADE = LazyRegex(r"(?i)generat|creat|writ|download|clone|save|wget|curl|cat >")
"""What a document says where a script comes from somewhere else."""
_CLONED = LazyRegex(r"\bgit clone (?:-[^\s|;&]+ )*([^\s|;&]+)(?: ([\w.-]+))?")
_ENTERED = LazyRegex(r"(?:^|[\s;&(])cd[ \t]+(?:\./)?([\w.-]+)")
_ENTERED_PLACE = LazyRegex(r"(?:^|[\s;&(])cd[ \t]+[\"']?([^\s;&|\"']+)")
_REPOSITORY = LazyRegex(
    r"https?://(?:github|gitlab|gitee|huggingface)\.\w+/(?:spaces/|datasets/)?[\w.-]+/([\w.-]+)([^\s)>\"']*)"
)
_FENCES = ("```", "~~~")
_DOCUMENTS = (".md", ".markdown", ".mdx", ".rst")
_LINES_OF_TEXT = 3
"""Lines before a block that say where its commands run."""
_SUFFIXES = (".py", ".sh")
_ALIKE = 0.85
"""How alike the name of a script must be to be meant (a ratio)."""
_ALIKE_INSIDE = 0.7
"""The same in the folder that the commands enter, where few scripts may be meant."""


class Command(NamedTuple):
    """A script that an added line runs; columns are 1-based."""

    script: str
    line: int
    column: int


def gather(source: SourceFile) -> tuple[Command, ...] | None:
    """Return the scripts that added lines of a document run."""
    if _ASIDE.search(source.path) or is_history(source.path) or is_vendored(source.path):
        return None
    found: list[Command] = []
    for number, line in sorted(source.added.items()):
        for run in _RUN.finditer(line):
            script = next((word for word in run[1].split() if _SCRIPT.fullmatch(word)), None)
            if script is not None and not _PLACEHOLDER.search(script):
                found.append(Command(script, number, line.index(script) + 1))
    return tuple(found) or None


def relate(facts: Mapping[str, tuple[Command, ...]], codebase: Codebase) -> Iterator[Hit]:
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
    own = {*project_folders(codebase), normalised((codebase.change.repository or "").rpartition("/")[2])}
    for path, commands in sorted(facts.items()):
        lines = (codebase.head.text(path) or "").split("\n")
        home = path.rpartition("/")[0]
        said: dict[str, bool] = {}
        for command in commands:
            place, _, name = normpath(command.script).rpartition("/")
            if name in names or _runs_elsewhere(command, lines, own, codebase.head):
                continue
            if command.script not in said:
                said[command.script] = _is_made(command.script, name, lines)
            if said[command.script] or name in ignored_by_git(codebase.head):
                continue  # a build or an earlier step makes what git ignores
            block = _block(lines[: command.line])
            entered = [normpath(f"{each}/{place}") for each in _entered(block, home, own)]
            inside = next((found for each in entered if (found := folders.get((each, name[-3:]))) is not None), None)
            for folder in dict.fromkeys((place, normpath(f"{home}/{place}").removeprefix("./"))):
                siblings = inside or folders.get((folder, name[-3:]))
                near = "" if siblings is None else siblings.near(name)
                if inside is not None:
                    near = inside.near_in(name, "\n".join(block))
                if siblings is not None and (place or near):
                    meant = f"; the closest name is `{near}`" if near else ""
                    values = {"script": command.script, "meant": meant}
                    yield Hit(command.line, column=command.column, values=values, path=path)
                    break


class _Folder:
    """The scripts of one kind in one folder."""

    def __init__(self, names: list[str]) -> None:
        self._names, self._all = NearNames(names, _ALIKE), names
        self._by_words = {_words(name): name for name in sorted(names, reverse=True)}

    def near(self, name: str) -> str:
        """Return the script whose name has the same words, or nearly the same letters; nothing if there is none."""
        return self._by_words.get(_words(name)) or self._names.nearest(name)

    def near_in(self, name: str, block: str) -> str:
        """Return the same for the folder that the commands of a block enter; what the block names is not meant."""
        others = [each for each in self._all if each not in block]
        return self._by_words.get(_words(name)) or NearNames(others, _ALIKE_INSIDE).nearest(name)


def _runs_elsewhere(command: Command, lines: list[str], own: AbstractSet[str], side: Snapshot) -> bool:
    """Return whether the documents show that a command runs in another place than this repository.

    Its block enters a folder that is not of this tree, the text above it names a repository that some document links
    to, or some document links to the script in another one.
    """
    before = lines[: command.line]
    fences = _fences(before)
    block = _block(before)
    if _is_in_a_clone(block, own) or any(
        not _is_of_tree(each[1], own, side.paths) for line in block for each in _ENTERED_PLACE.finditer(line)
    ):
        return True
    others = {name: rests for name, rests in _linked_repositories(side).items() if name not in own}
    if any(rest.endswith(f"/{normpath(command.script)}") for rests in others.values() for rest in rests):
        return True
    above = before[: fences[-1] - 1] if len(fences) % 2 else before
    text = " ".join(map(normalised, _prose(above)[-_LINES_OF_TEXT:]))
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None for name in others)


def _fences(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines, 1) if line.lstrip().startswith(_FENCES)]


def _block(lines: list[str]) -> list[str]:
    """Return the lines below the last fence."""
    fences = _fences(lines)
    return lines[fences[-1] if fences else 0 :]


def _entered(block: list[str], home: str, own: AbstractSet[str]) -> list[str]:
    """Return the folders in which the last line of a block may run; none if no line of it enters one."""
    places = [each[1] for line in block for each in _ENTERED_PLACE.finditer(line)]
    if not places or any(each[:1] in {"/", "~", "$", "-"} for each in places):
        return []
    inner = "/".join(each for each in places if normalised(basename(normpath(each))) not in own)
    return [normpath(inner or "."), normpath(f"{home}/{inner}").lstrip("/")]


def _prose(lines: list[str]) -> list[str]:
    """Return the lines with text outside blocks of code."""
    found, inside = list[str](), False
    for line in lines:
        if line.lstrip().startswith(_FENCES):
            inside = not inside
        elif line.strip() and not inside:
            found.append(line)
    return found


@query
def _linked_repositories(side: Snapshot) -> Mapping[str, frozenset[str]]:
    """Return the repositories to which documents link, by their normalised names, with the rest of each address."""
    found: dict[str, set[str]] = {}
    for path in sorted(side.paths):
        if path.endswith(_DOCUMENTS):
            for each in _REPOSITORY.finditer(side.text(path) or ""):
                found.setdefault(normalised(each[1].removesuffix(".git")), set()).add(each[2])
    return {name: frozenset(rests) for name, rests in found.items()}


def _is_of_tree(place: str, own: AbstractSet[str], paths: AbstractSet[str]) -> bool:
    """Return whether a folder that a command enters may be one of this tree: ``..``, its name, or a folder in it."""
    folder = normpath(place)
    if folder.strip("./") == "" or normalised(basename(folder)) in own:
        return True
    return any(f"/{folder.removeprefix('../')}/" in f"/{path}" for path in paths)


def _is_in_a_clone(lines: list[str], own: AbstractSet[str]) -> bool:
    """Return whether the commands of a block clone another repository and enter a folder.

    The folder may have another name: ``cd Other Project``.
    """
    cloned = False
    for line in lines:
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


CHECK = change_check(gather, relate, CheckTraits(literals=_SUFFIXES))
