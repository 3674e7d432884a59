r"""Who owns the files of a change, by the CODEOWNERS file of its base, read as GitHub reads it.

::

    # a comment
    *.py          @halcyon/engine        the last line that matches decides
    /docs/        writer@example.org     at the root, and all below
    docs/*        @ada                   files in a folder ``docs`` at the root, not below its folders
    **/logs       @ada                   and all below a folder of that name
    /docs/gen     # without owners

``!``, ``[`` and ``]`` are no part of the grammar; a line that GitHub cannot read it skips, and we name it. Source:
https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from review_bot.records import NamedTuple
from review_bot.review.context import Owned, Owners
from review_bot.text.git_patterns import is_wild, matches
from review_bot.text.lazy_regex import LazyRegex

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks for the file, in this order; only the first one counts."""

LARGEST = 3_000_000
"""Bytes; GitHub ignores a larger file."""

MOST_PROBLEMS = 20
"""Broken lines that are named."""

MOST_COMPARED = 300_000_000
"""Characters of patterns with wildcards times those of paths: some ten seconds, however hostile both are."""

_OWNER = LazyRegex(r"@[A-Za-z0-9_-]+(?:/[A-Za-z0-9_.-]+)?\Z|[^@\s]+@(?=[^@\s]+\Z)[^@\s]+\.[^@\s]", re.ASCII)
_WORD = LazyRegex(r"(?:\\.|[^\s\\])+")


class _Line(NamedTuple):
    segments: tuple[str, ...]
    owners: tuple[str, ...]


def owners_of(source: str, text: str, paths: Iterable[str]) -> Owners:
    """Return who owns ``paths`` by the text of the file ``source``."""
    wanted = sorted(paths)
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        return Owners(source, (), tuple(wanted), ("it is larger than 3 MB, so GitHub ignores it",))
    lines, problems = _read(text)
    rules = _Rules(lines)
    if rules.wildcards * sum(map(len, wanted)) > MOST_COMPARED:
        return Owners(source, (), tuple(wanted), ("it has too many patterns for the files of this change",))
    owned: dict[tuple[str, ...], list[str]] = {}
    unowned = []
    for path in wanted:
        owners = rules.owners(path)
        if owners:
            owned.setdefault(owners, []).append(path)
        else:
            unowned.append(path)
    groups = sorted(owned.items(), key=lambda entry: entry[1])
    return Owners(source, tuple(Owned(who, tuple(what)) for who, what in groups), tuple(unowned), problems)


def _read(text: str) -> tuple[list[_Line], tuple[str, ...]]:
    """Return the lines that say something, and what is wrong with others."""
    lines: list[_Line] = []
    problems: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        pattern, *owners = _WORD.findall(line) or ["[]"]
        if any(owner.startswith("#") for owner in owners):
            owners = owners[: next(at for at, owner in enumerate(owners) if owner.startswith("#"))]
        problem = _problem(pattern, owners)
        if problem:
            problems.append(f"line {number}: {problem}")
        else:
            lines.append(_Line(_segments(pattern), tuple(owners)))
    if len(problems) > MOST_PROBLEMS:
        problems = [*problems[:MOST_PROBLEMS], f"and {len(problems) - MOST_PROBLEMS} more lines"]
    return lines, tuple(problems)


def _problem(pattern: str, owners: Iterable[str]) -> str:
    if pattern.startswith("!"):
        return "a pattern cannot begin with `!`"
    if pattern.startswith("\\#"):
        return "a pattern cannot begin with `#`"
    if "[" in pattern or "]" in pattern:
        return "a pattern cannot contain `[` or `]`"
    if "***" in pattern:
        return "a pattern cannot contain `***`"
    if any(_OWNER.match(owner) is None for owner in owners):
        return "an owner is neither `@user`, `@organization/team` nor an e-mail address"
    return ""


def _segments(pattern: str) -> tuple[str, ...]:
    """Return the parts of a pattern between its slashes, from the root on; ``**`` stands for any folders."""
    parts = pattern.split("/")
    if not parts[0]:
        parts = parts[1:]
    elif len(parts) == 1 or (len(parts) == 2 and not parts[1]):
        parts = ["**", *parts]
    if parts and not parts[-1]:
        parts[-1] = "**"
        return tuple(parts) if len(parts) > 1 else ()
    if parts and "*" not in parts[-1:] and parts[-1] != "**":
        return (*parts, "**?")  # the file, or all below the folder
    return tuple(parts)


class _Rules:
    """The lines; those without wildcards are in tables, so that a path is looked up by its own parts."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self._owners = [line.owners for line in lines]
        # By where they begin: parts from the root on, or one part anywhere; by what they end in: all, or folders alone.
        self._tables: dict[str, tuple[dict[tuple[str, ...], int], dict[str, int]]] = {"**?": ({}, {}), "**": ({}, {})}
        self._others: list[tuple[int, tuple[str, ...]]] = []
        for number, (segments, _) in enumerate(lines):
            rooted, anywhere = self._tables.get(segments[-1] if segments else "", ({}, {}))
            if segments[-1:] in {("**?",), ("**",)} and len(segments) > 1 and not any(map(is_wild, segments[:-1])):
                rooted[segments[:-1]] = number
            elif len(segments) == 3 and segments[0] == "**" and segments[2][:2] == "**" and not is_wild(segments[1]):
                anywhere[segments[1]] = number
            else:
                self._others.append((number, segments))

    @property
    def wildcards(self) -> int:
        """How many characters have the patterns that each path is compared with."""
        return sum(len(part) for _, segments in self._others for part in segments)

    def owners(self, path: str) -> tuple[str, ...]:
        """Return the owners of a path; the last line that matches decides."""
        parts = tuple(path.split("/"))
        found = -1
        for ending, (rooted, anywhere) in self._tables.items():
            for end in range(len(parts) - (ending == "**")):
                found = max(found, rooted.get(parts[: end + 1], -1), anywhere.get(parts[end], -1))
        for number, segments in reversed(self._others):
            if number <= found:
                break
            if matches(segments, parts):
                found = number
        return self._owners[found] if found >= 0 else ()
