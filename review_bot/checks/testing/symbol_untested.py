"""Public functions and classes that a change with tests adds, and that no test names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_tests import adds_tests
from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.module_body import top_level_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_DEFINITION = LazyRegex(r"(?:(?:async[ ]+)?def|class)[ ]+([A-Za-z]\w*)(.*)")
_BY_END_TO_END_TESTS = LazyRegex(r"Module\b|Pipeline\b|ForCausalLM|ForConditionalGeneration|\bmain\b|Exception|Error\b")
_WORD = LazyRegex(r"\w+")
_MOST_NAMES = 10


def gather(source: SourceFile) -> tuple[tuple[int, str], ...] | None:
    """Return (line, name) of each public definition that is added at the top level of a file."""
    found = []
    for line, text in source.added_code.items():
        match = _DEFINITION.match(text)
        if match and not _BY_END_TO_END_TESTS.search(match[0]):
            found.append((line, match[1]))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit that lists what no test of the head names; none if the change brings no test at all.

    A name is new if no module had it that the change edits or moves, and no removed line defined it elsewhere.
    """
    if not adds_tests(codebase.change):
        return
    untested = {name for symbols in facts.values() for _, name in symbols} - _removed(codebase.change)
    for path in sorted(codebase.head.paths):
        if not untested:
            return
        if path.endswith(".py") and is_test(path):
            text = codebase.head.text(path) or ""
            if any(name in text for name in untested):
                untested.difference_update(_WORD.findall(text))
    first: dict[str, tuple[str, int]] = {}
    for path in sorted(facts):
        here = [(line, name) for line, name in facts[path] if name in untested]
        before = _at_base(path, codebase.change, codebase) if here else frozenset()
        for line, name in here:
            if name not in before:
                first.setdefault(name, (path, line))
    if not first:
        return
    related = [Related(path, line, name) for name, (path, line) in first.items()]
    yield Hit(None, values={"names": listed(first, _MOST_NAMES)}, related=tuple(related[:_MOST_NAMES]), statement="")


def _removed(pull_request: PullRequest) -> frozenset[str]:
    """Return the names that removed lines defined at the top level of a file: what moved or changed is not new."""
    lines = (text for file in pull_request.files for _, text in file.removed_lines())
    return frozenset(match[1] for match in map(_DEFINITION.match, lines) if match)


def _at_base(path: str, pull_request: PullRequest, codebase: Codebase) -> frozenset[str]:
    """Return the names that a module of the head bound before the change."""
    place = next((file.base_path for file in pull_request.files if file.path == path), path)
    tree = codebase.base.tree(place)
    return frozenset() if tree is None else top_level_names(tree)


CHECK = change_check(gather, relate, CheckTraits(literals=("def", "class"), reads_text=False, on_lines=False))
