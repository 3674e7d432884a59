"""A test for None of a name whose attribute or element a statement before it has taken already."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks
from review_bot.analysis.python.syntax import hit_on, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_NOT_ALWAYS = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr,
)  # fmt: skip
"""Expressions that need not evaluate all of their parts, or that bind names of their own."""
_FAR = 12
"""Statements of a block that are looked back over."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such test, at the first use if only that was added. Raises CannotParse."""
    for function in source.functions:
        shared = {name for each in nodes_of(function, ast.Global) for name in each.names}
        for block in blocks(function.body, into_definitions=False):
            for place, statement in enumerate(block):
                if not isinstance(statement, (ast.If, ast.Assert)):
                    continue
                for name in _tested(statement.test):
                    use = _used_before(name, block[max(0, place - _FAR) : place])
                    if use is None or name in shared:
                        continue  # other functions set it meanwhile
                    where: ast.AST = statement if statement.lineno in source.added else use
                    other = use.lineno if where is statement else statement.lineno
                    note = "takes an attribute or element of it" if where is statement else "tests it for None"
                    yield hit_on(
                        source,
                        where,
                        values={
                            "name": name,
                            "use": ast.unparse(use),
                            "line": str(use.lineno),
                            "test": str(statement.lineno),
                        },
                        related=(Related(source.path, other, note),),
                    )


def _tested(test: ast.expr) -> Iterator[str]:
    """Yield the names that a condition compares with None, before it looks into them."""
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    for part in parts:
        if (
            isinstance(part, ast.Compare)
            and len(part.ops) == 1
            and isinstance(part.ops[0], (ast.Is, ast.IsNot))
            and isinstance(part.left, ast.Name)
            and isinstance(part.comparators[0], ast.Constant)
            and part.comparators[0].value is None
        ):
            yield part.left.id


def _used_before(name: str, before: list[ast.stmt]) -> ast.Attribute | ast.Subscript | None:
    """Return the nearest expression that needs the name to be an object; None if the name is bound again after it."""
    for statement in reversed(before):
        if _binds(statement, name):
            return None
        if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
            continue
        parts = (
            [statement] if not isinstance(statement, ast.AnnAssign) else [statement.value] if statement.value else []
        )
        nodes = list(own_nodes(parts))  # Python does not evaluate the annotation of a local name
        if any(isinstance(node, _NOT_ALWAYS) for node in nodes):
            continue
        for node in nodes:
            if not isinstance(node, (ast.Attribute, ast.Subscript)) or not isinstance(node.value, ast.Name):
                continue
            if node.value.id == name:
                return node
    return None


def _binds(statement: ast.stmt, name: str) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return True
        if isinstance(node, (ast.alias, ast.ExceptHandler)) and name in {node.name, getattr(node, "asname", None)}:
            return True
    return False


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("None is",)))
