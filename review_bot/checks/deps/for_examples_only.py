"""A requirement of a package that only its examples, benchmarks, documents or tests import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import file_imports
from review_bot.analysis.project.requirements import Requirement, added_requirements, is_of_users, requirements_of
from review_bot.analysis.project.third_party import DISTRIBUTIONS
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import parsed
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_ASIDE = LazyRegex(
    r"(?:^|/)(?:examples?|demos?|samples?|tutorials?|cookbooks?|notebooks?|benchmarks?|docs?|tests?)(?:/|$)"
)


def gather(source: SourceFile) -> tuple[Requirement, ...] | None:
    """Return the requirements that the change adds for everyone who installs a package. Raises CannotRead."""
    if source.path.rpartition("/")[2] != "pyproject.toml":
        return None
    found = added_requirements(source)
    return tuple(each for each in found if not each.group and not each.marker and is_of_users(source.path))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each new one that files aside import and no other."""
    for path, requirements in sorted((path, found) for path, found in facts.items() if found):
        folder = path.rpartition("/")[0]
        text = codebase.base.text(path)
        if text is None or not _has_library(folder, codebase):
            continue
        before = {each.name for each in requirements_of(path, text) if not each.group}
        for each in requirements:
            importers = [] if each.name in before else _importers_aside(each.name, folder, codebase)
            if importers:
                where, alone = places_in_words(importers)
                yield Hit(
                    each.line,
                    values={"name": each.name, "where": where, "verb": "imports" if alone else "import"},
                    path=path,
                    related=tuple(importers[:MOST_RELATED]),
                    statement=each.name,
                )


def _has_library(folder: str, codebase: Codebase) -> bool:
    start = f"{folder}/" if folder else ""
    return any(
        path.startswith(start) and path.endswith("/__init__.py") and is_library(path) for path in codebase.base.paths
    )


def _importers_aside(name: str, folder: str, codebase: Codebase) -> list[Related]:
    """Return where files aside import what a distribution brings; nothing if the package imports it, or names it."""
    modules = {name, name.replace("-", "_")} | {top for top, brings in DISTRIBUTIONS.items() if name in brings}
    quoted = re.compile(rf"[\"'](?:{'|'.join(map(re.escape, sorted(modules)))})\b")
    start = f"{folder}/" if folder else ""
    found: list[Related] = []
    for path in files_with(codebase.head, modules, ".py"):
        if not path.startswith(start) or path.rpartition("/")[2] == "setup.py":
            continue
        text = codebase.head.text(path) or ""
        lines = [line for top, line in _imports(path, text) if top in modules]
        if not _ASIDE.search(path) and (lines or quoted.search(text)):
            return []
        found += [Related(path, min(lines), "imports it")] if lines else []
    return found


def _imports(path: str, text: str) -> Iterator[tuple[str, int]]:
    """Yield the top-level packages that a file imports, also where it can do without them, and the lines."""
    tree = parsed(text)
    for plain in () if tree is None else nodes_of(tree, ast.Import):
        yield from ((each.name.partition(".")[0], plain.lineno) for each in plain.names)
    for statement in () if tree is None else nodes_of(tree, ast.ImportFrom):
        if not statement.level:
            yield (statement.module or "").partition(".")[0], statement.lineno
    yield from ((each.module.partition(".")[0], each.line) for each in file_imports(path, text) if not each.level)


CHECK = change_check(gather, relate, CheckTraits(literals=None))
