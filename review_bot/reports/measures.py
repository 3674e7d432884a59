"""The measures of a change as rows, and what they say of an aspect; each report draws them in its own way."""

from __future__ import annotations

from typing import Literal, NamedTuple

from review_bot.advice.good_facts import FEWEST
from review_bot.assessment.metrics import Share
from review_bot.reports import wording
from review_bot.review.review import Review

SMELLS = "Smells"


class Row(NamedTuple):
    """One measure. ``part``: what the value is made of, or why it is not known. Nothing in it was written by others."""

    what: str
    value: str
    part: str = ""
    target: str = ""
    state: Literal["", "reached", "not reached", "not measured"] = ""

    @property
    def whole_value(self) -> str:
        """The value with what it is made of."""
        return f"{self.value} ({self.part})" if self.part else self.value


def rows(review: Review) -> tuple[Row, ...]:
    """Return all measures that have a target, after the number of lines."""
    metrics = review.assessment.metrics
    return (
        Row("Lines added and deleted", f"+{metrics.lines_added} -{metrics.lines_deleted}"),
        Row("Lines of code added", str(metrics.code_lines_added)),
        _coverage(review),
        _share("Public definitions with a docstring", metrics.docstring_coverage),
        _share("Parameters and results with a type hint", metrics.type_hint_coverage),
        _share("Lines of test to lines of code", metrics.test_to_code_ratio),
        Row(SMELLS, str(metrics.smells), target="0", state="not reached" if metrics.smells else "reached"),
    )


def facts(aspect: str, review: Review) -> tuple[str, ...]:
    """Return what was measured of an aspect, in sentences."""
    metrics, tests = review.assessment.metrics, review.context.tests
    told: list[str] = []
    shares = {
        "Documentation": (metrics.docstring_coverage, "public definitions that it adds have a docstring"),
        "Code Quality": (metrics.type_hint_coverage, "parameters and return values that it adds have a type hint"),
    }
    if aspect in shares and shares[aspect][0].whole >= FEWEST:
        share, said = shares[aspect]
        told.append(f"{share.part} of {share.whole} {said} ({share.percent} %; the target is {share.target} %).")
    if aspect == "Testing":
        ratio = metrics.test_to_code_ratio
        if ratio.whole:
            told.append(
                f"It adds {wording.count(ratio.part, 'line')} of test for {wording.count(ratio.whole, 'line')} of code."
            )
        if metrics.coverage is not None and metrics.coverage.whole:
            told.append(f"{tests_run(metrics.coverage)}.")
        if tests:
            files = wording.count(len(tests), "test file")
            told.append(f"{files} at the head to run with what it changes; “By file” names them.")
    return tuple(told)


def tests_run(share: Share) -> str:
    """Return how many of the added lines have run, as a sentence without its end."""
    return f"Tests run {share.part} of the {share.whole} added lines that can be measured ({share.percent} %)"


def _coverage(review: Review) -> Row:
    what, share = "Added lines that tests run", review.assessment.metrics.coverage
    if share is not None:
        return _share(what, share)
    given = review.context.coverage is not None
    why = "no coverage report speaks of them" if given else "no coverage report was given"
    return Row(what, "not measured", why, "80 %", "not measured")


def _share(what: str, share: Share) -> Row:
    target = f"{share.target} %"
    if share.percent is None:
        return Row(what, "none added", target=target)
    state: Literal["reached", "not reached"] = "reached" if share.percent >= share.target else "not reached"
    return Row(what, f"{share.percent} %", f"{share.part:,} of {share.whole:,}", target, state)
