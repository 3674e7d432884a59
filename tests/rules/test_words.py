"""What a rule says reaches its reader as it was meant: nothing stands in it that nobody fills in."""

from __future__ import annotations

import re

import pytest

from review_bot.configuration import rule_registry
from review_bot.rules.rule import Rule

RULES = rule_registry.builtin_rulebook().rules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_meta_variable_stands_where_none_is_expanded(rule: Rule) -> None:
    assert not re.search(r"\$\$?\$?[A-Z]", f"{rule.instead} {rule.why} {rule.title}")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_title_is_a_name_and_the_rest_are_sentences(rule: Rule) -> None:
    assert not rule.title.endswith(".")
    assert len(rule.title) <= 60
    for text in (rule.message, rule.instead, rule.why):
        assert text.rstrip("`\"'").endswith((".", "?", "}}", "…")), text
