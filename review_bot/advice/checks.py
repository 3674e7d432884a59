"""What the rules have already looked at for a person: lines of the checklist that the bot ticks itself."""

from __future__ import annotations

from typing import NamedTuple

from review_bot.review.review import Review


class Check(NamedTuple):
    """A line of the checklist. ``met``: its rules looked and found nothing; else ``rules`` are those that did."""

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
        "what it imports from this repository was found",
        ("api/missing-module-import", "api/missing-name-import"),
    ),
    _Line(
        "callers",
        "no caller was found that what it changes leaves behind",
        ("api/call-misfit", "api/caller-left-behind", "api/removed-module", "api/removed-name"),
    ),
    _Line(
        "errors",
        "no handler was found that hides an error",
        ("errors/bare-except", "errors/broad-except-silent", "errors/swallowed-exception"),
    ),
    _Line(
        _TESTS,
        "tests come with the code",
        ("testing/code-without-tests", "testing/few-code-without-tests", "testing/test-removed"),
    ),
    _Line("dependencies", "no package was found that it imports and nobody declares", ("deps/undeclared-import",)),
    _Line("secrets", "no secret of a known form is in it", ("security/hardcoded-secret",)),
)
"""What is looked at in any change to code, and the rules that must all have looked."""


def checks(review: Review) -> tuple[Check, ...]:
    """Return the lines whose rules all ran; none where files were not looked at, or no code is added.

    What somebody suppressed was found all the same. Of little code without a test the rules say nothing, so nothing
    is said of tests.
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
