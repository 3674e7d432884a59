"""Distributions that all users of a project get from now on, and that no manifest of the base asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.manifests import declared
from review_bot.analysis.project.requirements import (
    Requirement,
    added_requirements,
    is_manifest,
    is_of_users,
)
from review_bot.analysis.project.third_party import normalised
from review_bot.analysis.project.wording import listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_MOST_NAMES = 8


def gather(source: SourceFile) -> tuple[Requirement, ...] | None:
    """Return the requirements on added lines of a manifest from which users install, without what is optional."""
    if not is_manifest(source.path):
        return None
    return tuple(each for each in added_requirements(source) if _comes_with_all(each, source.path)) or None


def _comes_with_all(requirement: Requirement, path: str) -> bool:
    """Return whether anyone who installs the project gets it: no extra, and no file that is named after it alone."""
    optional = requirement.group or requirement.name in normalised(path.rpartition("/")[2])
    return not optional and is_of_users(path, requirement.group)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit that lists what is new; none in a repository that had no manifest."""
    if not facts:
        return
    before = declared(codebase.base)
    if before is None:
        return
    new: dict[str, tuple[str, Requirement]] = {}
    for path, each in each_fact(facts):
        if each.name not in before:
            new.setdefault(each.name, (path, each))
    if not new:
        return
    yield Hit(
        None,
        values={"names": listed((each.text for _, each in new.values()), _MOST_NAMES)},
        related=tuple(Related(path, each.line, each.text) for path, each in list(new.values())[:_MOST_NAMES]),
        statement="",
    )


CHECK = change_check(gather, relate, CheckTraits(literals=None, on_lines=False))
