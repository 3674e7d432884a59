from __future__ import annotations

from pathlib import Path

from review_bot.configuration import rule_registry
from review_bot.files.yaml_file import read_yaml

TABLE = Path(__file__).parents[2] / "rule_lab/seeds.yaml"


def test_every_rule_and_question_that_comes_from_a_seed_exists():
    rulebook = rule_registry.builtin_rulebook()
    rules = [rule.id for rule in rulebook.rules]
    families = {f"{rule.partition('/')[0]}/*" for rule in rules}
    questions = {card.id for card in rulebook.focus.cards} | {f"area/{area.id}" for area in rulebook.focus.areas}
    documents = read_yaml(TABLE.read_text(encoding="utf-8"))[0].data
    named = {
        (document, item, name)
        for document, sections in documents.items()
        for items in sections.values()
        for item, names in items.items()
        for name in names
    }
    known = {*rules, *families, *questions}
    assert {document for document, _, _ in named} == {"000", "001", "002", "003", "004"}
    assert sorted(each for each in named if each[2] not in known) == []
