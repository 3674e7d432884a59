"""The collected bugs are what they say: split before they were read, placed, and joined to rules that exist."""

from __future__ import annotations

from bench.recall import HALVES, Bug, Near, Outcome, read_bugs, table
from review_bot.configuration import rule_registry

RULES = {rule.id for rule in rule_registry.builtin_rulebook().rules}


def test_both_halves_are_there_and_every_bug_has_its_place() -> None:
    bugs = read_bugs()
    assert len(bugs) >= 200
    assert len({bug.commit for bug in bugs}) == len(bugs)
    assert {bug.half for bug in bugs} == set(HALVES)
    for bug in bugs:
        assert bug.what.endswith("."), bug.commit
        assert bug.places, bug.commit
        assert all(1 <= first <= last for _, first, last in bug.places), bug.commit
        assert bug.speaks <= RULES, (bug.commit, bug.speaks - RULES)


def test_a_bug_is_caught_only_by_a_rule_that_speaks_of_it() -> None:
    bug = Bug("a/b", "c", "d", "hold", "name", "A name.", (("m.py", 1, 2),), frozenset({"x/y"}))
    beside = Outcome(bug, (Near("p/q", "m.py", 1, "Another thing."),))
    named = Outcome(bug, (Near("x/y", "m.py", 1, "This thing."),))
    assert [each.caught for each in (beside, named)] == [False, True]
    assert table([beside, named])[-2:] == ["| name | – | 1 of 2 |", "| **all** | – | 1 of 2 (50.0 %) |"]
