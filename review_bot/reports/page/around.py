"""The context of the findings: questions for a person, areas, owners, tests, other pull requests, fixes."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.assessment.review_areas import AreaSeen, SelectedQuestion
from review_bot.findings import Finding, Fix, Fixes
from review_bot.reports import wording
from review_bot.reports.around import Meeting, meetings, merge_order
from review_bot.reports.outline import outline
from review_bot.reports.page.diff import Drawn
from review_bot.reports.page.findings import small_diff
from review_bot.reports.page.hypertext import NOTHING, Content, Html, element, join, lines, link, path, prose
from review_bot.reports.page.scores import table
from review_bot.reports.page.verdict import bounded
from review_bot.reports.set_aside import set_aside
from review_bot.reports.snippet import change_lines
from review_bot.review.context import CoveringTest, OverlapReport, Owners
from review_bot.review.redaction import Redactor
from review_bot.review.review import Review
from review_bot.version import VERSION

MOST_PATCH = 200_000
"""Characters of a patch that the page repeats; the dossier has it as a file."""

MOST_FIXES = 200
"""Proven fixes that are shown one by one."""

MOST_PATHS = 6
"""Files named in one place."""


def checklist(cards: tuple[SelectedQuestion, ...], drawn: Drawn) -> Html | None:
    """Return the questions that no rule can answer, with the places that ask for them."""
    return element("div", {"class": "cards"}, *(_card(card, drawn) for card in cards)) if cards else None


def _card(card: SelectedQuestion, drawn: Drawn) -> Html:
    places = [
        drawn.link(place.path, place.line, f"{place.path}:{place.line}" if place.line else place.path)
        for place in card.places
    ]
    more = card.files - len(card.places)
    rules = [link(f"#rule={rule}", element("code", None, rule)) for rule in card.findings]
    return element(
        "article",
        {"class": "card"},
        element("h3", None, prose(card.title)),
        element("ul", {"class": "questions"}, *(element("li", None, prose(question)) for question in card.questions)),
        element(
            "p", {"class": "meta"}, join(places, ", "), f" and {wording.count(more, 'more file')}" if more > 0 else ""
        ),
        element("p", {"class": "meta"}, "Related findings: ", join(rules, ", ")) if rules else None,
    )


def areas(seen: tuple[AreaSeen, ...], drawn: Drawn) -> Html | None:
    """Return the areas that the change touches."""
    rows = [(prose(area.title), wording.count(area.lines, "line"), _paths(area.paths, drawn)) for area in seen]
    heads = ("Area", "Lines", "Files")
    return table(heads, rows, "Areas of the change") if rows else None


def owners(known: Owners | None, drawn: Drawn) -> Html | None:
    """Return who owns the changed files."""
    if known is None:
        return None
    rows: list[tuple[Content, Content]] = [
        (", ".join(entry.owners), _paths(entry.paths, drawn)) for entry in known.owned
    ]
    if known.unowned:
        rows.append(("no owner", _paths(known.unowned, drawn)))
    problems = bounded([element("li", None, prose(problem)) for problem in known.problems], most=20)
    return join(
        (
            table(("Owner", "Files"), rows, "Owners of the changed files") if rows else None,
            element("p", {"class": "muted"}, "By ", path(known.source), " of the base."),
            join((element("p", None, "Lines that could not be parsed:"), problems)) if known.problems else None,
        )
    )


def _paths(paths: Iterable[str], drawn: Drawn) -> Html:
    named = list(paths)
    most = MOST_PATHS if len(named) > MOST_PATHS + 1 else len(named)
    more = f" and {len(named) - most} more" if len(named) > most else ""
    return join((join((drawn.link(each, None, each) for each in named[:most]), ", "), more))


def tests(covering: tuple[CoveringTest, ...] | None, drawn: Drawn) -> Html | None:
    """Return the tests that the change should be tried with."""
    if covering is None:
        return None
    if not covering:
        return element("p", None, "No test file in the repository imports or names the changed files.")
    items = [
        element(
            "li",
            None,
            drawn.link(test.path, None, test.path),
            " (in this change)" if test.changed else None,
            element("div", {"class": "meta"}, "tests ", _paths(test.covers, drawn)) if test.covers else None,
        )
        for test in covering
    ]
    return bounded(items, most=60)


def neighbours(met: OverlapReport | None) -> Html | None:
    """Return how other open pull requests meet this one, and in which order to merge them."""
    if met is None:
        return None
    compared = f"{met.looked_at} of {wording.count(met.known, 'open pull request')} compared."
    limits = (element("p", {"class": "muted"}, prose(limit)) for limit in met.limits)
    found = bounded([_meeting(each) for each in meetings(met.found)], most=60) if met.found else None
    return join(
        (
            element("p", None, prose(merge_order(met))) if met.order or met.cycles else None,
            found or element("p", None, "No overlap with this change."),
            element("p", {"class": "muted"}, compared),
            *limits,
        )
    )


def _meeting(met: Meeting) -> Html:
    return element("li", None, f"#{met.number} “", prose(met.title), "” ", prose(met.said), ".")


def fixes(review: Review, redactor: Redactor) -> Html | None:
    """Return the proven fixes with their patch, and those that are held back."""
    if review.fixes is None:
        return None
    known = {finding.fingerprint: finding for finding in review.findings}
    drawn = [_fix(fix, review, known, redactor) for fix in review.fixes.proven[:MOST_FIXES]]
    proven = [*drawn, *(NOTHING for _ in review.fixes.proven[MOST_FIXES:])]  # these are only counted
    told = (
        "Verified: applying all of them resolves their findings and introduces no new ones."
        if proven
        else "No verified fixes."
    )
    return join(
        (
            element("p", None, told),
            bounded(proven, "ol", MOST_FIXES) if proven else None,
            _patch(review.patch, redactor),
            _held(review.fixes),
        )
    )


def _fix(fix: Fix, review: Review, known: dict[str, Finding], redactor: Redactor) -> Html:
    first = fix.suggestion
    last = f" to {first.end_line}" if first.end_line != first.start_line else ""
    finding = next((known[each] for each in fix.fingerprints if each in known), None)
    changed = change_lines(review.pull_request, fix.path, first, redactor)
    return element(
        "li",
        None,
        path(f"{fix.path}:{first.start_line}"),
        f"{last} · ",
        join((prose(finding.title.rstrip(".")), " · ")) if finding is not None else None,
        link(f"#rule={fix.rule}", element("code", None, fix.rule)),
        f" · {wording.duration(finding.effort_minutes)}" if finding is not None and finding.effort_minutes else None,
        small_diff(changed) if changed else None,
    )


def _patch(patch: str, redactor: Redactor) -> Html | None:
    if not patch:
        return None
    if redactor.contains_secret(patch):
        return element("p", None, "The patch is not shown because it contains a credential.")
    if len(patch) > MOST_PATCH:
        return element(
            "p", None, "The patch is too long for this page; export it with ", element("code", None, "--export"), "."
        )
    return element(
        "details",
        None,
        element("summary", None, "Patch for ", element("code", None, "git apply fixes.patch")),
        element("button", {"type": "button", "class": "copy", "hidden": True, "aria-controls": "patch"}, "Copy"),
        element("pre", {"id": "patch", "translate": "no"}, element("code", None, lines(patch))),
    )


def _held(all_fixes: Fixes) -> Html | None:
    if not all_fixes.held:
        return None
    entries = [
        element(
            "li",
            None,
            path(f"{held.fix.path}:{held.fix.suggestion.start_line}"),
            " ",
            element("code", None, held.fix.rule),
            ": ",
            prose(held.reason),
        )
        for held in all_fixes.held
    ]
    return element(
        "details",
        None,
        element("summary", None, f"{wording.count(len(entries), 'suggestion')} skipped, with reasons"),
        bounded(entries),
    )


def aside(review: Review) -> Html | None:
    """Return what takes no part in the verdict, each kind folded."""
    moved = outline(review).moved
    kinds: list[tuple[str, list[Html]]] = [
        (
            f"{wording.count(len(review.suppressed), 'finding')} suppressed",
            [_entry(_at(each.finding), f"{each.by}: {each.reason}") for each in review.suppressed],
        ),
        (f"{wording.count(len(moved), 'finding')} on moved lines", [_entry(_at(each)) for each in moved]),
        (
            f"Minor findings (counts only): {sum(len(topic.findings) for topic in outline(review).counted)}",
            [
                _entry(topic.first.rule, f"{topic.first.title}: {len(topic.findings)}")
                for topic in outline(review).counted
            ],
        ),
        *((kind.heading, [_entry(*entry) for entry in kind.entries]) for kind in set_aside(review)),
    ]
    folds = [
        element("details", None, element("summary", None, heading), bounded(entries))
        for heading, entries in kinds
        if entries
    ]
    return join(folds) if folds else None


def _entry(name: str, reason: str = "") -> Html:
    return element("li", None, path(name), join((": ", prose(reason))) if reason else None)


def _at(finding: Finding) -> str:
    return finding.rule if finding.path is None else f"{wording.place(finding)} {finding.rule}"


def about(review: Review) -> Html:
    """Return what the review goes by."""
    change, policy = review.pull_request, review.policy
    source = policy.source + (f", digest {policy.digest[:12]}" if policy.digest else "")
    told: list[tuple[str, str]] = [
        ("Head", wording.revision(change.head) if change.head else "the working tree"),
        ("Base", wording.base(review).removeprefix("against ") or "unknown (diff only)"),
        ("Policy", f"{source}; fail-on: {review.verdict.fail_on}"),
        ("Rules", f"{review.rules_run} ran, digest {review.rules_digest[:12]}"),
        ("Review Bot", VERSION),
    ]
    rows = (element("div", None, element("dt", None, name), element("dd", None, value)) for name, value in told)
    base = change.base_label
    command = f"review-bot review{' --base ' + wording.argument(base) if base else ''}"
    outro = policy.presentation.outro
    return join(
        (
            element("dl", {"class": "about"}, *rows),
            element("p", None, "Run locally: ", element("code", None, command), "."),
            element("p", None, "Rule details: ", element("code", None, "review-bot rules show RULE"), "."),
            element("p", None, prose(outro)) if outro else None,
        )
    )
