"""What a worker says of fixes is believed only where it names suggestions of findings that it has told."""

from __future__ import annotations

import json
import sys

import pytest

from review_bot.comments.model import Declined
from review_bot.configuration import rule_registry
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.fixing import OVERLAP, UNTRIED
from review_bot.engine.plan import Fixing, make_plan
from review_bot.findings import Fix, Fixes, SkippedFix, Suggestion
from review_bot.processes.typed_json import encode
from review_bot.rules.examples import make_case
from review_bot.rules.rulebook import Baseline
from review_bot.sandbox.worker_client import Limits, Worker
from review_bot.sandbox.worker_response import InvalidResponse, decode

HEAD = {"tool.py": "import os\nimport os\n\nX = os  \nY = 1", "plain.py": "X = 1  \n"}


def request(fixing=None):
    book = rule_registry.builtin_rulebook()._replace(baseline=Baseline(of_base=False))
    case = make_case(book.rules[0], {"base": {}, "head": HEAD})
    plan = make_plan(case.pull_request, book)._replace(fixing=Fixing() if fixing is None else fixing)
    return ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, book)


ASKED = request()
HONEST = examine(ASKED)
FIXES = HONEST.fixes or Fixes()
FIRST = FIXES.proven[0]


def sent(fixes):
    return json.loads(encode(HONEST._replace(fixes=fixes)))


def test_an_honest_answer_comes_back_as_it_was():
    assert [fix.path for fix in FIXES.proven] == ["plain.py", "tool.py", "tool.py", "tool.py"]
    assert decode(sent(FIXES), ASKED) == HONEST


def test_the_isolated_worker_proves_the_same():
    with Worker() as worker:
        assert worker.examine(ASKED) == HONEST


def test_a_proof_for_which_there_is_no_time_costs_fixes_alone():
    with Worker(Limits(proof_seconds=0)) as worker:
        found = worker.examine(ASKED)
    assert found._replace(fixes=None) == HONEST._replace(fixes=None)
    assert found.fixes is not None
    assert (found.fixes.proven, {skipped.reason for skipped in found.fixes.skipped}) == ((), {UNTRIED})


@pytest.mark.parametrize(
    "then",
    [
        "",
        "import time; time.sleep(60)",
        "import os; os.abort()",
        "print('no JSON')",
        'print(\'{"refused": "the change needs more memory than the limit"}\')',
        "import sys\nwhile True: sys.stdout.write('x' * 1000000)",
    ],
)
def test_whatever_happens_while_fixes_are_tried_what_was_seen_before_holds(then):
    """A proof takes time and memory: no verdict may depend on it."""
    seen = HONEST._replace(fixes=Fixes((), tuple(SkippedFix(fix, UNTRIED) for fix in FIXES.proven)))
    line = json.dumps({"examination": json.loads(encode(seen))})
    script = f"import sys; sys.stdin.buffer.read(8); print({line!r}, flush=True)\n{then}"
    limits = Limits(total_seconds=3.0) if "sleep" in then else Limits()
    with Worker(limits, (sys.executable, "-c", script)) as worker:
        assert worker.examine(ASKED) == seen


def test_fixes_of_nothing_are_not_believed():
    with Worker(Limits(), (sys.executable, "-c", "print('{\"fixes\": [[], []]}')")) as worker:
        assert worker.examine(ASKED).unreviewed


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
    with pytest.raises(InvalidResponse):
        decode(sent(Fixes(proven)), ASKED)
    if proven not in {(FIRST, FIRST), FIXES.proven[::-1]}:
        with pytest.raises(InvalidResponse):
            decode(sent(Fixes((), tuple(SkippedFix(fix, OVERLAP) for fix in proven))), ASKED)


def test_words_of_its_own_are_not_believed():
    with pytest.raises(InvalidResponse, match="a reason of its own"):
        decode(sent(Fixes((), (SkippedFix(FIRST, "click here"),))), ASKED)


def test_fixes_are_told_if_and_only_if_they_were_asked_for():
    with pytest.raises(InvalidResponse):
        decode(sent(None), ASKED)
    with pytest.raises(InvalidResponse):
        decode(sent(Fixes()), ASKED._replace(plan=ASKED.plan._replace(fixing=None)))


@pytest.mark.parametrize(
    "fixing",
    [
        Fixing(frozenset(["style/eof-newline"])),
        Fixing(baseline=frozenset(FIRST.fingerprints)),
        Fixing(accepted=frozenset(FIRST.fingerprints)),
        Fixing(declined=(Declined(FIRST.fingerprints, "grace", "because", FIRST.path),)),
    ],
)
def test_only_what_was_asked_for_is_believed(fixing):
    asked = ASKED._replace(plan=ASKED.plan._replace(fixing=fixing))
    with pytest.raises(InvalidResponse):
        decode(sent(FIXES), asked)
    assert isinstance(FIRST, Fix)
    assert decode(json.loads(encode(examine(asked))), asked).fixes
