"""One finding in full for a terminal: its rule, its code, and what places hold at each step that leads to it.

::

    warning  errors/none-dereference  None dereference
    engine/run.py:63
      Line 41 tests `mask` for None. Where it is None, its attribute `shape` is taken here all the same.

      >  63 |     return mask.shape
      Steps that lead here:
        1. engine/run.py:41  `mask` is tested for None
             41 | if mask is not None:
           mask: None
        2. engine/run.py:63  here
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from review_bot.findings import Finding, Held, Related
from review_bot.reports import wording
from review_bot.reports.content.snippets import NOT_SHOWN, line_of
from review_bot.reports.terminal_finding import FindingLines, Line, as_prose, code, crop, prose
from review_bot.review.redaction import redactor
from review_bot.review.review import Review
from review_bot.text.console import PLAIN, Span, Terminal, disarm, paint


def render(review: Review, findings: Sequence[Finding], texts: Mapping[str, str], terminal: Terminal = PLAIN) -> str:
    """Return the explanation of findings of a review; ``texts``: those of files at the head that are known, by path."""
    return paint(_Explanation(review, texts, terminal).lines(findings), terminal)


class _Explanation:
    def __init__(self, review: Review, texts: Mapping[str, str], terminal: Terminal) -> None:
        self._review, self._terminal = review, terminal
        self._lines = FindingLines(review, terminal)
        self._hidden = redactor(review)
        self._texts = {path: text.splitlines() for path, text in texts.items()}

    def lines(self, findings: Sequence[Finding]) -> Iterator[Line]:
        for number, finding in enumerate(findings):
            if number:
                yield []
            yield from self._finding(finding)

    def _finding(self, finding: Finding) -> Iterator[Line]:
        lines = self._lines
        yield lines.heading(finding, as_prose(finding.title))
        yield [Span(disarm(wording.place(finding)), "bold")]
        yield from prose(finding.message, self._terminal, "  ")
        yield from lines.snippet(finding, self._texts.get(finding.path or "", []))
        yield from self._steps(finding)
        yield from lines.also_at(finding.places[1:])
        yield from lines.see_also(finding)
        if finding.why:
            yield from prose(f"Why: {finding.why}", self._terminal, "  ")
        if finding.instead:
            yield from lines.instead(finding)
        yield from lines.suggestion(finding)
        yield from prose(f"ID {finding.fingerprint}. Rule: review-bot rules show {finding.rule}", self._terminal, "  ")

    def _steps(self, finding: Finding) -> Iterator[Line]:
        if not finding.steps:
            return
        yield [Span("  Steps that lead here:")]
        for number, step in enumerate(finding.steps, 1):
            note = f"  {as_prose(step.note)}" if step.note else ""
            yield [Span(f"    {number}. "), Span(disarm(wording.path_line(step.path, step.line)), "bold"), Span(note)]
            text = self._code(step)
            if text:
                shown, _ = crop(code(text.strip()), 0, 0, self._terminal.width - 16)
                yield [Span(f"       {step.line:>5}", "dim"), Span(" | ", "dim"), Span(shown)]
            yield from self._held(step.holds or ())
        yield [Span(f"    {len(finding.steps) + 1}. "), Span(disarm(wording.place(finding)), "bold"), Span("  here")]

    def _held(self, holds: Sequence[Held]) -> Iterator[Line]:
        if holds:
            yield from prose("; ".join(f"{each.place}: {each.value}" for each in holds), self._terminal, "       ")

    def _code(self, step: Related) -> str:
        """Return the line of a step, empty if it is not known."""
        known = line_of(self._review.pull_request, step, self._hidden)
        if known.lines:
            return known.lines[0].text
        lines = self._texts.get(step.path, [])
        text = lines[step.line - 1] if step.line is not None and step.line <= len(lines) else ""
        return NOT_SHOWN if self._hidden.must_redact(step.path, step.line, text) else text
