"""What one more rule costs: the same change with the rulebook as it is, and with copies of a typical rule added."""

from __future__ import annotations

import gc
import statistics
import time
from typing import NamedTuple

from bench.corpus import Change
from review_bot import pipeline
from review_bot.configuration import rule_registry
from review_bot.engine.plan import make_plan
from review_bot.forges.local_git import LocalGit
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import Rulebook

COPIES = 10


class RuleCost(NamedTuple):
    """``share``: CPU time of one more rule, as a share of the review. ``tried``: files that the rule is tried in."""

    rules: int
    rule: str
    tried: int
    share: float


def cost_of_a_rule(change: Change, rounds: int) -> RuleCost:
    """Measure in this process, with and without the copies in turn, and return the difference of the medians."""
    rulebook = rule_registry.builtin_rulebook()
    rule, tried = _typical(change, rulebook)
    copies = [rule._replace(id=f"{rule.id}-{number}") for number in range(COPIES)]
    larger = rulebook._replace(
        rules=(*rulebook.rules, *copies), known_ids=rulebook.known_ids | {copy.id for copy in copies}
    )
    seconds: dict[int, list[float]] = {0: [], COPIES: []}
    gc.disable()
    for number in range(rounds + 1):
        for extra, book in ((0, rulebook), (COPIES, larger)):
            before = time.process_time()
            _review(change, book)
            if number:
                seconds[extra].append(time.process_time() - before)
    gc.enable()
    without, with_copies = (statistics.median(seconds[extra]) for extra in (0, COPIES))
    return RuleCost(len(rulebook.rules), rule.id, tried, (with_copies - without) / without / COPIES)


def _typical(change: Change, rulebook: Rulebook) -> tuple[Rule, int]:
    """Return the structural rule that is tried in as many files as half of them are not, and that number."""
    source = LocalGit(str(change.folder), base=change.base, head=change.head)
    plan = make_plan(source.read(), rulebook)
    source.close()
    counts = dict.fromkeys((n for n, rule in enumerate(rulebook.rules) if rule.kind == "structural"), 0)
    for task in plan.tasks:
        for number in task.rules:
            if number in counts:
                counts[number] += 1
    order = sorted(counts, key=lambda number: (counts[number], number))
    middle = order[len(order) // 2]
    return rulebook.rules[middle], counts[middle]


def _review(change: Change, rulebook: Rulebook) -> None:
    source = LocalGit(str(change.folder), base=change.base, head=change.head)
    try:
        pipeline.run_review(source, pipeline.ReviewRequest(rulebook))
    finally:
        source.close()
