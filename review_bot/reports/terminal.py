"""The report for a terminal: what to fix, with the code, then the verdict.

::

    warning  errors/swallowed-exception
    engine/run.py:45:9
      This handler silently discards every exception.

           44 |         step()
      >    45 |     except Exception:
             |     ^^^^^^
           46 |         pass
      Instead: Log it with its traceback, or catch only the exceptions that you expect here.

Nothing depends on colour. A place starts its line and is never cut, so that it can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from review_bot.advice.merge_criteria import criteria
from review_bot.advice.next_steps import next_steps
from review_bot.assessment.review_areas import SelectedQuestion
from review_bot.findings import SEVERITIES
from review_bot.reports import wording
from review_bot.reports.content.set_aside import set_aside
from review_bot.reports.content.topics import Topic, outline
from review_bot.reports.content.unreviewed import unreviewed
from review_bot.reports.terminal_finding import FindingLines, Line, code, crop, prose, wrapped
from review_bot.review.review import Review
from review_bot.review.verdict import Decision
from review_bot.text.console import PLAIN, Span, Terminal, cells, disarm, paint
from review_bot.text.listing import count, first_of

MOST_STEPS = 3
MOST_LISTED = 5
"""Entries of a list that are named; the rest are counted."""

_DECISIONS: dict[Decision, str] = {
    "incomplete": "bold magenta",
    "changes-required": "bold red",
    "comments": "bold yellow",
    "no-findings": "bold",
}


def render(review: Review, terminal: Terminal = PLAIN, *, everything: bool = False) -> str:
    """Return the report for a terminal; the plain one has 80 columns.

    ``everything``: each finding by itself, those too that are only counted otherwise.
    """
    if said := wording.empty(review, mark=""):
        return paint(([Span(line)] for line in wrapped(said, terminal.width, "", "")), terminal)
    return paint(_Page(review, terminal, everything=everything).lines(), terminal)


class _Page:
    """One report in the making; each method yields lines."""

    def __init__(self, review: Review, terminal: Terminal, *, everything: bool) -> None:
        self._review, self._terminal, self._everything = review, terminal, everything
        self._finding_lines = FindingLines(review, terminal)
        self._shown_advice: set[tuple[str, str]] = set()

    def lines(self) -> Iterator[Line]:
        arranged = outline(self._review)
        topics = arranged.of(*SEVERITIES)
        if self._everything:
            every = [each for topic in (*topics, *arranged.counted) for each in topic.findings]
            topics = tuple(Topic((each,)) for each in sorted(every, key=lambda each: each.rank))
        for topic in topics:
            yield from self._topic(topic)
            yield []
        if arranged.counted and not self._everything:
            said = [f"{topic.first.title} ({len(topic.findings)})" for topic in arranged.counted]
            yield from self._prose(f"Minor findings (--all lists them): {', '.join(said)}.", "", hang="  ")
            yield []
        if missing := unreviewed(self._review):
            yield [Span("Could not be reviewed", "bold magenta")]
            for each in missing:
                subject = f"{each.kind} {disarm(each.subject)}".strip()
                yield from self._prose(f"{subject}: {each.reason}", "  ", hang="    ")
            yield []
        cards = self._review.assessment.checklist
        if cards:
            yield [Span("Manual review", "bold")]
            for card in cards:
                yield from self._card(card)
            yield []
        aside = [*self._aside()]
        if aside:
            yield [Span("Set aside", "bold")]
            yield from aside
            yield []
        yield from self._summary()

    def _topic(self, topic: Topic) -> Iterator[Line]:
        """Yield the first finding of a topic with its code and its fix, and the places of the others."""
        finding, number, lines = topic.first, len(topic.findings), self._finding_lines
        yield lines.heading(finding, "" if number == 1 else topic.extent)
        yield [Span(disarm(wording.place(finding)), "bold")]
        yield from self._prose(finding.message, "  ")
        yield from lines.snippet(finding)
        yield from lines.also_at(topic.places[1:])
        yield from lines.steps(finding)
        yield from lines.see_also(finding)
        if finding.instead and (finding.rule, finding.instead) not in self._shown_advice:
            self._shown_advice.add((finding.rule, finding.instead))
            yield from lines.instead(finding)
        yield from lines.suggestion(finding)

    def _card(self, card: SelectedQuestion) -> Iterator[Line]:
        """Yield one line, or two where title and place do not fit together: a place is never cut."""
        place = disarm(wording.card_place(card))
        more = f" and {count(card.files - 1, 'more file', 'more files')}" if card.files > 1 else ""
        if len(card.title) + 4 + cells(place + more) <= self._terminal.width:
            yield [Span(f"  {card.title}: "), Span(place, "dim"), Span(more, "dim")]
        else:
            yield [Span(f"  {card.title}:")]
            yield [Span(f"    {place}", "dim"), Span(more, "dim")]
        yield [Span(f"    {crop(code(card.quote), 0, 0, self._terminal.width - 4)[0]}", "dim")]
        yield from self._prose(card.questions[0], "    ")

    def _aside(self) -> Iterator[Line]:
        for kind in set_aside(self._review):
            entries = [
                f"{disarm(each.subject)} ({each.reason})" if each.reason else disarm(each.subject)
                for each in kind.entries
            ]
            yield from self._prose(f"{kind.heading}: {_listed(entries)}", "  ", hang="    ")

    def _summary(self) -> Iterator[Line]:
        review, change = self._review, self._review.pull_request
        style = _DECISIONS[review.verdict.decision]
        yield from self._prose(wording.verdict(review), "", style=style)
        counts = wording.severity_counts(review.findings)
        if counts:
            yield from self._prose("; ".join(filter(None, (counts, wording.time(review)))), "  ")
        name = "#".join(str(part) for part in (change.repository, change.number) if part is not None)
        what = ", ".join(filter(None, (name, wording.size(review), wording.base(review))))
        ran = "" if review.verdict.decision == "no-findings" else wording.rules_by_language(review)
        yield from self._prose("; ".join(filter(None, (what, ran, wording.effort(review)))), "  ")
        yield from self._coverage()
        yield from self._next()
        gate = "passes" if review.verdict.passed else "fails"
        yield from self._prose(
            f"Gate: {gate} (fail-on: {review.verdict.fail_on}). Policy: {review.policy.source}", "  "
        )
        if review.findings:
            yield from self._prose(
                "More: review-bot explain PATH:LINE (with the same arguments), review-bot rules show RULE",
                "  ",
                hang="    ",
                style="dim",
            )

    def _coverage(self) -> Iterator[Line]:
        """Yield how many added lines a coverage report shows as covered, and some of those that are not."""
        share, coverage = self._review.assessment.metrics.coverage, self._review.context.coverage
        if share is None or share.percent is None or coverage is None:
            return
        said = f"Coverage: {share.percent} % of measurable added lines ({share.part} of {share.whole})"
        missed = [f"{disarm(file.path)}:{wording.line_ranges(file.missed)}" for file in coverage.files if file.missed]
        yield from self._prose(said + (f"; not covered: {_listed(missed)}" if missed else ""), "  ", hang="    ")

    def _next(self) -> Iterator[Line]:
        """Yield what comes first: for the author, if there is a choice, and what this change builds on."""
        steps = [step for step in next_steps(self._review).steps if step.who == "author"]
        if len(steps) > 1:
            first = [f"{step.title} ({wording.duration(step.minutes or 0)})" for step in steps[:MOST_STEPS]]
            yield from self._prose(f"Start with: {'; '.join(first)}", "  ", hang="    ")
        for line in criteria(self._review):
            if line.id == "prerequisites":
                yield from self._prose(f"Builds on {_listed(line.open)}", "  ", hang="    ")

    def _prose(self, text: str, indent: str, *, hang: str | None = None, style: str = "") -> Iterator[Line]:
        return prose(text, self._terminal, indent, hang=hang, style=style)


def _listed(entries: Iterable[str]) -> str:
    return first_of(entries, MOST_LISTED)
