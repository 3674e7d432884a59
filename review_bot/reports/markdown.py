r"""The summary of a review as Markdown; the one place that writes Markdown, and the only user of jinja2.

The template (``templates/summary.md.j2``) holds all markup. What it prints passes through ``show``, which knows three
kinds of value: text of people and code (escaped), ``Code`` (a code span) and ``Link`` (a code span with a
percent-encoded address). A path, a line of code or a message can thus make no link, picture, mention, heading or HTML.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from review_bot.assessment.focus import MOST_SHOWN, CardDrawn
from review_bot.console import disarm
from review_bot.findings import SEVERITY_WORDS, Finding, Severity
from review_bot.late_pattern import LatePattern
from review_bot.reports import wording
from review_bot.reports.outline import Topic, group, outline
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS

LONGEST = 60_000
"""UTF-8 bytes of a summary; GitHub takes 65,536 in a comment."""

SIZES = ((25, 5), (12, 3), (5, 2), (2, 1))
"""(entries of a list, places of an entry): the next pair is tried when the text is too long."""

_LONGEST_NAME = 300

_PUNCTUATION = LatePattern(r"[\\`*_{}\[\]<>#|~&$!^]")
_AT_START = LatePattern(r"^(?:[-+=:]|\d+(?=[.)]))")
# GitHub makes links of these when it reads the finished text, where a backslash is gone; a zero-width space is not.
_LINKING = LatePattern(r"[@#]|(?i:\bGH-)|(?i:www\.)|(?<![A-Za-z0-9])(?i:[a-z0-9]+:)(?=//)|\b[0-9A-Fa-f]{7,}\b")
_SPACE = "\u200b"
_ADDRESS_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:/?#=%-._~&+,")


class Code(str):
    """Text that stands in a code span."""

    __slots__ = ()


class Link(NamedTuple):
    """A code span that leads to an address, if that is one of https."""

    text: Code
    url: str


class Fence(NamedTuple):
    """Lines of code as they are, in a fence that is longer than every run of backticks inside."""

    language: str
    text: str


class Several(tuple[Code, ...]):
    """Code spans with commas between them."""

    __slots__ = ()


class Entry(NamedTuple):
    """One line of a list: what, a path or a rule if it has one, and why."""

    name: str = ""
    subject: Code | None = None
    reason: str = ""


class TopicView(NamedTuple):
    """A topic as the template shows it; ``more``: places that are not listed.

    ``brief``: its text is told elsewhere, so that title and places are enough.
    """

    word: str
    title: str
    text: str
    rule: Link
    instead: str
    places: tuple[Code | Link, ...]
    more: int
    number: int
    files: str
    brief: bool


class CardView(NamedTuple):
    """A card as the template shows it; ``more``: files beside the one that is named."""

    title: str
    questions: str
    place: Code
    more: int
    rules: tuple[Code, ...]


class Section(NamedTuple):
    """Topics and entries below a heading; ``rest``: how many are not shown."""

    heading: str
    topics: tuple[TopicView, ...] = ()
    entries: tuple[Entry, ...] = ()
    rest: int = 0


def render(review: Review) -> str:
    """Return the summary, at most ``LONGEST`` bytes."""
    if said := wording.empty(review):
        return f"## Review Bot\n\n{prose(said)}\n"
    return fitted(
        environment().get_template("summary.md.j2").render,
        lambda entries, places: values(review, Reading(entries, places)),
        SIZES,
        LONGEST,
    )


def fitted(
    write: Callable[[dict[str, Any]], str],
    read: Callable[[int, int], dict[str, Any]],
    sizes: Sequence[tuple[int, int]],
    longest: int,
) -> str:
    """Return the text of the first size that has at most ``longest`` UTF-8 bytes, else that of the last."""
    text = ""
    for entries, places in sizes:
        text = write(read(entries, places)).rstrip("\n") + "\n"
        if len(text.encode()) <= longest:
            break
    return text


def show(value: object) -> str:
    """Return a value of the template as Markdown. Raises TypeError for one that nobody thought of."""
    if isinstance(value, Code):
        return code(value)
    if isinstance(value, Link):
        linked = value.url.startswith("https://")
        return f"[{code(value.text)}]({address(value.url)})" if linked else code(value.text)
    if isinstance(value, Fence):
        ticks = "`" * max(3, max(map(len, re.findall("`+", value.text)), default=0) + 1)
        return f"{ticks}{value.language}\n{value.text}{value.text and chr(10)}{ticks}"
    if isinstance(value, str):
        return prose(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Several):
        return ", ".join(map(show, value))
    raise TypeError(f"the template prints a {type(value).__name__}")


def prose(text: str) -> str:
    """Return text in one line that reads as it is written; what stands between single backticks becomes code."""
    parts = re.split(r"(?<!`)`([^`\n]+)`(?!`)", wording.one_line(text))
    escaped = [code(part) if number % 2 else _escape(part) for number, part in enumerate(parts)]
    return "".join(escaped)


def code(text: str) -> str:
    """Return a code span in one line; its fence is longer than every run of backticks inside."""
    shown = disarm(text).replace("@", "@" + _SPACE)
    if not shown.strip(" "):
        return "(blank)"
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def address(url: str) -> str:
    """Return the destination of a link, with everything else but plain address characters percent-encoded."""
    encoded = (
        char if char in _ADDRESS_SAFE else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
        for char in url
    )
    return "".join(encoded)


def _escape(text: str) -> str:
    shown = _LINKING.sub(lambda match: "".join(f"{part}{_SPACE}" for part in _sixes(match[0])), disarm(text))
    shown = _PUNCTUATION.sub(lambda match: "\\" + match[0], shown)
    return _AT_START.sub(lambda match: match[0] + _SPACE if match[0].isdigit() else "\\" + match[0], shown)


def _sixes(text: str) -> list[str]:
    """Return text in parts of six characters, too short for GitHub to take one for a commit."""
    return [text[start : start + 6] for start in range(0, len(text), 6)]


@cache
def environment() -> Environment:
    """Return the templates of this package; whatever one prints passes through ``show``."""
    # HTML escaping is not enough for Markdown: `show` escapes every value, whatever the template does with it.
    return Environment(  # noqa: S701  # finalize escapes, see above
        loader=FileSystemLoader(os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")),
        finalize=show,
        undefined=StrictUndefined,
    )


def in_editor(finding: Finding) -> Code:
    """Return the place of a finding as editors read it."""
    return name(wording.place(finding))


class Reading(NamedTuple):
    """How much is told, and how places are written; ``brief``: findings whose text is told elsewhere."""

    entries: int
    places: int
    place: Callable[[Finding], Code | Link] = in_editor
    brief: Collection[Finding] = ()


def values(review: Review, reading: Reading) -> dict[str, Any]:
    """Return what the template needs; every text in it is untrusted."""
    base = review.pull_request.base_label
    most = reading.entries
    command = f"review-bot review{' --base ' + wording.revision(base) if base else ''}"
    missing = [Entry(subject=name(entry.path), reason=entry.reason) for entry in review.unreviewed]
    missing += [Entry("rule", name(entry.rule), _failed(entry.path, entry.error)) for entry in review.failures]
    return {
        "decision": DECISION_WORDS[review.verdict.decision].lower(),
        "headline": wording.headline(review),
        "gate": wording.gate(review),
        "time": wording.duration(review.minutes),
        "size": wording.size(review),
        "bases": [Code(wording.revision(label)) for label in (base, _ancestor(review)) if label],
        "sections": [
            _section(review, severity, reading) for severity in ("error", "warning") if _open(review, severity)
        ],
        "missing": missing[:most],
        "missing_rest": max(len(missing) - most, 0),
        "lighter": _lighter(review, reading),
        "counted": _counted(review, reading),
        "cards": [_card(card) for card in review.assessment.checklist[: min(MOST_SHOWN, most)]],
        "aside": _aside(review, most),
        "command": Code(command),
        "listing": Code(f"{command} --format json"),
        "explain": Code("review-bot rules show RULE"),
        "policy": review.policy.source,
        "fail_on": review.verdict.fail_on,
    }


def _ancestor(review: Review) -> str:
    change = review.pull_request
    ancestor = change.merge_base or ""
    return "" if change.base_label is None or ancestor.startswith(change.base_label) else ancestor


def _open(review: Review, *severities: Severity) -> list[Finding]:
    return [
        finding
        for finding in review.findings
        if not finding.moved and not finding.counted and finding.severity in severities
    ]


def _section(review: Review, severity: Severity, reading: Reading) -> Section:
    """Return what must or should be fixed: one topic for each message of a rule, for all that is told elsewhere one."""
    by_text: dict[tuple[str, str], list[Finding]] = {}
    for finding in _open(review, severity):
        key = (finding.rule, "") if finding in reading.brief else ("", finding.message)
        by_text.setdefault(key, []).append(finding)
    topics = [topic for same in by_text.values() for topic in group(same)]
    topics.sort(key=lambda topic: (topic.first.rule, topic.first.path or "", topic.first.line or 0))
    views, told = [], set()
    for view in (_view(topic, reading) for topic in topics[: reading.entries]):
        said = (view.rule, view.instead)
        views.append(view._replace(instead="") if said in told else view)
        told.add(said)
    word = SEVERITY_WORDS[severity]
    return Section(word[0].upper() + word[1:], tuple(views), rest=max(len(topics) - reading.entries, 0))


def _lighter(review: Review, reading: Reading) -> Section:
    """Return what is to be considered, and nits: one topic for each rule."""
    findings = _open(review, "info", "hint")
    topics = group(findings)
    views = tuple(_view(topic, reading) for topic in topics[: reading.entries])
    heading = f"{wording.severity_counts(findings)}; by rule"
    return Section(heading, views, rest=max(len(topics) - reading.entries, 0))


def _counted(review: Review, reading: Reading) -> Section:
    """Return what is counted and not listed: for each rule its title and how often."""
    topics = outline(review).counted
    views = tuple(_view(topic, reading._replace(places=0)) for topic in topics[: reading.entries])
    heading = f"Counted, not listed: {wording.count(sum(len(topic.findings) for topic in topics), 'finding')}"
    return Section(heading, views, rest=max(len(topics) - reading.entries, 0))


def _card(card: CardDrawn) -> CardView:
    return CardView(
        title=card.title,
        questions=" ".join(card.questions),
        place=name(wording.card_place(card)),
        more=card.files - 1,
        rules=tuple(name(rule) for rule in card.findings),
    )


def _aside(review: Review, most_entries: int) -> tuple[Section, ...]:
    """Return what takes no part in the verdict."""
    moved = outline(review).moved
    lists = (
        (f"{wording.count(len(moved), 'finding')} on moved lines", [_finding(finding) for finding in moved]),
        (
            f"{wording.count(len(review.suppressed), 'finding')} suppressed",
            [_finding(entry.finding, f"{entry.by}: {entry.reason}") for entry in review.suppressed],
        ),
        (
            f"{wording.count(len(review.allowed_unreviewed), 'file')} not reviewed, as the configuration allows",
            [Entry(subject=name(entry.path), reason=entry.reason) for entry in review.allowed_unreviewed],
        ),
        (
            f"{wording.count(len(review.not_run), 'rule')} not run",
            [Entry(subject=name(entry.rule), reason=entry.reason) for entry in review.not_run],
        ),
        (
            f"{wording.count(len(review.no_text), 'file')} without text",
            [Entry(subject=name(entry.path), reason=entry.kind) for entry in review.no_text],
        ),
        (
            f"{wording.count(len(review.ignored), 'file')} ignored by the configuration",
            [Entry(subject=name(path)) for path in review.ignored],
        ),
    )
    return tuple(
        Section(heading, entries=tuple(entries[:most_entries]), rest=max(len(entries) - most_entries, 0))
        for heading, entries in lists
        if entries
    )


def _view(topic: Topic, reading: Reading) -> TopicView:
    finding = topic.first
    placed: Sequence[Finding] = [each for each in topic.findings if each.path is not None]
    return TopicView(
        word=SEVERITY_WORDS[finding.severity],
        title=finding.title.rstrip("."),
        text=topic.text,
        rule=Link(name(finding.rule), finding.url),
        instead=finding.instead,
        places=tuple(reading.place(each) for each in placed[: reading.places]),
        more=max(len(placed) - reading.places, 0),
        number=len(topic.findings),
        files=wording.count(topic.files, "file"),
        brief=bool(reading.brief) and all(each in reading.brief for each in topic.findings),
    )


def _finding(finding: Finding, reason: str = "") -> Entry:
    return Entry(wording.place(finding) if finding.path is None else "", name(_at(finding)), reason)


def _at(finding: Finding) -> str:
    return finding.rule if finding.path is None else f"{wording.place(finding)} {finding.rule}"


def _failed(path: str | None, error: str) -> str:
    return f"failed on {path}: {error}" if path else f"failed: {error}"


def name(text: str) -> Code:
    """Return a path or a rule as a code span that is not too long."""
    if len(text) <= _LONGEST_NAME:
        return Code(text)
    half = (_LONGEST_NAME - 3) // 2  # the end of a path says more than its middle
    return Code(f"{text[:half]}...{text[-half:]}")
