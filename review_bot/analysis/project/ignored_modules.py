"""Modules that a ``.gitignore`` of the base names: a build makes them, so that no file of the tree holds them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from review_bot.changes.codebase import Codebase
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_GENERATED_FOLDER = LazyRegex(r"gen|proto|pb|build|stub|vendor|third_party|_C")
_NOT_LITERAL = LazyRegex(r"[*?/]+")


def is_ignored(place: str, codebase: Codebase) -> bool:
    """Return whether a ``.gitignore`` names the module's file, or a folder above it that sounds generated.

    A bare folder name such as ``data/`` does not count: git swallows such folders by mistake, which is what the rule is
    for. See gitignore(5).
    """
    folder = ""
    parts = place.split("/")
    ignored = False
    for depth in range(len(parts)):
        text = codebase.base.text(f"{folder}/.gitignore" if folder else ".gitignore")
        if text is not None:
            rest = parts[depth:]
            above = ["/".join(rest[:count]) for count in range(1, len(rest) + 1)]
            names = (*above, f"{above[-1]}.py", f"{above[-1]}/__init__.py")
            for pattern in _ignore_patterns(text):
                if any(pattern.literal in name for name in names[-2:]) and any(map(_matcher(pattern), names)):
                    ignored = not pattern.negated
        folder = "/".join(parts[: depth + 1])
    return ignored


class _IgnorePattern(NamedTuple):
    """A line of a ``.gitignore``. ``literal`` is in every path that ``expression``, of relative paths, matches."""

    negated: bool
    expression: str
    literal: str


@lru_cache(maxsize=16)
def _ignore_patterns(text: str) -> tuple[_IgnorePattern, ...]:
    """Return the lines that may be about generated files, in order."""
    found = []
    for line in map(str.rstrip, text.splitlines()):
        negated = line.startswith("!")
        body = line.removeprefix("!").rstrip("/")
        anchored = "/" in body
        body = body.removeprefix("/")
        if line.startswith("#") or not body.strip("*/"):
            continue
        if negated or anchored or body.endswith(".py") or _GENERATED_FOLDER.search(body):
            expression = ("" if anchored else "(?:.*/)?") + _glob(body)
            literal = "" if set(body) & set("[\\") else max(_NOT_LITERAL.split(body), key=len)
            found.append(_IgnorePattern(negated, expression, literal))
    return tuple(found)


@lru_cache(maxsize=256)
def _matcher(pattern: _IgnorePattern) -> Callable[[str], object]:
    """Return what matches a whole path; RE2 does it in linear time: a change may write thirty stars into a line."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        matcher: Callable[[str], object] = re2.compile(pattern.expression, options).fullmatch
    except re2.error:
        return _no_match
    return matcher


def _no_match(_path: str) -> None:
    """Match nothing."""


def _glob(body: str) -> str:
    out = []
    for part in re.findall(r"\*\*/|/\*\*$|\*\*|\*|\?|\[[^]]{1,200}\]|.", body):
        if part == "**/":
            out.append("(?:.*/)?")
        elif part == "/**":
            out.append("/.*")
        elif part == "**":
            out.append(".*")
        elif part == "*":
            out.append("[^/]*")
        elif part == "?":
            out.append("[^/]")
        elif part.startswith("[") and len(part) > 1:
            out.append(part.replace("[!", "[^"))
        else:
            out.append(re.escape(part))
    return "".join(out)
