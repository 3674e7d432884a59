"""The functions and methods of a changed file whose parameters are not what they were."""

from __future__ import annotations

from typing import NamedTuple

from review_bot.changes.source_file import CannotParse, SourceFile
from review_bot.checks.project.interface import Parameter
from review_bot.checks.project.signatures import Signature, signatures


class ChangedSignature(NamedTuple):
    """One function or method on both sides. ``line``: of its header at the head, an added one if there is one."""

    name: str
    line: int
    before: tuple[Parameter, ...]
    after: tuple[Parameter, ...]
    hollow: bool


def changed_signatures(source: SourceFile) -> tuple[ChangedSignature, ...]:
    """Return the functions and methods that both sides have, with other parameters, and called the same way."""
    if not source.path.endswith(".py") or not source.text or not source.old_text:
        return ()
    if source.text == source.old_text or not (source.removed or source.added):
        return ()
    new = signatures(source.tree.body)
    try:
        old = signatures(source.old_tree.body)
    except CannotParse:
        return ()
    return tuple(
        ChangedSignature(name, _line(after, source), before.parameters, after.parameters, after.hollow)
        for name, after in new.items()
        if (before := old.get(name)) is not None
        and before.parameters != after.parameters
        and before.binding == after.binding
    )


def _line(signature: Signature, source: SourceFile) -> int:
    lines = range(signature.line, signature.last + 1)
    return next((line for line in lines if line in source.added), signature.line)
