"""A workflow that runs with the rights of the base and checks out the code of the pull request.

Source: GitHub Security Lab, "Preventing pwn requests"; GitHub's documentation of ``pull_request_target``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.project.workflow_text import read_workflow
from review_bot.rules.rule import Hit, Options

LITERALS = (
    "pull_request_target",
    "workflow_run",
    "issue_comment",
    "head.sha",
    "head.ref",
    "head_ref",
    "head_sha",
    "refs/pull",
)
READS_OLD = False

_PRIVILEGED = frozenset({"pull_request_target", "workflow_run", "issue_comment"})
_HEAD = re.compile(
    r"github\.(?:head_ref|event\.pull_request\.(?:head\.(?:sha|ref)|merge_commit_sha)"
    r"|event\.workflow_run\.head_(?:sha|branch))\b|refs/pull/\$\{\{"
)


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield the line of the ``ref`` of each such checkout."""
    del options
    workflow = read_workflow(source.text or "")
    if workflow is None or not workflow.triggers & _PRIVILEGED:
        return
    trigger = min(workflow.triggers & _PRIVILEGED)
    for step in workflow.steps:
        ref = step.settings.get("ref")
        if step.uses.startswith("actions/checkout@") and ref is not None and _HEAD.search(ref.text):
            yield Hit(ref.line, values={"trigger": trigger})
