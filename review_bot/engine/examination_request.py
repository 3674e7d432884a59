"""What an examination is of: the arguments of ``examination.examine``, wherever it runs."""

from __future__ import annotations

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.engine.plan import Plan
from review_bot.engine.texts import Texts
from review_bot.records import NamedTuple
from review_bot.rules.rulebook import Rulebook


class ExaminationRequest(NamedTuple):
    """A change, which rules to try in which of its files, their texts, the tree around them, and the rules."""

    pull_request: PullRequest
    plan: Plan
    texts: Texts
    repository: Repository
    rulebook: Rulebook
