"""The summary of a review: its parts, one template each, in the order that the repository chose.

::

    head        decision, counts, size; what could not be reviewed; always there
    unfolded    must-fix, should-fix, tests, and what the change builds on: ``MOST_LINES`` lines with the rest folded
    folded      everything else, a line each

Findings of must-fix and should-fix that do not fit in these lines go into a fold below them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from review_bot.findings import SEVERITY_WORDS, Finding, Severity
from review_bot.records import NamedTuple
from review_bot.reports import summary_sections, wording
from review_bot.reports.content.set_aside import set_aside
from review_bot.reports.content.topics import Topic, group, outline
from review_bot.reports.content.unreviewed import unreviewed
from review_bot.reports.markdown import LONGEST, SIZES, Code, Entry, Link, entry, environment, fitted, name, prose
from review_bot.review.review import Review
from review_bot.text.lazy_regex import LazyRegex

MOST_LINES = 25
"""Lines of a summary that a reader sees at first; a fold is one."""

LEAST_TOPICS = 3
"""Topics of errors and warnings that are never folded."""

MOST_UNREVIEWED = 6
"""Files that could not be reviewed, and are named unfolded."""

MOST_BY_RULE = 12
"""Topics of a part that are shown rule by rule; of more, one of each rule comes first."""

MISSING_MODULE = "api/missing-module-import"
"""The rule whose findings about modules of one package have one cause."""

MOST_MODULES = 6
"""Missing modules that one topic names."""

_NAMED = LazyRegex(r"`([^`]+)`")


class TopicView(NamedTuple):
    """A topic as the template shows it; ``more``: places that are not listed.

    ``brief``: its text is shown elsewhere, so title and places are enough.
    """

    word: str
    title: str
    text: str
    rule: Link
    instead: str
    places: tuple[Code | Link, ...]
    more: int
    number: int
    extent: str
    brief: bool


class Section(NamedTuple):
    """Topics and entries below a heading; ``rest``: how many are not shown. ``folded``: topics in a fold below."""

    heading: str
    topics: tuple[TopicView, ...] = ()
    entries: tuple[Entry, ...] = ()
    rest: int = 0
    folded: tuple[TopicView, ...] = ()


def in_editor(finding: Finding) -> Code:
    """Return the place of a finding as editors read it."""
    return name(wording.place(finding))


class RenderOptions(NamedTuple):
    """How much is shown, and how places are written.

    ``brief``: findings whose text is shown elsewhere.
    """

    entries: int
    places: int
    place: Callable[[Finding], Code | Link] = in_editor
    brief: Collection[Finding] = ()


def render(review: Review) -> str:
    """Return the summary for the person who ran the review, at most ``LONGEST`` bytes."""
    if said := wording.empty(review):
        return f"## Review Bot\n\n{prose(said)}\n"
    return fitted(
        lambda given: written(review, given, MOST_LINES),
        lambda entries, places: values(review, RenderOptions(entries, places)) | _PLAIN,
        SIZES,
        LONGEST,
    )


_PLAIN: dict[str, Any] = {
    "label": "",
    "since": None,
    "ledger": None,
    "banner": (),
    "problems": (),
    "notices": (),
    "held": (),
    "posted": False,
    "policy_sha": None,
    "again": None,
    "accept": None,
    "reply": None,
    "ids": (),
}
"""What only a run on GitHub knows."""


def written(review: Review, given: Mapping[str, Any], most_lines: int | None) -> str:
    """Return the text of the chosen parts; topics go into the fold of their part until the unfolded lines fit."""
    order = review.policy.layout.order
    text = _composed(order, given)
    while most_lines is not None and (over := unfolded_lines(text) - most_lines) > 0:
        room = sum(len(section.topics) for section in given["found"].values()) - LEAST_TOPICS
        part = next((part for part in ("should-fix", "must-fix") if given["found"][part].topics), None)
        if part is None or room <= 0:
            break
        section = given["found"][part]
        shown = list(section.topics)
        folded: list[TopicView] = []
        while shown and over > 0 and room > 0:
            topic = shown.pop(_least_missed(shown))
            over -= _lines(topic)
            room -= 1
            folded.insert(0, topic)
        section = section._replace(topics=tuple(shown), folded=(*folded, *section.folded))
        given = {**given, "found": {**given["found"], part: section}}
        text = _composed(order, given)
    return text


def _least_missed(shown: Sequence[TopicView]) -> int:
    """Return the position of the last topic whose rule an earlier one names as well; else of the last topic."""
    rules = [topic.rule for topic in shown]
    repeated = [position for position, rule in enumerate(rules) if rule in rules[:position]]
    return repeated[-1] if repeated else len(shown) - 1


def unfolded_lines(text: str) -> int:
    """Return how many lines of a summary are seen before anything is unfolded; a fold is one, an empty line none."""
    return len(first_screen(text).split("\n"))


def first_screen(text: str) -> str:
    """Return what is seen of a summary before anything is unfolded, without empty lines and hidden comments."""
    first, *folds = text.split("<details>\n<summary>")
    shown = [first]
    for fold in folds:
        title, _, contents = fold.partition("</summary>")
        shown += [title, contents.partition("</details>")[2]]
    first, *hidden = "".join(shown).split("<!--")
    visible = first + "".join(each.partition("-->")[2] for each in hidden)
    return "\n".join(line for line in visible.split("\n") if line.strip())


def _composed(order: Sequence[str], given: Mapping[str, Any]) -> str:
    parts = (environment().get_template(f"summary/{part}.md.j2").render(given) for part in ("head", *order, "foot"))
    return "\n\n".join(part for part in (each.strip("\n") for each in parts) if part)


def _lines(topic: TopicView) -> int:
    return 1 + (not topic.brief) * (1 + bool(topic.instead))


def values(review: Review, options: RenderOptions) -> dict[str, Any]:
    """Return what the templates need; every text in it is untrusted."""
    most, command = options.entries, wording.local_command(review)
    missing = [entry(each) for each in unreviewed(review)]
    layout = review.policy.layout
    return {
        "decision": wording.decision(review).lower(),
        "headline": wording.headline(review),
        "reach": wording.capital(wording.reach(review)),
        "gate": wording.gate(review),
        "size": wording.size(review),
        "time": wording.time(review),
        "effort": wording.effort(review),
        "bases": [
            Code(wording.revision(label)) for label in (review.pull_request.base_label, _ancestor(review)) if label
        ],
        "intro": layout.intro,
        "outro": layout.outro,
        "missing": missing[: min(most, MOST_UNREVIEWED)],
        "missing_folded": missing[MOST_UNREVIEWED:most],
        "missing_rest": max(len(missing) - most, 0),
        "found": {
            "must-fix": _section(review, "error", options),
            "should-fix": _section(review, "warning", options),
        },
        "lighter": _lighter(review, options),
        "counted": _counted(review, options),
        "aside": _aside(review, most),
        "command": Code(command),
        "listing": Code(f"{command} --all"),
        "explain": Code("review-bot rules show RULE"),
        "policy": review.policy.source,
        "fail_on": review.verdict.fail_on,
        **summary_sections.criteria_values(review),
        **summary_sections.overlap_values(review),
        **summary_sections.steps_values(review),
        **summary_sections.tests_values(review),
        **summary_sections.checklist_values(review, most),
        **summary_sections.scorecard_values(review, with_scores=review.policy.scorecard == "on"),
        **summary_sections.fixes_values(review, most),
    }


def _ancestor(review: Review) -> str:
    change = review.pull_request
    ancestor = change.merge_base or ""
    return "" if change.base_label is None or ancestor.startswith(change.base_label) else ancestor


def _open(review: Review, *severities: Severity) -> list[Finding]:
    return [each for each in review.to_do if each.severity in severities]


def _section(review: Review, severity: Severity, options: RenderOptions) -> Section:
    """Return the errors or warnings: one topic for each message of a rule, one for all that is shown elsewhere."""
    by_text: dict[tuple[str, str], list[Finding]] = {}
    for finding in _open(review, severity):
        if finding in options.brief:
            key = (finding.rule, "")
        elif finding.rule == MISSING_MODULE:
            key = (finding.rule, _named_in(finding.message).partition(".")[0])
        else:
            key = ("", finding.message)
        by_text.setdefault(key, []).append(finding)
    topics = [topic for same in by_text.values() for topic in group(same)]
    topics.sort(key=lambda topic: (topic.first.rule, topic.first.path or "", topic.first.line or 0))
    if len(topics) > MOST_BY_RULE:
        topics = _each_rule_first(topics)
    views, shown_ways = [], set()
    for view in (_view(topic, options) for topic in topics[: options.entries]):
        said = (view.rule, view.instead)
        views.append(view._replace(instead="") if said in shown_ways else view)
        shown_ways.add(said)
    heading = f"{severity.capitalize()}s ({SEVERITY_WORDS[severity]})"
    return Section(heading, tuple(views), rest=max(len(topics) - options.entries, 0))


def _each_rule_first(topics: Sequence[Topic]) -> list[Topic]:
    """Put one topic of each rule before the others, so that a rule with many hides none that has few."""
    seen: set[str] = set()
    first: list[Topic] = []
    others: list[Topic] = []
    for topic in topics:
        (others if topic.first.rule in seen else first).append(topic)
        seen.add(topic.first.rule)
    return [*first, *others]


def _text(topic: Topic) -> str:
    """Return the text of a topic; missing modules of one package are named together."""
    modules = sorted({_named_in(finding.message) for finding in topic.findings})
    if topic.first.rule != MISSING_MODULE or len(modules) < 2:
        return topic.text
    named = ", ".join(f"`{module}`" for module in modules[:MOST_MODULES])
    more = f" and {len(modules) - MOST_MODULES} more" if len(modules) > MOST_MODULES else ""
    return f"{len(modules)} modules do not exist in this repository at the head of this change: {named}{more}."


def _named_in(message: str) -> str:
    """Return what a message names first in code, or an empty text."""
    found = _NAMED.search(message)
    return found[1] if found else ""


def _lighter(review: Review, options: RenderOptions) -> Section:
    """Return info findings and hints: one topic for each rule."""
    findings = _open(review, "info", "hint")
    topics = group(findings)
    views = tuple(_view(topic, options) for topic in topics[: options.entries])
    heading = f"{wording.severity_counts(findings)}, by rule"
    return Section(heading, views, rest=max(len(topics) - options.entries, 0))


def _counted(review: Review, options: RenderOptions) -> Section:
    """Return the minor findings: for each rule its title and a count."""
    topics = outline(review).counted
    views = tuple(_view(topic, options._replace(places=0)) for topic in topics[: options.entries])
    heading = f"Minor findings (counts only): {sum(len(topic.findings) for topic in topics)}"
    return Section(heading, views, rest=max(len(topics) - options.entries, 0))


def _aside(review: Review, most_entries: int) -> tuple[Section, ...]:
    """Return what does not count in the verdict."""
    return tuple(
        Section(
            kind.heading,
            entries=tuple(map(entry, kind.entries[:most_entries])),
            rest=max(len(kind.entries) - most_entries, 0),
        )
        for kind in set_aside(review)
    )


def _view(topic: Topic, options: RenderOptions) -> TopicView:
    finding = topic.first
    placed: Sequence[Finding] = [each for each in topic.places if each.path is not None]
    return TopicView(
        word=finding.severity,
        title=finding.title.rstrip("."),
        text=_text(topic),
        rule=Link(name(finding.rule), finding.url),
        instead=finding.instead,
        places=tuple(options.place(each) for each in placed[: options.places]),
        more=max(len(placed) - options.places, 0),
        number=len(topic.findings),
        extent="" if len(topic.places) == 1 else topic.extent,
        brief=bool(options.brief) and all(each in options.brief for each in topic.findings),
    )
