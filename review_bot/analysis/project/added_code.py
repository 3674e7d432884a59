"""Which added lines of a file are code: no blank line, comment, docstring or bare annotation.

Of a diff alone, a docstring counts as one if the diff shows where it begins or where it ends.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.rules.scope import is_python, language_of
from review_bot.text.lazy_regex import LazyRegex

_STRING = LazyRegex(r""""(?:[^"\\]|\\[\s\S]?)*(?:"|\Z)|'(?:[^'\\]|\\[\s\S]?)*(?:'|\Z)|#.*""")
_QUOTES = LazyRegex(r'"""|' + "'''")
_DOCSTRING = LazyRegex(r'[ \t]*[rRuU]?(?:"""|' + "''')")
_ANNOTATION = LazyRegex(r"[A-Za-z_]\w*[ ]*:[ ]*[\w.\[\], |\"']+")
_TEXT_LANGUAGES = frozenset({None, "css", "html", "json", "markdown", "yaml"})


def code_lines(file: ChangedFile, prose: Container[int] | None = None, texts: Container[int] = ()) -> Iterator[str]:
    """Yield the added lines of a file that are code, without the white space around them.

    ``prose``: the numbers of the lines of docstrings, other texts without a use and bare annotations; None if the diff
    alone has to show them. ``texts``: those of lines that begin inside a string that the code uses.
    """
    if language_of(file.path) in _TEXT_LANGUAGES:
        return
    if prose is None and is_python(file.path):
        lines = [(0, line) for hunk in file.hunks for line in _python(hunk)]
    else:
        lines = [(number, line) for number, line in file.added_lines() if prose is None or number not in prose]
    for number, line in lines:
        text = line.strip()
        if text and number in texts:
            yield text
        elif text and not text.startswith(("#", "//")):
            yield from _statements(text) if is_python(file.path) and ";" in text else (text,)


def _statements(line: str) -> Iterator[str]:
    """Yield the statements of a line of Python that semicolons separate."""
    code = _STRING.sub(lambda string: "_" * len(string[0]), line)
    start = 0
    for end in [*(place for place, sign in enumerate(code) if sign == ";"), len(code)]:
        if statement := line[start:end].strip():
            yield statement
        start = end + 1


def _is_bare_annotation(line: str, before: str) -> bool:
    """Return whether a line declares a name without a value: no parameter, which ends in a comma or follows one."""
    if ":" not in line or line.endswith(",") or before.endswith((",", "(")):
        return False
    return _ANNOTATION.fullmatch(line) is not None


def _python(hunk: Hunk) -> list[str]:
    """Return the added lines of a hunk that are no part of a docstring and no bare annotation."""
    added: list[str] = []
    before = ":" if hunk.new_start <= 1 else ""
    quotes, prose, seen = "", False, False
    for marked in hunk.lines:
        marker, line = marked[:1], marked[1:]
        if marker not in {" ", "+"}:
            continue
        inside = quotes
        marks = _QUOTES.findall(line) if '"""' in line or "'''" in line else []
        if not inside and marks:
            if _DOCSTRING.match(line) and before.endswith(":"):
                prose = True
            elif not seen and line.strip() in {'"""', "'''"} and not before.endswith(("(", ",", "=")):
                added.clear()  # the end of a docstring that began above the hunk
                before, seen = "", True
                continue
            else:
                prose = False
            seen = True
        for mark in marks:
            quotes = "" if mark == quotes else quotes or mark
        is_prose = prose and bool(inside or marks)
        text = line.strip()
        if marker == "+" and not is_prose and (inside or not _is_bare_annotation(text, before)):
            added.append(line)
        if text and not is_prose and not text.startswith("#"):
            before = text
    return added
