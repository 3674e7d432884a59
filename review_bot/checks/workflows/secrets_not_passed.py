"""A job that calls a workflow of the repository without its secrets: what the workflow reads from them is empty there.

Source: GitHub, "Reusing workflow configurations": a called workflow gets only the secrets that the caller passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.workflow_jobs import read_jobs
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_READ = LazyRegex(r"\$\{\{ *secrets\.(\w+) *\}\}")
_ALWAYS_THERE = "GITHUB_TOKEN"
_ENVIRONMENT = LazyRegex(r"^ +environment:", re.MULTILINE)


class LocalCall(NamedTuple):
    """A job that runs another workflow of the repository: the line, 1-based, and the path of that workflow."""

    line: int
    called: str


def gather(source: SourceFile) -> tuple[LocalCall, ...] | None:
    """Return the calls on added lines that pass no secrets. Raises CannotRead."""
    workflow = read_jobs(source)
    found: list[LocalCall] = []
    for job in () if workflow is None else workflow.jobs:
        uses = job.node.inner.get("uses")
        if uses is None or "secrets" in job.node.inner or not str(uses.data).startswith("./"):
            continue
        if uses.line in source.added:
            found.append(LocalCall(uses.line, str(uses.data).removeprefix("./")))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield each call of a workflow that reads a secret.

    A workflow with an environment is left out, as its secrets come from there for every caller.
    """
    for path, call in each_fact(facts):
        text = codebase.head.text(call.called) or ""
        read = {
            match[1]: number
            for number, line in reversed(list(enumerate(text.splitlines(), 1)))
            for match in _READ.finditer(line)
            if match[1] != _ALWAYS_THERE and not line.lstrip().startswith("#")
        }
        if read and not _ENVIRONMENT.search(text):
            names = sorted(read, key=read.__getitem__)
            related = tuple(Related(call.called, read[name], f"reads `{name}`") for name in names[:5])
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            values = {"called": call.called, "secret": names[0], "more": more, "verb": "are" if more else "is"}
            yield Hit(call.line, values=values, path=path, related=related)


CHECK = change_check(gather, relate, CheckTraits(literals=("uses",)))
