"""``review-bot init``: writes a configuration that says what it could say."""

from __future__ import annotations

import argparse
from pathlib import Path

from review_bot import config, console
from review_bot.errors import UsageError
from review_bot.forges.local_git import find_root

_CONFIG = """\
# yaml-language-server: $schema=https://raw.githubusercontent.com/review-bot/review-bot/main/docs/config.schema.json
# A review in a working tree reads this file there; in a bare clone, from the base of the change.
# `review-bot config check` says whether it can be used; every setting may be left out.

# The lowest severity that fails the gate: error, warning, info, hint or never.
fail-on: error

# Whether a review that could not be completed fails the gate: fail or warn.
on-incomplete: fail

# Rules, or patterns of them; a later entry wins. `review-bot rules list` names them all.
# rules:
#   style/*: off
#   errors/swallowed-exception: info
#   memory/item-in-loop:
#     severity: hint
#     ignores: ["tools/**"]

# Files that no rule looks at; they are listed as ignored.
# paths:
#   ignore: ["third_party/**", "**/*_pb2.py"]

# Whether suppressions that a change adds itself count: head, or base for only those that are in the base already.
# suppressions: base
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("-C", dest="folder", default=".", metavar="DIR", help="the repository (default: here)")
    parser.add_argument("--force", action="store_true", help="replace a configuration that is there")


def run(options: argparse.Namespace) -> int:
    """Write the configuration and say what to do next."""
    root, bare = find_root(options.folder)
    if bare:
        raise UsageError("a bare repository has no working tree to write to; run this in a checkout")
    path = Path(root) / config.PATH
    if path.exists() and not options.force:
        raise UsageError(f"{config.PATH} is there already; mend it by hand, or replace it with --force")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_CONFIG, encoding="utf-8")
    console.say(f"{config.PATH} written. The next `review-bot review` here uses it; commit it to share it.")
    console.say("After each change to the file: `review-bot config check`.")
    return 0
