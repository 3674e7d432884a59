"""What a rule says reaches its reader as it was meant: nothing stands in it that nobody fills in."""

from __future__ import annotations

import re
from pathlib import Path

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


UNWANTED = re.compile(
    r"\b(?:anew|mend(?:s|ed)?|nobody|somebody|whoever|beside|at hand|takes? away|tells?|told|stands?|stood|speaks?|spoke)\b",
    re.IGNORECASE,
)
"""Words that user-visible text does not use; this is the only list of them."""

_TEMPLATES = Path(__file__).parents[2] / "review_bot" / "reports" / "templates"
TEXTS = {
    **{
        path.relative_to(_TEMPLATES).as_posix(): re.sub(
            r"\{[%#{].*?[%#}]\}", "", path.read_text("utf-8"), flags=re.DOTALL
        )
        for path in _TEMPLATES.rglob("*.j2")
    },
    **{rule.id: f"{rule.title} {rule.message} {rule.instead} {rule.why}" for rule in RULES},
    "rules/focus.yaml": "\n".join(
        text for card in rule_registry.builtin_rulebook().focus.cards for text in (card.title, *card.questions)
    ),
}


def test_the_texts_are_found() -> None:
    assert len(TEXTS) > len(RULES) > 200
    assert "### Merge criteria" in TEXTS["summary/criteria.md.j2"]


@pytest.mark.parametrize("name", TEXTS)
def test_user_visible_texts_use_no_unwanted_word(name: str) -> None:
    assert UNWANTED.findall(TEXTS[name]) == []
