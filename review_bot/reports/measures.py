"""The measures of a change as rows, and what they say of an aspect as sentences; nothing untrusted is in them."""

from __future__ import annotations

from review_bot.assessment.metrics import Metrics, Share
from review_bot.dossier.good_facts import FEWEST
from review_bot.reports import wording
from review_bot.review.review import Review


def rows(metrics: Metrics) -> list[tuple[str, str, str, str]]:
    """Return (measure, value, target, state) of each row; nothing untrusted is in them."""
    return [
        ("Lines added, deleted", f"{metrics.lines_added}, {metrics.lines_deleted}", "", ""),
        ("Lines of code added", str(metrics.code_lines_added), "", ""),
        _share("Test coverage of added lines", metrics.coverage),
        _share("Docstrings of added public definitions", metrics.docstring_coverage),
        _share("Type hints of added functions", metrics.type_hint_coverage),
        _share("Lines of test to lines of code", metrics.test_to_code_ratio),
        ("Smells", str(metrics.smells), "0", "reached" if metrics.smells == 0 else "above"),
    ]


def _share(label: str, share: Share | None) -> tuple[str, str, str, str]:
    if share is None:
        return label, "not measured", "", ""
    if share.percent is None:
        return label, "none added", f"{share.target} %", ""
    state = "reached" if share.percent >= share.target else "below"
    return label, f"{share.percent} % ({share.part} of {share.whole})", f"{share.target} %", state


def facts(aspect: str, review: Review) -> tuple[str, ...]:
    """Return what was measured of an aspect, in sentences."""
    metrics, tests = review.assessment.metrics, review.surroundings.tests
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
            share = metrics.coverage
            told.append(
                f"Tests run {share.part} of the {share.whole} added lines that can be measured ({share.percent} %)."
            )
        if tests:
            files = wording.count(len(tests), "test file")
            told.append(f"{files} at the head to run with what it changes; “By file” names them.")
    return tuple(told)
