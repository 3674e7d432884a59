"""A collective that only some ranks call: the others never come, and the caller waits for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.python.statements import last_name
from review_bot.checks.python.syntax import full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.late_pattern import LatePattern
from review_bot.rules.rule import Hit, Options

LITERALS = ("rank", "is_main_process")
READS_OLD = False

_COLLECTIVE = LatePattern(
    r"torch\.distributed\.(all_reduce|all_gather\w*|broadcast\w*|barrier|reduce_scatter\w*|all_to_all\w*|gather|scatter)"
)
_RANK = LatePattern(r"(^|_)rank$")
_FIRST = {"is_main_process", "is_first_rank", "is_last_rank", "is_local_main_process"}


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each collective under ``if rank == 0`` that the function calls nowhere else. Raises CannotParse."""
    del options
    names = imported_names(source.tree)
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        called = [n for n in nodes if isinstance(n, ast.Call) and _COLLECTIVE.fullmatch(full_name(n.func, names) or "")]
        if not called:
            continue
        for node in nodes:
            if not isinstance(node, ast.If) or not _asks_for_one_rank(node.test):
                continue
            guarded = set(own_nodes(node.body))
            for call in called:
                name = last_name(call.func)
                alone = [each for each in called if last_name(each.func) == name] == [call]
                if call in guarded and alone and keyword(call, "group") is None:
                    yield hit_at(source, call, values={"name": name, "test": ast.unparse(node.test)})


def _asks_for_one_rank(test: ast.expr) -> bool:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        left, right = test.left, test.comparators[0]
        name = last_name(left).removeprefix("get_")
        return bool(_RANK.search(name)) and isinstance(right, ast.Constant) and isinstance(right.value, int)
    return last_name(test) in _FIRST
