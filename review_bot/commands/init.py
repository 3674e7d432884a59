"""``review-bot init``: writes a configuration with every key, and a workflow for GitHub.

The ready-made workflows are the files in ``workflows/`` next to this module; ``docs/workflows/`` shows the same.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from review_bot.configuration.reference import config_template
from review_bot.errors import UsageError
from review_bot.files.file_writing import exists_below, write_below
from review_bot.files.policy_paths import CONFIG_PATH, CONFIG_PATHS
from review_bot.forges.repository_root import find_root
from review_bot.text import console

_PREAMBLE = """\
# yaml-language-server: $schema=https://raw.githubusercontent.com/review-bot/review-bot/main/docs/config.schema.json
# A review in a working tree reads this file there; in a bare clone and on GitHub, it is read from the default branch.
# `review-bot config check` validates it; every key is optional. The keys are described in
# https://github.com/review-bot/review-bot/blob/main/docs/configuration.md

"""

WORKFLOWS = {
    "trusted": "review-bot.yml",
    "public-forks": "review-bot.yml",
    "two-jobs": "review-bot.yml",
    "coverage": "review-bot.yml",
    "merge-queue": "review-bot-queue.yml",
    "workflow-run": "review-bot-comment.yml",
    "commands": "review-bot-commands.yml",
}
"""The ready-made workflows, and what their files are called below ``.github/workflows``."""

_WITHOUT_VERDICT = frozenset({"workflow-run", "commands"})
_REQUIRE = "its first lines say which check to require"

_UNPINNED = "@" + 40 * "0" + " # the full SHA of a commit of main; no release exists yet"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "-C", dest="folder", default=".", metavar="DIR", help="the repository (default: the current folder)"
    )
    parser.add_argument(
        "--workflow",
        action="append",
        default=[],
        choices=WORKFLOWS,
        metavar="NAME",
        help=f"also write a workflow for GitHub: {', '.join(WORKFLOWS)}; docs/github.md explains them; repeatable",
    )
    parser.add_argument("--pin", metavar="COMMIT", help="the commit of Review Bot to pin in the workflow, 40 digits")
    parser.add_argument(
        "--force", action="store_true", help="overwrite the workflow, or the configuration without --workflow"
    )


def run(options: argparse.Namespace) -> int:
    """Write the configuration and what workflows were asked for, or nothing at all; say what to do next."""
    if options.pin is not None and not (options.workflow and re.fullmatch(r"[0-9a-f]{40}", options.pin)):
        raise UsageError("--pin takes the full SHA of a commit, 40 hexadecimal digits, and only works with --workflow")
    root, bare = find_root(options.folder)
    if bare:
        raise UsageError("a bare repository has no working tree to write to; run this command in a checkout")
    files = {CONFIG_PATH: _PREAMBLE + config_template()}
    present = next((path for path in CONFIG_PATHS if exists_below(root, path)), None)
    if present is not None and (options.workflow or present != CONFIG_PATH):
        if not options.workflow:
            raise UsageError(f"{present} already exists; edit it, or delete it and run this again")
        files = {}
        console.say(f"{present} already exists and is unchanged.")
    for name in dict.fromkeys(options.workflow):
        path = f".github/workflows/{WORKFLOWS[name]}"
        if path in files:
            raise UsageError(f"two of these workflows would be written to {path}; choose one")
        files[path] = workflow(name, options.pin)
    for path in files:
        if exists_below(root, path) and not options.force:
            raise UsageError(f"{path} already exists; edit it, or pass --force to overwrite it")
    for path, text in files.items():
        write_below(root, path, text.encode(), makes_folders=True)
    if CONFIG_PATH in files:
        console.say(f"{CONFIG_PATH} written. The next `review-bot review` here uses it; commit it to share it.")
        console.say("After each change to the file: `review-bot config check`.")
    for name in dict.fromkeys(options.workflow):
        then = "it gives no verdict, so do not require it" if name in _WITHOUT_VERDICT else _REQUIRE
        path = f".github/workflows/{WORKFLOWS[name]}"
        console.say(f"{path} written. It takes effect once it is on the default branch; {then}.")
    if options.workflow:
        _advise(options)
    return 0


def workflow(name: str, commit: str | None = None) -> str:
    """Return the text of a ready-made workflow, with the commit of Review Bot that it is to run."""
    text = (Path(__file__).parent / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    return text if commit is None else text.replace(_UNPINNED, f"@{commit}")


def _advise(options: argparse.Namespace) -> None:
    if options.pin is None:
        console.say(
            "Replace the forty zeros in the workflow with the full SHA of a commit of Review Bot's main branch: "
            "no release exists yet (a branch or a tag can be moved, a commit cannot)."
        )
    console.say(
        'If the branch requires "conversation resolution", every line comment blocks the merge until someone '
        "resolves it: set the input `comments: summary` there."
    )
