r"""The scripts that documents and shell scripts run, with the options that they pass.

::

    cd examples
    python generate.py --steps 4 \
        --output out.png               ScriptRun("generate.py", "examples", ...)
    python $ROOT/bench/load.py         ScriptRun("bench/load.py", "", ..., start="variable")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from posixpath import normpath
from typing import Literal

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_RUN = LazyRegex(r"(?:^|[\s`$;&(!>])(?:python3?(?:\.\d+)?|torchrun|accelerate launch|deepspeed) +([^`|;&]*)")
_RUN_OF_SHELL = LazyRegex(r"(?:^|[\s`$;&(!>])(?:bash|sh|source) +([^`|;&]*)")
_RUN_OF_TESTS = LazyRegex(r"(?:^|[\s`$;&(!>])pytest +([^`|;&]*)")
_RUNS = {"python": _RUN, "shell": _RUN_OF_SHELL, "tests": _RUN_OF_TESTS}
_SCRIPT = LazyRegex(r"(?:\./)?(?:\.\./)*[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)*\.(?:py|sh)")
_FROM_VARIABLE = LazyRegex(r"\$\{?(\w+)\}?/(.+)")
_VARIABLE_FOLDER = LazyRegex(r"\$\{?(\w+)\}?(|/[^$]*)")
_SETS_VARIABLE = LazyRegex(r"\s*(?:(?:export|local|readonly|declare -r) +)?([A-Za-z_]\w*)=(.*)")
_OF_THIS_FILE = LazyRegex(r"BASH_SOURCE|\$\{?0\b|rev-parse --show-toplevel|\$\(pwd|`pwd|\$\{?PWD\b")
"""What a shell script writes to get its own folder, the root of its repository, or where it runs."""
_VARIABLE = LazyRegex(r"\$\{?(\w+)")
_LAUNCHERS = frozenset({"torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch"})
_MODULE = LazyRegex(r"[A-Za-z_]\w*(?:\.\w+)+")
_OPTION = LazyRegex(r"(--[A-Za-z][\w-]*)(?:=(.*))?")
_CHANGES_FOLDER = LazyRegex(r"(?:^|[\s`;&(])(?:cd|pushd) +([^\s;&`|]+)")
_FENCE = LazyRegex(r"\s*(?:`{3,}|~{3,}|\.\. code)")
_ELSEWHERE = LazyRegex(r"git clone|docker (?:run|exec)|wget |curl ")
"""Commands of a block after which a relative path may be one of another repository or machine."""
_ENDS = frozenset({">", ">>", "<", "2>&1", "..."})
_LONGEST = 20_000
"""Characters of a command; a longer line is data."""


class Passed(NamedTuple):
    """An option of a command, with the value that follows it, if a plain word does; the place is 1-based."""

    option: str
    value: str
    line: int
    column: int


class ScriptRun(NamedTuple):
    """One run of a script. ``folder``: where an earlier ``cd`` of the block went, as it is written; else empty.

    ``start``: the path is relative, or begins in a folder above a shell script or where that runs (``own``), or
    anywhere (``variable``). ``line``: where the command begins, 1-based. ``is_module``: it names a module.
    """

    script: str
    folder: str
    passed: tuple[Passed, ...]
    start: Literal["", "own", "variable"] = ""
    line: int = 0
    is_module: bool = False


def script_runs(
    lines: Sequence[str], *, is_shell: bool, of: Literal["python", "shell", "tests"] = "python"
) -> Iterator[ScriptRun]:
    """Yield each run of a script ``of`` a kind in the lines of a document or, ``is_shell``, of a shell script."""
    folder, elsewhere = "", False
    own = _own_folders(lines) if is_shell else frozenset[str]()
    number = 0
    while number < len(lines):
        first = number
        text = lines[number]
        while text.rstrip().endswith("\\") and number + 1 < len(lines):
            number += 1
            text = f"{text.rstrip()[:-1]} {lines[number]}"
        number += 1
        if not is_shell and _FENCE.match(text):
            folder, elsewhere = "", False
        if len(text) > _LONGEST or text.lstrip().startswith("#!"):
            continue
        if _ELSEWHERE.search(text):
            elsewhere = True
        if (change := _CHANGES_FOLDER.search(text)) is not None:
            folder = _folder_after(change[1], folder, own)
        for run in _RUNS[of].finditer(text):
            found = _read(run[1], lines[first:number], first + 1, own, takes_module=of == "python")
            if found is not None and (found.start == "own" or not elsewhere):
                yield found._replace(folder="" if found.start else folder)


def _folder_after(written: str, folder: str, own: AbstractSet[str]) -> str:
    """Return the folder after a ``cd``: relative to the earlier one, unless a variable holds where the path begins."""
    match = _VARIABLE_FOLDER.fullmatch(written.replace('"', ""))
    if match is not None and match[1] in own:
        return normpath(match[2].strip("/")) if match[2].strip("/") else ""
    return normpath(f"{folder}/{written}") if folder and not written.lstrip('"').startswith("$") else written


def _own_folders(lines: Sequence[str]) -> frozenset[str]:
    """Return the variables that a shell script sets to a folder above it, or to where it runs."""
    found = set[str]()
    for line in lines:
        match = _SETS_VARIABLE.match(line) if "=" in line else None
        if match is not None:
            is_own = _OF_THIS_FILE.search(match[2]) or not found.isdisjoint(_VARIABLE.findall(match[2]))
            (found.add if is_own else found.discard)(match[1])
    return frozenset(found)


def _read(
    arguments: str, lines: Sequence[str], first: int, own: frozenset[str], *, takes_module: bool
) -> ScriptRun | None:
    import shlex  # most changes run no script

    try:
        words = shlex.split(arguments, comments=True)
    except ValueError:
        return None  # the quotation goes on in another command
    variables = [_FROM_VARIABLE.fullmatch(word) for word in words]
    words = [word if match is None else match[2] for word, match in zip(words, variables, strict=True)]
    at = next((number for number, word in enumerate(words) if _SCRIPT.fullmatch(word)), len(words))
    script = words[at] if at < len(words) else ""
    written = script
    option = words.index("-m") + 1 if takes_module and "-m" in words[:at] else 0
    is_module = option > 0 and "".join(words[option : option + 1]) not in _LAUNCHERS
    if is_module:
        at = option
        if at >= len(words) or not _MODULE.fullmatch(words[at]):
            return None
        written = words[at]
        script = written.replace(".", "/") + ".py"
    if not script or "-c" in words[:at]:
        return None
    passed: list[Passed] = []
    rest = words[at + 1 :]
    for number, word in enumerate(rest):
        if word in _ENDS:
            break
        match = _OPTION.fullmatch(word)
        if match is not None:
            follows = rest[number + 1] if number + 1 < len(rest) else ""
            value = match[2] if match[2] is not None else ("" if follows.startswith("-") else follows)
            passed += _placed(match[1], value, lines, first)
    variable = variables[at]
    start: Literal["", "own", "variable"] = "" if variable is None else "own" if variable[1] in own else "variable"
    line = next((number for number, line in enumerate(lines, first) if written in line), first)
    return ScriptRun(normpath(script), "", tuple(passed), start, line, is_module)


def _placed(option: str, value: str, lines: Sequence[str], first: int) -> Iterator[Passed]:
    """Yield the option with its place in the lines of the command."""
    for number, line in enumerate(lines, first):
        column = line.find(option)
        while column >= 0 and line[column + len(option) :][:1] not in {"", " ", "=", "\\", "\t", "`", '"', "'"}:
            column = line.find(option, column + 1)
        if column >= 0:
            yield Passed(option, value, number, column + 1)
            return
