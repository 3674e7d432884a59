"""Lines of the review checklist that the bot ticks itself: what the rules have already checked."""

from __future__ import annotations

from typing import NamedTuple

from review_bot.review.review import Review


class Check(NamedTuple):
    """A line of the checklist. ``met``: its rules reported nothing; otherwise ``rules`` names those that did."""

    id: str
    text: str
    met: bool
    rules: tuple[str, ...]


class _Line(NamedTuple):
    id: str
    text: str
    rules: tuple[str, ...]


_TESTS = "tests"

CHECKS = (
    _Line(
        "imports",
        "all imports from this repository resolve",
        ("api/missing-module-import", "api/missing-name-import"),
    ),
    _Line(
        "callers",
        "no broken callers",
        ("api/call-misfit", "api/caller-left-behind", "api/removed-module", "api/removed-name"),
    ),
    _Line(
        "errors",
        "no swallowed exceptions",
        ("errors/bare-except", "errors/broad-except-silent", "errors/swallowed-exception"),
    ),
    _Line(
        _TESTS,
        "tests included with the code",
        ("testing/code-without-tests", "testing/few-code-without-tests", "testing/test-removed"),
    ),
    _Line("dependencies", "no undeclared dependencies", ("deps/undeclared-import",)),
    _Line("secrets", "no hardcoded secrets in a known format", ("security/hardcoded-secret",)),
)
"""The lines for any change to code, and the rules that must all have run."""


def checks(review: Review) -> tuple[Check, ...]:
    """Return the lines whose rules all ran; none if files were left unreviewed, or if no code is added.

    A suppressed finding counts as a finding. The rules do not report small changes without tests, so the line about
    tests is omitted there.
    """
    unseen = review.verdict.decision == "incomplete" or review.examination.ignored or review.allowed_unreviewed
    if unseen or not review.assessment.metrics.code_lines_added:
        return ()
    idle = {entry.rule for entry in review.examination.not_run}
    found = {each.rule for each in review.open}
    found |= {entry.finding.rule for entry in review.suppressed}
    lines = tuple(
        Check(line.id, line.text, found.isdisjoint(line.rules), tuple(rule for rule in line.rules if rule in found))
        for line in CHECKS
        if idle.isdisjoint(line.rules) and review.rules.issuperset(line.rules)
    )
    tested = review.assessment.metrics.test_to_code_ratio.part > 0
    return tuple(line for line in lines if tested or line.id != _TESTS or not line.met)
