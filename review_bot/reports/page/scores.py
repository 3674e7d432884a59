"""Scores, measures and their trend over the pushes, as pictures, each with a table of the same values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from review_bot.assessment.scorecard import AspectScore, Scorecard, deductions
from review_bot.coverage.added_lines import Coverage
from review_bot.findings import Finding, Severity
from review_bot.reports import wording
from review_bot.reports.measures import Row
from review_bot.reports.measures import rows as all_rows
from review_bot.reports.page.diff import Drawn
from review_bot.reports.page.hypertext import Content, Html, element, join, link, prose
from review_bot.review.context import EarlierReview
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS

_MOST_FILES = 100
_MOST_RANGES = 12

_BAR = 34
"""Pixels of an aspect in the picture."""


def scorecard(card: Scorecard, findings: Iterable[Finding]) -> Html:
    """Return the scores as bars and as a table, or why there are none."""
    if card.score is None:
        return element("p", None, f"No score: {card.reason or 'none was given'}.")
    told = f"Overall: {card.score} of 10. " + ". ".join(
        f"{each.aspect}: {_figure(each) or 'not assessed'}" for each in card.aspects
    )
    bars = [_bar(index, each) for index, each in enumerate(card.aspects)]
    picture = element(
        "svg",
        {"class": "bars", "role": "img", "width": "100%", "height": _BAR * len(bars), "aria-labelledby": "st sd"},
        element("title", {"id": "st"}, "Scores by aspect"),
        element("desc", {"id": "sd"}, told + "."),
        *bars,
    )
    rows = [
        (
            each.aspect,
            f"{each.weight} %",
            "none" if each.hundredths is None else f"{each.hundredths // 100}.{each.hundredths % 100:02d}",
            "not assessed: no rule applies to these files" if each.score is None else _lowered(each, findings),
        )
        for each in card.aspects
    ]
    return join(
        (
            element("p", None, element("b", None, f"{card.score} of 10"), ", weighted mean of the aspects"),
            picture,
            element(
                "details",
                None,
                element("summary", None, "How scores are calculated"),
                table(("Aspect", "Weight", "Score", "Deductions"), rows, "Scores by aspect"),
                element(
                    "p",
                    None,
                    "Each aspect starts at 10. Each rule with open findings is deducted once: error 3.0, warning 1.5, "
                    "info 0.5, hint 0.1, plus a tenth of that for each of up to three further findings. The hints of "
                    "an aspect cost at most 1.0 in total. While an error is open, the overall score is at most 6.",
                ),
            ),
        )
    )


def _figure(aspect: AspectScore) -> str:
    """Return the score as a text, ``no findings`` where nothing was deducted, empty where nothing was assessed."""
    if aspect.score is None:
        return ""
    return "no findings" if aspect.hundredths == 1000 and not aspect.rules else f"{aspect.score} of 10"


def _bar(index: int, aspect: AspectScore) -> Html:
    top = index * _BAR
    figure = _figure(aspect) or "–"
    tenths = (aspect.hundredths or 0) // 10
    return element(
        "g",
        {"aria-hidden": "true"},
        element("text", {"x": 0, "y": top + 14}, wording.one_line(aspect.aspect, 32)),
        element("text", {"x": "100%", "y": top + 14, "class": "figure"}, figure),
        element("rect", {"x": 0, "y": top + 20, "width": "100%", "height": 6, "rx": 3, "class": "rail"}),
        element(
            "rect", {"x": 0, "y": top + 20, "width": f"{tenths}%", "height": 6, "rx": 3, "class": _grade(aspect.score)}
        )
        if tenths
        else None,
    )


def _grade(score: int | None) -> str:
    return "low" if (score or 0) < 5 else "middle" if (score or 0) < 8 else "high"


def _lowered(aspect: AspectScore, findings: Iterable[Finding]) -> Content:
    parts = [element("span", None, aspect.limit)] if aspect.limit else []
    parts += [
        join(
            (
                link(f"#rule={each.rule}", element("code", None, each.rule)),
                f" {wording.count(each.findings, 'finding')}, -{each.hundredths // 100}.{each.hundredths % 100:02d}",
            )
        )
        for each in deductions(findings, aspect)
    ]
    return element("ul", {"class": "bare"}, *(element("li", None, part) for part in parts)) if parts else "nothing"


def measures(review: Review) -> Html:
    """Return the measures with target and state."""
    rows: list[tuple[Content, ...]] = [_measure(row) for row in all_rows(review)]
    rows.append(("Time to fix the open findings", wording.duration(review.assessment.metrics.effort_minutes), "", ""))
    return table(("Measure", "Value", "Target", "State"), rows, "Measures of the change")


_STATES = {"met": "reached", "not met": "missed"}


def _measure(row: Row) -> tuple[Content, ...]:
    if row.state == "not measured":
        return row.what, row.value, row.target, element("span", {"class": "muted"}, row.part)
    value = join((f"{row.value} ", element("span", {"class": "part"}, row.part))) if row.part else row.value
    told = element("span", {"class": _STATES[row.state]}, row.state) if row.state in _STATES else ""
    return row.what, value, row.target, told


def not_run(coverage: Coverage | None, drawn: Drawn) -> Html | None:
    """Return which added lines no test has run, and what of the coverage reports could not be used."""
    if coverage is None:
        return None
    rows = [
        (
            drawn.link(file.path, None, file.path),
            f"{file.covered} of {file.covered + len(file.missed)} run",
            _ranges(file.missed),
        )
        for file in coverage.files
        if file.missed
    ]
    notices = [element("p", {"class": "muted"}, prose(notice)) for notice in coverage.notices]
    if not rows and not notices:
        return None
    more = len(rows) - _MOST_FILES
    return join(
        (
            table(("File", "Added lines", "Not covered"), rows[:_MOST_FILES], "Added lines not covered by tests")
            if rows
            else None,
            element("p", {"class": "muted"}, f"and {wording.count(more, 'more file')}") if more > 0 else None,
            *notices,
        )
    )


def _ranges(lines: Sequence[int]) -> str:
    """Return line numbers in order, those in a row as ``3 to 7``."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    told = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:_MOST_RANGES]]
    more = len(runs) - _MOST_RANGES
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def table(heads: Sequence[str], rows: Sequence[Sequence[Content]], caption: str) -> Html:
    """Return a table whose first column names the row; on a narrow screen a row becomes a block."""

    def cells(row: Sequence[Content]) -> Iterator[Html]:
        yield from (element("td", {"data-label": name}, cell) for name, cell in zip(heads[1:], row[1:], strict=True))

    head = element("tr", None, *(element("th", {"scope": "col"}, name) for name in heads))
    body = (element("tr", None, element("th", {"scope": "row"}, row[0]), *cells(row)) for row in rows)
    return element(
        "table",
        {"class": "plain"},
        element("caption", {"class": "unseen"}, caption),
        element("thead", None, head),
        element("tbody", None, *body),
    )


_HEIGHT = 120
_MOST_REVIEWS = 40


def trend(review: Review) -> Html | None:
    """Return what was open at each push, oldest first, as columns and as a table; None without earlier reports."""
    if not review.context.earlier:
        return None
    every = [*review.context.earlier, this_review(review)]
    shown = every[-_MOST_REVIEWS:]
    most = max([1, *(each.errors + each.warnings + each.lighter for each in shown)])
    first, last = shown[0], shown[-1]
    told = f"{len(shown)} reviews. First: {_open(first)}. Latest: {_open(last)}. The table below lists all of them."
    step = min(1000 // len(shown), 120)
    columns = [column for index, each in enumerate(shown) for column in _column(index * step, step, each, most)]
    picture = element(
        "svg",
        {"class": "trend", "role": "img", "width": "100%", "height": _HEIGHT, "aria-labelledby": "tt td"},
        element("title", {"id": "tt"}, "Open findings at each push"),
        element("desc", {"id": "td"}, told),
        element("rect", {"x": 0, "y": _HEIGHT - 1, "width": "100%", "height": 1, "class": "rail"}),
        *columns,
    )
    rows = [
        (
            element("code", None, wording.revision(each.head or "")) if each.head else "working tree",
            DECISION_WORDS.get(each.decision, each.decision),  # type: ignore[call-overload]  # any text of a file
            each.errors,
            each.warnings,
            each.lighter,
            "none" if each.score is None else f"{each.score} of 10",
        )
        for each in reversed(shown)
    ]
    legend = element(
        "p",
        {"class": "legend"},
        *(element("span", {"class": kind}, word) for kind, word in _KINDS),
    )
    left_out = len(every) - len(shown)
    return join(
        (
            picture,
            legend,
            element("p", {"class": "muted"}, f"{left_out} older reviews are not shown.") if left_out else None,
            table(("Head", "Verdict", "Errors", "Warnings", "Others", "Score"), rows, "Reviews, newest first"),
        )
    )


_KINDS: tuple[tuple[Severity, str], ...] = (("error", "errors"), ("warning", "warnings"), ("hint", "others"))


def this_review(review: Review) -> EarlierReview:
    """Return a review as a later one will remember it."""
    still = [each.severity for each in review.listed]
    errors, warnings = still.count("error"), still.count("warning")
    return EarlierReview(
        review.pull_request.head,
        review.verdict.decision,
        review.assessment.scorecard.score,
        errors,
        warnings,
        len(still) - errors - warnings,
    )


def _open(review: EarlierReview) -> str:
    counts = (review.errors, "error"), (review.warnings, "warning"), (review.lighter, "other")
    return ", ".join(wording.count(*each) for each in counts)


def _column(left: int, step: int, review: EarlierReview, most: int) -> list[Html]:
    """Return the stacked parts of one review; ``left`` and ``step`` in thousandths of the width."""
    parts, bottom = [], _HEIGHT - 1
    for kind, number in (("error", review.errors), ("warning", review.warnings), ("hint", review.lighter)):
        height = (number * (_HEIGHT - 24) + most - 1) // most
        if height:
            bottom -= height
            x, width = f"{left / 10:.1f}%", f"{step * 7 / 100:.1f}%"
            parts.append(element("rect", {"x": x, "y": bottom, "width": width, "height": height, "class": kind}))
    if step >= 40:
        middle = f"{left / 10 + step * 7 / 200:.1f}%"
        total = review.errors + review.warnings + review.lighter
        parts.append(
            element("text", {"class": "middle-text", "x": middle, "y": bottom - 5, "aria-hidden": "true"}, total)
        )
    return parts
