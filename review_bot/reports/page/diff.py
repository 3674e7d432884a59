"""The diff with the comments in their places; bounded, and it says what it leaves out.

Files with findings come first and are open; the others are folded. A file that is too long, and every file once the
page is full, shows only the lines around its comments.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.findings import Finding, order
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.content.snippets import NOT_SHOWN
from review_bot.reports.page import markup
from review_bot.reports.page.colour import Language, coloured, language_of
from review_bot.reports.page.listing import Listing
from review_bot.review.redaction import redactor
from review_bot.review.review import Review
from review_bot.text.listing import count

MOST_ROWS = 3_000
"""Lines of code on the page."""

MOST_ROWS_OF_FILE = 1_000
MOST_OPEN_ROWS = 1_500
"""Lines of files that are open when the page opens."""

MOST_NOTES = 500
"""Comments in the diff; all findings are in the list."""

MOST_FILES = 400

AROUND = 4
"""Lines kept before and after a comment where a file is cut."""

_Place = tuple[str, int]
"""A side and a line number."""


class Line(NamedTuple):
    """A line of a hunk: its sign, its numbers (one is None for added and deleted lines) and its text."""

    sign: str
    old: int | None
    new: int | None
    text: str

    @property
    def places(self) -> tuple[_Place, ...]:
        """The places that a comment on this line may name."""
        left = (("LEFT", self.old),) if self.old is not None else ()
        right = (("RIGHT", self.new),) if self.new is not None else ()
        return left + right


class Note(NamedTuple):
    """A comment in the diff; ``where``: its line if the diff does not show it."""

    number: int
    finding: Finding
    where: str


class Row(NamedTuple):
    """A line as the page shows it; ``gap``: lines above it are left out. ``notes``: those of each side."""

    id: str
    kind: str
    old: int | None
    new: int | None
    code: Markup
    gap: bool
    notes: tuple[tuple[Note, ...], ...]


class HunkView(NamedTuple):
    """A hunk, as far as there is room."""

    heading: str
    rows: list[Row]


class FileView(NamedTuple):
    """A file of the diff. ``fresh``: it has no old lines; ``cut``: lines not shown."""

    id: str
    old_path: str
    path: str
    facts: str
    opened: bool
    notes: tuple[Note, ...]
    hunks: list[HunkView]
    fresh: bool
    cut: int


class RenderedDiff(NamedTuple):
    """The files, the ids of files and lines on the page, and the numbers of findings that have a comment."""

    files: tuple[FileView, ...]
    ids: dict[str, str]
    rows: dict[tuple[str, int], str]
    notes: frozenset[int]
    left_out: tuple[str, ...]

    def link(self, path: str, line: int | None = None) -> Markup:
        """Return a place as code, with a link to it if the page shows it."""
        target = self.rows.get((path, line)) if line is not None else None
        target = target or self.ids.get(path)
        name = markup.path(f"{path}:{line}" if line else path)
        return markup.link(f"#{target}", name) if target else name


class _DiffBuilder:
    """Builds the files one after the other and counts the lines and comments that still fit."""

    def __init__(
        self,
        review: Review,
        listing: Listing,
        wanted: frozenset[tuple[str, int]],
        steps: frozenset[tuple[str, int]],
    ) -> None:
        self.redactor = redactor(review)
        self.listing, self.wanted, self.steps = listing, wanted, steps
        coverage = review.context.coverage
        missed = () if coverage is None else coverage.files
        self.missed = {file.path: frozenset(file.missed) for file in missed if file.missed}
        self.rows: dict[tuple[str, int], str] = {}
        self.notes: set[int] = set()
        self.room, self.open_room = MOST_ROWS, MOST_OPEN_ROWS
        self.cut = self.omitted_notes = 0

    def file(self, name: str, file: ChangedFile, findings: list[Finding]) -> FileView:
        """Return one file of the diff."""
        at: dict[_Place, list[Finding]] = {}
        loose = []
        hunks = [list(_lines(hunk)) for hunk in file.hunks]
        known = {place for hunk in hunks for line in hunk for place in line.places}
        for finding in findings:
            place = (finding.side, finding.last_line)
            if finding.line is not None and place not in known:
                place = (finding.side, finding.line)
            if place in known:
                at.setdefault(place, []).append(finding)
            else:
                loose.append(finding)
        total = sum(map(len, hunks))
        near = None
        if total > min(MOST_ROWS_OF_FILE, self.room):
            near = _near(hunks, at, {line for path, line in self.steps if path == file.path})
        views, shown = self._hunks(name, file, hunks, at, near)
        opened = bool(findings) and shown <= self.open_room
        self.room -= shown
        self.open_room -= shown if opened else 0
        self.cut += total - shown
        renamed = file.status in {"renamed", "copied"}
        fresh = not any(line.old for hunk in hunks for line in hunk)
        return FileView(
            name,
            (file.old_path or "") if renamed else "",
            file.path,
            _facts(file, findings),
            opened,
            self._notes(loose, loose=True),
            views,
            fresh,
            total - shown,
        )

    def _hunks(
        self,
        name: str,
        file: ChangedFile,
        hunks: list[list[Line]],
        at: dict[_Place, list[Finding]],
        near: set[tuple[int, int]] | None,
    ) -> tuple[list[HunkView], int]:
        """Return the hunks of a file, as far as there is room, and how many lines they show."""
        views: list[HunkView] = []
        shown = 0
        language = language_of(file.path)
        for index, lines in enumerate(hunks):
            inside = {"-": "", "+": ""}
            rows: list[Row] = []
            gap = False
            for position, line in enumerate(lines):
                if shown >= self.room or (near is not None and (index, position) not in near):
                    gap, inside = True, {"-": "", "+": ""}
                    continue
                shown += 1
                code = self._code(file.path, line, language, inside)
                notes = tuple(self._notes(at.pop(place)) for place in line.places if place in at)
                rows.append(self._row(name, file.path, line, code)._replace(gap=gap and bool(rows), notes=notes))
                gap = False
            if rows:
                views.append(HunkView(_heading(file.hunks[index]), rows))
        return views, shown

    def _code(self, path: str, line: Line, language: Language | None, inside: dict[str, str]) -> Markup:
        """Return the coloured text of a line; ``inside``: the quotes open on each side, which this updates."""
        if self.redactor.must_redact(path, line.new, line.text):
            return Markup("<i>{}</i>").format(NOT_SHOWN)
        side = "-" if line.sign == "-" else "+"
        shown, inside[side] = coloured(line.text, language, inside[side])
        if line.sign == " ":
            inside["-"] = inside["+"]
        return shown

    def _row(self, name: str, path: str, line: Line, code: Markup) -> Row:
        target = ""
        if line.new is not None and (path, line.new) in self.wanted:
            target = self.rows[path, line.new] = f"{name}-{line.new}"
        kind = {"+": "add", "-": "del"}.get(line.sign, "")
        if line.sign == "+" and line.new in self.missed.get(path, ()):
            kind = "add missed-line"
        if line.new is not None and (path, line.new) in self.steps:
            kind = f"{kind} step".lstrip()
        return Row(target, kind, line.old, line.new, code, gap=False, notes=())

    def _notes(self, findings: list[Finding], *, loose: bool = False) -> tuple[Note, ...]:
        notes = []
        for finding in sorted(findings, key=order):
            number = self.listing.number(finding)
            if number is None:
                continue
            if len(self.notes) >= MOST_NOTES:
                self.omitted_notes += 1
                continue
            self.notes.add(number)
            where = f" (line {finding.line}, not shown in the diff)" if finding.line and loose else ""
            notes.append(Note(number, finding, where))
        return tuple(notes)


def render_diff(review: Review, listing: Listing) -> RenderedDiff:
    """Return the diff of a review with its comments."""
    change = review.pull_request
    by_path: dict[str, list[Finding]] = {}
    for topic in listing.topics:
        for finding in topic.findings:
            if finding.path is not None:
                by_path.setdefault(finding.path, []).append(finding)
    wanted = {(place.path, place.line) for card in review.assessment.checklist for place in card.places if place.line}
    wanted |= {
        (each.path, each.line)
        for same in by_path.values()
        for f in same
        for each in (*f.related, *f.same_elsewhere)
        if each.line
    }
    steps = {(each.path, each.line) for same in by_path.values() for f in same for each in f.steps if each.line}
    files = sorted(change.files, key=lambda file: file.path not in by_path)
    builder = _DiffBuilder(review, listing, frozenset(wanted), frozenset(steps))
    views = tuple(
        builder.file(f"d{number}", file, by_path.get(file.path, [])) for number, file in enumerate(files[:MOST_FILES])
    )
    left_out = []
    if builder.cut:
        left_out.append(f"{count(builder.cut, 'line')} of long files")
    if len(files) > MOST_FILES:
        left_out.append(count(len(files) - MOST_FILES, "file"))
    if builder.omitted_notes:
        left_out.append(f"{count(builder.omitted_notes, 'comment')} (see the list of findings)")
    ids = {view.path: view.id for view in views}
    return RenderedDiff(views, ids, builder.rows, frozenset(builder.notes), tuple(left_out))


def _lines(hunk: Hunk) -> Iterator[Line]:
    old, new = hunk.old_start, hunk.new_start
    for line in hunk.lines:
        sign, body = line[:1], line[1:].removesuffix("\r")
        if sign == "+":
            yield Line(sign, None, new, body)
            new += 1
        elif sign == "-":
            yield Line(sign, old, None, body)
            old += 1
        elif sign != "\\":
            yield Line(" ", old, new, body)
            old, new = old + 1, new + 1


def _near(hunks: list[list[Line]], at: dict[_Place, list[Finding]], steps: set[int]) -> set[tuple[int, int]]:
    """Return (hunk, line) of the lines with a comment or a step and those around them."""
    near: set[tuple[int, int]] = set()
    for index, lines in enumerate(hunks):
        for position, line in enumerate(lines):
            if line.new in steps or any(place in at for place in line.places):
                near.update((index, each) for each in range(position - AROUND, position + AROUND + 1))
    return near


def _heading(hunk: Hunk) -> str:
    last = hunk.new_start + max(hunk.new_count - 1, 0)
    if not hunk.new_count:
        return f"Lines {hunk.old_start} to {hunk.old_start + hunk.old_count - 1} deleted"
    return f"Line {last}" if hunk.new_count == 1 else f"Lines {hunk.new_start} to {last}"


def _facts(file: ChangedFile, findings: list[Finding]) -> str:
    facts: list[str] = [] if file.status == "modified" else [file.status]
    if file.kind != "text":
        facts.append(file.kind)
    facts.append(f"+{file.added} -{file.removed}")
    if findings:
        facts.append(wording.severity_counts(findings))
    return " · ".join(facts)
