"""Annotation items: findings of past changes with the code around them, read from a clone."""

from __future__ import annotations

from functools import lru_cache

from review_bot.changes.patching import split_lines
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.findings import Finding, Related
from review_bot.forges import git_process
from review_bot.forges.git_objects import BlobReader
from review_bot.forges.local_git import LocalGit
from review_bot.text.lazy_regex import LazyRegex
from rule_lab.annotation_sheet import AnnotationItem, CodeLine, ControlKind, Excerpt
from rule_lab.labels import FindingReference
from rule_lab.sampling import Candidate, words_digest

BEFORE, AFTER = 14, 16
"""Lines shown before and after those of the finding."""

MOST_MEANT = 8
MOST_LINES = 60
RELATED_AROUND = 5
MOST_RELATED = 3
MOST_FACTS = 40

_HEADER = LazyRegex(r"(?:async def|def|class)\b")


class Clone:
    """Reads changes and files of a local repository; to be closed."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._blobs = BlobReader(folder)
        self.change = lru_cache(maxsize=512)(self._change)

    def _change(self, base: str, head: str) -> PullRequest:
        """Return the change between two commits."""
        source = LocalGit(self.folder, base=base, head=head)
        try:
            return source.read()
        finally:
            source.close()

    def file(self, base: str, head: str, path: str | None) -> ChangedFile | None:
        """Return one file of a change."""
        return next((file for file in self.change(base, head).files if file.path == path), None)

    def text(self, revision: str, path: str) -> str | None:
        """Return the text of a file in a commit, None if it does not exist or is not UTF-8."""
        try:
            data = self._blobs.read(f"{revision}:{path}")
            return None if data is None else data.decode("utf-8")
        except UnicodeError:
            return None

    def subjects(self, base: str, head: str) -> list[str]:
        """Return the first lines of the commits of a change, oldest first."""
        listed = git_process.output(self.folder, "log", "--reverse", "--no-merges", "--format=%s", f"{base}..{head}")
        return listed.decode("utf-8", "replace").split("\n")[:-1]

    def close(self) -> None:
        """Stop the git process that reads blobs."""
        self._blobs.close()


def reference_to(candidate: Candidate) -> FindingReference:
    """Return the reference by which a key and a label identify a candidate."""
    finding = candidate.finding
    return FindingReference(
        base=candidate.base,
        head=candidate.head,
        path=finding.path,
        line=finding.line,
        side=finding.side,
        rule=finding.rule,
        placement=finding.placement,
        fingerprint=finding.fingerprint,
        statement=candidate.statement,
        words=words_digest(finding),
    )


def item_of(clone: Clone, candidate: Candidate, control: ControlKind | None = None) -> AnnotationItem:
    """Return a finding with the code that its comment refers to."""
    finding = candidate.finding
    reference = reference_to(candidate)
    if finding.path is None:
        return AnnotationItem(reference, finding, facts=_facts(clone, candidate), control=control)
    file = clone.file(candidate.base, candidate.head, finding.path)
    excerpts = [_main(clone, candidate, file)]
    excerpts += [_related(clone, candidate.head, each) for each in finding.related[:MOST_RELATED]]
    return AnnotationItem(reference, finding, tuple(each for each in excerpts if each.lines), control=control)


def excerpt_around(text: str, finding: Finding, added: frozenset[int]) -> Excerpt:
    """Return the lines around a finding, below the heads of the enclosing functions and classes."""
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    first = finding.line or 1
    last = min(max(finding.last_line, first), first + MOST_LINES - BEFORE)
    meant = range(first, last + 1 if last - first < MOST_MEANT else first + 1)
    start, end = max(1, first - BEFORE), min(len(lines), max(first + AFTER, last + 4))
    shown: list[CodeLine] = []
    for number in _headers(lines, start):
        shown += [CodeLine(number, lines[number - 1], "+" if number in added else " "), CodeLine(None, "...")]
    shown += [
        CodeLine(number, lines[number - 1], "+" if number in added else " ", number in meant)
        for number in range(start, end + 1)
    ]
    return Excerpt("", tuple(shown))


def _headers(lines: list[str], start: int) -> list[int]:
    """Return the lines above ``start`` that open the enclosing functions and classes, outermost first."""
    first = next((line for line in lines[start - 1 :] if line.strip()), "")
    indent, found = len(first) - len(first.lstrip()), []
    for number in range(start - 1, 0, -1):
        line = lines[number - 1]
        own = len(line) - len(line.lstrip())
        if line.strip() and own < indent and not line.lstrip().startswith((")", "]", "}", "#")):
            indent = own
            if _HEADER.match(line.lstrip()):
                found.append(number)
        if not indent:
            break
    return found[::-1]


def _main(clone: Clone, candidate: Candidate, file: ChangedFile | None) -> Excerpt:
    finding = candidate.finding
    if finding.line is None or finding.side == "LEFT":
        return _diff(file, finding)
    text = clone.text(candidate.head, str(finding.path))
    added = frozenset() if file is None else frozenset(number for number, _ in file.added_lines())
    return _diff(file, finding) if text is None else excerpt_around(text, finding, added)


def _diff(file: ChangedFile | None, finding: Finding) -> Excerpt:
    """Return lines of a file's diff: around the deleted line of the finding, or from the beginning."""
    if file is None:
        return Excerpt("", ())
    lines: list[CodeLine] = []
    for hunk in file.hunks:
        old, new = hunk.old_start, hunk.new_start
        lines += [CodeLine(None, "...")] if lines else []
        for line in hunk.lines:
            sign = line[:1]
            if sign == "\\":
                continue
            meant = finding.line == old and finding.side == "LEFT" and sign != "+"
            lines.append(CodeLine(old if sign == "-" else new, line[1:].removesuffix("\r"), sign, meant))
            old, new = old + (sign != "+"), new + (sign != "-")
    at = next((index for index, line in enumerate(lines) if line.meant), 0)
    start = max(0, at - BEFORE)
    rest = len(lines) - start - MOST_LINES
    shown = [*lines[start : start + MOST_LINES], *([CodeLine(None, f"... {rest} more lines")] if rest > 0 else [])]
    return Excerpt("The change of this file:", tuple(shown))


def _related(clone: Clone, head: str, related: Related) -> Excerpt:
    text = None if related.line is None else clone.text(head, related.path)
    if text is None or related.line is None:
        return Excerpt("", ())
    lines = split_lines(text)
    numbers = range(max(1, related.line - RELATED_AROUND), min(len(lines), related.line + RELATED_AROUND) + 1)
    shown = tuple(CodeLine(number, lines[number - 1].rstrip("\r\n"), " ", number == related.line) for number in numbers)
    return Excerpt(f"And in `{related.path}`:", shown)


def _facts(clone: Clone, candidate: Candidate) -> tuple[str, ...]:
    """Return the facts of a whole change: its commit subjects and its files with their line counts."""
    files = clone.change(candidate.base, candidate.head).files
    facts = [f"commit: {subject}" for subject in clone.subjects(candidate.base, candidate.head)[:10]]
    facts += [f"{file.status} {file.path} (+{file.added} -{file.removed})" for file in files[:MOST_FACTS]]
    if len(files) > MOST_FACTS:
        facts.append(f"and {len(files) - MOST_FACTS} more files")
    return tuple(facts)
