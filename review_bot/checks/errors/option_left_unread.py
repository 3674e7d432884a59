"""A command-line option that the change keeps although it removes the last line of its file that reads the value."""

from __future__ import annotations

from review_bot.checks.errors.option_unread import lost_options, relate
from review_bot.rules.check import CheckTraits, change_check

CHECK = change_check(lost_options, relate, CheckTraits(literals=("add_argument",), reads_old=True, on_lines=False))
