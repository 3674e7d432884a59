"""Names that the base sets on another object or module: ``core.load = patched``, ``setattr(core, "load", x)``."""

from __future__ import annotations

import re

from review_bot.analysis.project.module_tree import head_tree
from review_bot.changes.repository import Repository


def set_from_outside(names: frozenset[str], repository: Repository) -> frozenset[str]:
    """Return those of some names that are set as an attribute of something other than ``self`` and ``cls``.

    The base must do so too: a change cannot excuse itself.
    """
    if not names:
        return names
    each = "|".join(map(re.escape, sorted(names)))
    word = re.compile(rf"\b(?:{each})\b")
    setting = re.compile(
        rf"""(?<!\bself)(?<!\bcls)\.({each})[ \t]*(?::[^=\n]{{0,300}})?=(?!=)|setattr\([^,()\n]*,\s*["']({each})["']"""
    )
    found: set[str] = set()
    for path in head_tree(repository).python_files():
        text = repository.head_text(path) or ""
        if word.search(text) and (now := _matches(setting, text)):
            found |= now & _matches(setting, repository.base_text(path) or "")
    return frozenset(found)


def _matches(setting: re.Pattern[str], text: str) -> set[str]:
    return {one or two for one, two in setting.findall(text)}
