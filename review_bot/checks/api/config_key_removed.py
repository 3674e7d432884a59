"""Flags and fields of settings that a change removes, without a word on what to write instead."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from review_bot.analysis.facts.classes import classes
from review_bot.analysis.facts.settings import Setting, fields, flags
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_history
from review_bot.text.lazy_regex import LazyRegex

_KEY = LazyRegex(r"""([ ]*(?:-[ ]+)?)["']?(\w+)["']?[ ]*[:=]""")
"""A key of YAML, JSON or TOML, with what indents it."""
_COMMAND = LazyRegex(r"(?:^|[/_])(?:cli|commands?|entrypoints?|args|arguments|arg_utils|options)(?:[/_.]|$)")
"""Places of what users start; the options of other scripts are known to their authors."""
_HEADER = LazyRegex(r"[ ]*\[[\w.\"'-]+\][ ]*$")
_DECLARED_BY_TYPES = frozenset(
    ("CliApp", "HfArgumentParser", "cyclopts", "draccus", "fire", "jsonargparse", "simple_parsing", "typer", "tyro")
)
"""Words of parsers that make a flag of each field of a class, or of each parameter of a function."""
_PYTHON_FILE = LazyRegex(r"(?<![\w.-])([\w.-]{1,100}?)\.py\b|[ ]-m[ ]{1,10}([\w.]{1,200})")
"""What a command line runs: the name of a file, or that of a module."""
_PROGRAM = LazyRegex(r"[\s$>(]*(?:\w+=\S*\s+)*([A-Za-z][\w.+-]*)\s")
"""The first word of a command, behind the variables that it gets."""
_LAUNCHERS = frozenset(
    {
        "accelerate",
        "bash",
        "deepspeed",
        "docker",
        "env",
        "mpirun",
        "poetry",
        "python",
        "python3",
        "sh",
        "srun",
        "torchrun",
        "uv",
    }
)
"""Programs that run others, such as a script whose name a variable holds."""
_ANNOTATED = LazyRegex(r"(?<![\w.])(\w+)[ ]*:")
_INSTALLERS = ("pyproject.toml", "setup.py", "setup.cfg")
_MOST_PARSERS = 40
_MOST_FILES = 2_000
"""Files that hold a flag's word and are searched for the flag itself."""
_SPAN = LazyRegex(r"([`\"'])((?:(?!\1).)+)\1")
_MOST_MENTIONS = 100
"""Places of one document that are looked at, each with the lines around it."""
_COMMENT = LazyRegex(r"^\s*#")
_PLANNED = LazyRegex(r"^\s*[-*][ ]\[[ xX]\]")
"""An item of a list of tasks, which is about work and not about how something is used."""


class Facts(NamedTuple):
    """What one file gives: settings that it no longer has, with lines at the base, and the names of those it has.

    ``members`` holds all fields, at base and head, of each class that loses one. ``typed``: a parser of the file makes
    flags of fields or parameters.
    """

    gone: tuple[Setting, ...]
    kept: frozenset[str]
    members: Mapping[str, frozenset[str]]
    typed: bool


def gather(source: SourceFile) -> Facts | None:
    """Compare the settings of a file on both sides. Raises CannotParse."""
    if source.text is None:
        return None
    new = [*flags(source.tree), *fields(source.tree)]
    kept = frozenset(each.name for each in new)
    gone: list[Setting] = []
    if source.old_text is not None and source.removed:
        try:
            old = [*flags(source.old_tree), *fields(source.old_tree)]
        except CannotParse:
            return None
        for each in old:
            still_there = not each.group or each.group in source.vocabulary.words
            if (
                each.name not in kept
                and each.line in source.removed
                and still_there
                and not _handled(each, source.text)
            ):
                gone.append(each)
    if any(not each.group for each in gone):
        computed = list(_computed_flags(source.tree))
        gone = [each for each in gone if each.group or not any(_may_be(each.name, ends) for ends in computed)]
    inherited = _with_new_bases(source)
    gone = [each for each in gone if each.group not in inherited]
    groups = {each.group for each in gone if each.group}
    members = {group: _members(group, source.tree) | _members(group, source.old_tree) for group in sorted(groups)}
    typed = bool(gone) and not _DECLARED_BY_TYPES.isdisjoint(source.vocabulary.words)
    return Facts(tuple(gone), kept, members, typed) if gone or kept else None


def _computed_flags(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield how flags begin and end that a parser gets from code: ``add_argument(f"--enable-{element}")``."""
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) not in {"add_argument", "add_option"}:
            continue
        for name in call.args:
            if isinstance(name, ast.JoinedStr):
                yield text_of(name.values[0]) or "", text_of(name.values[-1]) or ""
            elif not isinstance(name, ast.Constant):
                yield "", ""


def _may_be(flag: str, ends: tuple[str, str]) -> bool:
    start, end = ends
    return len(flag) >= len(start) + len(end) and flag.startswith(start) and flag.endswith(end)


def _with_new_bases(source: SourceFile) -> set[str]:
    """Return the classes that inherit from another class than at the base, which may have what they lose."""
    if source.old_text is None or not source.removed:
        return set()
    before = {each.name: each.bases for each in classes(source.old_tree)}
    return {each.name for each in classes(source.tree) if not {*each.bases} <= {*before.get(each.name, each.bases)}}


def _members(group: str, tree: ast.Module) -> frozenset[str]:
    """Return the annotated fields of the classes of a name."""
    return frozenset(
        field.name for each in classes(tree) if each.name == group for field in each.fields if field.annotation
    )


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the old side for a parser that loses flags, and a class that loses fields which documents name."""
    kept = frozenset(name for each in facts.values() for name in each.kept)
    said = "\n".join(
        [
            codebase.change.body or "",
            *(
                line
                for file in codebase.change.files
                if file.path.endswith((".md", ".rst"))
                for _, line in file.added_lines()
            ),
        ]
    )
    changed = [file.path for file in codebase.change.files if file.path.endswith(".py")]
    declared: set[str] | None = None
    reported: set[str] = set()
    for path, fact in sorted(facts.items()):
        for group in dict.fromkeys(each.group for each in fact.gone):
            gone = {
                each.name: each
                for each in fact.gone
                if each.group == group and _value(each.name) not in reported
                if kept.isdisjoint((each.name, _value(each.name))) and each.name not in said
            }
            if fact.typed and not group:
                declared = _declared(changed, codebase) if declared is None else declared
                gone = {name: each for name, each in gone.items() if _value(name) not in declared}
            if not gone:
                continue
            reported.update(map(_value, gone))
            first = next(iter(gone.values()))
            mentioned = (
                gone if group else {each: gone[each] for each in gone if not _is_taken_elsewhere(each, codebase)}
            )
            users = list(_users(mentioned, path, fact.members.get(group), codebase)) if mentioned else []
            if not users and (group or not _COMMAND.search(path) or not fact.kept):
                continue  # code alone reads it, and other rules look at code; or all settings have another place
            pronoun = "it" if len(gone) == 1 else "one of them"
            if group:  # a file may use the same word for something else
                pronoun = "the name" if len(gone) == 1 else "one of the names"
            yield Hit(
                first.line,
                side="LEFT",
                values={
                    "names": listed(gone),
                    "where": f"`{group}`" if group else "the options of this file",
                    "users": f", but `{users[0].path}` still mentions {pronoun}" if users else "",
                },
                related=tuple(users),
                severity=None if users else "hint",
                path=path,
            )


def _value(name: str) -> str:
    """Return the name under which code sees a flag's value; a field often carries it on."""
    return name.removeprefix("--").replace("-", "_")


def _handled(setting: Setting, text: str) -> bool:
    """Return whether the new text still knows the name, as code that accepts or refuses the old form does."""
    return re.search(rf"(?<![\w-]){re.escape(setting.name)}(?![\w-])", text) is not None


def _declared(changed: Iterable[str], codebase: Codebase) -> set[str]:
    """Return the names of annotated fields and parameters of the changed files."""
    return {name for path in changed for name in _ANNOTATED.findall(codebase.head.text(path) or "")}


def _is_taken_elsewhere(flag: str, codebase: Codebase) -> bool:
    """Return whether another parser of the head has an option of this name: what mentions it may mean that one."""
    declares = re.compile(rf"add_argument\([^()]{{0,120}}[\"']{re.escape(flag)}[\"']")
    paths = files_with(codebase.head, [flag.removeprefix("--").replace("-", "_"), flag.removeprefix("--")], ".py")
    texts = (codebase.head.text(path) or "" for path in paths[:_MOST_FILES])
    return any(declares.search(text) for text in texts if flag in text)


def _users(
    gone: Mapping[str, Setting], owner: str, members: frozenset[str] | None, codebase: Codebase
) -> Iterator[Related]:
    """Yield the first document, example or configuration file of the head that still sets one of the names.

    With members, the fields of a class: none that is a key of a section for something else. Without, the flags of the
    file ``owner``: none that a command line gives to another program.
    """
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, gone))})(?=[\s:=\"'`|,)]|$)", re.MULTILINE)
    for path in sorted(codebase.head.paths):
        if path.endswith((".md", ".rst", ".yaml", ".yml", ".sh", ".json", ".toml")) and not is_history(path):
            text = codebase.head.text(path) or ""
            mentions = list(islice(pattern.finditer(text), _MOST_MENTIONS))
            lines = text.split("\n") if mentions else []
            inert = _PLANNED if path.endswith((".md", ".rst")) else _COMMENT
            for match in mentions:
                line = text.count("\n", 0, match.start()) + 1
                if inert.match(lines[line - 1]):
                    continue
                if members is None:
                    start = text.rfind("\n", 0, match.start()) + 1
                    command = _command(path, lines, line) or _command_in_span(lines[line - 1], match.start() - start)
                    meant = command is None or _may_run(codebase, command, owner)
                else:
                    start = text.rfind("\n", 0, match.start()) + 1
                    is_figure = path.endswith(".md") and _is_figure(
                        lines, line, match.start() - start, match.end() - start
                    )
                    meant = not is_figure and _may_set(lines, line, members)
                if meant:
                    yield Related(path, line, f"mentions {match[0]}")
                    return


def _command(path: str, lines: list[str], number: int) -> str | None:
    """Return the command, in one line, that a line is part of; None in what is not code."""
    fences = sum(line.lstrip().startswith("```") for line in lines[: number - 1])
    if not path.endswith(".sh") and fences % 2 == 0:
        return None
    first = last = number - 1
    while first and lines[first - 1].rstrip().endswith("\\"):
        first -= 1
    while last + 1 < len(lines) and lines[last].rstrip().endswith("\\"):
        last += 1
    return " ".join(lines[first : last + 1])


def _command_in_span(line: str, column: int) -> str | None:
    """Return the command in quotes or backticks around a column; None if what is there runs no Python file."""
    spans = (each[2] for each in _SPAN.finditer(line) if each.start() < column < each.end())
    return next((each for each in spans if _PYTHON_FILE.search(each)), None)


def _is_figure(lines: list[str], number: int, start: int, end: int) -> bool:
    """Return whether prose gives the value of something with a name, outside of code: ``(head_dim=128, size=16)``."""
    fences = sum(line.lstrip().startswith("```") for line in lines[: number - 1])
    line = lines[number - 1]
    return (
        fences % 2 == 0
        and line.count("`", 0, start) % 2 == 0
        and line[end : end + 1] == "="
        and not line.startswith("    ")
    )


@query
def _may_run(codebase: Codebase, command: str, owner: str) -> bool:
    """Return whether a command may run the file ``owner``: it names a Python file, or what the project installs."""
    run = [match[1] or match[2].rpartition(".")[2] for match in _PYTHON_FILE.finditer(command)]
    if run:
        stem = _stem(owner)
        started = [path for name in dict.fromkeys(run) for path in _files_by_stem(codebase.head).get(name, ())]
        word = re.compile(rf"\b{re.escape(stem)}\b")
        texts = (codebase.head.text(each) or "" for each in started[:_MOST_PARSERS])
        imports = (line for text in texts for line in text.split("\n") if "import" in line)
        return stem in run or run[-1] in owner.split("/") or any(map(word.search, imports))
    program = _PROGRAM.match(command)
    installers = [text for path in _INSTALLERS if (text := codebase.head.text(path))]
    if program is None:
        return True
    if not installers:  # nothing is installed under a name of its own
        return program[1] in _LAUNCHERS or program[1] == _stem(owner) or program[1] in owner.split("/")
    installs = re.compile(rf"(?<![\w-]){re.escape(program[1])}[\"']?\s*=")
    return program[1] in owner.split("/") or any(installs.search(text) for text in installers)


@query
def _files_by_stem(side: Snapshot) -> dict[str, list[str]]:
    """Return the Python files of a tree by their names without ``.py``."""
    found: dict[str, list[str]] = {}
    for path in sorted(side.paths):
        if path.endswith(".py"):
            found.setdefault(_stem(path), []).append(path)
    return found


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _may_set(lines: list[str], number: int, members: frozenset[str]) -> bool:
    """Return whether a line may set a field of a class: no key, or half of the keys around it are such fields."""
    own = _KEY.match(lines[number - 1])
    if own is None:
        return True
    keys = [own[2]]
    for others in (reversed(lines[: number - 1]), lines[number:]):
        for line in others:
            key = _KEY.match(line)
            indent = len(key[1]) if key is not None else len(line) - len(line.lstrip())
            if line.strip() and (indent < len(own[1]) or _HEADER.match(line)):
                break
            if key is not None and indent == len(own[1]):
                keys.append(key[2])
    return 2 * sum(key in members for key in keys) >= len(keys)


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
