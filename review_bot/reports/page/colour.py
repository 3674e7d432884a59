"""Colour for code, by a scanner that knows comments, strings, numbers and keywords: enough to read a diff by.

It reads one line at a time, so that a hunk may begin anywhere; a string of three quotes is carried on to the next line.
"""

from __future__ import annotations

import os
import re
from functools import cache

from markupsafe import Markup

from review_bot.records import NamedTuple
from review_bot.reports.page.markup import code

LONGEST = 600
"""Characters of a line that are shown."""

_PYTHON = (
    "False None True and as assert async await break case class continue def del elif else except finally for from "
    "global if import in is lambda match nonlocal not or pass raise return try while with yield"
)
_OTHERS = (
    "auto bool break case catch char class const constexpr continue default delete do done double elif else enum esac "
    "export extern false fi float fn for func function if import in inline int let long match mut namespace new null "
    "nullptr private protected pub public return short sizeof static struct switch template then this throw true try "
    "type typedef typename uint32_t unsigned using var virtual void while __device__ __global__ __shared__"
)
_HASH = frozenset({".py", ".pyi", ".yaml", ".yml", ".toml", ".sh", ".bash", ".cfg", ".ini", ".mk", ".cmake", ".txt"})
_SLASHES = frozenset(
    {".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".js", ".mjs", ".ts", ".tsx", ".rs", ".go", ".java", ".proto"}
)
_PLAIN = frozenset({".md", ".rst", ".csv", ".json5", ""})
_STRING = r'"(?:[^"\\]|\\.)*"?|\'(?:[^\'\\]|\\.)*\'?'
_NUMBER = r"\b(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?)[A-Za-z]{0,3}\b"


class Language(NamedTuple):
    """How the code of a file is scanned; ``triple``: strings of three quotes go on over lines."""

    pattern: re.Pattern[str]
    triple: bool


@cache
def _language(kind: str) -> Language:
    comment = {"slashes": r"//.*|/\*.*?(?:\*/|$)", "none": r"(?!)"}.get(kind, r"#.*")
    words = _PYTHON if kind == "python" else _OTHERS
    string = rf"(?i:\b[rbuf]{{1,2}})?(?P<q>\"\"\"|''')|(?i:\b[rbuf]{{1,2}}(?=[\"']))?(?:{_STRING})"
    pattern = rf"(?P<c>{comment})|(?P<s>{string if kind == 'python' else _STRING})|(?P<n>{_NUMBER})"
    pattern += rf"|(?P<k>\b(?:{'|'.join(words.split())})\b)"
    return Language(re.compile(pattern), kind == "python")


def language_of(path: str) -> Language | None:
    """Return how a file is scanned, by its name; None if it is prose."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix in {".py", ".pyi"}:
        return _language("python")
    if suffix in _PLAIN and os.path.basename(path) not in {"Dockerfile", "Makefile"}:
        return None
    return _language("slashes" if suffix in _SLASHES else "none" if suffix not in _HASH and suffix else "hash")


def coloured(line: str, language: Language | None, inside: str = "") -> tuple[Markup, str]:
    """Return a line of code in colour, and the quotes that are still open at its end (``inside``: at its start)."""
    shown, rest = line[:LONGEST], len(line) - LONGEST
    more = Markup('<span class="cut"> … {} more characters</span>').format(rest) if rest > 0 else Markup()
    if language is None:
        return code(shown) + more, ""
    parts, position = [], 0
    if inside:
        end = shown.find(inside)
        if end < 0:
            return _span("s", shown) + more, inside
        position, inside = end + 3, ""
        parts.append(_span("s", shown[:position]))
    while match := language.pattern.search(shown, position):
        kind, found, stop = match.lastgroup, match[0], match.end()
        if language.triple and match["q"]:
            end = shown.find(match["q"], stop)
            stop = len(shown) if end < 0 else end + 3
            kind, found = "s", shown[match.start() : stop]
            inside = match["q"] if end < 0 else ""
        parts += [code(shown[position : match.start()]), _span(kind or "s", found)]
        position = stop
        if inside and position == len(shown):
            return Markup().join(parts) + more, inside
    parts.append(code(shown[position:]))
    return Markup().join(parts) + more, ""


def _span(kind: str, found: str) -> Markup:
    return Markup(f'<span class="{kind}">{code(found)}</span>') if found else Markup()  # noqa: S704  # escaped
