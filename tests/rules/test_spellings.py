"""A bad example stays one in another spelling, unless ``spelling_limits.toml`` says why not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from review_bot.configuration import rule_registry
from tests.rules.spelling_run import PAGE, documented_limits, page_of, run
from tests.rules.spellings import EXACT

ROOT = Path(__file__).parents[2]


def test_every_example_is_found_in_every_spelling_but_for_the_documented_limits():
    """One test, since one run is dear."""
    limits, result = documented_limits(), run()
    print(result.counted(limits))
    lost = {each[:2] for each in result.lost}
    assert [each for each in result.lost if each[:2] not in limits] == []
    assert set(limits) - lost == set(), "documented and does not occur"
    assert result.variants >= 2_303
    assert min(Counter(result.tried).values()) > 0
    assert set(result.tried) >= EXACT


def test_no_rule_of_weight_misses_a_spelling_with_the_same_tree():
    severities = {page.rule.id: page.rule.severity for page in rule_registry.builtin_pages()}
    grave = {rule for rule, severity in severities.items() if severity in {"error", "warning"}}
    assert {(rule, spelling) for rule, spelling in documented_limits() if rule in grave and spelling in EXACT} == set()


def test_the_page_lists_the_limits():
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page_of(documented_limits()), "run make spellings"
