"""Names that the base sets on another object or module: ``core.load = patched``, ``setattr(core, "load", x)``."""

from __future__ import annotations

import re

from review_bot.changes.repository import Repository
from review_bot.checks.project.module_tree import module_tree


def set_from_outside(names: frozenset[str], repository: Repository) -> frozenset[str]:
    """Return those of some names that are set as an attribute of something other than ``self`` and ``cls``.

    Only the base is read: a change cannot excuse itself so.
    """
    if not names:
        return names
    each = "|".join(map(re.escape, sorted(names)))
    word = re.compile(rf"\b(?:{each})\b")
    setting = re.compile(
        rf"""(?<!\bself)(?<!\bcls)\.({each})[ \t]*(?::[^=\n]*)?=(?!=)|setattr\([^,()\n]*,\s*["']({each})["']"""
    )
    found: set[str] = set()
    for path in module_tree(repository.base_paths).python_files():
        text = repository.base_text(path) or ""
        if word.search(text):
            found.update(one or two for one, two in setting.findall(text))
    return frozenset(found)
