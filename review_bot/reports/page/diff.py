"""The diff with the comments in their places; bounded, and it says what it leaves out.

Files with findings come first and are open; the others are folded. A file that is too long, and every file once the
page is full, shows the lines around its comments alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.findings import SEVERITIES, Finding
from review_bot.reports import wording
from review_bot.reports.page.colour import Language, coloured, language_of
from review_bot.reports.page.hypertext import NOTHING, Html, element, join, link, prose
from review_bot.reports.page.hypertext import path as path_text
from review_bot.reports.page.listing import Listing
from review_bot.reports.snippet import NOT_SHOWN
from review_bot.review.redaction import redactor
from review_bot.review.review import Review

MOST_ROWS = 3_000
"""Lines of code on the page."""

MOST_ROWS_OF_FILE = 1_000
MOST_OPEN_ROWS = 1_500
"""Lines of files that are open when the page opens."""

MOST_NOTES = 500
"""Comments in the diff; all findings stand in the list."""

MOST_FILES = 400

AROUND = 4
"""Lines kept before and after a comment where a file is cut."""

_Side = str
_Place = tuple[_Side, int]


class Row(NamedTuple):
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


class Drawn(NamedTuple):
    """The diff, and where things stand in it: ids of files, of lines, and numbers of findings that have a comment."""

    html: Html
    files: dict[str, str]
    rows: dict[tuple[str, int], str]
    notes: frozenset[int]
    left_out: tuple[str, ...]

    def link(self, path: str, line: int | None, shown: str) -> Html:
        """Return a place as code, with a link to it if the page shows it."""
        target = self.rows.get((path, line)) if line is not None else None
        target = target or self.files.get(path)
        name = path_text(shown)
        return link(f"#{target}", name) if target else name


class _Painter:
    """Draws the files one after the other and keeps account of the room that is left."""

    def __init__(self, review: Review, listing: Listing, wanted: frozenset[tuple[str, int]]) -> None:
        self.redactor = redactor(review)
        self.listing, self.wanted = listing, wanted
        coverage = review.context.coverage
        missed = () if coverage is None else coverage.files
        self.missed = {file.path: frozenset(file.missed) for file in missed if file.missed}
        self.rows: dict[tuple[str, int], str] = {}
        self.notes: set[int] = set()
        self.room, self.open_room = MOST_ROWS, MOST_OPEN_ROWS
        self.cut = self.untold = 0

    def file(self, number: int, file: ChangedFile, findings: list[Finding]) -> Html:
        """Return one file of the diff."""
        at: dict[_Place, list[Finding]] = {}
        loose = []
        rows = [list(_rows(hunk)) for hunk in file.hunks]
        known = {place for hunk in rows for row in hunk for place in row.places}
        for finding in findings:
            place = (finding.side, finding.end_line or finding.line or 0)
            if finding.line is not None and place not in known:
                place = (finding.side, finding.line)
            if place in known:
                at.setdefault(place, []).append(finding)
            else:
                loose.append(finding)
        total = sum(map(len, rows))
        near = None if total <= min(MOST_ROWS_OF_FILE, self.room) else _near(rows, at)
        bodies, shown = self._hunks(number, file, rows, at, near)
        opened = bool(findings) and shown <= self.open_room
        self.room -= shown
        self.open_room -= shown if opened else 0
        self.cut += total - shown
        summary = element(
            "summary",
            {"id": f"d{number}"},
            element("span", {"class": "path"}, _name(file)),
            element("span", {"class": "facts"}, _facts(file, findings)),
        )
        parts: list[Html] = [self._notes(loose, loose=True)] if loose else []
        if bodies:
            head = element("tr", None, *(element("th", {"scope": "col"}, name) for name in ("Old", "New", "Code")))
            parts.append(
                element(
                    "table",
                    {"class": "diff" if any(row.old for hunk in rows for row in hunk) else "diff fresh"},
                    element("caption", {"class": "unseen"}, f"Diff of {file.path}"),
                    element("colgroup", None, element("col"), element("col"), element("col")),
                    element("thead", {"class": "unseen"}, head),
                    *bodies,
                )
            )
        if total > shown:
            parts.append(
                element("p", {"class": "cut"}, f"{wording.count(total - shown, 'line')} of this file not shown.")
            )
        return element("details", {"class": "file", "open": opened}, summary, *parts)

    def _hunks(
        self,
        number: int,
        file: ChangedFile,
        hunks: list[list[Row]],
        at: dict[_Place, list[Finding]],
        near: set[tuple[int, int]] | None,
    ) -> tuple[list[Html], int]:
        """Return the hunks of a file, as far as there is room, and how many lines they show."""
        bodies: list[Html] = []
        shown = 0
        language = language_of(file.path)
        for index, rows in enumerate(hunks):
            inside = {"-": "", "+": ""}
            cells: list[Html] = []
            gap = False
            for position, row in enumerate(rows):
                if shown >= self.room or (near is not None and (index, position) not in near):
                    gap, inside = True, {"-": "", "+": ""}
                    continue
                if gap and cells:
                    cells.append(_between("…"))
                gap = False
                shown += 1
                cells.append(self._row(number, file.path, row, language, inside))
                cells += self._notes_at(row, at)
            if cells:
                bodies.append(element("tbody", None, _between(_lines(file.hunks[index])), *cells))
        return bodies, shown

    def _row(self, number: int, path: str, row: Row, language: Language | None, inside: dict[str, str]) -> Html:
        line = NOT_SHOWN if self.redactor.must_redact(path, row.new, row.text) else row.text
        if line is row.text:
            side = "-" if row.sign == "-" else "+"
            shown, inside[side] = coloured(line, language, inside[side])
            if row.sign == " ":
                inside["-"] = inside["+"]
        else:
            shown = element("i", None, line)
        name = None
        if row.new is not None and (path, row.new) in self.wanted:
            name = self.rows[path, row.new] = f"d{number}-{row.new}"
        kind = {"+": "add", "-": "del"}.get(row.sign)
        if row.sign == "+" and row.new in self.missed.get(path, ()):
            kind = "add missed-line"
        opened = (f' id="{name}"' if name else "") + (f' class="{kind}"' if kind else "")
        # The sign comes from the style, so that code is copied without it. All parts are ours, or markup.
        numbers = f"<tr{opened}><td>{row.old or ''}</td><td>{row.new or ''}</td><td>"
        return Html(numbers + shown + "</td></tr>")

    def _notes_at(self, row: Row, at: dict[_Place, list[Finding]]) -> Iterator[Html]:
        for place in row.places:
            if found := at.pop(place, None):
                yield element("tr", {"class": "notes"}, element("td", {"colspan": 3}, self._notes(found)))

    def _notes(self, findings: list[Finding], *, loose: bool = False) -> Html:
        notes = []
        for finding in sorted(findings, key=lambda each: (SEVERITIES.index(each.severity), each.rule)):
            number = self.listing.number(finding)
            if number is None:
                continue
            if len(self.notes) >= MOST_NOTES:
                self.untold += 1
                continue
            self.notes.add(number)
            where = f" (line {finding.line}, not shown in the diff)" if finding.line and loose else ""
            notes.append(
                element(
                    "div",
                    {"class": f"note {finding.severity}", "id": f"c{number}"},
                    element("span", {"class": f"tag {finding.severity}"}, finding.severity),
                    " ",
                    element("b", None, prose(finding.title.rstrip(".") + ".")),
                    " ",
                    prose(finding.message),
                    where,
                    " ",
                    link(f"#f{number}", "Details"),
                )
            )
        return join(notes)


def draw(review: Review, listing: Listing) -> Drawn:
    """Draw the diff of a review with its comments."""
    change = review.pull_request
    by_path: dict[str, list[Finding]] = {}
    for topic in listing.topics:
        for finding in topic.findings:
            if finding.path is not None:
                by_path.setdefault(finding.path, []).append(finding)
    wanted = {(place.path, place.line) for card in review.assessment.checklist for place in card.places if place.line}
    wanted |= {(each.path, each.line) for same in by_path.values() for f in same for each in f.related if each.line}
    files = sorted(change.files, key=lambda file: file.path not in by_path)
    painter = _Painter(review, listing, frozenset(wanted))
    ids: dict[str, str] = {}
    drawn = []
    for number, file in enumerate(files[:MOST_FILES]):
        drawn.append(painter.file(number, file, by_path.get(file.path, [])))
        ids[file.path] = f"d{number}"
    left_out = []
    if painter.cut:
        left_out.append(f"{wording.count(painter.cut, 'line')} of long files")
    if len(files) > MOST_FILES:
        left_out.append(wording.count(len(files) - MOST_FILES, "file"))
    if painter.untold:
        left_out.append(f"{wording.count(painter.untold, 'comment')} (see the list of findings)")
    html = join(drawn) if drawn else NOTHING
    return Drawn(html, ids, painter.rows, frozenset(painter.notes), tuple(left_out))


def _rows(hunk: Hunk) -> Iterator[Row]:
    old, new = hunk.old_start, hunk.new_start
    for line in hunk.lines:
        sign, body = line[:1], line[1:].removesuffix("\r")
        if sign == "+":
            yield Row(sign, None, new, body)
            new += 1
        elif sign == "-":
            yield Row(sign, old, None, body)
            old += 1
        elif sign != "\\":
            yield Row(" ", old, new, body)
            old, new = old + 1, new + 1


def _near(hunks: list[list[Row]], at: dict[_Place, list[Finding]]) -> set[tuple[int, int]]:
    """Return (hunk, row) of the lines with a comment and those around them."""
    near: set[tuple[int, int]] = set()
    for index, rows in enumerate(hunks):
        for position, row in enumerate(rows):
            if any(place in at for place in row.places):
                near.update((index, each) for each in range(position - AROUND, position + AROUND + 1))
    return near


def _lines(hunk: Hunk) -> str:
    last = hunk.new_start + max(hunk.new_count - 1, 0)
    if not hunk.new_count:
        return f"Lines {hunk.old_start} to {hunk.old_start + hunk.old_count - 1} deleted"
    return f"Line {last}" if hunk.new_count == 1 else f"Lines {hunk.new_start} to {last}"


def _between(said: str) -> Html:
    return element("tr", {"class": "between"}, element("td", {"colspan": 3}, said))


def _name(file: ChangedFile) -> Html:
    if file.status in {"renamed", "copied"} and file.old_path:
        return join((path_text(file.old_path), " → ", path_text(file.path)))
    return path_text(file.path)


def _facts(file: ChangedFile, findings: list[Finding]) -> str:
    facts: list[str] = [] if file.status == "modified" else [file.status]
    if file.kind != "text":
        facts.append(file.kind)
    facts.append(f"+{file.added} -{file.removed}")
    if findings:
        facts.append(wording.severity_counts(findings))
    return " · ".join(facts)
