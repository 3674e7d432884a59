"""What each rule costs when it is loaded, tried and matched: ``python -m bench.rule_costs FOLDER BASE HEAD``.

One process reviews a change without workers and measures its own CPU time around every rule. *Loaded* is the import
of a check; a pattern has nothing to import. *Tried* is the time of a rule in files in which it found nothing, *matched*
that in files in which it found something (or gathered a fact for its look at the whole change), with its runs over the
base and over fixes. All are shares of the CPU time of the whole review in this process, so that a busy machine and a
slow one print the same. What rules share (syntax trees, walks, lists of functions) is asked for before the first rule
looks at a file, and has a row of its own; what they share of the rest of the repository is charged to the rule that
asks first. A share below 0.05 % is noise. The product holds no measuring code: its functions are wrapped here.
"""

from __future__ import annotations

import ast
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

from bench.corpus import Change
from bench.processes import output_of
from review_bot import pipeline
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.configuration import rule_registry
from review_bot.engine import file_examination
from review_bot.forges.local_git import LocalGit
from review_bot.rules.check import ChangeCheck, Check
from review_bot.rules.rule import Rule

SHARED = "(shared: syntax trees and walks)"
DEAREST = 20


class Cost(NamedTuple):
    """CPU seconds of one rule; ``tries`` and ``matches`` count its files, ``relate`` as one."""

    rule: str
    loaded: float = 0.0
    tried: float = 0.0
    matched: float = 0.0
    tries: int = 0
    matches: int = 0

    @property
    def total(self) -> float:
        """All that the rule took."""
        return self.loaded + self.tried + self.matched


class Costs(NamedTuple):
    """Those of one review: CPU seconds of all of it, and of each rule, the dearest first."""

    total: float
    added: int
    rules: tuple[Cost, ...]


class Meter:
    """Measures rules. A measurement inside another, such as a check's import, is taken from the outer one."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}
        self._inner: list[float] = []
        self._seen: WeakSet[SourceFile] = WeakSet()

    def load(self, load: Callable[[str], Check]) -> Callable[[str], Check]:
        """Return a loader of checks that measures the import and wraps what the check does."""
        known: dict[str, Check] = {}

        def loaded(name: str) -> Check:
            if name not in known:
                check, seconds = self._timed(lambda: load(name))
                self._add(name, loaded=seconds)
                known[name] = self._wrapped(name, check)
            return known[name]

        return loaded

    @contextmanager
    def patterns(self) -> Iterator[None]:
        """Measure patterns too while this lasts."""
        functions = vars(file_examination)
        original = functions["matches"]

        def measured(rule: Rule, source: SourceFile, trees: Any) -> Iterator[Any]:
            yield from self._look(rule.id, source, lambda: list(original(rule, source, trees)))

        functions["matches"] = measured
        try:
            yield
        finally:
            functions["matches"] = original

    def _wrapped(self, name: str, check: Check) -> Check:
        if not isinstance(check, ChangeCheck):

            @wraps(check.examine)
            def examine(source: SourceFile, options: Any) -> Any:
                return self._look(name, source, lambda: list(check.examine(source, options)))

            return check._replace(examine=examine)

        @wraps(check.gather)
        def gather(source: SourceFile, options: Any) -> Any:
            return self._look(name, source, lambda: check.gather(source, options))

        @wraps(check.relate)
        def relate(*arguments: Any) -> Any:
            return self._look(name, None, lambda: list(check.relate(*arguments)))

        return check._replace(gather=gather, relate=relate)

    def _look(self, name: str, source: SourceFile | None, look: Callable[[], Any]) -> Any:
        if source is not None and source not in self._seen:
            self._seen.add(source)
            _, seconds = self._timed(lambda: _share(source))
            self._add(SHARED, tried=seconds, tries=1)
        found, seconds = self._timed(look)
        if found:
            self._add(name, matched=seconds, matches=1)
        else:
            self._add(name, tried=seconds, tries=1)
        return found

    def _timed(self, call: Callable[[], Any]) -> tuple[Any, float]:
        self._inner.append(0.0)
        before = time.process_time()
        try:
            result = call()
        finally:
            took = time.process_time() - before
            own = took - self._inner.pop()
            if self._inner:
                self._inner[-1] += took
        return result, own

    def _add(self, name: str, **more: float) -> None:
        cost = self.costs.get(name, Cost(name))
        self.costs[name] = cost._replace(**{key: getattr(cost, key) + value for key, value in more.items()})


def _share(source: SourceFile) -> None:
    if source.text is None or not source.path.endswith(".py"):
        return
    try:
        _ = source.tree, source.nodes(ast.Call), source.functions, source.usual_spelling
    except (CannotRead, RecursionError):
        return


def measure(folder: str, base: str, head: str) -> Costs:
    """Review a change in this process and return what each rule cost. The garbage collector is off, as in a review."""
    gc.disable()
    meter = Meter()
    rulebook = rule_registry.builtin_rulebook()
    rulebook = rulebook._replace(load_check=meter.load(rulebook.load_check))
    source = LocalGit(folder, base=base, head=head)
    before = time.process_time()
    try:
        with meter.patterns():
            review = pipeline.run_review(source, pipeline.ReviewRequest(rulebook))
    finally:
        source.close()
    total = time.process_time() - before
    added = sum(file.added for file in review.pull_request.files)
    return Costs(total, added, tuple(sorted(meter.costs.values(), key=lambda cost: -cost.total)))


def in_own_process(change: Change) -> Costs:
    """Measure a change in a new process, which has loaded no check yet."""
    folder = str(change.folder)
    command = [sys.executable, "-m", "bench.rule_costs", folder, change.base, change.head, "--json"]
    return from_json(json.loads(output_of(command, Path(__file__).resolve().parent.parent)))


def from_json(data: Mapping[str, Any]) -> Costs:
    """Return costs from their parsed JSON."""
    return Costs(data["total"], data["added"], tuple(Cost(*row) for row in data["rules"]))


def table(costs: Costs) -> list[str]:
    """Return the dearest rules as the lines of a Markdown table."""

    def share(seconds: float) -> str:
        return f"{100 * seconds / costs.total:.2f} %"

    rows = ["| rule | all | loaded | tried | files | matched | files |", "|---|---|---|---|---|---|---|"]
    rows += [
        f"| {cost.rule} | {share(cost.total)} | {share(cost.loaded)} | {share(cost.tried)} | {cost.tries} "
        f"| {share(cost.matched)} | {cost.matches} |"
        for cost in costs.rules[:DEAREST]
    ]
    rest = sum(cost.total for cost in costs.rules[DEAREST:])
    outside = costs.total - sum(cost.total for cost in costs.rules)
    rows.append(f"| {max(0, len(costs.rules) - DEAREST)} other rules | {share(rest)} | | | | | |")
    rows.append(f"| everything else | {share(outside)} | | | | | |")
    return rows


def main() -> int:
    """Measure the change named on the command line; print a table, or JSON."""
    folder, base, head = sys.argv[1:4]
    costs = measure(folder, base, head)
    print(json.dumps(costs._asdict()) if "--json" in sys.argv[4:] else "\n".join(table(costs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
