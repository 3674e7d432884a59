"""Which of the lines that a change adds have run, from what reports say of files that they may call by other names.

A report was often written in a container or below another folder. Its file is one of the repository's if the longest
part of its name that is a path of the repository says so, or if its name is the end of one path alone. What fits two
files is counted for neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from review_bot.changes.pull_request import ChangedFile
from review_bot.coverage.reported import Reported, ReportedFile, Unusable, Wanted
from review_bot.records import NamedTuple

_DRIVE = re.compile(r"[A-Za-z]:/")


class FileCoverage(NamedTuple):
    """Of the lines that a change adds to a file and that can be measured: how many have run, and which have not."""

    path: str
    covered: int
    missed: tuple[int, ...]


class Coverage(NamedTuple):
    """What reports say of the added lines. ``files``: those that a report names, by path.

    ``usable``: some report names a changed file; else nothing was measured. ``unnamed``: files of code with added lines
    that no report names, where one names others. ``problems``: what could not be used, as sentences; they hold nothing
    that a report says, but the names under which reports were given, as code.
    """

    files: tuple[FileCoverage, ...] = ()
    unnamed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def usable(self) -> bool:
        """Return whether anything was measured."""
        return bool(self.files)

    @property
    def notices(self) -> tuple[str, ...]:
        """What anyone who gave the reports should know, as sentences."""
        if not self.unnamed:
            return self.problems
        subject = "1 changed code file is" if len(self.unnamed) == 1 else f"{len(self.unnamed)} changed code files are"
        return (*self.problems, f"{subject} in no coverage report and could not be measured.")

    @property
    def covered(self) -> int:
        """Added lines that have run."""
        return sum(file.covered for file in self.files)

    @property
    def measurable(self) -> int:
        """Added lines that a report covers."""
        return self.covered + sum(len(file.missed) for file in self.files)


class Report(NamedTuple):
    """A report by the name under which it was given: what it says, or why it cannot be used (after its name)."""

    name: str
    said: Reported | str


def added_lines(files: Iterable[ChangedFile]) -> dict[str, frozenset[int]]:
    """Return the added lines of each file that has some, by path."""
    found = {file.path: frozenset(number for number, _ in file.added_lines()) for file in files if file.added}
    return {path: lines for path, lines in found.items() if lines}


def wanted(added: Mapping[str, frozenset[int]]) -> Wanted:
    """Return the lines to ask a report about, by the names of files without their folders."""
    found: dict[str, frozenset[int]] = {}
    for path, lines in added.items():
        name = path.rpartition("/")[2]
        found[name] = found.get(name, frozenset()) | lines
    return found


def measure(
    added: Mapping[str, frozenset[int]],
    reports: Sequence[Report],
    paths: Iterable[str] | None,
    expected: frozenset[str] = frozenset(),
) -> Coverage:
    """Return which added lines have run. ``paths``: all files at the head, None if only the change is known.

    ``expected``: the files among ``added`` that a report should name.
    """
    tree = _Tree(added if paths is None else paths, {path.rpartition("/")[2] for path in added})
    covered: dict[str, set[int]] = {}
    missed: dict[str, set[int]] = {}
    problems: list[str] = []
    for report in reports:
        shown = f"The coverage report `{_inside_code(report.name)}`"
        if isinstance(report.said, str):
            problems.append(f"{shown} {report.said}.")
            continue
        found, unclear = _matched(report.said, tree, added)
        for path, file in found:
            covered.setdefault(path, set()).update(file.covered & added[path])
            missed.setdefault(path, set()).update(file.missed & added[path])
        problems += _doubts(shown, report.said, unclear, lacking=bool(expected) and not found)
    files = tuple(
        FileCoverage(path, len(covered[path]), tuple(sorted(missed[path] - covered[path]))) for path in sorted(covered)
    )
    unnamed = tuple(sorted(expected - covered.keys())) if files else ()
    return Coverage(files, unnamed, tuple(problems))


def _doubts(shown: str, said: Reported, unclear: int, *, lacking: bool) -> Iterator[str]:
    if lacking and not unclear:
        yield f"{shown} names none of the changed files; check that its paths are relative to the repository's root."
    if unclear:
        names = "a file name that fits" if unclear == 1 else f"{unclear} file names that fit"
        yield f"{shown} has {names} more than one file of the repository; these lines are not counted."
    if said.odd:
        lines = "a line" if said.odd == 1 else f"{said.odd:,} lines"
        yield f"{shown} contradicts itself about {lines}; not counted."


def _matched(
    said: Reported, tree: _Tree, added: Mapping[str, frozenset[int]]
) -> tuple[list[tuple[str, ReportedFile]], int]:
    """Return the changed files that a report names, and how many of its names fit several files."""
    found: dict[str, list[ReportedFile]] = {}
    unclear = 0
    sources = list(dict.fromkeys(map(_parts, said.sources)))
    for file in said.files:
        try:
            path = tree.find(file.name, sources)
        except Unusable:
            unclear += 1
            continue
        if path is not None:
            found.setdefault(path, []).append(file)
    matched: list[tuple[str, ReportedFile]] = []
    for path, files in sorted(found.items()):
        if path not in added:
            continue
        if len(files) > 1 and "/" not in path and len({_parts(file.name) for file in files}) > 1:
            unclear += 1  # setup.py of this repository, and setup.py of something that was installed
            continue
        matched += [(path, file) for file in files]
    return matched, unclear


class _Node:
    """A place in paths that are read from their ends on. ``path``: the one that begins here.

    ``paths``: how many go on before it, ``some``: one of them; ``before``: by their next part.
    """

    __slots__ = ("before", "path", "paths", "some")

    def __init__(self) -> None:
        self.before: dict[str, _Node] = {}
        self.path: str | None = None
        self.paths = 0
        self.some: str | None = None


class _Tree:
    """Paths of a repository whose last part is one of ``names``.

    A name is looked up part by part from its end, so that one of a thousand folders costs no more than it is long.
    """

    def __init__(self, paths: Iterable[str], names: set[str]) -> None:
        self._root = _Node()
        for path in paths:
            if path.rpartition("/")[2] not in names:
                continue
            node = self._root
            for part in reversed(path.split("/")):
                node.paths, node.some = node.paths + 1, path
                node = node.before.setdefault(part, _Node())
            node.path = path

    def find(self, name: str, sources: Iterable[tuple[str, ...]]) -> str | None:
        """Return the path that a report means, or None. Raises Unusable if there are several."""
        own, above = _split(name)
        found, node = _walk(self._root, own)
        if node is None:
            return found
        below = {_walk(node, source[: max(0, len(source) - above)])[0] for source in sources} - {None}
        if below:
            longest = max(path.count("/") for path in below if path is not None)
            best = {path for path in below if path is not None and path.count("/") == longest}
            if len(best) > 1:
                raise Unusable
            return best.pop()
        if node.path is None and node.paths > 1:
            raise Unusable
        return node.path or node.some  # what a source adds says nothing; the name may lie below some folder


def _walk(node: _Node, parts: Sequence[str]) -> tuple[str | None, _Node | None]:
    """Go on from a node by parts, the last one first; return the longest path met, and where they end, if there."""
    found: str | None = None
    for part in reversed(parts):
        further = node.before.get(part)
        if further is None:
            return found, None
        node = further
        found = node.path or found
    return found, node


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a path, whatever system wrote it."""
    return _split(name)[0]


def _split(name: str) -> tuple[tuple[str, ...], int]:
    """Return the parts of a path, and how many folders above where it is seen from it begins."""
    path = name.replace("\\", "/")
    if _DRIVE.match(path):
        path = path[2:]
    parts: list[str] = []
    above = 0
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part == "..":
            above += 1
        elif part not in {"", "."}:
            parts.append(part)
    return tuple(parts), above


def _inside_code(name: str) -> str:
    return name.replace("`", "'")
