"""The measures of a change as rows, and the facts of each aspect; every report renders them in its own way."""

from __future__ import annotations

from typing import Literal

from review_bot.advice.strengths import FEWEST
from review_bot.assessment.metrics import Share
from review_bot.records import NamedTuple
from review_bot.review.review import Review
from review_bot.text.listing import count

SMELLS = "Smells"


class Row(NamedTuple):
    """One measure. ``part``: what the value consists of, or why it is unknown. It holds no untrusted text."""

    what: str
    value: str
    part: str = ""
    target: str = ""
    state: Literal["", "met", "not met", "not measured"] = ""

    @property
    def whole_value(self) -> str:
        """The value, followed by what it consists of."""
        return f"{self.value} ({self.part})" if self.part else self.value


def rows(review: Review) -> tuple[Row, ...]:
    """Return all measures that have a target, after the number of lines."""
    metrics = review.assessment.metrics
    return (
        Row("Lines added and deleted", f"+{metrics.lines_added} -{metrics.lines_deleted}"),
        Row("Lines of Python library code added", str(metrics.code_lines_added)),
        _coverage(review),
        _share("Public definitions with docstrings", metrics.docstring_coverage),
        _share("Parameters and return values with type hints", metrics.type_hint_coverage),
        _share("Test lines to code lines", metrics.test_to_code_ratio),
        Row(SMELLS, str(metrics.smells), target="0", state="not met" if metrics.smells else "met"),
    )


def facts(aspect: str, review: Review) -> tuple[str, ...]:
    """Return the measurements of an aspect as sentences."""
    metrics, tests = review.assessment.metrics, review.context.tests
    sentences: list[str] = []
    shares = {
        "Documentation": (metrics.docstring_coverage, "added public definitions have docstrings"),
        "Code Quality": (metrics.type_hint_coverage, "added parameters and return values have type hints"),
    }
    if aspect in shares and shares[aspect][0].whole >= FEWEST:
        share, said = shares[aspect]
        sentences.append(f"{share.part} of {share.whole} {said} ({share.percent} %, target {share.target} %).")
    if aspect == "Testing":
        ratio = metrics.test_to_code_ratio
        if ratio.whole:
            sentences.append(f"{count(ratio.part, 'line')} of tests for {count(ratio.whole, 'line')} of code added.")
        if metrics.coverage is not None and metrics.coverage.whole:
            sentences.append(f"{tests_run(metrics.coverage)}.")
        if tests:
            files = count(len(tests), "test file")
            sentences.append(f"{files} to run for this change; see “By file”.")
    return tuple(sentences)


def tests_run(share: Share) -> str:
    """Return how many of the added lines are covered, as a sentence without its full stop."""
    return f"Tests cover {share.part} of {share.whole} measurable added lines ({share.percent} %)"


def _coverage(review: Review) -> Row:
    what, share = "Added lines covered by tests", review.assessment.metrics.coverage
    if share is not None:
        return _share(what, share)
    given = review.context.coverage is not None
    why = "not in the coverage report" if given else "no coverage report"
    return Row(what, "not measured", why, "80 %", "not measured")


def _share(what: str, share: Share) -> Row:
    target = f"{share.target} %"
    if share.percent is None:
        return Row(what, "none added", target=target)
    state: Literal["met", "not met"] = "met" if share.percent >= share.target else "not met"
    return Row(what, f"{share.percent} %", f"{share.part:,} of {share.whole:,}", target, state)
