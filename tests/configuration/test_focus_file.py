"""Areas and cards: every mistake is named with file, line and field, and the shipped file is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_bot.assessment.review_areas import Surroundings
from review_bot.configuration import config_file, rule_registry
from review_bot.configuration.effective_config import Configuration
from review_bot.configuration.focus_file import read_focus
from review_bot.errors import ConfigError, RuleError

AREA = "areas:\n  - id: pools\n    title: Pools\n    triggers:\n      - at-least: 10\n"
CARD = """\
cards:
  - id: card/pools
    title: Memory
    asks:
      - question: When is `{name}` freed?
        lines: '(?P<name>\\w+) = \\w+\\.clone\\('
        unless:
          function: 'del {name}'
"""
WHOLE = AREA + CARD


def read(text):
    return read_focus(text, "rules/focus.yaml", ["memory/item-in-loop"])


def test_a_trigger_is_known_by_its_place():
    focus = read(WHOLE)
    assert [area.triggers for area in focus.areas] == [(0,)]
    assert [[ask.trigger for ask in card.asks] for card in focus.cards] == [[1]]
    assert focus.triggers[1].unless == Surroundings(function="del {name}")
    assert (focus.triggers[0].scope, focus.triggers[0].at_least) == ("library", 10)


MISTAKES = [
    (WHOLE.replace("title: Pools", "titel: Pools"), 3, "areas.0.titel", "not known"),
    (WHOLE.replace("id: pools", "id: Pools"), 2, "areas.0.id", "lower-case letters and hyphens"),
    (WHOLE.replace("\n      - at-least: 10", " []"), 4, "areas.0.triggers", "matches nothing"),
    (WHOLE.replace("at-least: 10", "at-least: 0"), 5, "areas.0.triggers.0.at-least", "must be 1 or more"),
    (WHOLE.replace("card/pools", "memory"), 7, "cards.0.id", "write card/ and a name"),
    (WHOLE.replace("freed?", "freed."), 10, "cards.0.asks.0.question", "question mark"),
    (WHOLE.replace("`{name}`", "it"), 10, "cards.0.asks.0.question", "put {name} in it"),
    (WHOLE.replace("`{name}`", "`{size}`"), 10, "cards.0.asks.0.question", "no group 'size'; its groups are name"),
    (WHOLE.replace("del {name}", "del {it}"), 13, "cards.0.asks.0.unless.function", "no group 'it'"),
    (WHOLE.replace("clone\\(", "(?P<name>x"), 11, "cards.0.asks.0.lines", "(missing ): (?P<name>"),
    (WHOLE.replace("clone\\(", "clone(?=x)"), 11, "cards.0.asks.0.lines", "without look-around"),
    (WHOLE.replace("del {name}", "(del"), 13, "cards.0.asks.0.unless.function", "RE2 does not accept"),
    (WHOLE + "        paths: ['[a']\n", 14, "cards.0.asks.0.paths.0", "'[' without a ']'"),
    (WHOLE + "    rules: [memory/none]\n", 14, "cards.0.rules.0", "no rule matches 'memory/none'"),
    (WHOLE + CARD.removeprefix("cards:\n"), 14, "cards.1.id", "taken"),
]


@pytest.mark.parametrize(("text", "line", "field", "words"), MISTAKES)
def test_a_mistake_is_named(text, line, field, words):
    with pytest.raises(RuleError) as caught:
        read(text)
    assert (caught.value.path, caught.value.line, caught.value.field) == ("rules/focus.yaml", line, field)
    assert words in str(caught.value)


@pytest.mark.parametrize(("text", "line", "field", "words"), MISTAKES)
def test_a_mistake_in_a_configuration_is_named_alike(text, line, field, words):
    with pytest.raises(ConfigError) as caught:
        Configuration("c.yml", text, config_file.read(text, "c.yml")).choose(rule_registry.builtin_rulebook())
    assert (caught.value.path, caught.value.line) == ("c.yml", line)
    assert caught.value.field == field
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "one mapping"),
        ("- a\n", "one mapping"),
        ("areas: []\n", "missing"),
        (WHOLE + "  bad: [\n", "YAML"),
    ],
)
def test_a_file_is_one_mapping(text, words):
    with pytest.raises(RuleError, match=words):
        read(text)


@pytest.mark.parametrize(("text", "field"), [("id: pools", "areas.0.id"), ("card/pools", "cards.0.id")])
def test_an_id_of_a_built_in_area_or_card_is_taken(text, field):
    focus = rule_registry.builtin_rulebook().focus
    taken = WHOLE.replace("id: pools", f"id: {focus.areas[0].id}").replace("card/pools", focus.cards[0].id)
    other = taken if field == "areas.0.id" else taken.replace(f"id: {focus.areas[0].id}", "id: of-our-own")
    with pytest.raises(ConfigError, match="taken") as caught:
        Configuration("c.yml", other, config_file.read(other, "c.yml")).choose(rule_registry.builtin_rulebook())
    assert caught.value.field == field


def test_each_built_in_card_has_a_question_and_a_title_of_its_own():
    book = rule_registry.builtin_rulebook()
    focus = book.focus
    assert len(focus.areas) == 12
    assert len({card.title for card in focus.cards}) == len(focus.cards)
    questions = [ask.question for card in focus.cards for ask in card.asks]
    assert len(set(questions)) == len(questions)
    assert rule_registry.with_own_rules(book, [("own.yml", "id: a\ntext: {regex: b}\n")]).focus == focus


def test_the_documents_list_every_card():
    page = Path("docs/scorecard.md")
    if not page.exists():
        pytest.skip("an installed package has no documents")
    text = page.read_text(encoding="utf-8")
    assert [card.id for card in rule_registry.builtin_rulebook().focus.cards if f"`{card.id}`" not in text] == []


def test_the_compiled_records_are_those_of_the_file():
    source = Path(rule_registry.SOURCE) / rule_registry.FOCUS
    if not source.exists():
        pytest.skip("an installed package has no YAML")
    ids = [rule.id for rule in rule_registry.builtin_rulebook().rules]
    assert (
        read_focus(source.read_text(encoding="utf-8"), "rules/focus.yaml", ids)
        == rule_registry.builtin_rulebook().focus
    )


def cards(text):
    """Return the ids of the cards that a configuration leaves on."""
    book = Configuration("c.yml", text, config_file.read(text, "c.yml")).choose(rule_registry.builtin_rulebook())
    return [card.id for card in book.focus.cards]


def test_a_card_is_switched_off_by_its_id():
    every = cards("")
    assert cards("rules: {card/constants: off}") == [each for each in every if each != "card/constants"]
    assert cards("rules: {card/*: off, card/tests: on}") == ["card/tests"]
    assert cards("rules: {'*': off}") == every
    assert cards("rules: {card/pools: off}\n" + CARD) == every


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("card/constant: off", "there is no card 'card/constant'; did you mean 'card/constants'?"),
        ("card/constants: error", "a card is `on` or `off`"),
        ("card/constants: {show: line}", "a card is `on` or `off`"),
    ],
)
def test_a_card_that_cannot_be_switched_is_an_error(entry, words):
    with pytest.raises(ConfigError) as caught:
        cards(f"rules:\n  {entry}\n")
    assert (caught.value.line, caught.value.field) == (2, f"rules.{entry.partition(':')[0]}")
    assert words in caught.value.message
