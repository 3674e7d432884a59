"""A collective that only some ranks call: the others never come, and the caller waits for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name, leaves
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_COLLECTIVE = LazyRegex(
    r"torch\.distributed\.(all_reduce|all_gather\w*|broadcast\w*|barrier|reduce_scatter\w*|all_to_all\w*|gather|scatter)"
)
_RANK = LazyRegex(r"(^|_)rank$")
_FIRST = {"is_main_process", "is_first_rank", "is_last_rank", "is_local_main_process"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each collective that only one rank, or all but one, reach in its function. Raises CannotParse.

    They are under ``if rank == 0``, or behind ``if rank != 0: return``, and the function calls them nowhere else.
    """
    names = imported_names(source.tree)
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        called = [n for n in nodes if isinstance(n, ast.Call) and _COLLECTIVE.fullmatch(full_name(n.func, names) or "")]
        if not called:
            continue
        for guarded, test in _guarded(function.body, nodes):
            for call in called:
                name = last_name(call.func)
                alone = [each for each in called if last_name(each.func) == name] == [call]
                if call in guarded and alone and keyword(call, "group") is None:
                    yield hit_at(source, call, values={"name": name, "test": test})


def _guarded(body: list[ast.stmt], nodes: list[ast.AST]) -> Iterator[tuple[set[ast.AST], str]]:
    """Yield (nodes, condition) for what a function does on some ranks only."""
    for node in nodes:
        if isinstance(node, ast.If) and _asks_for_one_rank(node.test, ast.Eq):
            yield set(own_nodes(node.body)), ast.unparse(node.test)
    for number, statement in enumerate(body):
        if not isinstance(statement, ast.If) or statement.orelse or not leaves(statement.body):
            continue
        if isinstance(statement.body[-1], ast.Return):
            for leaving, staying in ((ast.NotEq, "=="), (ast.Eq, "!=")):
                if _asks_for_one_rank(statement.test, leaving):
                    yield set(own_nodes(body[number + 1 :])), _opposite(statement.test, staying)


def _asks_for_one_rank(test: ast.expr, operator: type[ast.cmpop]) -> bool:
    """Return whether a condition compares the rank with a number; as ``rank == 0`` counts ``is_main_process``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return operator is ast.NotEq and last_name(test.operand) in _FIRST
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], operator):
        left, right = test.left, test.comparators[0]
        name = last_name(left).removeprefix("get_")
        return bool(_RANK.search(name)) and isinstance(right, ast.Constant) and isinstance(right.value, int)
    return operator is ast.Eq and last_name(test) in _FIRST


def _opposite(test: ast.expr, operator: str) -> str:
    """Write the condition under which a rank goes on."""
    if isinstance(test, ast.Compare):
        return f"{ast.unparse(test.left)} {operator} {ast.unparse(test.comparators[0])}"
    return ast.unparse(test.operand) if isinstance(test, ast.UnaryOp) else f"not {ast.unparse(test)}"


CHECK = file_check(examine, CheckTraits(literals=("rank", "is_main_process")))
