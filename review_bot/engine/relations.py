"""Rules about the change as a whole: which files changed, and which should have changed with them."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.engine.hit_findings import always_on_line, fill, only_counted, severity_of
from review_bot.findings import Finding
from review_bot.fingerprints import fingerprint
from review_bot.rules.matchers import ChangedTogether, Condition
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Rulebook
from review_bot.text.globs import matches_any

_DOCUMENTS = (".md", ".markdown", ".rst", ".txt", ".adoc")


def examine(rule: Rule, pull_request: PullRequest, rulebook: Rulebook) -> Iterator[Hit]:
    """Yield one hit if the rule's ``when`` holds and its ``without`` does not.

    Files that are ignored, generated or vendored do not make ``when`` hold.
    """
    assert isinstance(rule.matcher, ChangedTogether)  # noqa: S101  # the engine asks for no other rule
    when, without = rule.matcher
    looked_at = (file for file in pull_request.files if not rulebook.passes_over(file.path))
    matched = [file for file in looked_at if _matches(when, file)]
    added = sum(code_lines(file) for file in matched)
    if not matched or added < when.added_lines or (when.below is not None and added >= when.below):
        return
    if without is not None:
        others = [file for file in pull_request.files if _matches(without, file)]
        if others and sum(map(content_lines, others)) >= max(1, without.added_lines):
            return
    yield Hit(None, values={"added": f"{added:,}", "files": str(len(matched))})


def code_lines(file: ChangedFile) -> int:
    """Count the added lines of a file that are neither blank nor only a ``#`` or ``//`` comment."""
    return sum(1 for _, text in file.added_lines() if text.strip() and not text.lstrip().startswith(("#", "//")))


def content_lines(file: ChangedFile) -> int:
    """Count the added lines of a file that say something: code, or in a document whatever is not blank."""
    if file.path.lower().endswith(_DOCUMENTS):
        return sum(1 for _, text in file.added_lines() if text.strip())
    return code_lines(file)


def whole_findings(pairs: list[tuple[Rule, Hit]]) -> Iterator[Finding]:
    """Turn hits about the whole pull request into findings."""
    ordinals: dict[tuple[str, str], int] = {}
    for rule, hit in pairs:
        statement = hit.statement or ""
        ordinal = ordinals[rule.id, statement] = ordinals.get((rule.id, statement), -1) + 1
        yield Finding(
            rule=rule.id,
            title=rule.title,
            severity=severity_of(rule, hit),
            confidence=rule.confidence,
            aspect=rule.aspect,
            path=None,
            line=None,
            end_line=None,
            column=None,
            end_column=None,
            side="RIGHT",
            placement="summary",
            moved=False,
            message=hit.message or fill(rule.message, hit.values),
            why=rule.why,
            instead=hit.instead or fill(rule.instead, hit.values),
            effort_minutes=rule.effort,
            fingerprint=fingerprint(rule.id, statement, "", ordinal),
            url=rule.url,
            related=hit.related,
            counted=only_counted(rule, severity_of(rule, hit), of_others=False),
            always_on_line=always_on_line(rule),
            advisory=rule.advisory,
        )


def _matches(condition: Condition, file: ChangedFile) -> bool:
    return (
        file.status != "deleted"
        and matches_any(condition.changed, file.path)
        and not matches_any(condition.excluded, file.path)
    )
