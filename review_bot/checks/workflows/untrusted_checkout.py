"""A workflow that runs with the rights of the base and checks out the code of the pull request.

Silent where the step is protected: an environment that asks for approval, a condition on who the
author is or on where the branch comes from, or an earlier step that looks up the permission of who asked.

Source: GitHub Security Lab, "Preventing pwn requests"; GitHub's documentation of ``pull_request_target``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.analysis.project.workflow_conditions import only_from_one_repository
from review_bot.analysis.project.workflow_expressions import Chain, expressions, is_one_of
from review_bot.analysis.project.workflow_text import Step, Workflow, read_workflow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_PRIVILEGED = frozenset({"pull_request_target", "workflow_run", "issue_comment"})
_HEAD: tuple[Chain, ...] = (
    ("github", "head_ref"),
    *(("github", "event", "pull_request", "head", part) for part in ("sha", "ref")),
    ("github", "event", "pull_request", "merge_commit_sha"),
    *(("github", "event", "workflow_run", part) for part in ("head_sha", "head_branch")),
)
_PULL = "refs/pull/"

_TRUSTS = re.compile(
    r"(?i)author_association|head\.repo\.full_name\s*==\s*github\.repository\b|github\.repository\s*==\s*[\w.]*head\.repo"
    r"|head_repository\.full_name\s*==\s*github\.repository\b|head\.repo\.fork\s*==\s*false|!\s*[\w.]*head\.repo\.fork\b"
    r"|\bgithub\.(?:actor|triggering_actor)\s*==|comment\.user\.login\s*==|\bfromJSON\([^)]{0,300}\)\s*,\s*github\.actor"
)
_OTHER_EVENT = re.compile(
    r"(?<!!)\bgithub\.event_name\s*==\s*['\"](?!(?:pull_request_target|workflow_run|issue_comment)['\"])\w+['\"]"
)
"""What holds only where an event without these rights has started the workflow."""
_ASKS = re.compile(
    r"(?i)collaborators/|getCollaboratorPermissionLevel|author_?association|actor-?permission|check-user-perm"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the line of the ``ref`` of each such checkout. Raises CannotRead."""
    workflow = read_workflow(source)
    if workflow is None or not workflow.triggers & _PRIVILEGED:
        return
    trigger = min(workflow.triggers & _PRIVILEGED)
    for step in workflow.steps:
        ref = step.settings.get("ref")
        if not step.uses.lower().startswith("actions/checkout@") or ref is None or not _names_head(ref.text):
            continue
        if any(_OTHER_EVENT.search(each) and "||" not in each for each in _conditions(step, workflow)):
            continue
        if not _trusts(step.condition) and not _is_guarded(step, workflow):
            yield Hit(ref.reported(source.added), values={"trigger": trigger})


def _trusts(condition: str) -> bool:
    return _TRUSTS.search(condition) is not None or only_from_one_repository(condition)


def _conditions(step: Step, workflow: Workflow) -> tuple[str, ...]:
    job = workflow.jobs.get(step.job)
    return (step.condition,) if job is None else (step.condition, job.condition)


def _names_head(ref: str) -> bool:
    """Return whether a ``ref`` is made of the head of a pull request."""
    used = list(expressions(ref))
    if any(is_one_of(chain, _HEAD) for each in used for chain in each.contexts):
        return True
    return any(f"{_PULL}${{{{" in ref or any(_PULL in literal for literal in each.literals) for each in used)


def _is_guarded(checkout: Step, workflow: Workflow) -> bool:
    """Return whether the job of a checkout, or one that it waits for, lets only trusted people or code pass."""
    waiting, seen = [checkout.job], set[str]()
    while waiting:
        name = waiting.pop()
        job = workflow.jobs.get(name)
        if job is None or name in seen:
            continue
        seen.add(name)
        if job.environment or _trusts(job.condition):
            return True
        waiting += job.needs
    before = [step for step in workflow.steps if step.job in seen and step is not checkout]
    return any(
        _ASKS.search(step.uses) or any(_ASKS.search(script.text) for script in step.scripts)
        for step in before
        if step.job != checkout.job or step.line < checkout.line
    )


CHECK = file_check(examine, CheckTraits(literals=None))
