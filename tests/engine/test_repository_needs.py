"""Rules that need what is not known of the repository are named as not run."""

from __future__ import annotations

import pytest

from review_bot.changes.repository import Repository, closed
from review_bot.configuration import rule_registry
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.rules.examples import make_case
from review_bot.rules.rulebook import Selection, select

HEAD = {"tool.py": "from package.absent import name\n", "package/__init__.py": ""}


def names_not_run(repository: Repository | None) -> dict[str, str]:
    book = select(rule_registry.builtin_rulebook(), Selection(families=("api",)))
    case = make_case(book.rules[0], {"base": {}, "head": HEAD})
    plan, texts = make_plan(case.pull_request, book), Texts(case.new, case.old)
    asked = ExaminationRequest(case.pull_request, plan, texts, repository or case.repository, book)
    examination = examine(asked)
    return {entry.rule: entry.reason for entry in examination.not_run}


@pytest.mark.parametrize(
    ("repository", "reason"),
    [
        (None, None),
        (closed(HEAD, [], HEAD), None),
        (closed(HEAD, [], texts_available=False), "needs the texts of the repository, but only its paths are known"),
        (Repository(), "needs the tree of the repository, but only the diff is known"),
    ],
)
def test_a_rule_that_needs_what_is_not_known_is_named(repository, reason):
    assert names_not_run(repository).get("api/missing-module-import") == reason
