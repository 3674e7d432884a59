"""What a caller may set: the inputs of the Action, most of which are flags of the command line too."""

from __future__ import annotations

import os
from typing import Annotated

from review_bot.comments.model import PostingOverrides, PublicationName, PublicationSettings
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.records import NamedTuple
from review_bot.review.policy import FailOn, OnIncomplete
from review_bot.setting import Setting


class Overrides(NamedTuple):
    """What a caller sets of the policy; the stricter of this and the configuration applies. None: not set."""

    config: Annotated[
        str | None,
        Setting(f"Path of the configuration on the default branch, if it is not `{CONFIG_PATH}` or `.yaml`."),
    ] = None
    fail_on: FailOn | None = None
    on_incomplete: OnIncomplete | None = None


class Gate(NamedTuple):
    """The inputs that a run needs to set a commit status, even if the others are invalid."""

    token: Annotated[
        str,
        Setting(
            "The token for reading and writing. The job's own token is right for almost everyone.", name="github-token"
        ),
    ] = ""
    name: PublicationName = "review-bot"
    status: Annotated[
        bool,
        Setting(
            "Whether the verdict is also set as a commit status. It is pending while the review runs. Needs "
            "`statuses: write`."
        ),
    ] = False
    require_trusted_trigger: Annotated[
        bool, Setting("Whether to reject runs whose workflow file the change itself can edit.")
    ] = False
    pr_number: Annotated[
        str,
        Setting(
            "The pull request to review, for events that do not name it (`workflow_run` of a fork, "
            "`workflow_dispatch`)."
        ),
    ] = ""


def _is_outside(path: str) -> bool:
    return os.path.isabs(path) or ".." in path.split("/")


def _check_folder(path: str) -> None:
    if _is_outside(path):
        raise ValueError(f"{path!r} is not a folder below the workspace")


def _check_file(path: str) -> None:
    if _is_outside(path):
        raise ValueError(f"{path!r} is not a file below the workspace")


class Inputs(NamedTuple):
    """The inputs of ``action.yml``. ``report_dir`` and ``coverage`` are relative to the workspace."""

    gate: Gate = Gate()
    overrides: Overrides = Overrides()
    posting: PostingOverrides = PostingOverrides()
    publication: PublicationSettings = PublicationSettings()
    coverage: Annotated[
        tuple[Annotated[str, Setting(check=_check_file)], ...],
        Setting(
            "Coverage reports of the head below the workspace, Cobertura XML or LCOV, one per line or separated by "
            "commas. They measure the added lines and do not affect the verdict."
        ),
    ] = ()
    report_dir: Annotated[str, Setting("Folder below the workspace for the report files.", check=_check_folder)] = (
        "review-bot-report"
    )
