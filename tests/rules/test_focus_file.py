"""The file of areas and cards: every mistake is named with file, line and field, and the shipped one is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_bot.configuration import rule_registry
from review_bot.errors import RuleError
from review_bot.rules.focus_file import read_focus

AREA = "areas:\n  - id: engine\n    title: Engine\n    triggers:\n      - at_least: 10\n"
CARD = """\
cards:
  - id: card/memory
    title: Memory
    areas: [engine]
    questions: [When is it freed?]
    seen_in: 5
    triggers:
      - lines: 'clone'
"""
WHOLE = AREA + CARD


def read(text):
    return read_focus(text, "rules/focus.yaml", ["memory/item-in-loop"])


def test_a_trigger_is_known_by_its_place():
    focus = read(WHOLE)
    assert [area.triggers for area in focus.areas] == [(0,)]
    assert [card.triggers for card in focus.cards] == [(1,)]
    assert focus.triggers[1].literals == (("~clone",),)
    assert (focus.triggers[0].scope, focus.triggers[0].at_least) == ("library", 10)


MISTAKES = [
    ("", 1, "", "one mapping"),
    ("- a\n", 1, "", "one mapping"),
    ("areas: []\n", 1, "cards", "missing"),
    (WHOLE.replace("title: Engine", "titel: Engine"), 3, "areas.0.titel", "not known"),
    (WHOLE.replace("id: engine", "id: Engine"), 2, "areas.0.id", "must match"),
    (WHOLE.replace("card/memory", "memory"), 7, "cards.0.id", "must match"),
    (WHOLE.replace("When is it freed?", "Free it."), 10, "cards.0.questions.0", "must match"),
    (WHOLE.replace("[engine]", "[enigne]"), 9, "cards.0.areas.0", "no area 'enigne'; write one of engine"),
    (WHOLE.replace("seen_in: 5", "seen_in: 500"), 11, "cards.0.seen_in", "100"),
    (WHOLE.replace("'clone'", "'clone(?=x)'"), 13, "cards.0.triggers.0.lines", "without look-around"),
    (WHOLE.replace("'clone'", "a\n        removed: b"), 14, "cards.0.triggers.0.removed", "make it two triggers"),
    (WHOLE.replace("'clone'", "a\n        paths: ['[a']"), 14, "cards.0.triggers.0.paths.0", "invalid path pattern"),
    (WHOLE + "    rules: [memory/none]\n", 14, "cards.0.rules.0", "no rule matches 'memory/none'"),
    (WHOLE + CARD.removeprefix("cards:\n"), 14, "cards.1.id", "twice"),
    (WHOLE + "  bad: [\n", None, "", "YAML"),
]


@pytest.mark.parametrize(("text", "line", "field", "words"), MISTAKES)
def test_a_mistake_is_named(text, line, field, words):
    with pytest.raises(RuleError) as caught:
        read(text)
    assert caught.value.path == "rules/focus.yaml"
    assert line in {None, caught.value.line}
    assert caught.value.field == field
    assert words in str(caught.value)


def test_the_built_in_rules_bring_twelve_areas_and_thirty_two_cards():
    focus = rule_registry.builtin_rulebook().focus
    assert (len(focus.areas), len(focus.cards)) == (12, 32)
    assert {area for card in focus.cards for area in card.areas} == {area.id for area in focus.areas}
    assert (
        rule_registry.with_own_rules(rule_registry.builtin_rulebook(), [("own.yml", "id: a\ntext: {regex: b}\n")]).focus
        == focus
    )


def test_the_compiled_records_are_those_of_the_file():
    source = Path(rule_registry.SOURCE) / rule_registry.FOCUS
    if not source.exists():
        pytest.skip("an installed package has no YAML")
    ids = [rule.id for rule in rule_registry.builtin_rulebook().rules]
    assert (
        read_focus(source.read_text(encoding="utf-8"), "rules/focus.yaml", ids)
        == rule_registry.builtin_rulebook().focus
    )
