"""Code that needs a newer Python than the project promises to run on (see ``newer_python``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.manifests import LowestPython, lowest_python
from review_bot.analysis.project.needed_python import names_own_python, needed_before
from review_bot.analysis.project.newer_python import OLDEST, Newer, lines_with_signs, needs_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_MOST_RELATED = 8


def gather(source: SourceFile) -> tuple[Newer, ...] | None:
    """Return what added lines need: for each line, the newest thing on it."""
    text = source.text or ""
    if names_own_python(text) or not source.path.endswith(".py") or is_test(source.path):
        return None
    lines = frozenset(source.added)
    newest: dict[int, Newer] = {}
    asked = lines_with_signs(text, OLDEST) if source.change.status == "added" else lines
    for newer in needs_of(source.tree, text, asked):
        if newer.line in lines and (newer.line not in newest or newer.minor > newest[newer.line].minor):
            newest[newer.line] = newer
    return tuple(newest[line] for line in sorted(newest)) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for each manifest that promises an older Python than added lines need.

    What the base needs already is left out: then the promise is wrong, whatever the change does.
    """
    manifests: dict[str, LowestPython | None] = {}
    places: dict[LowestPython, list[tuple[str, Newer]]] = {}
    for path, needs in sorted(facts.items()):
        folder = path.rpartition("/")[0]
        if folder not in manifests:
            manifests[folder] = lowest_python(path, codebase)
        lowest = manifests[folder]
        newer = [] if lowest is None else [(path, each) for each in needs if each.minor > lowest.minor]
        if lowest is not None and newer:
            places.setdefault(lowest, []).extend(newer)
    for lowest, found in places.items():
        known = needed_before({path for path, _ in found}, {each.minor for _, each in found}, codebase)
        if still := [(path, each) for path, each in found if each.minor > known]:
            yield _hit(lowest, still)


def _hit(lowest: LowestPython, found: list[tuple[str, Newer]]) -> Hit:
    """Return the hit on the first of the places that need the newest Python."""
    newest = max(each.minor for _, each in found)
    path, first = next(place for place in found if place[1].minor == newest)
    others = [Related(other, each.line, _note(each, first)) for other, each in found if (other, each) != (path, first)]
    advice = (
        f"Remove the classifiers of the older versions from `{lowest.path}` and set the minimum there, or write this so"
        f" that Python 3.{lowest.minor} can run it."
    )
    return Hit(
        first.line,
        values={
            "what": first.what,
            "needed": f"3.{first.minor}",
            "promised": f"3.{lowest.minor}",
            "manifest": lowest.path,
        },
        related=(Related(lowest.path, lowest.line, f"declares Python 3.{lowest.minor}"), *others[:_MOST_RELATED]),
        path=path,
        instead=advice if lowest.is_classifier else None,
    )


def _note(each: Newer, first: Newer) -> str:
    is_same = (each.what, each.minor) == (first.what, first.minor)
    return "also here" if is_same else f"uses {each.what}, which requires Python 3.{each.minor}"


CHECK = change_check(
    gather, relate, CheckTraits(literals=("[", "|", "match", "except", "type", "import", "with", "strict", '"', "'"))
)
