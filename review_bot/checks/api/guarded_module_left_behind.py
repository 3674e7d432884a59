"""A module that the change removes or renames, and imports of it whose ImportError is caught.

Imports that nothing catches are the matter of ``removed_module``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.generated_modules import kind_of
from review_bot.analysis.project.module_tree import place_of
from review_bot.changes.codebase import Codebase
from review_bot.checks.api.guarded_import_left_behind import Lost, Removal, guarded_uses
from review_bot.checks.api.removed_module import gather
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each module that is gone; the imports that fail from now on are the related places."""
    removed = {place_of(base): Removal(path) for path, base in sorted(facts.items()) if base}
    gone = {place: removal for place, removal in removed.items() if kind_of(place, codebase) == "missing"}
    yield from guarded_uses(Lost({}, gone, codebase), codebase)


CHECK = change_check(
    gather, relate, CheckTraits(literals=None, reads_old=True, reads_text=False, new_names=True, on_lines=False)
)
