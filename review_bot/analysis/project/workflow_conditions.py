"""Whose pull requests the condition of a job or step lets pass.

::

    github.event_name == 'push' || github.event.pull_request.head.repo.full_name == 'halcyon/engine'

Each alternative admits only branches of one named repository, or is about an event that has no pull request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from review_bot.analysis.project.workflow_text import Step, Workflow

_SIDE = r"(?:github\.repository|'[\w.-]+/[\w.-]+')(?![\w./'-])"
_HEAD = r"github\.event\.(?:pull_request\.head\.repo|workflow_run\.head_repository)"
ONE_REPOSITORY = re.compile(
    rf"(?i)(?<![\w.]){_HEAD}\.full_name\s*==\s*{_SIDE}|{_SIDE}\s*==\s*{_HEAD}\.full_name\b"
    rf"|{_HEAD}\.fork\s*==\s*false\b|!\s*{_HEAD}\.fork\b(?!\s*[=!])"
)
"""What holds for branches of this repository alone, or of one that the workflow names."""
_NO_PULL_REQUEST = re.compile(
    r"(?i)^github\.event_name\s*==\s*'(?:push|schedule|workflow_dispatch|workflow_call|release|create|delete)'$"
)
_ROLES = r"OWNER|MEMBER|COLLABORATOR"
_RUNS_ANYWAY = re.compile(r"(?i)\b(?:always|failure|cancelled)\s*\(")
"""What starts a job although one that it needs was skipped."""
_DEEPEST = 20


def only_from_one_repository(condition: str) -> bool:
    """Return whether a condition lets a pull request pass only if its branch is in a repository that is trusted."""
    return _holds(condition, lambda part: ONE_REPOSITORY.search(part) is not None)


def only_from_members(condition: str, what: str) -> bool:
    """Return whether a condition lets an event pass only if a member wrote its part, such as ``comment``."""
    author = rf"github\.event\.{re.escape(what)}\.author_association"
    is_one = re.compile(
        rf"(?i)^(?:{author}\s*==\s*'(?:{_ROLES})'|'(?:{_ROLES})'\s*==\s*{author}"
        rf"|contains\(\s*fromJSON\(\s*'\[\s*\"(?:{_ROLES})\"(?:\s*,\s*\"(?:{_ROLES})\")*\s*\]'\s*\)\s*,\s*{author}\s*\))$"
    )
    return _holds(condition, lambda part: is_one.search(part) is not None)


def _holds(condition: str, is_enough: Callable[[str], bool], depth: int = 0) -> bool:
    """Return whether each alternative of a condition has one part that is enough, or is about an event of its own."""
    text = condition.strip()
    if text.startswith("${{") and text.endswith("}}") and text.count("${{") == 1:
        text = text[3:-2].strip()
    if not text or depth > _DEEPEST:
        return False
    alternatives = _parts(text, "||")
    if len(alternatives) > 1:
        return all(_holds(each, is_enough, depth + 1) for each in alternatives)
    parts = _parts(text, "&&")
    if len(parts) > 1:
        return any(_holds(each, is_enough, depth + 1) for each in parts)
    if text[0] == "(" and text[-1] == ")":
        return _holds(text[1:-1], is_enough, depth + 1)
    return _NO_PULL_REQUEST.search(text) is not None or is_enough(text)


def _parts(text: str, operator: str) -> list[str]:
    """Return what an operator joins outside of parentheses and strings."""
    found, depth, quoted, start = [], 0, False, 0
    for place, sign in enumerate(text):
        if sign == "'":
            quoted = not quoted
        elif not quoted:
            depth += (sign == "(") - (sign == ")")
            if depth == 0 and text.startswith(operator, place):
                found.append(text[start:place])
                start = place + len(operator)
    return [*found, text[start:]]


def conditions_of(step: Step, workflow: Workflow) -> Iterator[str]:
    """Yield the conditions which must all hold before a step runs: its own, that of its job and of those it needs.

    A job is skipped where one that it needs was, unless its condition asks for that: ``if: always()``.
    """
    yield step.condition
    waiting, seen = [step.job], set[str]()
    while waiting:
        name = waiting.pop()
        job = workflow.jobs.get(name)
        if job is not None and name not in seen:
            seen.add(name)
            yield job.condition
            waiting += [] if _RUNS_ANYWAY.search(job.condition) else job.needs
