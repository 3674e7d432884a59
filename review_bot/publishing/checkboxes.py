"""Ticks that people set in the summary stay when it is rewritten.

GitHub lets anyone who may edit a comment click its boxes, which changes ``[ ]`` to ``[x]`` in the text and nothing
else: https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/about-tasklists. A line
that a person answers ends with a key, ``- [ ] ... <!-- review-bot:tick KEY -->``, after which ``<br>`` may come; by
that it is known again whatever else it says. Lines without one are the bot's: it ticks them itself, and a click there
is undone.
"""

from __future__ import annotations

import re

from review_bot.text.lazy_regex import LazyRegex

_TICKED = LazyRegex(r"(?m)^[ \t]*[-*+] \[[xX]\] .*<!-- review-bot:tick (\S{1,200}) -->(?:<br>)?[ \t\r]*$")
_OPEN = LazyRegex(r"(?m)^([ \t]*[-*+] \[) (\] .*<!-- review-bot:tick (\S{1,200}) -->(?:<br>)?[ \t]*)$")


def kept(text: str, before: str) -> str:
    """Return a text of ours with those of its lines ticked that are ticked in the text ``before``."""
    keys = frozenset(_TICKED.findall(before))

    def ticked(line: re.Match[str]) -> str:
        return f"{line[1]}x{line[2]}" if line[3] in keys else line[0]

    return _OPEN.sub(ticked, text) if keys else text
