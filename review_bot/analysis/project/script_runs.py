r"""The Python scripts that documents and shell scripts run, with the options that they pass.

::

    cd examples
    python generate.py --steps 4 \
        --output out.png               ScriptRun("generate.py", "examples", ...)
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from posixpath import normpath

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_RUN = LazyRegex(r"(?:^|[\s`$;&(!>])(?:python3?(?:\.\d+)?|torchrun|accelerate launch|deepspeed) +([^`|;&]*)")
_SCRIPT = LazyRegex(r"(?:\./)?(?:\.\./)*[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)*\.py")
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
    """One run of a script. ``folder``: where an earlier ``cd`` of the block went, as it is written; else empty."""

    script: str
    folder: str
    passed: tuple[Passed, ...]


def script_runs(lines: Sequence[str], *, is_shell: bool) -> Iterator[ScriptRun]:
    """Yield each run of a Python script in the lines of a document or, ``is_shell``, of a shell script."""
    folder, elsewhere = "", False
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
            folder = normpath(f"{folder}/{change[1]}") if folder else change[1]
        for run in _RUN.finditer(text):
            found = None if elsewhere else _read(run[1], lines[first:number], first + 1)
            if found is not None:
                yield found._replace(folder=folder)


def _read(arguments: str, lines: Sequence[str], first: int) -> ScriptRun | None:
    try:
        words = shlex.split(arguments, comments=True)
    except ValueError:
        return None  # the quotation goes on in another command
    at = next((number for number, word in enumerate(words) if _SCRIPT.fullmatch(word)), len(words))
    script = words[at] if at < len(words) else ""
    if "-m" in words[:at]:
        at = words.index("-m") + 1
        if at >= len(words) or not _MODULE.fullmatch(words[at]):
            return None
        script = words[at].replace(".", "/") + ".py"
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
    return ScriptRun(normpath(script), "", tuple(passed))


def _placed(option: str, value: str, lines: Sequence[str], first: int) -> Iterator[Passed]:
    """Yield the option with its place in the lines of the command."""
    for number, line in enumerate(lines, first):
        column = line.find(option)
        while column >= 0 and line[column + len(option) :][:1] not in {"", " ", "=", "\\", "\t", "`", '"', "'"}:
            column = line.find(option, column + 1)
        if column >= 0:
            yield Passed(option, value, number, column + 1)
            return
