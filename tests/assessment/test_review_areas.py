"""Which areas a change touches, which cards it draws, and in which order."""

from __future__ import annotations

import pytest

from review_bot.assessment.review_areas import (
    Area,
    Ask,
    FocusMap,
    Place,
    ReviewQuestion,
    Trigger,
    areas_of,
    select_questions,
)
from review_bot.changes.profile import FileProfile, TriggerMatch
from review_bot.changes.pull_request import ChangedFile, Hunk
from tests.reviews import finding


def trigger(at_least=1):
    return Trigger("x", None, scope="any", at_least=at_least)


def card(name, *triggers, rules=()):
    asks = tuple(Ask(f"Why `{{name}}` ({number})?", number) for number in triggers)
    return ReviewQuestion(f"card/{name}", name.title(), rules, asks)


def drawn(cards, *matches, findings=(), line="cache = allocate(batch)", names=(("name", "cache"),), triggers=None):
    """Draw cards for files ``0.py``, ``1.py`` ..., of each of which the matches of one trigger each are given."""
    hunk = Hunk(0, 0, 7, 1, (f"+{line}",))
    files = [ChangedFile(f"{n}.py", None, "added", "text", (hunk,), added=1) for n in range(len(matches))]
    profiles = [
        FileProfile(n, matches=tuple(TriggerMatch(each, lines, 7, names) for each, lines in of_file.items()))
        for n, of_file in enumerate(matches)
    ]
    focus = FocusMap((Area("all", "All", (0,)),), tuple(cards), tuple(triggers or [trigger()] * 9))
    return select_questions(focus, profiles, files, findings), areas_of(focus, profiles, files)


def ids(cards):
    return [each.id.removeprefix("card/") for each in cards]


def test_lines_of_an_area_are_added_up_over_all_files_until_they_are_enough():
    assert drawn([], {0: 2}, {}, triggers=[trigger(at_least=3)])[1] == ()
    _, (area,) = drawn([], {0: 1}, {0: 2}, triggers=[trigger(at_least=3)])
    assert (area.lines, area.paths) == (3, ("1.py", "0.py"))


def test_a_card_asks_about_a_line_and_names_the_other_files():
    (found,), _ = drawn([card("a", 0)], {0: 1}, {}, {0: 2})
    assert found.questions == ("Why `cache` (0)?",)
    assert (found.quote, found.name) == ("cache = allocate(batch)", "cache")
    assert found.places == (Place("0.py", 7, 1), Place("2.py", 7, 2))
    assert found.files == 2


def test_a_card_asks_about_its_first_construct_that_occurs():
    (found,), _ = drawn([card("a", 1, 0, 2)], {0: 1, 2: 1})
    assert found.questions == ("Why `cache` (0)?",)


def test_the_cards_keep_their_order_and_at_most_three_are_drawn():
    cards = [card(f"c{number}", number) for number in range(6)]
    assert ids(drawn(cards, {5: 9, 4: 1, 3: 1, 1: 1})[0]) == ["c1", "c3", "c4"]


def test_a_card_names_the_rules_that_found_something_on_the_same_subject():
    findings = [
        finding("memory/item-in-loop", path="0.py", line=8),
        finding("memory/item-in-loop", path="0.py", line=30),
        finding("errors/bare-except", path="0.py", line=9),
    ]
    (found,), _ = drawn([card("a", 0, rules=("memory/*",))], {0: 1}, findings=findings)
    assert found.findings == ("memory/item-in-loop",)


@pytest.mark.parametrize("rule", ["memory/item-in-loop", "errors/bare-except"])
def test_a_line_that_a_finding_is_about_raises_no_question(rule):
    findings = [finding(rule, path="0.py", line=7)]
    cards = [card("a", 0, rules=("memory/*",))]
    assert drawn(cards, {0: 1}, findings=findings)[0] == ()
    (found,), _ = drawn(cards, {0: 1}, {0: 1}, findings=findings)
    assert found.places == (Place("1.py", 7, 1),)


def test_a_line_of_a_silenced_finding_raises_no_question():
    file = ChangedFile("0.py", None, "added", "text", (Hunk(0, 0, 1, 1, ("+cache = 1",)),), added=1)
    profile = FileProfile(0, matches=(TriggerMatch(0, 1, 1, (("name", "cache"),)),))
    focus, silenced = FocusMap((), (card("a", 0),), (trigger(),)), finding("memory/item-in-loop", path="0.py", line=1)
    assert ids(select_questions(focus, [profile], [file], ())) == ["a"]
    assert select_questions(focus, [profile], [file], (), [silenced]) == ()


@pytest.mark.parametrize("names", [(), (("name", ""),), (("other", "cache"),)])
def test_a_card_without_a_name_is_not_drawn(names):
    assert drawn([card("a", 0)], {0: 1}, names=names)[0] == ()


@pytest.mark.parametrize("line", [None, 2])
def test_a_card_without_an_added_line_is_not_drawn(line):
    focus = FocusMap((), (card("a", 0),), (trigger(),))
    file = ChangedFile("0.py", None, "added", "text", (Hunk(0, 0, 1, 1, ("+x = 1",)),), added=1)
    profile = FileProfile(0, matches=(TriggerMatch(0, 1, line, (("name", "x"),)),))
    assert select_questions(focus, [profile], [file], ()) == ()


def test_a_long_line_is_cut():
    (found,), _ = drawn([card("a", 0)], {0: 1}, line="cache = " + "x" * 500)
    assert len(found.quote) == 120


def test_what_a_name_holds_is_no_slot_of_the_question():
    (found,), _ = drawn([card("a", 0)], {0: 1}, line='x["{name}"] = 1', names=(("name", '"{name}"'),))
    assert found.questions == ('Why `"{name}"` (0)?',)
