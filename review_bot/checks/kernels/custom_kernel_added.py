"""A kernel in Triton, CUDA or HIP that a change adds together with no line of a test or a benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_tests import (
    adds_tests,
    holds_tests,
    module_name,
    switches_tests_on,
    tested_modules,
)
from review_bot.analysis.project.wording import listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_python
from review_bot.text.lazy_regex import LazyRegex

_TRITON = LazyRegex(r"\s*@triton\.jit\b")
_DEFINITION = LazyRegex(r"\s*def[ ]+(\w+)")
_RETURNS = LazyRegex(r"\s*return[ (]+[^\s#]")
_CUDA = LazyRegex(r"__global__(?:(?!__global__)[^(;])*?\b(\w+)[ ]*\(")
_OTHER_KEYWORDS = frozenset({"__launch_bounds__"})

_MEASURES = LazyRegex(r"bench|perf|profil")

_BELOW_DECORATOR = 6
"""In how many lines the ``def`` follows its decorator."""


def gather(source: SourceFile) -> tuple[tuple[int, str], ...] | None:
    """Return (line, name) of each kernel that the change adds to a file.

    None for a test or a script, or if there is none. A Triton function that returns a value is a part of kernels, as
    what ``__device__`` marks is in CUDA.
    """
    if holds_tests(source.change) or _MEASURES.search(source.path):
        return None
    if is_python(source.path) and not is_library(source.path):
        return None
    found: list[tuple[int, str]] = []
    added = source.added_code
    for line, text in added.items():
        if _TRITON.match(text):
            for below in range(line + 1, line + _BELOW_DECORATOR):
                if match := _DEFINITION.match(added.get(below, "")):
                    if _stores(added, below):
                        found.append((below, match[1]))
                    break
        elif not text.lstrip().startswith("//") and (match := _CUDA.search(text)) and match[1] not in _OTHER_KEYWORDS:
            found.append((line, match[1]))
    return tuple(found) or None


def _stores(added: Mapping[int, str], first: int) -> bool:
    """Return whether the function that starts on this line returns nothing: a kernel gives back what it stores."""
    indent = len(added[first]) - len(added[first].lstrip())
    for line in range(first + 1, first + 1 + len(added)):
        text = added.get(line, "")
        if _RETURNS.match(text):
            return False
        if text.strip() and len(text) - len(text.lstrip()) <= indent and not text.lstrip().startswith((")", "#")):
            return True
    return True


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit that names the kernels.

    None if the change adds to a test or a benchmark, moves the kernels, or adds them to modules that have tests.
    """
    if (
        adds_tests(codebase.change)
        or switches_tests_on(codebase.change)
        or any(file.added and _MEASURES.search(file.path) for file in codebase.change.files)
    ):
        return
    gone = "\n".join(text for file in codebase.change.files for _, text in file.removed_lines())
    tested = tested_modules(codebase.head.paths)
    untested = [path for path in sorted(facts) if module_name(path) not in tested]
    places = [(path, line, name) for path in untested for line, name in facts[path] if name not in gone]
    if not places:
        return
    names = listed(dict.fromkeys(name for _, _, name in places), 5)
    path, line, _ = places[0]
    more = tuple(Related(*place) for place in places[1:6])
    yield Hit(line, path=path, values={"kernels": names}, related=more, statement="")


CHECK = change_check(
    gather, relate, CheckTraits(literals=("triton", "__global__"), reads_text=False, works_without_tree=True)
)
