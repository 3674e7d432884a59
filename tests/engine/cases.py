"""A change as two trees, reviewed in this process by rules written in a test."""

from __future__ import annotations

from review_bot.checks import catalog
from review_bot.configuration import rule_registry
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.findings import Examination
from review_bot.rules.examples import make_case
from review_bot.rules.rule_file import read_rules
from review_bot.rules.rulebook import Rulebook

CALLS = """\
id: own/bad-call
language: python
message: bad is called
rule: {pattern: bad($$$A)}
---
id: own/def
language: python
rule: {kind: function_definition}
---
id: own/word
text: {regex: '\\bTODO\\b'}
---
id: own/secret
text: {regex: 'sk-[0-9]+'}
metadata: {suppressible: false}
---
id: own/mirror
language: python
rule: {pattern: mirrored($$$A)}
metadata: {mirrors: [S110, E722]}
"""


def rulebook_of(text: str = CALLS) -> Rulebook:
    rules = tuple(each.rule for each in read_rules(text, "own.yml", shipped=False, checks=catalog.CHECKS))
    return rule_registry._rulebook(rules, "digest")


def review(
    head: dict[str, str | None],
    base: dict[str, str] | None = None,
    *,
    rules: str = CALLS,
    base_date: str | None = None,
    rulebook: Rulebook | None = None,
) -> Examination:
    """Examine the change from ``base`` to ``head`` (None deletes)."""
    book = rulebook or rulebook_of(rules)
    case = make_case(book.rules[0], {"base": base or {}, "head": head})
    pull_request = case.pull_request._replace(base_date=base_date)
    plan, texts = make_plan(pull_request, book), Texts(case.new, case.old)
    return examine(ExaminationRequest(pull_request, plan, texts, case.repository, book))


def seen(examination: Examination) -> list[tuple[str, int | None]]:
    """Return rule and line of each finding that stands."""
    return [(finding.rule, finding.line) for finding in examination.findings]
