"""A test that ran before, and that the change skips or lets fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import definitions, is_function, is_string, last_name
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ALWAYS = frozenset({"skip", "xfail", "expectedFailure"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each added mark on a test that had none. A condition (``skipif``) does not count.

    Raises CannotParse.
    """
    if not source.old_text:
        return
    before = {each.name: _silenced(each.node) for each in definitions(source.old_tree.body) if is_function(each.node)}
    for each in definitions(source.tree.body):
        if not is_function(each.node) or not each.node.name.startswith("test") or before.get(each.name) is not False:
            continue
        for mark in _marks(each.node):
            if mark.lineno in source.added:
                name = plain(mark.func if isinstance(mark, ast.Call) else mark)
                yield Hit(mark.lineno, values={"test": each.name, "mark": name}, statement=f"skip {each.name}")
                break


def _marks(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.expr]:
    return [each for each in function.decorator_list if last_name(each) in _ALWAYS and not _is_conditional(each)]


def _silenced(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Return whether a test did not run, or tested nothing."""
    if _marks(function) or isinstance(function, ast.ClassDef):
        return True
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    empty = all(isinstance(each, ast.Pass) or is_string(each) for each in function.body)
    return empty or any(last_name(call.func) in {"skip", "xfail", "skipTest"} for call in calls)


def _is_conditional(mark: ast.expr) -> bool:
    """Return whether a mark holds sometimes: ``xfail(sys.platform == "win32")``, ``xfail(raises=TimeoutError)``."""
    if not isinstance(mark, ast.Call):
        return False
    first = mark.args[0] if mark.args else None
    return any(each.arg == "condition" or _is_narrow(each) for each in mark.keywords) or (
        first is not None and last_name(mark) == "xfail" and not isinstance(first, ast.Constant)
    )


def _is_narrow(argument: ast.keyword) -> bool:
    """Return whether an argument names the exceptions that may occur, and a failed assertion is not among them."""
    named = {last_name(node) for node in ast.walk(argument.value) if isinstance(node, (ast.Name, ast.Attribute))}
    return argument.arg == "raises" and not named & {"Exception", "BaseException", "AssertionError"}


CHECK = file_check(examine, CheckTraits(literals=("skip", "xfail"), reads_old=True))
