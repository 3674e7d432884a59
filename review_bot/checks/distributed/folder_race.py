"""A folder that every rank creates after it has asked whether the folder is there.

::

    if not os.path.exists(folder):
        os.makedirs(folder)                 FileExistsError on the rank that comes second

Only in files that start or join a group of processes, outside of code that one rank alone runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, caught_lines, last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ASKING = frozenset({"os.path.exists", "os.path.isdir"})
_MAKING = frozenset({"os.makedirs", "os.mkdir"})
_JOINING = frozenset({"init_process_group", "init_distributed", "get_rank", "get_world_size", "Accelerator"})
_ONE_RANK = LazyRegex(r"(?i)rank|main_process|is_master|is_primary|coordinator|lock")
_EXPECTED = frozenset({"FileExistsError", "OSError", "Exception"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such folder. Raises CannotParse."""
    if not any(last_name(each.func) in _JOINING for each in source.nodes(ast.Call)):
        return
    imported = imported_names(source.tree)
    expected = caught_lines(source.nodes(ast.Try), _EXPECTED)
    for function in source.functions:
        for statement in _of_all_ranks(function):
            made = _made(statement, imported)
            if made is not None and made.lineno not in expected:
                yield hit_at(source, made, values={"folder": ast.unparse(made.args[0])})


def _of_all_ranks(function: Function) -> Iterator[ast.If]:
    """Yield the conditions of a function, unless something in it may leave the work to one process."""
    if not any(_names_one_rank(each) for each in own_nodes(function.body)):
        yield from (each for each in own_nodes(function.body) if isinstance(each, ast.If))


def _names_one_rank(node: ast.AST) -> bool:
    """Return whether a condition or a context names a rank or a lock."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        asked: list[ast.AST] = [node.test]
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        asked = [each.context_expr for each in node.items]
    else:
        return False
    parts = [each for place in asked for each in own_nodes([place])]
    return any(_ONE_RANK.search(last_name(each)) for each in parts if isinstance(each, (ast.Name, ast.Attribute)))


def _made(statement: ast.If, imported: Mapping[str, str]) -> ast.Call | None:
    """Return the call that creates the folder for whose absence a condition tests."""
    match statement.test:
        case ast.UnaryOp(ast.Not(), ast.Call(func, [place])) if full_name(func, imported) in _ASKING:
            for each in statement.body:
                if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and each.value.args:
                    made = each.value
                    is_it = ast.dump(made.args[0]) == ast.dump(place)
                    if is_it and full_name(made.func, imported) in _MAKING and keyword(made, "exist_ok") is None:
                        return made
    return None


CHECK = file_check(examine, CheckTraits(literals=("makedirs exists", "mkdir exists", "makedirs isdir")))
