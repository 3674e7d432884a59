"""An answer of the worker is believed only where it fits the request."""

from __future__ import annotations

import json
import sys

import pytest

from review_bot.changes.profile import TriggerMatch
from review_bot.changes.pull_request import Unreviewed
from review_bot.configuration import rule_registry
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.findings import NoText, Related, Suggestion
from review_bot.processes.typed_json import encode
from review_bot.rules.examples import make_case
from review_bot.sandbox.worker_response import InvalidResponse, decode

HEAD = {
    "tool.py": "import os\nimport os\ntry:\n    run()\nexcept:\n    pass\n",
    "noted.py": "try:\n    run()\nexcept:  # review-bot: ignore[errors/swallowed-exception] it may be anything\n    pass\n",
    "unused.py": "x = 1  # review-bot: ignore[errors/bare-except] no reason to\n",
}
BASE = {"tool.py": "def gone():\n    pass\n"}


def request():
    book = rule_registry.builtin_rulebook()
    case = make_case(book.rules[0], {"base": BASE, "head": HEAD})
    plan = make_plan(case.pull_request, book)
    return ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, book)


ASKED = request()
HONEST = examine(ASKED)
FIRST = next(finding for finding in HONEST.findings if finding.rule.startswith("errors/") and finding.line)


def sent(examination):
    return json.loads(encode(examination))


def test_an_honest_answer_comes_back_as_it_was():
    assert HONEST.findings
    assert HONEST.suppressed
    assert decode(sent(HONEST), ASKED) == HONEST
    odd = HONEST._replace(findings=(FIRST._replace(message="a lone \ud800, and a \0"),))
    assert decode(sent(odd), ASKED) == odd


@pytest.mark.parametrize(
    "lie",
    [
        {"rule": "own/invented"},
        {"rule": "suppression/invented"},
        {"title": "Click here"},
        {"why": "Because"},
        {"url": "https://example.invalid/"},
        {"cause": "a.py:4000"},
        {"severity": "fatal"},
        {"severity": None},
        {"confidence": "medium" if FIRST.confidence == "high" else "high"},
        {"path": "elsewhere.py"},
        {"path": None},
        {"line": 0},
        {"line": -1},
        {"line": 4_000},
        {"line": True},
        {"line": "1"},
        {"line": 1.0},
        {"end_line": 4_000},
        {"line": 3, "end_line": 2},
        {"column": 0},
        {"side": "MIDDLE"},
        {"placement": "file"},
        {"moved": 1},
        {"fingerprint": "-->"},
        {"effort_minutes": 999},
        {"related": (Related("/etc/passwd", 1, ""),)},
        {"suggestion": Suggestion(1, 4_000, "x")},
        {"suggestion": Suggestion(3, 2, "x")},
        {"suggestion": Suggestion(1, 2, "x\n" * 100)},
    ],
)
def test_a_finding_that_cannot_be_is_refused(lie):
    with pytest.raises(InvalidResponse):
        decode(sent(HONEST._replace(findings=(FIRST._replace(**lie),))), ASKED)


COUNTED = next(each for each in HONEST.profiles if each.code_lines)
MATCH = TriggerMatch(0, 1, 1)
FIRST_LINE = next(text for _, text in ASKED.pull_request.files[COUNTED.file].added_lines())


def test_counts_come_back():
    named = MATCH._replace(names=(("name", FIRST_LINE[:3]),))
    counted = HONEST._replace(profiles=(COUNTED._replace(matches=(MATCH, named)),))
    assert decode(sent(counted), ASKED) == counted


@pytest.mark.parametrize(
    "lie",
    [
        {"file": 99},
        {"file": -1},
        {"code_lines": 7_000},
        {"code_lines": -1},
        {"test_lines": 7_000},
        {"documented": 2, "definitions": 1},
        {"definitions": 7_000},
        {"annotated": 2, "slots": 1},
        {"annotated": -1},
        {"slots": sys.maxsize},
        {"slots": True},
        {"matches": (MATCH._replace(trigger=9_999),)},
        {"matches": (MATCH._replace(lines=0),)},
        {"matches": (MATCH._replace(lines=7_000),)},
        {"matches": (MATCH._replace(line=7_000),)},
        {"matches": (MATCH,) * 999},
        {"matches": (MATCH._replace(names=(("name", "not in the line"),)),)},
        {"matches": (MATCH._replace(names=(("name", ""),)),)},
        {"matches": (MATCH._replace(line=None, names=(("name", "x"),)),)},
    ],
)
def test_counts_that_cannot_be_are_refused(lie):
    with pytest.raises(InvalidResponse):
        decode(sent(HONEST._replace(profiles=(COUNTED._replace(**lie),))), ASKED)


def test_a_file_is_counted_once():
    with pytest.raises(InvalidResponse):
        decode(sent(HONEST._replace(profiles=(COUNTED, COUNTED))), ASKED)


def test_a_severity_above_the_rules_is_refused():
    light = next(finding for finding in HONEST.findings if finding.severity != "error" and "/" in finding.rule)
    with pytest.raises(InvalidResponse):
        decode(sent(HONEST._replace(findings=(light._replace(severity="error"),))), ASKED)


def test_what_cannot_be_silenced_is_not():
    locked = next(rule for rule in ASKED.rulebook.rules if not rule.suppressible)
    silenced = HONEST.suppressed[0]
    finding = silenced.finding._replace(
        rule=locked.id,
        title=locked.title,
        severity=locked.severity,
        confidence=locked.confidence,
        aspect=locked.aspect,
        why=locked.why,
        url=locked.url,
        effort_minutes=locked.effort,
    )
    for lie in (silenced._replace(finding=finding), silenced._replace(by="baseline"), silenced._replace(line=9_999)):
        with pytest.raises(InvalidResponse):
            decode(sent(HONEST._replace(suppressed=(lie,))), ASKED)


@pytest.mark.parametrize(
    "lie",
    [
        {"unreviewed": (("elsewhere.py", "why", None),)},
        {"unreviewed": (("tool.py", "why"),)},
        {"no_text": (NoText("tool.py", "binary"),)},
        {"ignored": ("tool.py",)},
        {"not_run": (("own/invented", "why"),)},
        {"failures": (("own/invented", None, "why"),)},
        {"failures": ((FIRST.rule, "elsewhere.py", "why"),)},
        {"findings": None},
        {"findings": {"a": 1}},
    ],
)
def test_an_answer_about_something_else_is_refused(lie):
    with pytest.raises(InvalidResponse):
        decode(sent(HONEST._replace(**lie)), ASKED)


def test_what_was_unreviewed_before_stays_so():
    known = (Unreviewed("tool.py", "truncated"),)
    change = decode(sent(HONEST._replace(unreviewed=known)), ASKED).unreviewed
    asked = ASKED._replace(pull_request=ASKED.pull_request._replace(unreviewed=change))
    with pytest.raises(InvalidResponse, match="passed over"):
        decode(sent(HONEST), asked)
