"""One rule over one example."""

from __future__ import annotations

from review_bot.checks import catalog
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.findings import Finding
from review_bot.rules.examples import Case
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import Rulebook


def examine_case(rule: Rule, case: Case) -> tuple[list[Finding], str | None]:
    """Run one rule over one example."""
    rulebook = Rulebook((rule,), catalog.load, digest="", known_ids=frozenset({rule.id}))
    plan = make_plan(case.pull_request, rulebook)
    texts = Texts(case.new, case.old)
    seen = examine(ExaminationRequest(case.pull_request, plan, texts, case.repository, rulebook))
    trouble = next((f"the rule failed: {failure.error}" for failure in seen.failures), None)
    trouble = trouble or next((f"not reviewed: {entry.reason}" for entry in seen.unreviewed), None)
    trouble = trouble or next((f"not run: {entry.reason}" for entry in seen.not_run), None)
    return [finding for finding in seen.findings if finding.rule == rule.id], trouble
