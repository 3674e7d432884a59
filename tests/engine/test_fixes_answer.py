"""What a worker says of fixes is believed only where it names suggestions of findings that it has told."""

from __future__ import annotations

import json

import pytest

from review_bot import library
from review_bot.engine.answer import Asked, NotBelieved, decode, encode
from review_bot.engine.examination import Texts, examine
from review_bot.engine.fixing import OVERLAP
from review_bot.engine.isolation import Worker
from review_bot.engine.plan import Fixing, make_plan
from review_bot.findings import Fix, Fixes, HeldFix, Suggestion
from review_bot.rules.examples import make_case

HEAD = {"tool.py": "import os\nimport os\n\nX = os  \nY = 1", "plain.py": "X = 1  \n"}


def request(fixing=None):
    book = library.builtin_rulebook()
    case = make_case(book.rules[0], {"base": {}, "head": HEAD})
    plan = make_plan(case.pull_request, book)._replace(fixing=Fixing() if fixing is None else fixing)
    return Asked(case.pull_request, plan, Texts(case.new, case.old), case.repository, book)


ASKED = request()
HONEST = examine(*ASKED[:5])
FIXES = HONEST.fixes or Fixes()
FIRST = FIXES.proven[0]


def sent(fixes):
    return json.loads(encode(HONEST._replace(fixes=fixes)))


def test_an_honest_answer_comes_back_as_it_was():
    assert [fix.path for fix in FIXES.proven] == ["plain.py", "tool.py", "tool.py", "tool.py"]
    assert decode(sent(FIXES), ASKED) == HONEST


def test_the_isolated_worker_proves_the_same():
    with Worker() as worker:
        assert worker.examine(*ASKED[:5]) == HONEST


@pytest.mark.parametrize(
    "proven",
    [
        (FIRST._replace(path="elsewhere.py"),),
        (FIRST._replace(path="tool.py"),),
        (FIRST._replace(rule="own/invented"),),
        (FIRST._replace(rule="style/eof-newline"),),
        (FIRST._replace(fingerprints=()),),
        (FIRST._replace(fingerprints=("0" * 16 + "-" + "0" * 8,)),),
        (FIRST._replace(suggestion=Suggestion(1, 1, "import evil")),),
        (FIRST._replace(suggestion=Suggestion(1, 9, "X = 1")),),
        (FIRST, FIRST),
        FIXES.proven[::-1],
    ],
)
def test_a_lie_is_not_believed(proven):
    with pytest.raises(NotBelieved):
        decode(sent(Fixes(proven)), ASKED)
    if proven not in {(FIRST, FIRST), FIXES.proven[::-1]}:
        with pytest.raises(NotBelieved):
            decode(sent(Fixes((), tuple(HeldFix(fix, OVERLAP) for fix in proven))), ASKED)


def test_words_of_its_own_are_not_believed():
    with pytest.raises(NotBelieved, match="a reason of its own"):
        decode(sent(Fixes((), (HeldFix(FIRST, "click here"),))), ASKED)


def test_fixes_are_told_if_and_only_if_they_were_asked_for():
    with pytest.raises(NotBelieved):
        decode(sent(None), ASKED)
    with pytest.raises(NotBelieved):
        decode(sent(Fixes()), ASKED._replace(plan=ASKED.plan._replace(fixing=None)))


@pytest.mark.parametrize(
    "fixing", [Fixing(frozenset(["style/eof-newline"])), Fixing(accepted=frozenset(FIRST.fingerprints))]
)
def test_only_what_was_asked_for_is_believed(fixing):
    asked = ASKED._replace(plan=ASKED.plan._replace(fixing=fixing))
    with pytest.raises(NotBelieved):
        decode(sent(FIXES), asked)
    assert isinstance(FIRST, Fix)
    assert decode(json.loads(encode(examine(*asked[:5]))), asked).fixes
