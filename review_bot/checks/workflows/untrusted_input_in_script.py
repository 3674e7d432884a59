"""Text that a stranger writes, pasted into a script of a workflow.

Silent where a condition lets only those start the step who are trusted with the text: the name of a branch is that of
someone who may push to the one repository which the condition names, and a comment is its author's.

Source: GitHub's documentation, "Script injections", with its list of contexts that end in ``body``,
``default_branch``, ``email``, ``head_ref``, ``label``, ``message``, ``name``, ``page_name``, ``ref`` and ``title``.
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.workflow_conditions import (
    conditions_of,
    only_from_members,
    only_from_one_repository,
)
from review_bot.analysis.project.workflow_expressions import Chain, expressions, is_one_of
from review_bot.analysis.project.workflow_text import Step, Text, Workflow, read_workflow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ISSUES = ("issue", "pull_request", "discussion")
_COMMENTS = ("comment", "review", "review_comment")
_PEOPLE = tuple((person, part) for person in ("author", "committer") for part in ("name", "email"))
_WITH_AUTHORS = (*_ISSUES, *_COMMENTS)
_OWN = 4
"""Parts of a context that is the text of an event's own object: ``github.event.comment.body``."""
_OF_BRANCHES: tuple[Chain, ...] = (
    ("github", "head_ref"),
    *(("github", "event", "pull_request", "head", part) for part in ("ref", "label")),
    ("github", "event", "pull_request", "head", "repo", "default_branch"),
    ("github", "event", "workflow_run", "head_branch"),
)
"""Names of branches, which only those choose who may push to their repository."""
_FROM_STRANGERS: tuple[Chain, ...] = (
    *_OF_BRANCHES,
    *(("github", "event", what, part) for what in _ISSUES for part in ("title", "body")),
    *(("github", "event", what, "body") for what in _COMMENTS),
    *(("github", "event", *place, "message") for place in (("head_commit",), ("commits", "*"))),
    *(("github", "event", *place, *who) for place in (("head_commit",), ("commits", "*")) for who in _PEOPLE),
    ("github", "event", "workflow_run", "display_title"),
    *(("github", "event", "workflow_run", "head_commit", *part) for part in (("message",), *_PEOPLE)),
    ("github", "event", "pages", "*", "page_name"),
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the line of each such expression inside a script. Raises CannotRead."""
    workflow = read_workflow(source)
    for step in workflow.steps if workflow is not None else ():
        for script in step.scripts:
            yield from _in_script(source, script, _untrusted(step, workflow))


def _untrusted(step: Step, workflow: Workflow | None) -> tuple[Chain, ...]:
    """Return the contexts that strangers may fill where the conditions around a step hold."""
    conditions = tuple(conditions_of(step, workflow)) if workflow is not None else ()
    of_members = {what for what in _WITH_AUTHORS if any(only_from_members(each, what) for each in conditions)}
    own = any(map(only_from_one_repository, conditions))
    return tuple(
        each
        for each in _FROM_STRANGERS
        if not (own and each in _OF_BRANCHES)
        and not (each[1] == "event" and each[2] in of_members and len(each) == _OWN)
    )


def _in_script(source: SourceFile, script: Text, untrusted: tuple[Chain, ...]) -> Iterator[Hit]:
    line, column = script.line, 0
    for expression in expressions(script.text):
        written = script.text[expression.start : expression.end]
        place = _find(source.lines[: script.end], written, line, column)
        if place is not None:
            line, column = place[0], place[1] + len(written)
        found = next((each for each in expression.contexts if is_one_of(each, untrusted)), None)
        if found is not None:
            # An escape or a fold in the YAML may hide where it is written.
            here = Hit(script.reported(source.added)) if place is None else Hit(place[0], column=place[1] + 1)
            yield here._replace(values={"expression": ".".join(found), "key": script.key})


def _find(lines: list[str], text: str, line: int, column: int) -> tuple[int, int] | None:
    """Return the line (1-based) and column (0-based) of a text that is written at a place or behind it."""
    for number in range(line, len(lines) + 1):
        at = lines[number - 1].find(text, column if number == line else 0)
        if at >= 0:
            return number, at
    return None


CHECK = file_check(examine, CheckTraits(literals=None))
