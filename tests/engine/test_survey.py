"""A small change is surveyed in one process; what ends that process costs one task, and the next one goes on from there."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from review_bot.changes.repository import closed
from review_bot.configuration import rule_registry
from review_bot.engine.examination import TOGETHER_UP_TO, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.engine.texts import Texts
from review_bot.findings import Examination
from review_bot.processes import typed_json
from review_bot.processes.process_pool import ProcessPool, run_in_process
from review_bot.rules.check import ChangeCheck, CheckTraits
from review_bot.rules.examples import make_case
from review_bot.rules.matchers import Checked
from review_bot.rules.rule import Hit
from tests.engine.cases import rulebook_of
from tests.joined_examples import joined

HEAD = {
    "a.py": "eval(a)\n",
    "b.py": "eval(b)  # review-bot: ignore[own/gathers] it is measured\n",
    "c.py": "eval(c)\n",
}
RULES = """\
id: own/gathers
language: python
check: {name: errors/constant-condition}
---
id: own/eval
language: python
rule: {pattern: eval($A)}
"""


class Dying:
    """A check that says which process gathered each fact, and ends the process where it is told to."""

    def __init__(self, where: str) -> None:
        self.where = where

    def gather(self, source: Any, _options: Any) -> tuple[int, ...]:
        if source.path == self.where:
            os._exit(3)
        return (os.getpid(),)

    def relate(self, facts: Any, _change: Any, _codebase: Any, _options: Any) -> list[Hit]:
        if self.where == "relate":
            os._exit(4)
        assert all(type(fact) is tuple for fact in facts.values())
        return [Hit(1, path=path, message=f"gathered in {os.getpid() - pid}") for path, (pid,) in facts.items()]


def survey(where: str, *, together: bool = True) -> Examination:
    """Return what is seen of a small change in which the process ends somewhere."""
    book = rulebook_of(RULES)
    dying = Dying(where)
    first = book.rules[0]
    assert isinstance(first.matcher, Checked)
    first = first._replace(matcher=first.matcher._replace(per_file=False), literals=None, opening=None)
    book = book._replace(
        rules=(first, *book.rules[1:]),
        load_check=lambda _name: ChangeCheck(dying.gather, dying.relate, CheckTraits(None)),
    )
    case = make_case(book.rules[1], {"base": {}, "head": HEAD})
    plan = make_plan(case.pull_request, book)
    repository = closed(HEAD, [], HEAD)
    asked = ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), repository, book)
    return examine(asked, run=ProcessPool(), together=together)


def said(seen: Examination) -> dict[str | None, list[str]]:
    """Return the messages of the check on each file."""
    found: dict[str | None, list[str]] = {}
    for finding in [*seen.findings, *(each.finding for each in seen.suppressed)]:
        if finding.rule == "own/gathers":
            found.setdefault(finding.path, []).append(finding.message)
    return found


def test_one_process_does_all_of_a_small_change():
    seen = survey("nowhere")
    assert said(seen) == {name: ["gathered in 0"] for name in HEAD}
    assert [each.finding.path for each in seen.suppressed] == ["b.py"]


def test_apart_no_file_is_read_where_the_whole_is_judged():
    assert {"gathered in 0"}.isdisjoint(
        message for each in said(survey("nowhere", together=False)).values() for message in each
    )


@pytest.mark.parametrize("together", [True, False])
def test_a_file_that_ends_the_process_costs_itself(together):
    seen = survey("b.py", together=together)
    assert [(each.path, each.reason) for each in seen.unreviewed] == [("b.py", "analysis ended with status 3")]
    assert set(said(seen)) == {"a.py", "c.py"}
    assert {finding.path for finding in seen.findings if finding.rule == "own/eval"} == {"a.py", "c.py"}
    assert not seen.failures


@pytest.mark.parametrize("together", [True, False])
def test_a_rule_about_the_whole_that_ends_the_process_costs_itself(together):
    seen = survey("relate", together=together)
    assert [(each.rule, each.error) for each in seen.failures] == [("own/gathers", "analysis ended with status 4")]
    assert {finding.path for finding in seen.findings if finding.rule == "own/eval"} == set(HEAD)
    assert not seen.unreviewed


@pytest.mark.parametrize("together", [True, False])
def test_processes_see_what_one_process_sees(together):
    book = rule_registry.builtin_rulebook()
    found = 0
    pages = rule_registry.builtin_pages()[::10]
    for first in range(0, len(pages), 10):
        case = make_case(book.rules[0], joined(pages[first : first + 10]))
        plan, texts = make_plan(case.pull_request, book), Texts(case.new, case.old)
        assert len(case.pull_request.files) <= TOGETHER_UP_TO
        asked = ExaminationRequest(case.pull_request, plan, texts, case.repository, book)
        here, there = (examine(asked, run=run, together=together) for run in (run_in_process, ProcessPool()))
        found += len({each.rule for each in here.findings})
        assert json.loads(typed_json.encode(here)) == json.loads(typed_json.encode(there)), pages[first].rule.id
    assert found > 45
