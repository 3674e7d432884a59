"""Compares the filters before the rules with the rules themselves: ``python -m tests.rules.filter_run`` (``make filters``).

A filter may let too much through and must drop nothing. So each rule that a filter keeps from a generated file is tried
on it without any filter: it has to find nothing in what the change touched.

Most of a short search is the preparation of the rule. So a structural rule searches many files joined to one text
first, and then alone those in which it found something there. Rules that look at what stands before or behind, and
files with errors, which may change what a neighbour means, are always searched alone.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ast_grep_py import SgRoot

from review_bot.analysis.project.added_imports import added_imports
from review_bot.changes.codebase import Codebase
from review_bot.changes.imported_names import asks_for_imported, written_out
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.python_parsing import CannotRead, python_text
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.checks import catalog
from review_bot.configuration import rule_registry
from review_bot.engine.file_examination import _look, _may_match, _touches_change
from review_bot.engine.plan import make_plan
from review_bot.engine.required_imports import imports_any
from review_bot.rules import structural_pattern
from review_bot.rules.check import ChangeCheck
from review_bot.rules.examples import _from_trees
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Rulebook
from tests.rule_cases import pattern_of
from tests.rules.generated_files import GeneratedFile, generated_file

_BATCH = 200
ImportFilter = Callable[[SourceFile, tuple[str, ...]], bool]
Trees = dict[tuple[str, str], structural_pattern.Tree]


class Drop(NamedTuple):
    """Something that a filter kept from a rule. ``line``: where it is; None: in no one line."""

    rule: str
    file: int
    line: int | None
    what: str


class Result(NamedTuple):
    """What a run saw. ``decisions``: how often a filter kept a rule, or the search for imports, from a file."""

    files: int
    decisions: int
    drops: tuple[Drop, ...]

    def counted(self) -> str:
        """Return the counts in one line."""
        return f"files {self.files:,}, filter decisions {self.decisions:,}, drops {len(self.drops):,}"


def everywhere(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules as ones that look at every file of their languages; text rules at every file."""
    return tuple(
        rule._replace(
            files=(), ignores=(), scope="any", languages=() if rule.kind == "text" else rule.languages, mirror=False
        )
        for rule in rules
        if rule.kind != "pull_request"
    )


def builtin_rules() -> tuple[Rule, ...]:
    """Return the built-in rules that look at files."""
    return everywhere(page.rule for page in rule_registry.builtin_pages())


def run(
    rules: tuple[Rule, ...], *, files: int, seed: int, until: float | None = None, imports: ImportFilter = imports_any
) -> Result:
    """Compare filters and rules over generated files; ``until`` (seconds since the epoch) ends the run early."""
    seen = decisions = 0
    drops: list[Drop] = []
    filtered = Rulebook(rules, catalog.load, digest="", known_ids=frozenset(rule.id for rule in rules))
    free = filtered._replace(rules=tuple(map(_without_filter, rules)))
    for first in range(0, files, _BATCH):
        if until is not None and time.time() >= until:
            break
        numbers = range(first, min(first + _BATCH, files))
        batch = [generated_file(seed, number) for number in numbers]
        seen += len(batch)
        for number, count, dropped in _compared(batch, first, filtered, free, imports):
            decisions += count
            drops += [each._replace(file=number) for each in dropped]
    return Result(seen, decisions, tuple(drops))


def _without_filter(rule: Rule) -> Rule:
    return rule._replace(literals=None, opening=None, required_imports=())


def _compared(
    batch: list[GeneratedFile], first: int, filtered: Rulebook, free: Rulebook, imports: ImportFilter
) -> Iterator[tuple[int, int, list[Drop]]]:
    base = {each.path: each.old_text for each in batch if each.old_text is not None}
    case = _from_trees(base, {each.path: each.text for each in batch})
    numbers = {each.path: first + place for place, each in enumerate(batch)}
    planned, possible = (
        {task.file: frozenset(task.rules) for task in make_plan(case.pull_request, book).tasks}
        for book in (filtered, free)
    )
    sources = [SourceFile(file, case.new[n], case.old[n]) for n, file in enumerate(case.pull_request.files)]
    joined = Joined(sources)
    for index, source in enumerate(sources):
        comparison = _Comparison(source, case.pull_request, case.repository, free, imports)
        for number in sorted(possible.get(index, ())):
            rule = free.rules[number]
            is_tried = rule.kind != "structural" or joined.may_match(rule, index)
            is_planned = number in planned.get(index, ())
            comparison.look(filtered.rules[number], rule, is_planned=is_planned, is_tried=is_tried)
        comparison.look_at_imports()
        yield numbers[source.path], comparison.decisions, comparison.drops


class Joined:
    """The texts of many files, in every spelling that rules are tried on, as one text."""

    def __init__(self, sources: list[SourceFile]) -> None:
        self._alone: set[int] = set()
        self._starts: list[int] = []
        self._files: list[int] = []
        self._found: dict[str, frozenset[int]] = {}
        self._around: dict[str, bool] = {}
        texts: list[str] = []
        line = 1
        for index, source in enumerate(sources):
            spellings = list(_spellings(source))
            if any(_has_errors(each) for each in spellings):
                self._alone.add(index)
                continue
            for text in spellings:
                self._starts.append(line)
                self._files.append(index)
                texts.append(text + "\n")
                line += text.count("\n") + 1
        self._tree = structural_pattern.Tree("".join(texts), "python")

    def may_match(self, rule: Rule, index: int) -> bool:
        """Return whether a rule may match in a file."""
        if rule.id not in self._around:
            self._around[rule.id] = _looks_around(pattern_of(rule).config)
        if index in self._alone or self._around[rule.id]:
            return True
        if rule.id not in self._found:
            lines = {match.line for match in self._tree.find(pattern_of(rule).config)}
            self._found[rule.id] = frozenset(self._files[bisect_right(self._starts, line) - 1] for line in lines)
        return index in self._found[rule.id]


def _spellings(source: SourceFile) -> Iterator[str]:
    yield source.text or ""
    if source.usual_spelling is not None:
        yield source.usual_spelling.text
    if asks_for_imported(source, None):
        yield written_out(source).text


def _has_errors(text: str) -> bool:
    try:
        ast.parse(python_text(text))
    except (SyntaxError, ValueError):
        return True
    return SgRoot(text, "python").root().find(kind="ERROR") is not None


def _looks_around(config: Any) -> bool:
    """Return whether a part of a rule is about the statements beside one, or about the whole file."""
    if isinstance(config, dict):
        return any(
            key in {"precedes", "follows"} or (key == "kind" and value == "module") or _looks_around(value)
            for key, value in config.items()
        )
    return isinstance(config, list) and any(map(_looks_around, config))


class _Comparison:
    """One file, and what filters dropped there."""

    def __init__(
        self,
        source: SourceFile,
        pull_request: PullRequest,
        repository: Repository,
        free: Rulebook,
        imports: ImportFilter,
    ) -> None:
        self.imports = imports
        self.source, self.pull_request, self.free = source, pull_request, free
        self.codebase = Codebase(repository, pull_request)
        self.decisions = 0
        self.drops: list[Drop] = []
        self.trees: Trees = {}
        self.imported = frozenset(_imported(source))

    def look(self, rule: Rule, free: Rule, *, is_planned: bool, is_tried: bool) -> None:
        """Compare one rule with itself without filters; not ``is_tried``: it is known to find nothing without them."""
        required = rule.required_imports
        is_imported = not required or not self.imported.isdisjoint(required)
        if required and not self.imports(self.source, required):
            self.decisions += 1
            if is_imported:
                self.drops.append(Drop(rule.id, 0, None, "a required import"))
        if is_planned and _may_match(rule._replace(required_imports=()), self.source):
            if rule.kind == "structural" and not asks_for_imported(self.source, rule.literals):
                self._look_written_out(rule, free, is_tried=is_tried)
            return
        self.decisions += 1
        if is_imported and is_tried:
            self.drops += [
                Drop(rule.id, 0, hit.line, "a finding") for hit in self._hits(free) if self._counts(free, hit)
            ]

    def _look_written_out(self, rule: Rule, free: Rule, *, is_tried: bool) -> None:
        """Compare a rule that is not tried with imported names written out."""
        if not asks_for_imported(self.source, None):
            return
        self.decisions += 1
        if is_tried:
            known = {hit.line for hit in self._hits(rule)}
            lost = [hit.line for hit in self._hits(free) if hit.line not in known]
            self.drops += [Drop(rule.id, 0, line, "a finding by an imported name") for line in lost]

    def look_at_imports(self) -> None:
        """Compare the imports that the change adds with those of the syntax tree that nothing keeps from running."""
        try:
            found = {each.line for each in added_imports(self.source)}
            tree = ast.parse(python_text(self.source.text or ""))
        except (CannotRead, SyntaxError, ValueError):
            return
        for node in _unconditional_imports(tree.body):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if all(line in self.source.added for line in lines) and found.isdisjoint(lines):
                self.drops.append(Drop("added imports", 0, node.lineno, "an import"))

    def _counts(self, rule: Rule, hit: Hit) -> bool:
        return hit.path is not None or _touches_change(rule, hit, self.source)

    def _hits(self, rule: Rule) -> list[Hit]:
        check = self.free.check_of(rule)
        try:
            if isinstance(check, ChangeCheck):
                return self._related(check, rule)
            return list(_look(rule, check, self.source, self.trees))
        except (CannotRead, RecursionError):
            return []

    def _related(self, check: ChangeCheck[Any], rule: Rule) -> list[Hit]:
        """Return what a check over the whole change reports if it knows of this file, and not if it does not."""
        options = self.free.options_of(rule)
        fact = check.gather(self.source, options)
        if fact is None:
            return []
        without = list(check.relate({}, self.pull_request, self.codebase, options))
        facts = {self.source.path: fact}
        return [hit for hit in check.relate(facts, self.pull_request, self.codebase, options) if hit not in without]


def _imported(source: SourceFile) -> Iterator[str]:
    """Yield the first part of each module that the syntax tree imports, and each name."""
    try:
        tree = ast.parse(python_text(source.text or ""))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0]
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield from (alias.name.split(".")[0], alias.asname or alias.name)


def _unconditional_imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _unconditional_imports(node.body)
        elif not isinstance(node, ast.Assign | ast.AnnAssign):
            return  # what follows may not run


def main() -> int:
    """Run from the command line; 1 if a filter dropped something."""
    parser = argparse.ArgumentParser(description="compare the filters before the rules with the rules themselves")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="end after this time, whatever was compared by then")
    chosen = parser.parse_args()
    until = None if chosen.seconds is None else time.time() + chosen.seconds
    result = run(builtin_rules(), files=chosen.files, seed=chosen.seed, until=until)
    for drop in result.drops[:50]:
        sys.stdout.write(f"dropped: {drop}\n")
    sys.stdout.write(f"{result.counted()}\n")
    return 1 if result.drops else 0


if __name__ == "__main__":
    raise SystemExit(main())
