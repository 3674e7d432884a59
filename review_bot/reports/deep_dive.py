"""``REVIEW.md``: the whole review to read at leisure, by aspect and by file, with the code in question.

What the summary counts is listed here, and each finding tells what, why it matters, what to do instead, and where.
The file has at most ``LONGEST`` bytes: of a large review each rule keeps fewer findings in full, and the end says how
many are told elsewhere. Lines that hold a credential are never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from review_bot.advice.definitions import Definition, definitions
from review_bot.advice.merge_criteria import criteria
from review_bot.advice.next_steps import Step, next_steps
from review_bot.advice.strengths import strengths
from review_bot.assessment.metrics import effort_minutes
from review_bot.changes.pull_request import ChangedFile
from review_bot.findings import ASPECTS, SEVERITIES, Finding, Related
from review_bot.reports import excerpt, measures, outlook, snippet, wording
from review_bot.reports.around import neighbour_sentences, with_quoted_numbers
from review_bot.reports.markdown import Code, Entry, Fence, Link, Several, environment, fitted, name, prose
from review_bot.reports.outline import Topic, group
from review_bot.review.redaction import redactor
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS
from review_bot.version import VERSION

LONGEST = 400_000
"""UTF-8 bytes; what a browser and GitHub show without a pause."""

SIZES = ((1_000, 12), (300, 5), (120, 3), (60, 2), (20, 1), (5, 1))
"""(entries of a list, findings of a rule in full): the next pair is tried when the text is too long."""

MOST_LINES = 40
"""Lines of a suggestion that are shown."""

T = TypeVar("T")

EVERYWHERE = "any"
"""The area of all code, which tells nothing of a file."""

MOST_RELATED = 8
MOST_NAMES = 12
MOST_LACKING = 8
PLACES_OF_A_FINDING = 8
"""Further places that are named for each finding told in full."""


class Told(NamedTuple):
    """A finding in full; ``text`` is empty where the topic says it for all."""

    where: Code | str
    text: str
    code: Fence | None
    left_out: int
    related: tuple[Entry, ...]
    suggestion: Fence | None


class TopicView(NamedTuple):
    """Findings of a rule that weigh the same; ``places`` are those not told in full, ``more`` those not named."""

    word: str
    title: str
    rule: Link
    number: int
    files: str
    time: str
    text: str
    why: str
    instead: str
    told: tuple[Told, ...]
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


class FileView(NamedTuple):
    """One changed file."""

    path: Code
    said: str
    areas: str
    owners: Several
    tests: Several
    touched: tuple[tuple[str, Several, int], ...]
    entries: tuple[Entry, ...]
    rest: int
    small: int


class Aside(NamedTuple):
    """Something that takes no part in the verdict; ``rest``: entries not shown."""

    heading: str
    entries: tuple[Entry, ...]
    rest: int


def render(review: Review) -> str:
    """Return the document, at most ``LONGEST`` bytes."""
    if said := wording.empty(review):
        return f"# Full review\n\n{prose(said)}\n"
    book = _Book(review)
    return fitted(environment().get_template("deep_dive.md.j2").render, book.values, SIZES, LONGEST)


class _Book:
    """One document in the making."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._hidden = redactor(review)
        self._open = review.open
        self._here = _by_path((finding.path, finding) for finding in self._open)
        areas = [area for area in review.assessment.areas if area.id != EVERYWHERE]
        self._areas = _by_path((path, area.title) for area in areas for path in area.paths)
        around = review.context
        owned = () if around.owners is None else around.owners.owned
        self._owners = _by_path((path, owner) for each in owned for path in each.paths for owner in each.owners)
        self._tests = _by_path((path, each.path) for each in around.tests or () for path in each.covers)

    def values(self, entries: int, full: int) -> dict[str, Any]:
        """Return what the template needs; every text in it is untrusted."""
        review, change = self._review, self._review.pull_request
        plan = next_steps(review)
        found = {finding.aspect for finding in self._open}
        aspects = [*ASPECTS, *sorted(found.difference(ASPECTS))]
        files = _heaviest(change.files, self._open, entries)
        return {
            "what": _what(review),
            "title": Code(wording.one_line(change.title, 300)) if change.title else None,
            "decision": DECISION_WORDS[review.verdict.decision],
            "reasons": _capital(wording.reasons(review)),
            "gate": wording.gate(review),
            "passed": review.verdict.passed,
            "base": _revisions(review),
            "size": wording.size(review),
            "kinds": _kinds(change.files),
            "areas": "; ".join(area.title for area in review.assessment.areas if area.id != EVERYWHERE),
            "plan": plan,
            "time": _capital(wording.about(plan.minutes or plan.lighter)),
            "lighter": wording.duration(plan.lighter) if plan.lighter else "",
            "criteria": [
                (_capital(line.text), line.met, with_quoted_numbers(_listed(line.open))) for line in criteria(review)
            ],
            "steps": _steps(plan.steps, entries),
            "measures": [(row.what, row.whole_value, row.target, row.state) for row in measures.rows(review)],
            "good": strengths(review),
            "scores": outlook.scorecard_values(review),
            "aspects": [self._aspect(title, entries, full) for title in aspects if title in found],
            "nothing_in": ", ".join(title for title in aspects if title not in found),
            "cards": review.assessment.checklist,
            "card_places": {
                card.id: Several(_at(place.path, place.line) for place in card.places)
                for card in review.assessment.checklist
            },
            "neighbours": [with_quoted_numbers(each) for each in neighbour_sentences(review)[:entries]],
            "files": [self._file(file, entries) for file in files],
            "files_rest": len(change.files) - len(files),
            "asides": self._asides(entries),
            "missing": _missing(review, entries),
            "rules_run": review.rules_run,
            "digest": Code(review.rules_digest[:12]),
            "version": Code(VERSION),
            "report": Code("report.json"),
            "fixes": _fixes(review),
            "held": _held(review, entries),
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
        also = group([finding._replace(severity="hint") for finding in counted])
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
        others = placed[full:]
        named = others[: full * PLACES_OF_A_FINDING]
        return TopicView(
            word=first.severity,
            title=first.title.rstrip("."),
            rule=Link(name(first.rule), first.url),
            number=number,
            files=wording.count(topic.files, "file"),
            time=wording.duration(effort_minutes(topic.findings)),
            text=first.message if same and first.message.rstrip(".") != first.title.rstrip(".") else "",
            why=first.why if first.why not in first.message else "",
            instead=first.instead if len(ways) == 1 else "",
            told=tuple(self._told(each, with_text=not same, with_instead=len(ways) > 1) for each in placed[:full]),
            places=Several(name(wording.place(each)) for each in named),
            more=len(others) - len(named),
        )

    def _told(self, finding: Finding, *, with_text: bool, with_instead: bool) -> Told:
        cut = snippet.cut(self._review.pull_request, finding, self._hidden)
        text = finding.message if with_text else ""
        if with_instead and finding.instead:
            text = f"{text} Instead: {finding.instead}".strip()
        return Told(
            where=excerpt.at(finding),
            text=text,
            code=excerpt.around(cut.lines),
            left_out=cut.left_out,
            related=_related(finding.related),
            suggestion=self._suggestion(finding),
        )

    def _suggestion(self, finding: Finding) -> Fence | None:
        if finding.suggestion is None or finding.path is None:
            return None
        changes = snippet.change_lines(self._review.pull_request, finding.path, finding.suggestion, self._hidden)
        if not changes or len(changes) > MOST_LINES:
            return None
        return excerpt.change(changes, finding.suggestion.replacement)

    def _file(self, file: ChangedFile, entries: int) -> FileView:
        path = file.path
        here = self._here.get(path, [])
        mine = sorted((each for each in here if not each.counted), key=lambda each: (each.line or 0, each.rule))
        was = f" from {file.old_path}" if file.old_path not in {None, path} else ""
        size = f"+{file.added} -{file.removed}" if file.kind == "text" else file.kind
        return FileView(
            path=name(path),
            said=f"{file.status.capitalize()}{was}, {size}",
            areas="; ".join(self._areas.get(path, [])),
            owners=Several(map(name, self._owners.get(path, [])[:MOST_NAMES])),
            tests=Several(map(name, self._tests.get(path, [])[:MOST_NAMES])),
            touched=_touched(definitions(file)),
            entries=tuple(
                Entry(_line(each), name(each.rule), f"{each.severity}: {each.title.rstrip('.')}")
                for each in mine[:entries]
            ),
            rest=max(len(mine) - entries, 0),
            small=len(here) - len(mine),
        )

    def _asides(self, entries: int) -> list[Aside]:
        review = self._review
        moved = review.moved
        lists = (
            (
                "Suppressed, with reasons",
                [_silenced(each.finding, each.by, each.reason) for each in review.suppressed],
            ),
            ("On moved lines", [_finding(each, each.title.rstrip(".")) for each in moved]),
            (
                "Not reviewed, allowed by the configuration",
                [Entry(subject=name(each.path), reason=each.reason) for each in review.allowed_unreviewed],
            ),
            ("Ignored by the configuration", [Entry(subject=name(path)) for path in review.examination.ignored]),
            (
                "Files without text",
                [Entry(subject=name(each.path), reason=each.kind) for each in review.examination.no_text],
            ),
            (
                "Rules not run",
                [Entry(subject=name(each.rule), reason=each.reason) for each in review.examination.not_run],
            ),
        )
        return [Aside(heading, tuple(all_[:entries]), max(len(all_) - entries, 0)) for heading, all_ in lists if all_]


def _related(places: Sequence[Related]) -> tuple[Entry, ...]:
    """Return other places of a finding; those of one file with one note share an entry."""
    told: dict[tuple[str, str], list[str]] = {}
    for each in places[:MOST_RELATED]:
        told.setdefault((each.path, each.note), []).extend([] if each.line is None else [str(each.line)])
    entries = [
        Entry(subject=name(f"{path}:{', '.join(lines)}" if lines else path), reason=note)
        for (path, note), lines in told.items()
    ]
    rest = len(places) - MOST_RELATED
    return (*entries, Entry(f"and {rest} more")) if rest > 0 else tuple(entries)


def _by_path(pairs: Iterable[tuple[str | None, T]]) -> dict[str | None, list[T]]:
    found: dict[str | None, list[T]] = {}
    for path, value in pairs:
        found.setdefault(path, []).append(value)
    return found


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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(names: Sequence[str]) -> str:
    """Return what a criterion still lacks, in one line."""
    rest = len(names) - MOST_LACKING
    return "; ".join(names[:MOST_LACKING]) + (f"; and {rest} more" if rest > 0 else "")


def _steps(steps: Sequence[Step], most: int) -> list[tuple[str, list[tuple[str, str, Several]]]]:
    """Return what is to be done by whom: a heading, and for each step its text, its time and its rules."""
    headings = {
        ("author", "now"): "Author, quick fixes (at most 15 min each)",
        ("author", "then"): "Author, longer fixes",
        ("reviewers", ""): "Reviewers",
        ("maintainers", ""): "Maintainers",
    }
    if not any(step.when == "now" for step in steps):
        headings["author", "then"] = "Author"
    found = []
    for key, heading in headings.items():
        mine = [
            (
                with_quoted_numbers(f"{step.title}. {step.way}".strip() if step.title else step.text),
                "" if step.minutes is None else wording.duration(step.minutes),
                Several(map(name, step.rules)),
            )
            for step in steps
            if (step.who, step.when) == key
        ]
        if mine:
            found.append((heading, mine[:most]))
    return found


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


def _touched(found: Sequence[Definition]) -> tuple[tuple[str, Several, int], ...]:
    """Return (verb, names, how many more) of what is added, changed and removed."""
    told = []
    for verb, touch in (("Adds", "added"), ("Changes", "changed"), ("Removes", "removed")):
        names = [each.name for each in found if each.touch == touch]
        if names:
            told.append((verb, Several(map(name, names[:MOST_NAMES])), max(len(names) - MOST_NAMES, 0)))
    return tuple(told)


def _heaviest(files: Sequence[ChangedFile], findings: Iterable[Finding], most: int) -> list[ChangedFile]:
    """Return the files to show, in their order: where not all fit, those with the gravest and most findings."""
    if len(files) <= most:
        return list(files)
    weights: dict[str | None, tuple[int, int]] = {}
    for finding in findings:
        gravest, number = weights.get(finding.path, (len(SEVERITIES), 0))
        weights[finding.path] = (min(gravest, SEVERITIES.index(finding.severity)), number - 1)
    ranked = sorted(files, key=lambda file: (weights.get(file.path, (len(SEVERITIES), 0)), -file.added - file.removed))
    kept = {file.path for file in ranked[:most]}
    return [file for file in files if file.path in kept]


def _missing(review: Review, most: int) -> Aside:
    entries = [Entry(subject=name(each.path), reason=each.reason) for each in review.unreviewed]
    for failure in review.examination.failures:
        where = f" on {failure.path}" if failure.path else ""
        entries.append(Entry("rule", name(failure.rule), f"failed{where}: {failure.error}"))
    return Aside("Could not be reviewed", tuple(entries[:most]), max(len(entries) - most, 0))


def _fixes(review: Review) -> str:
    """Return what can be applied as it is, or an empty text."""
    if review.fixes is None or not review.fixes.proven:
        return ""
    number = len(review.fixes.proven)
    return (
        f"{wording.count(number, 'fix', 'fixes')} verified: applying all of them resolves their findings and adds no "
        "new ones. `SUGGESTED_FIXES.md` shows each as a diff; `git apply fixes.patch` or `review-bot fix` applies them."
    )


def _held(review: Review, most: int) -> Aside:
    held = () if review.fixes is None else review.fixes.held
    known = {finding.fingerprint: finding for finding in review.findings}
    entries = tuple(
        Entry(subject=name(f"{wording.fix_place(each.fix, known)} {each.fix.rule}"), reason=each.reason)
        for each in held[:most]
    )
    return Aside("Skipped", entries, max(len(held) - most, 0))


def _silenced(finding: Finding, by: str, reason: str) -> Entry:
    words = {"comment": "by a comment", "baseline": "by the baseline", "noqa": "by noqa"}[by]
    return _finding(finding, f"{words}: {reason}" if reason else f"{words}, without a reason")


def _finding(finding: Finding, reason: str) -> Entry:
    return Entry("", name(finding.rule if finding.path is None else f"{wording.place(finding)} {finding.rule}"), reason)


def _line(finding: Finding) -> str:
    if finding.line is None:
        return "The file"
    return f"Deleted line {finding.line}" if finding.side == "LEFT" else f"Line {finding.line}"


def _at(path: str, line: int | None) -> Code:
    return name(path if line is None else f"{path}:{line}")
