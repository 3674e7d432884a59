"""A test that runs code and looks at nothing."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_function, is_string, last_name
from review_bot.analysis.python.syntax import imported_names
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LOOKS = LazyRegex(
    r"(?i)assert|raises|warns|check|verif|expect|fail|valid|compar|equal|match|should|ensure|test|spawn|launch|subprocess"
    r"|execute|exit|profile|bench|skip|approx|[a-z_]close|gradcheck|must|confirm|run_(?:in|on|with|and|dist|multi|func|script)"
)
_BUILTINS = frozenset(dir(builtins))
_MEANT = LazyRegex(
    r"(?i)smoke|doesn't|does not|do not|no[ _-]?op(?![a-z])|no[ _](?:error|exception|crash)|without|should|just"
    r"|not[ _](?:raise|crash|fail)|harmless|idempotent|(?<![a-z])(?:can|runs|compiles|imports?|ok)(?![a-z])"
)
"""What a name, docstring or comment says where running through is all that is asked for."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such test function. Raises CannotParse."""
    if not source.path.rpartition("/")[2].startswith("test"):
        return
    names = imported_names(source.tree)
    looking = {each.name for each in source.functions if any(map(_looks, ast.walk(each)))}
    for function, owner in _tests(source.tree.body, None):
        if not source.mostly_added(*span_of(function)):
            continue
        if function.decorator_list and any("fixture" in ast.unparse(each) for each in function.decorator_list):
            continue
        body = [each for each in function.body if not is_string(each)]
        if not any(isinstance(each, ast.Call) for part in body for each in ast.walk(part)) or _is_meant(
            source, function
        ):
            continue
        if owner is not None and any(last_name(base) not in {"object", "TestCase", "ABC"} for base in owner.bases):
            continue
        if not any(_looks(node) or _may_look(node, names, looking) for part in body for node in ast.walk(part)):
            column = source.column(function.lineno, function.col_offset)
            yield Hit(function.lineno, column=column, values={"name": function.name})


def _tests(body: list[ast.stmt], owner: ast.ClassDef | None) -> Iterator[tuple[Function, ast.ClassDef | None]]:
    """Yield what pytest collects: test functions, and test methods of classes with the class."""
    for statement in body:
        if is_function(statement) and statement.name.startswith("test_"):
            yield statement, owner
        elif isinstance(statement, ast.ClassDef) and owner is None and "Test" in statement.name:
            yield from _tests(statement.body, statement)


def _looks(node: ast.AST) -> bool:
    """Return whether a node is an assertion, or a call that sounds like one."""
    if isinstance(node, (ast.Assert, ast.Raise)):
        return True
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(_LOOKS.search(last_name(item.context_expr)) for item in node.items)
    return isinstance(node, ast.Call) and _LOOKS.search(last_name(node.func)) is not None


def _may_look(node: ast.AST, names: dict[str, str], looking: set[str]) -> bool:
    """Return whether a node calls a function of this file that asserts, or one of another file of the tests."""
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    if name in looking:
        return True
    home = names.get(name, "")
    return (
        isinstance(node.func, ast.Name)
        and (not home or "test" in home)
        and not (name[:1].isupper() or name in _BUILTINS)
    )


def _is_meant(source: SourceFile, function: Function) -> bool:
    lines = source.lines_of_authors[max(0, function.lineno - 2) : function.end_lineno]
    said = [line.partition("#")[2] for line in lines]
    return _MEANT.search("\n".join([function.name, ast.get_docstring(function) or "", *said])) is not None


CHECK = file_check(examine, CheckTraits(literals=("def test",)))
