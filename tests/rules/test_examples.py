"""Each example of each built-in rule is one test; the same code serves ``review-bot rules test``."""

from __future__ import annotations

import pytest

from review_bot.configuration import rule_registry
from review_bot.configuration.rule_registry import RulePage
from review_bot.configuration.rule_trial import examine_case
from review_bot.rules.examples import run_examples

PAGES = rule_registry.builtin_pages()


@pytest.mark.parametrize("page", PAGES, ids=[page.rule.id for page in PAGES])
def test_examples_go_as_they_should(page: RulePage) -> None:
    outcomes = list(run_examples(page.rule, page.documentation["bad"], page.documentation["good"], examine_case))

    assert len(outcomes) >= 2
    assert [f"{outcome.name}: {outcome.problem}" for outcome in outcomes if outcome.problem is not None] == []


@pytest.mark.parametrize("page", PAGES, ids=[page.rule.id for page in PAGES])
def test_a_page_says_what_and_why_and_what_instead(page: RulePage) -> None:
    assert page.rule.message.endswith((".", "?"))
    assert page.rule.why
    assert page.rule.instead
    assert page.path == f"rules/{page.rule.id}.yaml"
