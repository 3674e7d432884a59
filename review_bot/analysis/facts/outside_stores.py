"""Names that the base sets on another object or module: ``core.load = patched``, ``setattr(core, "load", x)``."""

from __future__ import annotations

import re

from review_bot.analysis.facts.word_search import files_with
from review_bot.changes.codebase import Codebase


def set_from_outside(names: frozenset[str], codebase: Codebase) -> frozenset[str]:
    """Return those of some names that are set as an attribute of something other than ``self`` and ``cls``.

    The base must do so too: a change cannot excuse itself.
    """
    if not names:
        return names
    each = "|".join(map(re.escape, sorted(names)))
    setting = re.compile(
        rf"""\.(?<!\bself\.)(?<!\bcls\.)({each})[ \t]*(?::[^=\n]{{0,300}})?=(?!=)"""
        rf"""|setattr\([^,()\n]*,\s*["']({each})["']"""
    )
    found: set[str] = set()
    attributes = [f".{name}" for name in names]
    for path in files_with(codebase.head, names, ".py"):
        text = codebase.head.text(path) or ""
        if "setattr(" not in text and not any(each in text for each in attributes):
            continue  # most files, at a fraction of what the expression costs
        if now := _matches(setting, text):
            found |= now & _matches(setting, codebase.base.text(path) or "")
    return frozenset(found)


def _matches(setting: re.Pattern[str], text: str) -> set[str]:
    return {one or two for one, two in setting.findall(text)}
