"""A rule that names a place outside its file has failed; its hit is never dropped in silence."""

from __future__ import annotations

import pytest

from review_bot.rules.check import ChangeCheck, Check, CheckTraits, FileCheck
from review_bot.rules.matchers import Checked
from review_bot.rules.rule import Hit
from tests.engine.cases import review, rulebook_of

RULES = "id: own/check\nlanguage: python\ncheck: {name: errors/constant-condition}\n"
CODE = "if True:\n    x = 1\n"


@pytest.mark.parametrize(
    "hit",
    [
        Hit(0),
        Hit(-1),
        Hit(4),
        Hit(2, end_line=1),
        Hit(1, end_line=9),
        Hit(1, column=0),
        Hit(1, column=20),
        Hit(1, 2, 1, 40),
        Hit(2, side="LEFT"),
    ],
)
@pytest.mark.parametrize("about", ["file", "change"])
def test_a_hit_outside_the_file_is_a_failure(hit, about):
    if about == "file":
        check: Check = FileCheck(lambda source, options: [hit], CheckTraits(None))
    else:
        check = ChangeCheck(
            lambda source, options: 1,
            lambda facts, pull_request, repository, options: [hit._replace(path="a.py")],
            CheckTraits(None),
        )
    book = rulebook_of(RULES)
    (rule,) = book.rules
    assert isinstance(rule.matcher, Checked)
    rule = rule._replace(matcher=rule.matcher._replace(per_file=about == "file"))
    book = book._replace(rules=(rule,), load_check=lambda name: check)
    result = review({"a.py": CODE}, {"a.py": ""} if hit.side == "LEFT" else None, rulebook=book)
    assert [(failure.rule, failure.path) for failure in result.failures] == [("own/check", "a.py")]
    assert "OutsideFile" in result.failures[0].error


@pytest.mark.parametrize("hit", [Hit(1), Hit(2, 2, 1, 10), Hit(3), Hit(None)])
def test_a_hit_inside_the_file_is_none(hit):
    book = rulebook_of(RULES)._replace(load_check=lambda name: FileCheck(lambda *_: [hit], CheckTraits(None)))
    assert not review({"a.py": CODE}, rulebook=book).failures
