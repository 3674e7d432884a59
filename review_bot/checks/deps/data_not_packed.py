"""A new data file in a package that no pattern of ``package-data`` takes, next to files that one takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.project.package_data import PackageData, package_data
from review_bot.analysis.project.path_mentions import folders_around
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_DATA = LazyRegex(r"\.(?:ya?ml|json|toml|jinja2?|j2|gin|csv|html|css|js|proto)$")


def gather(source: SourceFile) -> bool | None:
    """Return true for a new data file."""
    is_new = source.change.status in {"added", "renamed"} and "/" in source.path
    return True if is_new and _DATA.search(source.path) and not is_test(source.path) else None


def relate(facts: Mapping[str, bool], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first file of each folder and kind that a wheel would lack."""
    side = codebase.head
    reported: set[tuple[str, str]] = set()
    for path in sorted(facts):
        folder, _, name = path.rpartition("/")
        suffix = name[name.rindex(".") :]
        declared = package_data(side, _project(path, side)) if (folder, suffix) not in reported else ()
        if not all(each.folder for each in declared) or any(each.pattern_for(path) for each in declared):
            continue
        found = next(filter(None, (_sibling(each, path, suffix, facts, side) for each in declared)), None)
        if found is not None:
            reported.add((folder, suffix))
            pattern, each, sibling = found
            values = {
                "manifest": each.manifest,
                "pattern": pattern,
                "package": each.package,
                "sibling": sibling,
                "near": path.removeprefix(f"{each.folder}/"),
            }
            yield Hit(1, path=path, values=values, related=(Related(sibling, 1, "is in the wheel"),))


def _project(path: str, side: Snapshot) -> str:
    """Return the nearest folder with a manifest, empty for the root."""
    around = folders_around(path)
    return next(
        (each for each in around if not side.paths.isdisjoint({f"{each}/pyproject.toml", f"{each}/setup.py"})), ""
    )


def _sibling(
    data: PackageData, path: str, suffix: str, new: Mapping[str, bool], side: Snapshot
) -> tuple[str, PackageData, str] | None:
    """Return a file of the same kind, in a folder around the new one, that a pattern takes."""
    folders = {path.rpartition("/")[0], *folders_around(path)}
    for other in sorted(side.paths):
        if other.endswith(suffix) and other not in new and other.rpartition("/")[0] in folders:
            pattern = data.pattern_for(other)
            if pattern is not None and "*" in pattern:
                return pattern, data, other
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False, new_names=True))  # fmt: skip
