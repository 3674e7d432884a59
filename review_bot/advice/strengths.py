"""Facts in favour of a change: measures that reach their target. The absence of findings is not one."""

from __future__ import annotations

from review_bot.advice.checklist import read_whole
from review_bot.assessment.metrics import Share
from review_bot.review.review import Review

FEWEST = 3
"""The smallest number of items for which a percentage is meaningful."""

_FAMILY_OF_TESTS = "testing/"


def strengths(review: Review) -> tuple[str, ...]:
    """Return one sentence for each measure that reaches its target; none if some text of the change was not read.

    A measure that an open or suppressed finding contradicts is left out, such as lines of tests where a rule reports a
    test that asserts nothing.
    """
    if not read_whole(review) or review.examination.failures:
        return ()
    metrics = review.assessment.metrics
    found = review.rules_with_findings
    bad_tests = any(rule.startswith(_FAMILY_OF_TESTS) for rule in found)
    bad_docstrings = any(rule.startswith("docs/") and "docstring" in rule for rule in found)
    slots, definitions = metrics.type_hint_coverage, metrics.docstring_coverage
    measured = [(slots, "of the parameters and return values added to library code have type hints")]
    if not bad_docstrings:
        measured.append((definitions, "of the public definitions added to library code have docstrings"))
    if metrics.coverage is not None and not bad_tests:
        measured.append((metrics.coverage, "of measurable added lines are covered by tests"))
    facts = [f"{each.percent} % {what} ({each.part} of {each.whole})." for each, what in measured if reached(each)]
    ratio = metrics.test_to_code_ratio
    if reached(ratio) and not bad_tests:
        facts.append(f"{ratio.part} lines of tests for {ratio.whole} lines of code.")
    return tuple(facts)


def reached(share: Share) -> bool:
    """Return whether a share meets its target and covers enough items to be meaningful."""
    return share.percent is not None and share.whole >= FEWEST and share.percent >= share.target
