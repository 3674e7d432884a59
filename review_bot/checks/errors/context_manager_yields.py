"""A function for ``contextlib.contextmanager`` with a path that yields never, or twice."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.function_pairs import function_pairs
from review_bot.analysis.python.statements import Function, first_line, last_name
from review_bot.analysis.python.syntax import dotted, full_name, imported_names
from review_bot.analysis.python.yield_paths import NOWHERE, yield_faults
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_MAKERS = frozenset({"contextlib.contextmanager", "contextlib.asynccontextmanager"})
_ASKS_FOR_IT = ("RuntimeError", "generator didn't")
"""What a test holds that has a faulty context manager on purpose."""

_WORDS = {
    0: ("does not yield", "entering the `with` block raises RuntimeError"),
    2: ("yields a second time", "leaving the `with` block raises RuntimeError"),
    NOWHERE: ("has no `yield`", "entering the `with` block raises TypeError"),
}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first fault of each kind that a function did not have before. Raises CannotParse."""
    if is_test(source.path) and any(each in (source.text or "") for each in _ASKS_FOR_IT):
        return
    names, bound = imported_names(source.tree), binding_counts(source.tree)
    before: dict[Function, set[int]] | None = None
    for function in source.functions:
        makers = function.decorator_list[-1:]
        if (
            not makers
            or full_name(makers[0], names) not in _MAKERS
            or bound[(dotted(makers[0]) or "").partition(".")[0]] > 1
        ):
            continue
        if not source.touches(first_line(function), last_line(function)):
            continue
        faults = {each.yields: each for each in reversed([*yield_faults(function)])}
        if faults and before is None:
            pairs = function_pairs(source, grown=True)
            before = {
                pair.new: {each.yields for each in yield_faults(pair.old)} for pair in pairs if _was_one(pair.old)
            }
        for yields, each in sorted(faults.items()):
            if yields not in (before or {}).get(function, ()):
                what, failure = _WORDS[yields]
                message = f"`{function.name}` {what}, so that {failure}." if yields == NOWHERE else None
                values = {"name": function.name, "what": what, "failure": failure}
                yield Hit(each.line, values=values, message=message)


def _was_one(function: Function) -> bool:
    """Return whether a function had the decorator already: only then did its paths matter."""
    makers = {each.rpartition(".")[2] for each in _MAKERS}
    return bool(function.decorator_list) and last_name(function.decorator_list[-1]) in makers


CHECK = file_check(examine, CheckTraits(literals=("contextmanager",), reads_old=True))
