"""The first import of another distribution in a repository whose manifests do not name it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import AddedImport, added_imports
from review_bot.analysis.project.manifests import declared
from review_bot.analysis.project.module_tree import is_standard, module_tree
from review_bot.analysis.project.third_party import COME_ALONG, WELL_KNOWN, distributions_of, normalised
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit, hit_over
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_MOST_RELATED = 5
_EVERYWHERE = frozenset({"typing_extensions", "pkg_resources", "setuptools", "pip", "wheel", "pydantic_core"})
_PLATFORM = LazyRegex(r"(?:^|[/_])(?:npu|ascend|rocm|hip|xpu|tpu|hpu|gaudi|musa|neuron|mps)(?:[/_.]|$)")
"""Files for one kind of hardware, whose packages come with its own installation."""


def gather(source: SourceFile) -> tuple[AddedImport, ...] | None:
    """Return the added imports that run when the file is imported, other than those of the standard library."""
    path = source.path
    if not path.endswith(".py") or not (is_library(path) or "tests" in path.split("/")) or _PLATFORM.search(path):
        return None
    imports = tuple(
        each
        for each in added_imports(source)
        if each.new and each.always and not each.conditional and not each.level and _may_be_declared(_top(each))
    )
    return imports or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each distribution that is imported for the first time and declared nowhere."""
    tree = module_tree(codebase.head)
    places: dict[str, list[tuple[str, AddedImport]]] = {}
    for path, each in each_fact(facts):
        places.setdefault(_top(each), []).append((path, each))
    candidates = {top for top in places if not tree.anywhere(top)}
    if not candidates:
        return
    names = declared(codebase.head)
    if names is None:
        return
    candidates = {top for top in candidates if not _is_declared(top, names)}
    parents = {top: _parents(top) for top in candidates}
    before = _imported_before(candidates.union(*parents.values()), codebase.base)
    for top in sorted(candidates - before):
        (path, first), *others = places[top]
        named = distributions_of(top)
        is_known = top in WELL_KNOWN and len(named) == 1  # its name may not be that of the import
        distribution = f"`{named[0]}`" if is_known else "the package that provides it"
        parent = next((name for name in parents[top] if normalised(name) in names or name in before), None)
        if parent is not None and all(is_test(each) for each, _ in places[top]):
            continue  # tests run where the whole package is installed
        yield hit_over(
            first.span,
            values={"name": top, "distribution": distribution},
            severity=None if parent is None else "hint",
            message=None
            if parent is None
            else f"No manifest in this repository declares `{top}`; it currently comes with `{parent}`.",
            related=tuple(
                Related(other, line, "also imported here")
                for other, line in list({other: each.line for other, each in others if other != path}.items())[
                    :_MOST_RELATED
                ]
            ),
            statement=f"import {top}",
            path=path,
        )


def _top(statement: AddedImport) -> str:
    return statement.module.partition(".")[0]


def _may_be_declared(top: str) -> bool:
    return (
        not top.startswith("_")
        and not top.endswith(("_cuda", "_C", "_ext"))
        and top not in _EVERYWHERE
        and not is_standard(top)
    )


def _parents(top: str) -> list[str]:
    """Return the import names of distributions that are known to bring this one along."""
    wanted = distributions_of(top)
    return sorted(name.replace("-", "_") for name, brought in COME_ALONG.items() if not brought.isdisjoint(wanted))


def _is_declared(top: str, names: frozenset[str]) -> bool:
    """Return whether a manifest names the distribution, or one that is spelled so alike that it may be the one."""
    if not names.isdisjoint(distributions_of(top)):
        return True
    plain = normalised(top).replace("-", "")
    return any(plain in name.replace("-", "") for name in names)


def _imported_before(names: set[str], base: Snapshot) -> set[str]:
    """Return which of the names some file of the base imports already."""
    before: set[str] = set()
    words = "|".join(map(re.escape, sorted(names)))
    pattern = re.compile(rf"^[ \t]*(?:from[ \t]+|import[ \t](?:[\w., \t]*,)?[ \t]*)({words})\b", re.MULTILINE)
    for path in files_with(base, names, ".py"):
        before.update(pattern.findall(base.text(path) or ""))
        if before >= names:
            break
    return before


CHECK = change_check(gather, relate, CheckTraits(literals=("import",)))
