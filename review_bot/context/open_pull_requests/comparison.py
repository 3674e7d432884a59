"""Compares a change with other open pull requests, over plain data.

::

    findings × others ── compare ▶ OverlapReport: prerequisites, what goes away, what both write, an order

Texts are read when they are asked for. Where that is expensive, ``wanted`` returns in advance which are worth it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from review_bot.changes import patching
from review_bot.changes.open_pull_requests import (
    LARGEST_TEXT,
    OpenPullRequest,
    OpenPullRequests,
    OpenPullRequestSource,
    Side,
    TheirFile,
    Want,
)
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.context.open_pull_requests import order
from review_bot.context.open_pull_requests.change_imports import (
    ChangeImport,
    ChangeImports,
    Imports,
    Lacking,
    lacking,
    module_of,
)
from review_bot.context.open_pull_requests.outline import Outline, Part, outline
from review_bot.errors import DiffError
from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.review.context import Overlap, OverlapReport, Relation

MOST_FOUND = 100
MOST_LACKING = 50
"""Missing modules and names that are looked for."""

MOST_FUNCTIONS = 20
"""Functions named for one file of one other pull request."""

_RANK: tuple[Relation, ...] = (
    "adds-module",
    "adds-name",
    "removes-used",
    "removes-changed",
    "changes-removed",
    "same-file",
    "same-function",
)


def wanted(change: PullRequest, imports: Imports, ones: OpenPullRequests) -> list[Want]:
    """Return the texts that a comparison needs, the most telling first; each once."""
    by_rank: tuple[list[Want], list[Want], list[Want]] = ([], [], [])
    ours = {file.base_path: file for file in change.files}
    for one in ones.pulls:
        provides = False
        for file in one.files:
            used = imports.of(file.path)
            provides = provides or (bool(used) and file.work != "deleted")
            if used and file.work == "modified":
                by_rank[0].extend(_both(one, file.path))
            elif used and file.work == "added":
                by_rank[0].append(Want(one.number, "head", file.path))
            mine = ours.get(file.path)
            if mine is None or mine.kind != "text":
                continue
            if file.work == "added" and mine.status == "added":
                by_rank[1].append(Want(one.number, "head", file.path))
            elif file.work == "modified" and file.path.endswith(".py") and mine.path.endswith(".py"):
                by_rank[1].extend(_both(one, file.path))
        if provides:  # and what it builds on itself is for the order
            python = (file.path for file in one.files if file.path.endswith(".py") and file.work != "deleted")
            by_rank[2].extend(Want(one.number, "head", path) for path in python)
    return list(dict.fromkeys(want for rank in by_rank for want in rank))


def compare_pull_requests(
    side: ChangeImports, findings: Iterable[Finding], others: OpenPullRequestSource
) -> OverlapReport | None:
    """Compare, and name what was not compared. None if there is neither another pull request nor a limit."""
    ones = others.listed()
    if not ones.pulls:
        return OverlapReport(0, ones.known, limits=ones.limits) if ones.known or ones.limits else None
    meeting = _Comparison(side, others)
    lacks = list(islice(lacking(side, findings), MOST_LACKING + 1))
    found = list(meeting.prerequisites(lacks[:MOST_LACKING], ones.pulls))
    for one in ones.pulls:
        found += meeting.removals(one)
        found += meeting.overlaps(one)
    found.sort(key=lambda each: (_RANK.index(each.relation), each.number, each.path, each.line or 0, each.subject))
    merging = order.to_merge(found, meeting.needs(found, ones.pulls))
    limits = [*ones.limits]
    if len(lacks) > MOST_LACKING:
        limits.append(f"Only the first {MOST_LACKING} missing modules and names were looked up.")
    if meeting.unread:
        named = ", ".join(f"#{number}" for number in sorted(meeting.unread))
        limits.append(f"Some files that both this change and another pull request edit were not read: {named}.")
    if len(found) > MOST_FOUND:
        limits.append(f"{len(found) - MOST_FOUND} more places are not listed.")
    return OverlapReport(
        len(ones.pulls), ones.known, tuple(found[:MOST_FOUND]), merging.order, tuple(limits), merging.cycles
    )


def may_be_gone(change: PullRequest, imports: Imports) -> Iterator[str]:
    """Yield paths of the base that another pull request may have renamed: files that this one edits or imports."""
    yield from (file.base_path for file in change.files if file.status not in {"added", "copied", "deleted"})
    for each in imports.all:
        place = each.place or each.module.replace(".", "/")
        yield from (f"{place}.py", f"{place}/__init__.py")


class _Both(NamedTuple):
    """A text before and after."""

    old: Outline
    new: Outline


_NOTHING = outline("")


class _Comparison:
    """One comparison; outlines are made once. ``unread``: numbers of those of which a text could not be had."""

    def __init__(self, side: ChangeImports, others: OpenPullRequestSource) -> None:
        self.unread: set[int] = set()
        self._side, self._others = side, others
        self._ours = {file.base_path: file for file in side.change.files}
        self._by_name: dict[int, tuple[dict[str, list[TheirFile]], dict[str, list[TheirFile]]]] = {}
        self._outlines: dict[str, Outline] = {}
        self._mine: dict[str, _Both | None] = {}

    def prerequisites(self, lacks: Iterable[Lacking], pulls: Sequence[OpenPullRequest]) -> Iterator[Overlap]:
        """Yield, for each thing that is lacking, the one that brings it and gets least into the way of this change."""
        for lack in lacks:
            bringing = []
            for one in pulls:
                place = self._brings(lack, one)
                if place is not None:
                    bringing.append((self._friction(one), len(one.files), one.number, one, place))
            if not bringing:
                continue
            *_, one, (relation, path, line) = min(bringing)
            also = tuple(sorted(number for _, _, number, _, _ in bringing if number != one.number))
            yield Overlap(
                one.number, one.title, relation, lack.subject, lack.statement.path, lack.line, path, line, also
            )

    def removals(self, one: OpenPullRequest) -> Iterator[Overlap]:
        """Yield what it removes that this change uses or edits, and what this one removes that it edits."""
        there = {file.path for file in one.files if file.work != "deleted"}
        files = [*one.files, *(TheirFile(path, "deleted") for path in sorted(self._others.renamed_away(one.number)))]
        for file in files:
            mine = self._ours.get(file.path)
            if file.work == "deleted" and mine is not None and mine.status not in {"deleted", "added", "copied"}:
                line = next((line for line, _ in mine.added_lines()), None)
                yield _overlap(one, "removes-changed", file.path, mine.path, line, file.path, None)
            if mine is not None and file.work == "modified" and mine.status == "deleted":
                yield _overlap(one, "changes-removed", file.path, mine.path, None, file.path, None)
            if file.work == "deleted" and mine is not None:
                continue
            for each in self._side.imports.of(file.path):
                if not each.guarded and not self._adds(file.path):
                    yield from self._removed(each, file, one, there)

    def overlaps(self, one: OpenPullRequest) -> Iterator[Overlap]:
        """Yield what both write: new files of one name, functions and classes."""
        for file in one.files:
            mine = self._ours.get(file.path)
            if mine is None or file.work == "deleted" or mine.status == "deleted":
                continue
            if mine.status == "added":
                if file.work != "added" or mine.kind != "text":
                    continue
                theirs, ours = self._text(one, "head", file.path), self._side.head_text(mine.path)
                if theirs is not None and ours is not None and theirs != ours:
                    yield _overlap(one, "same-file", file.path, mine.path, None, file.path, None)
            elif file.work == "modified":
                yield from self._functions(one, file, mine)

    def needs(self, found: Iterable[Overlap], pulls: Iterable[OpenPullRequest]) -> dict[int, set[int]]:
        """Return, for each pull request that this one needs, which others of those it needs itself."""
        numbers = {each.number for each in found if each.relation in {"adds-module", "adds-name"}}
        needed = [one for one in pulls if one.number in numbers]
        added = {
            one.number: {module_of(file.path) for file in one.files if file.work == "added"} - {""} for one in needed
        }
        needs: dict[int, set[int]] = {}
        for one in needed:
            imported = {name for file in one.files for name in self._imported(one, file)}
            for other in needed:
                lacks = added[other.number] - added[one.number]
                if other is not one and any(_ends_in(module, imported) for module in lacks):
                    needs.setdefault(one.number, set()).add(other.number)
        return needs

    def _imported(self, one: OpenPullRequest, file: TheirFile) -> Iterator[str]:
        """Yield the modules that a file imports, as paths; relative ones seen from its folder."""
        text = self._text(one, "head", file.path) if file.path.endswith(".py") and file.work != "deleted" else None
        if text is None:
            return
        for each in self._outline(text).imports:
            if each.guarded:
                continue
            above = file.path.split("/")[: -each.level] if each.level else []
            inner = each.module.split(".") if each.module else []
            place = "/".join([*above, *inner])
            yield place
            yield from (f"{place}/{name}" for name, _ in each.names)

    def _brings(self, lack: Lacking, one: OpenPullRequest) -> tuple[Relation, str, int | None] | None:
        """Return how, where and on which line a pull request brings what is lacking, or None."""
        modules, folders = self._places(one)
        statement = lack.statement
        last = (statement.place or statement.module).replace("/", ".").rpartition(".")[2]
        for file in modules.get(lack.name or last, ()):
            if file.work == "added" and statement.provides(file.path, lack.name):
                return "adds-module", file.path, None
        for file in () if lack.name else folders.get(last, ()):
            if statement.lies_above(file.path):
                return "adds-module", file.path, None
        for file in modules.get(last, ()) if lack.name else ():
            if file.work != "deleted" and statement.provides(file.path):
                theirs = self._theirs(one, file)
                if theirs is not None and lack.name in theirs.new.names and lack.name not in theirs.old.names:
                    return "adds-name", file.path, theirs.new.names[lack.name]
        return None

    def _places(self, one: OpenPullRequest) -> tuple[dict[str, list[TheirFile]], dict[str, list[TheirFile]]]:
        """Return its modules by their last name, and its added modules by the name of each folder above them."""
        if one.number not in self._by_name:
            modules: dict[str, list[TheirFile]] = {}
            folders: dict[str, list[TheirFile]] = {}
            for file in one.files:
                *above, last = module_of(file.path).split("/")
                modules.setdefault(last, []).append(file)
                if file.work == "added" and last:
                    for folder in set(above):
                        folders.setdefault(folder, []).append(file)
            self._by_name[one.number] = modules, folders
        return self._by_name[one.number]

    def _friction(self, one: OpenPullRequest) -> int:
        """Return how many files both it and this change write."""
        return sum(file.path in self._ours for file in one.files)

    def _removed(self, each: ChangeImport, file: TheirFile, one: OpenPullRequest, there: set[str]) -> Iterator[Overlap]:
        if file.work == "deleted":
            subject = each.module if each.provides(file.path) else ""
            line = each.line
            for name, at in each.names:
                if each.provides(file.path, name):
                    subject, line = f"{each.module}.{name}", at
            moved = module_of(file.path) in {module_of(path) for path in there}  # mod.py became mod/__init__.py
            if subject and not moved:
                yield _overlap(one, "removes-used", subject, each.path, line, file.path, None)
        elif file.work == "modified" and each.provides(file.path) and each.names:
            theirs = self._theirs(one, file)
            if theirs is None or theirs.new.open:
                return
            for name, at in each.names:
                if name in theirs.old.names and name not in theirs.new.names:
                    subject = f"{each.module}.{name}"
                    yield _overlap(one, "removes-used", subject, each.path, at, file.path, theirs.old.names[name])

    def _adds(self, path: str) -> bool:
        """Return whether this change brings a file itself."""
        mine = self._ours.get(path)
        return mine is not None and mine.status == "added"

    def _text(self, one: OpenPullRequest, side: Side, path: str) -> str | None:
        text = self._others.text(Want(one.number, side, path))
        if text is None:
            self.unread.add(one.number)
        return text

    def _functions(self, one: OpenPullRequest, file: TheirFile, mine: ChangedFile) -> Iterator[Overlap]:
        ours = self._own(mine) if file.path.endswith(".py") and mine.path.endswith(".py") else None
        theirs = self._theirs(one, file) if ours is not None else None
        if ours is None or theirs is None:
            return
        shared = [
            name
            for name in ours.old.parts.keys() | ours.new.parts.keys()
            if _differs(ours.old, ours.new, name)
            and _differs(theirs.old, theirs.new, name)
            # Old as it is for us, new as it is for us: then there is nothing to agree on.
            and _differs(theirs.new, ours.old, name)
            and _differs(theirs.new, ours.new, name)
        ]
        places = sorted((_first_change(ours, name) or 0, name) for name in shared)
        for line, name in places[:MOST_FUNCTIONS]:
            at = _first_change(theirs, name)
            if name not in ours.new.parts:
                yield _overlap(one, "changes-removed", f"{mine.path}:{name}", mine.path, None, file.path, at)
            elif name not in theirs.new.parts:
                yield _overlap(one, "removes-changed", f"{mine.path}:{name}", mine.path, line or None, file.path, None)
            else:
                yield _overlap(one, "same-function", name, mine.path, line or None, file.path, at)

    def _theirs(self, one: OpenPullRequest, file: TheirFile) -> _Both | None:
        """Return what a file of theirs was and is, or None where it was not read."""
        new = self._text(one, "head", file.path)
        if new is None:
            return None
        if file.work == "added":
            return _Both(_NOTHING, self._outline(new))
        old = self._text(one, "merge_base", file.path)
        return None if old is None else _Both(self._outline(old), self._outline(new))

    def _own(self, mine: ChangedFile) -> _Both | None:
        """Return what a file of ours was and is; the old text is the new one with the hunks undone."""
        if mine.path not in self._mine:
            self._mine[mine.path] = None
            text = self._side.head_text(mine.path)
            if text is not None and len(text) <= LARGEST_TEXT:
                try:
                    old = patching.undo(text, mine.hunks)
                except DiffError:
                    return None
                self._mine[mine.path] = _Both(self._outline(old), self._outline(text))
        return self._mine[mine.path]

    def _outline(self, text: str) -> Outline:
        if text not in self._outlines:
            self._outlines[text] = outline(text)
        return self._outlines[text]


def _both(one: OpenPullRequest, path: str) -> list[Want]:
    return [Want(one.number, "head", path), Want(one.number, "merge_base", path)]


def _overlap(
    one: OpenPullRequest,
    relation: Relation,
    subject: str,
    path: str,
    line: int | None,
    their_path: str,
    their_line: int | None,
) -> Overlap:
    return Overlap(one.number, one.title, relation, subject, path, line, their_path, their_line)


def _differs(one: Outline, other: Outline, name: str) -> bool:
    """Return whether a function or class reads otherwise in two texts, or only one of them has it."""
    left, right = one.parts.get(name), other.parts.get(name)
    if left is None or right is None:
        return left is not right
    return left.texts != right.texts


def _first_change(both: _Both, name: str) -> int | None:
    """Return the line at which a part first differs from what it was: in the new text, or in the old if it is gone."""
    new, old = both.new.parts.get(name), both.old.parts.get(name)
    if new is None or old is None:
        part = new or old
        return part.lines[0][0] if part is not None and part.lines else None
    return _line_of_change(old, new)


def _line_of_change(old: Part, new: Part) -> int | None:
    for before, (line, text) in zip(old.texts, new.lines, strict=False):
        if before != text:
            return line
    beyond = new.lines[len(old.lines) :] or new.lines[-1:]
    return beyond[0][0] if beyond else None


def _ends_in(module: str, imported: set[str]) -> bool:
    """Return whether one of the imported paths is a module, seen from any root."""
    parts = module.split("/")
    return any("/".join(parts[start:]) in imported for start in range(len(parts)))
