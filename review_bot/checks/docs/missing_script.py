"""A command of a document that runs a script which its folder does not hold: ``python examples/generate.py``.

Documents also run scripts of other repositories and of their readers, so a name counts only where the folder exists
and holds scripts of the kind, or where a script next to the document has nearly that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from posixpath import normpath

from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

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


def relate(facts: Mapping[str, tuple[Command, ...]], _change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each script that a document runs and that is nowhere in the tree."""
    if not facts:
        return
    names = {path.rpartition("/")[2] for path in codebase.head.paths}
    folders: dict[str, list[str]] = {}
    for path in codebase.head.paths:
        if path.endswith((".py", ".sh")):
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append(name)
    for path, commands in sorted(facts.items()):
        lines = (codebase.head.text(path) or "").split("\n")
        for command in commands:
            place, _, name = normpath(command.script).rpartition("/")
            about = [line.replace(command.script, "").replace(name, "") for line in lines if name in line]
            if name in names or any(_MADE.search(line) for line in about) or _is_ignored(name, codebase):
                continue
            home = path.rpartition("/")[0]
            suffix = name[-3:]
            for folder in dict.fromkeys((place, normpath(f"{home}/{place}").removeprefix("./"))):
                siblings = [each for each in folders.get(folder, ()) if each.endswith(suffix)]
                near = [each for each in sorted(siblings) if _words(each) == _words(name)]
                near += get_close_matches(name, sorted(siblings), 1, _ALIKE)
                if siblings and (place or near):
                    meant = f"; the closest name is `{near[0]}`" if near else ""
                    values = {"script": command.script, "meant": meant}
                    yield Hit(command.line, column=command.column, values=values, path=path)
                    break


def _words(name: str) -> list[str]:
    """Return the words of a file name, sorted, so that names that differ in their order have the same."""
    return sorted(name.replace("-", "_").replace(".", "_").split("_"))


def _is_ignored(name: str, codebase: Codebase) -> bool:
    """Return whether git ignores the name, as it does what a build or an earlier step makes."""
    ignoring = (path for path in codebase.head.paths if path.endswith(".gitignore"))
    return any(name in (codebase.head.text(path) or "") for path in ignoring)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=(".py", ".sh")))
