"""The tasks of a survey, which may run in different processes, and the result of a rule about the whole change."""

from __future__ import annotations

from typing import TypeAlias

from review_bot.engine.doubt import Doubt
from review_bot.engine.plan import FileTask
from review_bot.findings import Failure, NotRun
from review_bot.records import NamedTuple
from review_bot.rules.rule import Hit


class CountTask(NamedTuple):
    """Files (by index) on which no rule runs, and in which added lines are counted: little work, so it is one task."""

    files: tuple[int, ...]


class RuleTask(NamedTuple):
    """A rule (by index) that looks at the change as a whole."""

    rule: int


class DoubtTask(NamedTuple):
    """Rules (by index) that may report in the change what they would report in the base too; most report nothing."""

    rules: tuple[int, ...]


class SettleTask(NamedTuple):
    """A file (by index) in which rules about the whole change may report something, or suppressions must be judged."""

    file: int


Task: TypeAlias = FileTask | CountTask | RuleTask | DoubtTask | SettleTask


class RuleResult(NamedTuple):
    """What one rule found in the change as a whole."""

    rule: int
    hits: tuple[Hit, ...] = ()
    failures: tuple[Failure, ...] = ()
    not_run: tuple[NotRun, ...] = ()


class DoubtResult(NamedTuple):
    """What the base says against claims. ``failures``: of rules that crashed there.

    ``not_run``: rules that could not be asked in time. The claims of both stay.
    """

    doubts: tuple[Doubt, ...] = ()
    failures: tuple[Failure, ...] = ()
    not_run: tuple[NotRun, ...] = ()


def weight(task: Task) -> int:
    """Return how much work a task is: files come before everything else, and large ones first."""
    return task.weight + 1 if isinstance(task, FileTask) else 0
