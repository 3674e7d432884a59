"""What a maintainer should know of a change besides its findings: edits of what runs, judges or narrows the gate."""

from __future__ import annotations

from review_bot.changes.pull_request import PullRequest
from review_bot.engine.left_out import ATTRIBUTES_FILE, declared_by
from review_bot.github_action import settings_edits
from review_bot.github_action.settings_edits import Edit
from review_bot.processes.confined_process import printable
from review_bot.rules.rulebook import Rulebook
from review_bot.text.globs import matches_any

WORKFLOWS = (".github/workflows/**", ".github/actions/**")


def of_workflows(change: PullRequest, *, trusted: bool) -> list[str]:
    """Return what a maintainer should know of a change to the workflows that run the gate."""
    paths = sorted({path for file in change.files for path in (file.path, file.base_path)})
    notices = []
    workflows = [path for path in paths if matches_any(WORKFLOWS, path)]
    if workflows and not trusted:
        notices.append(
            f"This change edits {_listed(workflows)}, and this check runs from the change's own workflows: "
            "read that edit before you trust the check."
        )
    return notices


def of_policy(edit: Edit, config: str | None, judge: str) -> list[str]:
    """Return what a maintainer should know of a change to its own policy. ``judge``: the branch whose policy holds."""
    notices = []
    if edit.changed:
        notices.append(
            f"This change edits {_listed(settings_edits.paths_of(edit.changed, config))}. That takes effect after the "
            f"merge; this review used the version on `{judge}`."
        )
    if edit.weaker:
        notices.append(f"That edit weakens the gate: {'; '.join(edit.weaker)}.")
    return notices


def of_base(base: str, judge: str) -> list[str]:
    """Return what a maintainer should know of a change to a branch that another one's policy holds for."""
    said = (
        f"The base `{base}` is not the default branch: configuration, rules and baseline are those "
        f"of `{judge}`. If this branch should have its own, name it in `own-policy` on `{judge}`."
    )
    return [] if judge == base else [said]


def of_attributes(change: PullRequest, rulebook: Rulebook) -> list[str]:
    """Return what a maintainer should know of a change that declares files generated or vendored."""
    patterns = [] if rulebook.reviews_generated else declared_by(change)
    if not patterns:
        return []
    declared = _listed([printable(each) for each in patterns])
    said = f"This change declares {declared} generated or vendored in `{ATTRIBUTES_FILE}`"
    return [f"{said}: after the merge such files are checked for errors only."]


def _listed(paths: list[str]) -> str:
    shown = ", ".join(f"`{path}`" for path in paths[:3])
    return f"{shown} and {len(paths) - 3} more" if len(paths) > 3 else shown
