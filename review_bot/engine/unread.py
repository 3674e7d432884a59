"""Names the changed files that no rule can have read as their readers will."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.changes import reading
from review_bot.changes.pull_request import ChangedFile, PullRequest, Unreviewed
from review_bot.changes.text_kinds import names_binary, text_kind
from review_bot.engine.plan import Plan
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import Rulebook
from review_bot.rules.scope import in_scope
from review_bot.text.globs import matches_any

_WITHOUT_TEXT = {
    "binary": "not text, although rules read files with such a name",
    "lfs": "a Git LFS pointer, although rules read files with such a name: its text is not in the repository",
}

_NOT_IN_THE_DIFF = "all of its lines are new to rules, but the diff does not show them, and its text is not known"
"""Of a copy, and of a file that comes from where rules do not look."""


def unread(
    pull_request: PullRequest, plan: Plan, new_texts: Mapping[int, str | None], rulebook: Rulebook
) -> Iterator[Unreviewed]:
    """Yield the files, except ignored ones, whose text means something else to other readers, or is not there.

    ``new_texts``: whole texts at the head, by index of the file.
    """
    ignored = frozenset(plan.ignored)
    known = {entry.path for entry in pull_request.unreviewed}
    entered = {task.file for task in plan.tasks if task.entered}
    for index, file in enumerate(pull_request.files):
        if file.status == "deleted" or file.path in ignored or file.path in known:
            continue
        if file.kind == "text":
            is_new = index in entered or reading.is_new_to_its_readers(file)
            text = new_texts.get(index)
            reason = reading.read_otherwise(file, text if is_new else None)
            if reason is None and text is None and index in entered:
                reason = _NOT_IN_THE_DIFF
            if reason is None and text is not None:
                reason = reading.misread_characters(file, text, is_new=is_new)
                reason = reason or reading.disguised_name(file, text, is_new=is_new)
        else:
            reason = _WITHOUT_TEXT.get(file.kind) if _is_named_by_rules(file, rulebook) else None
        if reason is not None:
            yield Unreviewed(file.path, reason)


def _is_named_by_rules(file: ChangedFile, rulebook: Rulebook) -> bool:
    if names_binary(file.path) or file.kind not in _WITHOUT_TEXT:
        return False
    kind = text_kind(file.path)
    if file.kind == "lfs" and kind is not None and kind.is_data:
        return False  # data sets and models' vocabularies are kept there everywhere
    return any(_names(rule, file.path) and in_scope(rule, file.path) for rule in rulebook.rules)


def _names(rule: Rule, path: str) -> bool:
    """Return whether a rule that reads lines or code names this kind of file, and not only folders."""
    if rule.is_about_all or rule.reads_names:
        return False
    named = [pattern for pattern in rule.files if pattern.rpartition("/")[2].strip("*")]
    return bool(rule.languages) or rule.scope != "any" or matches_any(named, path)
