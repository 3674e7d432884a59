"""What the commands in a cell of a notebook install or fetch: ``%pip install "engine<2"``, ``!git clone ...``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from review_bot.text.lazy_regex import LazyRegex

_SHELL_CELL = LazyRegex(r"%%(?:!|(?:bash|sh|shell|script)\b)")
_INSTALLS = LazyRegex(r"[%!].{0,200}(?:\binstall\b|\bgit[ \t]+clone\b|\bcd\b)(.*)")
_WORD = LazyRegex(r"[\w.-]+")


def installed_words(cell: Iterable[str]) -> set[str]:
    """Return the words behind the commands of a cell's lines that install, clone a repository or change the folder."""
    found = (_INSTALLS.match(each.lstrip(" \t")) for each in _commands(cell))
    return {word for each in found if each for word in _WORD.findall(each[1])}


def _commands(cell: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a cell, those of a shell as commands of IPython, each with the lines that continue it."""
    open_line, is_shell, started = "", False, False
    for line in cell:
        is_shell = is_shell or (not started and _SHELL_CELL.match(line) is not None)
        started = started or bool(line.strip())
        whole = open_line + line if open_line or not is_shell else f"!{line}"
        open_line = f"{whole[:-1]} " if whole.endswith("\\") else ""
        if not open_line:
            yield whole
    if open_line:
        yield open_line
