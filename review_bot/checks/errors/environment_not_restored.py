"""A context manager that sets environment variables and deletes them at its end, whatever they were before."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import decorator_names
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_DECORATORS = frozenset({"contextmanager", "asynccontextmanager"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first deletion in each such function. Raises CannotParse."""
    managers = [each for each in source.functions if _DECORATORS & decorator_names(each)]
    names = imported_names(source.tree) if managers else {}
    for function in managers:
        nodes = list(own_nodes(function.body))
        middle = min((each.lineno for each in nodes if isinstance(each, ast.Yield)), default=0)
        uses = [(*use, node) for node in nodes if isinstance(node, ast.expr) and (use := _use(node, names))]
        written = {key for kind, key, node in uses if kind == "set" and node.lineno < middle}
        written -= {key for kind, key, node in uses if kind == "set" and node.lineno > middle}  # it is put back
        lost = [node for kind, key, node in uses if kind == "deleted" and key in written and node.lineno > middle]
        mentions = sum(_is_environment(node, names) for node in nodes if isinstance(node, (ast.Name, ast.Attribute)))
        if lost and mentions == len(uses) and all(kind in {"set", "deleted"} for kind, _, _ in uses):
            yield hit_at(source, lost[0], values={"name": function.name})


def _use(node: ast.expr, names: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what is done with the environment, ``set``, ``deleted`` or ``asked``, and the text of the key."""
    if isinstance(node, ast.Subscript) and _is_environment(node.value, names):
        kinds = {ast.Store: "set", ast.Del: "deleted", ast.Load: "asked"}
        return kinds[type(node.ctx)], ast.unparse(node.slice)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_environment(node.func.value, names):
        pops = node.func.attr == "pop" and node.args
        return ("deleted", ast.unparse(node.args[0])) if pops else ("asked", "")
    if isinstance(node, ast.Call) and full_name(node.func, names) == "os.getenv":
        return "asked", ""
    if isinstance(node, ast.Compare) and any(_is_environment(each, names) for each in node.comparators):
        return "asked", ""
    return None


def _is_environment(node: ast.expr, names: Mapping[str, str]) -> bool:
    return full_name(node, names) == "os.environ"


CHECK = file_check(examine, CheckTraits(literals=("environ yield",)))
