"""Runs one built-in rule over small trees."""

from __future__ import annotations

from functools import cache
from typing import Any

from review_bot.configuration import rule_registry
from review_bot.configuration.rule_trial import examine_case
from review_bot.findings import Finding
from review_bot.rules.examples import Case, make_case
from review_bot.rules.matchers import RemovedCode, Structural
from review_bot.rules.rule import Rule


@cache
def _rules() -> dict[str, Rule]:
    return {rule.id: rule for rule in rule_registry.builtin_rulebook().rules}


def built_in(rule_id: str) -> Rule:
    """Return a built-in rule."""
    return _rules()[rule_id]


def findings_in(rule_id: str, case: Case) -> list[Finding]:
    """Run a rule over a case that it can run on."""
    findings, trouble = examine_case(built_in(rule_id), case)
    assert trouble is None
    return findings


def findings_of(rule_id: str, head: Any, base: Any = None) -> list[Finding]:
    """Run a rule over a change: ``head`` is the text of a new file, or maps paths to texts, as ``base`` does."""
    example = head if isinstance(head, str) else {"base": base or {}, "head": head}
    return findings_in(rule_id, make_case(built_in(rule_id), example))


def pattern_of(rule: Rule) -> Structural | RemovedCode:
    """Return the ast-grep pattern of a rule that has one."""
    assert isinstance(rule.matcher, Structural | RemovedCode)
    return rule.matcher
