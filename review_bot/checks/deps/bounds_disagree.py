"""A requirement whose bound does not fit the one that another manifest of the project states for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.requirements import (
    Requirement,
    added_requirements,
    is_manifest,
    is_of_users,
    requirements_of,
    version_of,
)
from review_bot.changes.codebase import Codebase
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PLATFORM = LazyRegex(
    r"(?i)(?:^|[/_.-])(?:npu|ascend|rocm|hip|xpu|tpu|hpu|gaudi|musa|maca|neuron|mps|cpu|cuda|camb|metal|s390x|arm)(?:[/_.-]|$)"
)
_WORD = LazyRegex(r"[a-z0-9]+")
_GENERAL = frozenset({"requirements", "requirement", "reqs", "base", "common", "core", "default", "main", "all"})
"""Words in the names of lists that every environment installs."""
_LOWEST = frozenset({">=", "~=", ">"})
_EXACT = frozenset({"==", "==="})


def gather(source: SourceFile) -> tuple[Requirement, ...] | None:
    """Return the bounded requirements on added lines of a manifest for every platform. Raises CannotRead."""
    if not _is_general(source.path):
        return None
    return tuple(each for each in added_requirements(source) if _counts(source.path, each)) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each of them whose oldest version, or exact version, another manifest next to it contradicts."""
    texts: dict[str, list[Requirement]] = {}
    reported: set[tuple[str, str]] = set()
    for path in sorted(facts):
        for other in sorted(codebase.head.paths):
            if other == path or not _is_general(other) or _project(other) != _project(path):
                continue
            if _is_of_one_environment(path) or _is_of_one_environment(other):
                continue
            if other not in texts:
                texts[other] = _read(other, codebase)
            for here in facts[path]:
                for there in texts[other]:
                    if here.name != there.name or not _counts(other, there) or not _disagree(here, there):
                        continue
                    if (other, here.name) in reported:
                        continue
                    if _has_own_list(here, other, codebase) or _has_own_list(there, path, codebase):
                        continue
                    reported.add((path, here.name))
                    yield Hit(
                        here.line,
                        values={"here": here.text, "there": there.text, "other": other},
                        related=(Related(other, there.line, there.text),),
                        statement=here.text,
                        path=path,
                    )


def _read(path: str, codebase: Codebase) -> list[Requirement]:
    """Return the requirements of another manifest; none if it cannot be read."""
    try:
        return requirements_of(path, codebase.head.text(path) or "")
    except CannotRead:
        return []


def _has_own_list(requirement: Requirement, other: str, codebase: Codebase) -> bool:
    """Return whether a requirement is of a group with a list of its own, and the other manifest is not that list."""
    if not requirement.group or requirement.group in _words(other):
        return False
    folder = _project(other)
    lists = (path for path in codebase.head.paths if path.endswith((".txt", ".in")) and _project(path) == folder)
    return any(requirement.group in _words(path) for path in lists)


def _words(path: str) -> set[str]:
    return set(_WORD.findall(path.rpartition("/")[2].rpartition(".")[0].lower()))


def _is_general(path: str) -> bool:
    return is_manifest(path) and is_of_users(path) and _PLATFORM.search(path) is None


def _is_of_one_environment(path: str) -> bool:
    """Return whether a list of requirements is for a kind of machine, by its name: ``dgx_requirements.txt``."""
    return path.endswith((".txt", ".in")) and not _words(path) <= _GENERAL


def _counts(path: str, requirement: Requirement) -> bool:
    return bool(requirement.bounds) and not requirement.marker and is_of_users(path, requirement.group)


def _project(path: str) -> str:
    """Return the folder of the project that a manifest belongs to."""
    folder = path.rpartition("/")[0]
    return folder.rpartition("/")[0] if folder.rpartition("/")[2] in {"requirements", "requirement"} else folder


def _disagree(first: Requirement, second: Requirement) -> bool:
    """Return whether two requirements state different oldest versions, or an exact one that the other shuts out."""
    exact = _bound(first, _EXACT), _bound(second, _EXACT)
    lowest = _bound(first, _LOWEST), _bound(second, _LOWEST)
    if exact[0] and exact[1]:
        return exact[0] != exact[1]
    for pinned, least in ((exact[0], lowest[1]), (exact[1], lowest[0])):
        if pinned and least:
            return pinned < least
    return bool(lowest[0] and lowest[1] and lowest[0][:2] != lowest[1][:2])  # a patch release hardly matters


def _bound(requirement: Requirement, operators: frozenset[str]) -> tuple[int, ...] | None:
    return next((version_of(version) for operator, version in requirement.bounds if operator in operators), None)


CHECK = change_check(gather, relate, CheckTraits(literals=("=", "<", ">")))
