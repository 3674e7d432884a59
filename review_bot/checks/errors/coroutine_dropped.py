"""A call that is a statement and only makes a coroutine, of a function or method that the tree shows.

``unawaited_coroutine`` looks at what a file calls of its own functions and on ``self``; here the function is imported,
inherited, or a method of an object whose class is known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_certainty import is_patched
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import attribute_of_self, is_coroutine_function
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


def gather(source: SourceFile) -> tuple[tuple[int, int, str], ...] | None:
    """Return the added or edited calls of one file that are statements: line, column and name."""
    calls = [each.value for each in source.nodes(ast.Expr) if isinstance(each.value, ast.Call)]
    return (
        tuple((call.lineno, call.col_offset, last_name(call.func)) for call in calls if source.touches(*span_of(call)))
        or None
    )


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call that only makes a coroutine."""
    side = codebase.head
    targets = call_targets(side)
    for path, found in sorted(facts.items()):
        noted = {(line, column, name): name for line, column, name in found if name in _coroutine_names(side)}
        for file, call, _ in calls_at(targets, path, noted):
            run = targets.run(file, call)
            function = None if run is None else targets.function_of(run.symbol)
            if run is None or function is None or not is_coroutine_function(function):
                continue
            symbol = run.symbol
            if _is_own(file, call, symbol) or is_patched(file, call, run, targets) or _is_plain_below(side, symbol):
                continue
            yield Hit(
                call.node.lineno,
                path=path,
                values={"name": ast.unparse(call.node.func), "path": symbol.path, "line": str(function.lineno)},
                related=(Related(symbol.path, function.lineno, "the coroutine function"),),
                subject=f"{symbol.path}:{symbol.name}",
            )


@query
def _coroutine_names(side: Snapshot) -> frozenset[str]:
    """Return the names of all ``async def`` of a tree, by its text: a call under another name runs none of them."""
    texts = (side.text(path) or "" for path in files_with(side, {"async"}, ".py"))
    return frozenset(name for text in texts for name in re.findall(r"\basync\s+def\s+(\w+)", text))


def _is_own(file: CodeFile, call: Call, symbol: Symbol) -> bool:
    """Return whether ``unawaited_coroutine`` looks at a call, in the file or on ``self`` in the class it is of."""
    if symbol.path != file.path:
        return False
    function, owner = call.node.func, call.scopes[0] if call.scopes else None
    if isinstance(function, ast.Name):
        return True
    return (
        bool(attribute_of_self(function))
        and isinstance(owner, ast.ClassDef)
        and symbol.name.startswith(f"{owner.name}.")
    )


def _is_plain_below(side: Snapshot, symbol: Symbol) -> bool:
    """Return whether a class below that of a method may run something else under its name."""
    owner, _, name = symbol.name.rpartition(".")
    return bool(owner) and any(name in each.definition.methods for each in subclasses(side, owner))


CHECK = change_check(gather, relate, CheckTraits(literals=("(",), doubted=True))
