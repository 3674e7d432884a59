"""What the shipped rules may do: comment beside the code, and turn the gate red."""

from __future__ import annotations

from review_bot import library
from review_bot.evidence.precision import Standing, placement_problems

AWAITED = frozenset(
    {
        "distributed/cuda-literal",
        "errors/empty-error-message",
        "errors/exclusive-fields",
        "errors/repeated-guard",
        "errors/stub-left",
        "quantization/zero-scale",
        "security/frombuffer-unchecked",
        "security/unbounded-payload",
    }
)
"""Rules that comment on lines and whose first marks are still to come; a bad mark takes a rule out of here."""


def test_every_rule_has_earned_its_place() -> None:
    pages = library.builtin_pages()
    rules = [
        Standing(page.rule.id, page.rule.show == "inline", page.rule.severity, page.documentation["provable"])
        for page in pages
        if page.rule.id not in AWAITED or page.measured.judged
    ]
    assert placement_problems(rules, {page.rule.id: page.measured for page in pages}) == []


def test_no_rule_is_awaited_in_vain() -> None:
    judged = {page.rule.id for page in library.builtin_pages() if page.measured.judged or page.rule.show == "summary"}
    assert AWAITED & judged == set()
