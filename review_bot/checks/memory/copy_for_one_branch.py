"""A copy to the host that is made on every path, and whose value only one branch of the ``if`` behind it reads.

::

    value = self.cache[index].detach().cpu()
    if is_finished:
        tree.insert(key, value)
    else:
        free(index)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, blocks
from review_bot.analysis.python.syntax import imported_names
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.checks.memory.item_in_loop import is_cold, is_left_out, tensors_of
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_COPIES = ("item", "tolist", "cpu")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment of a copy that one branch alone reads. Raises CannotParse."""
    imported = imported_names(source.tree)
    if not any(name.partition(".")[0] == "torch" for name in imported.values()):
        return
    for function in source.functions:
        if is_cold(function, None):
            continue
        on_host = tensors_of(function, imported)[1]
        for block in blocks(function.body, into_definitions=False):
            for each in _in_block(block, function):
                if not is_left_out(each.copied, on_host):
                    values = {
                        "name": each.name, "copied": ast.unparse(each.copied), "line": str(each.branch.lineno),
                        "test": ast.unparse(each.branch.test),
                    }  # fmt: skip
                    related = (Related(source.path, each.branch.lineno, "the branch"),)
                    yield Hit(each.line, values=values, related=related)


class _Copy(NamedTuple):
    line: int
    name: str
    copied: ast.expr
    branch: ast.If


def _in_block(block: list[ast.stmt], function: Function) -> Iterator[_Copy]:
    """Yield the copies of one block; between one and its ``if`` are other assignments alone."""
    waiting: list[tuple[ast.Assign, str, ast.expr]] = []
    for statement in block:
        if isinstance(statement, ast.Assign):
            if (copied := _copied(statement)) and isinstance(target := statement.targets[0], ast.Name):
                waiting.append((statement, target.id, copied))
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # does nothing
        if isinstance(statement, ast.If):
            for assigned, name, copied in waiting:
                if _reads_in_one_arm(name, statement, function):
                    yield _Copy(assigned.lineno, name, copied, statement)
        waiting = []


def _copied(statement: ast.Assign) -> ast.expr | None:
    """Return what an assignment to one name copies as a whole: ``x.cpu()``, ``int(x.item())``."""
    value = statement.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and len(value.args) == 1:
        value = value.args[0]
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not value.args:
        if value.func.attr in _COPIES and len(statement.targets) == 1:
            return value.func.value
        value = value.func.value
    return None


def _reads_in_one_arm(name: str, branch: ast.If, function: Function) -> bool:
    """Return whether one arm alone reads a name, which one statement of the function sets."""
    uses = [each for each in nodes_of(function, ast.Name) if each.id == name]
    read = {id(each) for each in uses if isinstance(each.ctx, ast.Load)}
    arms = ({id(each) for statement in arm for each in walk(statement)} for arm in (branch.body, branch.orelse))
    return len(uses) == len(read) + 1 and bool(read) and any(read <= arm for arm in arms)


CHECK = file_check(examine, CheckTraits(literals=_COPIES))
