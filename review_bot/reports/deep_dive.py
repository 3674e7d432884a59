"""``REVIEW.md``: the whole review to read at leisure, by aspect and by file, with the code in question.

Findings that the summary only counts are listed here, each with its message, reason, fix and places.
The file has at most ``LONGEST`` bytes: of a large review each rule keeps fewer findings in full, and the end says how
many are only in ``report.json``. Lines that hold a credential are never shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from review_bot.advice.merge_criteria import criteria
from review_bot.advice.next_steps import ANY_AREA, next_steps
from review_bot.advice.strengths import strengths
from review_bot.assessment.metrics import effort_minutes
from review_bot.changes.pull_request import ChangedFile
from review_bot.findings import ASPECTS, SEVERITIES, Finding, Related
from review_bot.records import NamedTuple
from review_bot.reports import excerpt, summary_sections, wording
from review_bot.reports.content import measures, snippets
from review_bot.reports.content.fixes import fix_list
from review_bot.reports.content.items import Item
from review_bot.reports.content.overlaps import report_sentences, with_quoted_numbers
from review_bot.reports.content.set_aside import set_aside
from review_bot.reports.content.steps import StepGroup, step_groups
from review_bot.reports.content.topics import Topic, group, group_by_rule
from review_bot.reports.content.unreviewed import unreviewed
from review_bot.reports.deep_dive_files import file_views
from review_bot.reports.markdown import Code, Entry, Fence, Link, Several, entry, environment, fitted, name, prose
from review_bot.review.redaction import redactor
from review_bot.review.review import Review
from review_bot.text.listing import count, first_of
from review_bot.version import VERSION

LONGEST = 400_000
"""UTF-8 bytes; what a browser and GitHub show without a pause."""

SIZES = ((1_000, 12), (300, 5), (120, 3), (60, 2), (20, 1), (5, 1))
"""(entries of a list, findings of a rule in full): the next pair is tried when the text is too long."""

MOST_LINES = 40
"""Lines of a suggestion that are shown."""


MOST_RELATED = 8
MOST_LACKING = 8
PLACES_OF_A_FINDING = 8
"""Further places that are named for each finding shown in full."""


class FindingDetail(NamedTuple):
    """A finding in full; ``text`` is empty where the topic says it for all."""

    where: Code | str
    text: str
    code: Fence | None
    left_out: int
    steps: tuple[Entry, ...]
    related: tuple[Entry, ...]
    suggestion: Fence | None
    suggestion_place: str


class TopicView(NamedTuple):
    """Findings of a rule and severity; ``places`` are those not shown in full, ``more`` those not named."""

    word: str
    title: str
    rule: Link
    number: int
    extent: str
    time: str
    text: str
    why: str
    instead: str
    details: tuple[FindingDetail, ...]
    places: Several
    more: int


class CountedView(NamedTuple):
    """Findings of a rule that other reports only count."""

    title: str
    rule: Link
    number: int
    text: str
    entries: tuple[Entry, ...]
    rest: int


class AspectView(NamedTuple):
    """One aspect: facts about it, what is open, and what other reports only count; ``rest``: rules not shown."""

    title: str
    counts: tuple[int, int, int, int, int]
    facts: tuple[str, ...]
    topics: tuple[TopicView, ...]
    counted: tuple[CountedView, ...]
    rest: int


class ItemList(NamedTuple):
    """Items below a heading; ``rest``: those not shown."""

    heading: str
    entries: tuple[Entry, ...]
    rest: int


def render(review: Review) -> str:
    """Return the document, at most ``LONGEST`` bytes."""
    if said := wording.empty(review):
        return f"# Full review\n\n{prose(said)}\n"
    builder = _ReportBuilder(review)
    return fitted(environment().get_template("deep_dive.md.j2").render, builder.values, SIZES, LONGEST)


class _ReportBuilder:
    """One document in the making."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._hidden = redactor(review)
        self._open = (*review.to_do, *review.counted)

    def values(self, entries: int, full: int) -> dict[str, Any]:
        """Return what the template needs; every text in it is untrusted."""
        review, change = self._review, self._review.pull_request
        plan = next_steps(review)
        found = {finding.aspect for finding in self._open}
        aspects = [*ASPECTS, *sorted(found.difference(ASPECTS))]
        files = file_views(review, entries)
        return {
            "what": _what(review),
            "title": Code(wording.one_line(change.title, 300)) if change.title else None,
            "verdict": wording.verdict(review),
            "gate": wording.gate(review),
            "passed": review.verdict.passed,
            "base": _revisions(review),
            "size": wording.size(review),
            "kinds": _kinds(change.files),
            "areas": "; ".join(area.title for area in review.assessment.areas if area.id != ANY_AREA),
            "plan": plan,
            "time": wording.capital(wording.about(plan.minutes or plan.lighter)),
            "lighter": wording.duration(plan.lighter) if plan.lighter else "",
            "criteria": [
                (wording.capital(line.text), line.met, line.proof or with_quoted_numbers(_listed(line.open)))
                for line in criteria(review)
            ],
            "steps": [_steps(group, entries) for group in step_groups(plan)],
            "measures": [(row.what, row.whole_value, row.target, row.state) for row in measures.rows(review)],
            "good": strengths(review),
            "scores": summary_sections.scorecard_values(review, with_scores=True),
            "aspects": [self._aspect(title, entries, full) for title in aspects if title in found],
            "cards": review.assessment.checklist,
            "card_quotes": {card.id: Code(card.quote) for card in review.assessment.checklist},
            "card_places": {
                card.id: Several(name(wording.path_line(place.path, place.line)) for place in card.places)
                for card in review.assessment.checklist
            },
            "overlaps": [with_quoted_numbers(each) for each in report_sentences(review)[:entries]],
            "files": files,
            "files_rest": len(change.files) - len(files),
            "asides": [_items(kind.heading, kind.entries, entries) for kind in set_aside(review)],
            "missing": _items("Could not be reviewed", unreviewed(review), entries),
            "rules_run": review.rules_run,
            "digest": Code(review.rules_digest[:12]),
            "version": Code(VERSION),
            "report": Code("report.json"),
            "fixes": _fixes(review),
            "skipped": _items("Skipped", fix_list(review).skipped, entries),
            "policy": review.policy.source,
            "fail_on": review.verdict.fail_on,
            "again": Code(wording.export_command(review)),
            "explain": Code("review-bot rules show RULE"),
            "shown_in_full": full,
        }

    def _aspect(self, title: str, entries: int, full: int) -> AspectView:
        mine = [finding for finding in self._open if finding.aspect == title]
        shown = [finding for finding in mine if not finding.counted]
        counted = [finding for finding in mine if finding.counted]
        topics = group(shown)
        also = group_by_rule(counted)
        numbers = [sum(finding.severity == severity for finding in shown) for severity in SEVERITIES]
        return AspectView(
            title,
            (numbers[0], numbers[1], numbers[2], numbers[3], len(counted)),
            measures.facts(title, self._review),
            tuple(self._topic(topic, full) for topic in topics[:entries]),
            tuple(_counted(topic, full * PLACES_OF_A_FINDING) for topic in also[:entries]),
            max(len(topics) - entries, 0) + max(len(also) - entries, 0),
        )

    def _topic(self, topic: Topic, full: int) -> TopicView:
        first, number = topic.first, len(topic.findings)
        same = all(each.message == first.message for each in topic.findings)
        ways = {each.instead for each in topic.findings}
        placed = [each for each in topic.findings if each.path is not None or not same]
        others = [place for each in placed[:full] for place in each.places[1:]]
        others += [place for each in placed[full:] for place in each.places]
        named = others[: full * PLACES_OF_A_FINDING]
        return TopicView(
            word=first.severity,
            title=first.title.rstrip("."),
            rule=Link(name(first.rule), first.url),
            number=number,
            extent=topic.extent,
            time=wording.duration(effort_minutes(topic.findings)),
            text=first.message if same and first.message.rstrip(".") != first.title.rstrip(".") else "",
            why=first.why if first.why not in first.message else "",
            instead=first.instead if len(ways) == 1 else "",
            details=tuple(self._detail(each, with_text=not same, with_instead=len(ways) > 1) for each in placed[:full]),
            places=Several(name(wording.place(each)) for each in named),
            more=len(others) - len(named),
        )

    def _detail(self, finding: Finding, *, with_text: bool, with_instead: bool) -> FindingDetail:
        cut = snippets.cut(self._review, finding, self._hidden)
        text = finding.message if with_text else ""
        if with_instead and finding.instead:
            text = f"{text} Instead: {finding.instead}".strip()
        return FindingDetail(
            where=excerpt.at(finding),
            text=text,
            code=excerpt.around(cut.lines),
            left_out=cut.left_out,
            steps=_path_steps(finding.steps),
            related=_related(finding.see_also),
            suggestion=self._suggestion(finding),
            suggestion_place=wording.suggestion_place(finding),
        )

    def _suggestion(self, finding: Finding) -> Fence | None:
        if finding.suggestion is None or finding.path is None:
            return None
        changes = snippets.change_lines(self._review.pull_request, finding.path, finding.suggestion, self._hidden)
        if not changes or len(changes) > MOST_LINES:
            return None
        return excerpt.change(changes, finding.suggestion.replacement)


def _items(heading: str, items: Sequence[Item], most: int) -> ItemList:
    return ItemList(heading, tuple(map(entry, items[:most])), max(len(items) - most, 0))


def _path_steps(steps: Sequence[Related]) -> tuple[Entry, ...]:
    """Return the steps that lead to a finding, in order."""
    entries = [
        Entry(subject=name(wording.path_line(each.path, each.line)), reason=each.note) for each in steps[:MOST_RELATED]
    ]
    rest = len(steps) - MOST_RELATED
    return (*entries, Entry(f"and {rest} more")) if rest > 0 else tuple(entries)


def _related(places: Sequence[Related]) -> tuple[Entry, ...]:
    """Return other places of a finding; those of one file with one note share an entry."""
    notes: dict[tuple[str, str], list[str]] = {}
    for each in places[:MOST_RELATED]:
        notes.setdefault((each.path, each.note), []).extend([] if each.line is None else [str(each.line)])
    entries = [
        Entry(subject=name(f"{path}:{', '.join(lines)}" if lines else path), reason=note)
        for (path, note), lines in notes.items()
    ]
    rest = len(places) - MOST_RELATED
    return (*entries, Entry(f"and {rest} more")) if rest > 0 else tuple(entries)


def _what(review: Review) -> Code:
    change = review.pull_request
    if change.number is not None:
        return name(f"{change.repository or ''}#{change.number}")
    return (
        name(f"{wording.revision(change.base_label or change.base or 'the base')}..{_head(review)}")
        if change.base or change.base_label
        else Code("diff")
    )


def _head(review: Review) -> str:
    return wording.revision(review.pull_request.head) if review.pull_request.head else "working tree"


def _revisions(review: Review) -> list[Entry]:
    change = review.pull_request
    known = (("Base", change.base_label or change.base), ("Merge base", change.merge_base), ("Head", change.head))
    return [Entry(label, name(wording.revision(revision))) for label, revision in known if revision]


def _kinds(files: Sequence[ChangedFile]) -> str:
    counted: dict[str, int] = {}
    for file in files:
        counted[file.status] = counted.get(file.status, 0) + 1
    return ", ".join(f"{number} {status}" for status, number in sorted(counted.items()))


def _listed(names: Sequence[str]) -> str:
    """Return what a criterion still lacks, in one line."""
    return first_of(names, MOST_LACKING, "; ")


def _steps(group: StepGroup, most: int) -> tuple[str, list[tuple[str, str, Several]]]:
    """Return the heading, and for each step its text, its time and its rules."""
    lines = [
        (
            with_quoted_numbers(f"{step.title}. {step.way}".strip() if step.title else step.text),
            "" if step.minutes is None else wording.duration(step.minutes),
            Several(map(name, step.rules)),
        )
        for step in group.steps[:most]
    ]
    return group.heading, lines


def _counted(topic: Topic, most: int) -> CountedView:
    first = topic.first
    same = all(each.message == first.message for each in topic.findings)
    return CountedView(
        first.title.rstrip("."),
        Link(name(first.rule), first.url),
        len(topic.findings),
        first.message if same else "",
        tuple(_small(each, "" if same else each.message) for each in topic.findings[:most]),
        max(len(topic.findings) - most, 0),
    )


def _small(finding: Finding, text: str) -> Entry:
    return (
        Entry("The whole change", None, text) if finding.path is None else Entry("", name(wording.place(finding)), text)
    )


def _fixes(review: Review) -> str:
    """Return what can be applied as it is, or an empty text."""
    if review.fixes is None or not review.fixes.proven:
        return ""
    number = len(review.fixes.proven)
    return (
        f"{count(number, 'fix', 'fixes')} verified: applying all of them resolves their findings and adds no "
        "new ones. `SUGGESTED_FIXES.md` shows each as a diff; `git apply fixes.patch` or `review-bot fix` applies them."
    )
