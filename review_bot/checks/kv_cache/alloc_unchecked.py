"""KV-cache blocks that are used without asking whether there were any: the manager answers None when it is full."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, is_name, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each allocation whose result is used in the function and never tested. Raises CannotParse."""
    methods = options["methods"]
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        for node in nodes:
            if isinstance(node, ast.Attribute) and _allocates(node.value, methods):
                yield hit_at(source, node.value, values={"method": last_name(node.value)})
            elif isinstance(node, (ast.Assign, ast.AnnAssign)) and _allocates(node.value, methods):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name) and _is_used(target.id, nodes) and not _is_tested(target.id, nodes):
                    yield hit_at(source, node, values={"method": last_name(node.value)})


def _allocates(node: ast.expr | None, methods: list[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods


def _is_used(name: str, nodes: list[ast.AST]) -> bool:
    """Return whether something is asked of the value: an attribute, an item, an iteration."""
    return any(
        isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)) and is_name(node.value, name) for node in nodes
    ) or any(isinstance(node, (ast.For, ast.comprehension)) and is_name(node.iter, name) for node in nodes)


def _is_tested(name: str, nodes: list[ast.AST]) -> bool:
    for node in nodes:
        tests: list[ast.expr] = []
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            tests = [node.test]
        elif isinstance(node, (ast.BoolOp, ast.Compare)):
            tests = [node]
        if any(is_name(part, name) for test in tests for part in ast.walk(test)):
            return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("allocate_slots",)))
