"""The lines about one finding in a terminal: heading, code, the steps that lead to it, related places, the fix.

Nothing depends on colour. A place is never cut, so that it can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from review_bot.findings import Finding, Severity
from review_bot.reports import wording
from review_bot.reports.content import snippets
from review_bot.review.redaction import redactor
from review_bot.review.review import Review
from review_bot.text.console import Span, Terminal, cells, disarm
from review_bot.text.listing import count

Line = list[Span]

WIDEST_PROSE = 100
MOST_RELATED = 5
MOST_PLACE_LINES = 3
MOST_PATH_STEPS = 8
"""Steps that lead to a finding."""

STYLES: Mapping[Severity, str] = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "hint": "bold blue",
}


class FindingLines:
    """Makes the lines about findings of a review; each method yields some of them."""

    def __init__(self, review: Review, terminal: Terminal) -> None:
        self._review, self._change, self._terminal = review, review.pull_request, terminal
        self._hidden = redactor(review)

    def heading(self, finding: Finding, tail: str) -> Line:
        """Return severity, rule and ``tail`` in one line."""
        link = finding.url if finding.url.startswith("https://") and finding.url.isprintable() else ""
        line = [
            Span(finding.severity, STYLES[finding.severity]),
            Span("  "),
            Span(disarm(finding.rule), "", link),
        ]
        return [*line, Span(f"  {tail}")] if tail else line

    def steps(self, finding: Finding) -> Iterator[Line]:
        """Yield the steps that lead to a finding, in order, each with its place."""
        if finding.steps:
            yield [Span("  Steps that lead here:")]
        for number, step in enumerate(finding.steps[:MOST_PATH_STEPS], 1):
            note = f"  {as_prose(step.note)}" if step.note else ""
            yield [Span(f"    {number}. "), Span(disarm(wording.path_line(step.path, step.line)), "bold"), Span(note)]
        if len(finding.steps) > MOST_PATH_STEPS:
            yield [Span(f"    and {len(finding.steps) - MOST_PATH_STEPS} more")]

    def see_also(self, finding: Finding) -> Iterator[Line]:
        """Yield the related places of a finding that are no steps."""
        related = finding.see_also
        for each in related[:MOST_RELATED]:
            note = f" ({as_prose(each.note)})" if each.note else ""
            yield [Span("  See "), Span(disarm(wording.path_line(each.path, each.line)), "bold"), Span(note)]
        if len(related) > MOST_RELATED:
            yield [Span(f"  and {len(related) - MOST_RELATED} more")]

    def also_at(self, findings: Sequence[Finding]) -> Iterator[Line]:
        """Yield a few lines with as many places as fit; none if there are no findings."""
        indent, lines, rest = "    ", ["Also at"], len(findings)
        for finding in findings:
            place = disarm(wording.place(finding))
            more = f" and {rest - 1} more" if rest > 1 else ""
            longer = f"{lines[-1]}{'' if lines[-1] == 'Also at' else ','} {place}".lstrip(", ")
            last = len(lines) == MOST_PLACE_LINES
            if lines[-1] and len(indent) + cells(longer + (more if last else ",")) > self._terminal.width:
                if last:
                    fits = len(indent) + cells(lines[-1]) + len(f" and {rest} more") <= self._terminal.width
                    lines[-1:] = [f"{lines[-1]} and {rest} more"] if fits else [lines[-1], f"and {rest} more"]
                    break
                lines.append(place)
            else:
                lines[-1] = longer
            rest -= 1
        for number, line in enumerate(lines if findings else ()):
            yield [Span((indent if number else "  ") + line, "dim")]

    def instead(self, finding: Finding) -> Iterator[Line]:
        """Yield what to do instead."""
        for number, line in enumerate(prose(f"Instead: {finding.instead}", self._terminal, "  ")):
            yield line if number else [Span("  "), Span("Instead:", "green"), Span(line[0].text[10:])]

    def snippet(self, finding: Finding, head: Sequence[str] = ()) -> Iterator[Line]:
        """Yield the code of a finding between its neighbours. ``head``: the lines of its file, if they are known."""
        cut = snippets.cut(self._review, finding, self._hidden, head)
        if not cut.lines:
            return
        margin = _margin(line.text for line in cut.lines)
        digits = max(3, len(str(cut.lines[-1].number)))
        room = max(self._terminal.width - digits - 7, 20)
        yield []
        sign = ">" if finding.side == "RIGHT" else "-"
        for number, text, marked in cut.lines:
            pointed = marked and number == finding.line and finding.end_line in {None, number}
            start, end = _marked_cells(text, margin, finding) if pointed else (0, 0)
            shown, shift = crop(code(text[margin:]), start, end, room)
            style = STYLES[finding.severity] if marked else "dim"
            yield [
                Span(f"  {sign if marked else ' '} {number:>{digits}}", style),
                Span(" | ", "dim"),
                Span(shown, "" if marked else "dim"),
            ]
            if end > start:
                width = max(min(end - shift, room) - (start - shift), 1)
                yield [
                    Span(f"    {'':>{digits}} | ", "dim"),
                    Span(" " * (start - shift) + "^" * width, STYLES[finding.severity]),
                ]
        if cut.left_out:
            yield [Span(f"    {'':>{digits}} | ... {count(cut.left_out, 'more line')}", "dim")]

    def suggestion(self, finding: Finding) -> Iterator[Line]:
        """Yield the suggestion of a finding as a small diff."""
        if finding.suggestion is None or finding.path is None:
            return
        changes = snippets.change_lines(self._change, finding.path, finding.suggestion, self._hidden)
        if not changes:
            return
        margin = _margin(text for _, text in changes)
        styles = {"-": "red", "+": "green", " ": "dim"}
        yield [Span("  "), Span(f"Suggestion{wording.suggestion_place(finding)}:", "green")]
        for sign, text in changes:
            shown, _ = crop(code(text[margin:]), 0, 0, self._terminal.width - 6)
            yield [Span(f"    {sign} {shown}", styles[sign])]


def prose(text: str, terminal: Terminal, indent: str, *, hang: str | None = None, style: str = "") -> Iterator[Line]:
    """Yield a text in lines of whole words."""
    width = min(terminal.width, WIDEST_PROSE)
    for line in wrapped(as_prose(text), width, indent, indent if hang is None else hang):
        yield [Span(line, style)]


def as_prose(text: str) -> str:
    """Return a text of one line that a terminal may print."""
    return disarm(wording.one_line(text))


def code(text: str) -> str:
    """Return a line of code that a terminal may print."""
    return disarm(text.replace("\t", "    "))


def wrapped(text: str, width: int, indent: str, hang: str) -> Iterator[str]:
    """Yield lines of whole words; a word that is too long for a line gets one of its own."""
    line, used = indent, cells(indent)
    empty = True
    for word in text.split(" "):
        size = cells(word)
        if not empty and used + 1 + size > width:
            yield line
            line, used, empty = hang, cells(hang), True
        line += word if empty else f" {word}"
        used += size + (not empty)
        empty = False
    yield line


def _margin(lines: Iterable[str]) -> int:
    """Return how many leading blanks (or tabs) all lines share that are not blank; they are not shown."""
    filled = [line for line in lines if line.strip(" \t")]
    shortest = min((len(line) - len(line.lstrip(" \t")) for line in filled), default=0)
    return shortest if len({line[:shortest] for line in filled}) == 1 else 0


def _marked_cells(text: str, margin: int, finding: Finding) -> tuple[int, int]:
    """Return from which cell to which one (excluded) a line is marked; nothing if that is the whole line."""
    if finding.column is None or finding.end_column is None:
        return 0, 0
    start, end = finding.column - 1, finding.end_column - 1
    if start < margin or not text[start:end].strip() or not (text[:start].strip() or text[end:].strip()):
        return 0, 0
    return cells(code(text[margin:start])), cells(code(text[margin:end]))


def crop(text: str, start: int, end: int, room: int) -> tuple[str, int]:
    """Return what of a line fits in ``room`` cells so that ``start`` is seen, and how far it moved to the left."""
    if cells(text) <= room:
        return text, 0
    shift = 0
    if end > room - 3:
        shift = max(0, min(start - room // 4, end - room + 6))
    kept, position = [], 0
    for char in text:
        size = cells(char)
        if position >= shift:
            if position + size > shift + room - 3:
                kept.append("...")
                break
            kept.append(char)
        position += size
    shown = "".join(kept)
    return (f"...{shown[3:]}" if shift else shown), shift
