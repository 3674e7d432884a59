"""Text that a stranger writes, pasted into a script of a workflow.

::

    run: echo "${{ github.event.pull_request.title }}"        a title may hold `"; curl ... | sh; "`

Source: GitHub's documentation, "Script injections", with its list of contexts that end in ``body``,
``default_branch``, ``email``, ``head_ref``, ``label``, ``message``, ``name``, ``page_name``, ``ref`` and ``title``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.project.workflow_text import Text, read_workflow
from review_bot.rules.rule import Hit, Options

LITERALS = ("${{",)
READS_OLD = False

_EXPRESSION = re.compile(r"\$\{\{(?P<inside>[^}]*)\}\}")
_FROM_STRANGERS = re.compile(
    r"\bgithub\.(?:head_ref\b|event\.(?:issue|pull_request|discussion)\.(?:title|body)\b"
    r"|event\.(?:comment|review|review_comment)\.body\b"
    r"|event\.pull_request\.head\.(?:ref|label|repo\.default_branch)\b"
    r"|event\.(?:head_commit|commits\[?[^.]*)\.(?:message|author\.(?:name|email))\b"
    r"|event\.workflow_run\.(?:head_branch|display_title|head_commit\.(?:message|author\.(?:name|email)))\b"
    r"|event\.pages\[?[^.]*\.page_name\b)"
)
_SAFE = re.compile(r"\b(?:contains|startsWith|endsWith|fromJSON|hashFiles)\s*\(|==|!=|&&")


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield the line of each such expression inside a script."""
    del options
    workflow = read_workflow(source.text or "")
    for step in workflow.steps if workflow is not None else ():
        for script in step.scripts:
            yield from _in_script(source, script)


def _in_script(source: SourceFile, script: Text) -> Iterator[Hit]:
    line, column = script.line, 0
    for match in _EXPRESSION.finditer(script.text):
        while line <= len(source.lines) and (column := source.lines[line - 1].find(match[0], column)) < 0:
            line, column = line + 1, 0
        if line > len(source.lines):
            return
        found = _FROM_STRANGERS.search(match["inside"])
        if found is not None and not _SAFE.search(match["inside"]):
            yield Hit(line, column=column + 1, values={"expression": found[0], "key": script.key})
        column += len(match[0])
