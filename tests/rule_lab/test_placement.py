"""What the shipped rules may do, comment beside the code and turn the gate red, they have earned by marks."""

from __future__ import annotations

from review_bot.configuration import rule_registry
from rule_lab.placement import RulePlacement, placement_problems


def test_every_rule_has_earned_its_place() -> None:
    pages = rule_registry.builtin_pages()
    rules = [
        RulePlacement(page.rule.id, page.rule.show, page.rule.severity, page.documentation["provable"])
        for page in pages
    ]
    assert placement_problems(rules, {page.rule.id: page.measured for page in pages}) == []


def test_a_red_gate_needs_a_fact_that_is_provable() -> None:
    errors = [page for page in rule_registry.builtin_pages() if page.rule.severity == "error"]
    assert [page.rule.id for page in errors if not page.documentation["provable"] and page.measured.judged < 20] == []
