"""A ``with`` or a decorator that a change takes from around code which stays: a lock, ``no_grad``.

Silent where the file has the guard as often as before (it moved up or down), or another guard of the kind came.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, own_statements, plain
from review_bot.analysis.python.statements import Function, definitions_of, withs_of
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield a hit on each guard that is gone, on the old side. ``guards``: what such a guard matches."""
    guards = re.compile(options["guards"])
    pairs = list(function_pairs(source))
    if not pairs or source.text is None or _count(source.tree, guards) >= _count(source.old_tree, guards):
        return
    for pair in pairs:
        yield from _decorators(pair, guards)
        yield from _blocks(pair, guards, source.text)


def _count(tree: ast.Module, guards: re.Pattern[str]) -> int:
    """Count the ``with`` and the decorators that open such a guard."""
    opened = sum(any(guards.search(plain(item.context_expr)) for item in each.items) for each in withs_of(tree))
    decorators = (decorator for each in definitions_of(tree) for decorator in each.decorator_list)
    return opened + sum(bool(guards.search(plain(each))) for each in decorators)


def _decorators(pair: FunctionPair, guards: re.Pattern[str]) -> Iterator[Hit]:
    left = {plain(each) for each in pair.new.decorator_list}
    for each in pair.old.decorator_list:
        text = plain(each)
        if guards.search(text) and text not in left and not _guarded(pair, guards) and not _launches(pair.new):
            before = {plain(statement) for statement in own_statements(pair.old)}
            if any(plain(statement) in before for statement in pair.new.body):
                values = {"guard": f"@{text}", "name": pair.new.name}
                yield Hit(each.lineno, side="LEFT", values=values, statement=f"{pair.name} @{text}")
                return


def _guarded(pair: FunctionPair, guards: re.Pattern[str]) -> bool:
    """Return whether the function has a guard of the kind at the head."""
    if "set_grad_enabled" in plain(pair.new):
        return True  # gradients are switched by hand
    inside = (item for each in own_statements(pair.new) if isinstance(each, ast.With) for item in each.items)
    return any(guards.search(plain(item.context_expr)) for item in inside) or any(
        guards.search(plain(each)) for each in pair.new.decorator_list
    )


def _launches(function: Function) -> bool:
    """Return whether a function launches a kernel, ``kernel[grid](...)``: autograd does not see what that does."""
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) for node in walk(function))


def _last_name(text: str) -> str:
    """Return the last name in a guard: ``self.pool.lock`` → ``lock``."""
    return text.partition("[")[0].rpartition(".")[2]


def _blocks(pair: FunctionPair, guards: re.Pattern[str], left: str) -> Iterator[Hit]:
    guarded = [
        each
        for each in own_statements(pair.old)
        if isinstance(each, (ast.With, ast.AsyncWith)) and any(guards.search(plain(e.context_expr)) for e in each.items)
    ]
    if not guarded or _guarded(pair, guards):
        return
    after: dict[str, ast.stmt] = {}
    for statement in own_statements(pair.new):
        after.setdefault(plain(statement), statement)
    for block in guarded:
        text = next(plain(item.context_expr) for item in block.items if guards.search(plain(item.context_expr)))
        if "(" not in text and _last_name(text) not in left:
            continue  # the guard itself is gone, so this is intended
        kept = [after[plain(each)] for each in block.body if plain(each) in after]
        work = [each for each in kept if not isinstance(each, (ast.Pass, ast.Continue, ast.Break))]
        if work and 2 * len(kept) > len(block.body):
            values = {"guard": f"with {text}", "name": pair.new.name}
            yield Hit(block.lineno, side="LEFT", values=values, statement=f"{pair.name} with {text}")
            return


CHECK = file_check(examine, CheckTraits(literals=("with", "@"), reads_old=True, on_lines=False))
