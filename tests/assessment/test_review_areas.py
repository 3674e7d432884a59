"""Which cards a change draws, and in which order."""

from __future__ import annotations

import pytest

from review_bot.assessment.review_areas import (
    Area,
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
    return Trigger("x", None, None, (), (), "any", new_files=False, at_least=at_least)


def card(name, *triggers, seen_in=10, rules=()):
    return ReviewQuestion(f"card/{name}", name.title(), ("all",), ("Why?",), rules, seen_in, triggers)


def drawn(cards, triggers, *matches, findings=(), added=100, line="cache = allocate(batch)"):
    """Draw cards for files ``0.py``, ``1.py`` ..., of each of which the matches of one trigger each are given."""
    hunk = Hunk(0, 0, 7, 1, (f"+{line}",))
    files = [ChangedFile(f"{n}.py", None, "added", "text", (hunk,), added=added) for n in range(len(matches))]
    profiles = [
        FileProfile(n, matches=tuple(TriggerMatch(each, lines, 7) for each, lines in of_file.items()))
        for n, of_file in enumerate(matches)
    ]
    focus = FocusMap((Area("all", "All", (0,)),), tuple(cards), tuple(triggers))
    return select_questions(focus, profiles, files, findings), areas_of(focus, profiles, files)


def ids(cards):
    return [each.id.removeprefix("card/") for each in cards]


def test_lines_are_added_up_over_all_files_until_they_are_enough():
    cards = [card("a", 0)]
    assert ids(drawn(cards, [trigger(at_least=3)], {0: 2}, {})[0]) == []
    (found,), (area,) = drawn(cards, [trigger(at_least=3)], {0: 1}, {0: 2})
    assert [(place.path, place.line, place.lines) for place in found.places] == [("1.py", 7, 2), ("0.py", 7, 1)]
    assert found.files == 2
    assert area.lines == 3


def test_a_trigger_with_too_few_lines_names_no_place():
    (found,), _ = drawn([card("a", 0, 1)], [trigger(), trigger(at_least=9)], {0: 1}, {1: 5})
    assert [place.path for place in found.places] == ["0.py"]


def test_what_matches_often_comes_first_and_so_does_what_is_seldom_seen():
    cards = [card("common", 0, seen_in=30), card("rare", 1, seen_in=1), card("strong", 2, seen_in=30)]
    triggers = [trigger(at_least=2)] * 3
    assert ids(drawn(cards, triggers, {0: 2, 1: 2, 2: 8})[0]) == ["strong", "rare", "common"]


def test_in_a_large_change_a_few_lines_come_last():
    cards = [card("few", 0, seen_in=1), card("many", 1, seen_in=30)]
    assert ids(drawn(cards, [trigger()] * 2, {0: 4, 1: 40}, added=2_000)[0]) == ["many", "few"]
    assert ids(drawn(cards, [trigger()] * 2, {0: 4, 1: 40}, added=1_000)[0]) == ["few", "many"]


def test_a_card_names_the_rules_that_found_something_of_the_same_matter():
    cards = [card("a", 0, rules=("memory/*",))]
    findings = [
        finding("memory/item-in-loop"),
        finding("memory/item-in-loop", line=30),
        finding("errors/bare-except"),
    ]
    (found,), _ = drawn(cards, [trigger()], {0: 1}, findings=findings)
    assert found.findings == ("memory/item-in-loop",)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("cache = allocate(batch)", "cache"),
        ("    self.cache: Tensor = x", "self.cache"),
        ("def allocate(self):", "allocate"),
        ("async def run(self):", "run"),
        ("class Cache(Base):", "Cache"),
        ("    torch.zeros(3)", "torch.zeros"),
        ("return pool.take(1)", "pool.take"),
        ("  - name: value", "name"),
    ],
)
def test_a_card_quotes_a_line_of_the_change_and_names_something_in_it(line, name):
    (found,), _ = drawn([card("a", 0)], [trigger()], {0: 1}, line=line)
    assert (found.quote, found.name, found.places[0]) == (line.strip(), name, Place("0.py", 7, 1))
    assert found.name in found.quote


@pytest.mark.parametrize("line", ["", "    ", "# cache", "}", '"""', "pass", "Some prose of a document.", "1, 2, 3,"])
def test_a_card_without_a_name_in_its_line_is_not_drawn(line):
    assert drawn([card("a", 0)], [trigger()], {0: 1}, line=line)[0] == ()


def test_a_card_without_a_line_is_not_drawn():
    focus = FocusMap((), (card("a", 0),), (trigger(),))
    file = ChangedFile("0.py", None, "added", "text", (Hunk(0, 0, 1, 1, ("+x = 1",)),), added=1)
    for line in (None, 2):
        profile = FileProfile(0, matches=(TriggerMatch(0, 1, line),))
        assert select_questions(focus, [profile], [file], ()) == ()


def test_at_most_three_cards_are_drawn():
    cards = [card(f"c{number}", 0) for number in range(9)]
    assert len(drawn(cards, [trigger()], {0: 1})[0]) == 3


def test_a_long_line_is_cut():
    (found,), _ = drawn([card("a", 0)], [trigger()], {0: 1}, line="cache = " + "x" * 500)
    assert len(found.quote) == 120
