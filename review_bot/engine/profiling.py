"""Counts what a change adds to one file: lines of code, docstrings, type hints, and where triggers of cards match.

It shares the syntax tree with the rules, and asks for none unless a definition was added, or a line of code that a card
asks about. It fetches no text either: of a file that no rule reads whole, definitions are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from review_bot.assessment.review_areas import FocusMap
from review_bot.changes.profile import FileProfile
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.engine.constructs import is_code, trigger_matches
from review_bot.rules.scope import is_library, is_python, is_test

if TYPE_CHECKING:
    import ast


def profile(index: int, source: SourceFile, focus: FocusMap) -> FileProfile:
    """Return the counts of a changed file with its index in the pull request."""
    path = source.path
    python = is_python(path)
    code = {number: text for number, text in source.added.items() if is_code(text, python=python)}
    counted = FileProfile(index, matches=tuple(trigger_matches(source, code, focus)))
    if python and is_test(path):
        return counted._replace(test_lines=len(code))
    if not is_library(path):
        return counted
    return _of_definitions(counted._replace(code_lines=len(code)), source)


def _of_definitions(counted: FileProfile, source: SourceFile) -> FileProfile:
    """Add what was counted of docstrings and type hints, if any definition was added."""
    starts_new = 1 in source.added
    if source.text is None or not (starts_new or any(_may_define(text) for text in source.added.values())):
        return counted
    try:
        tree = source.tree
        added = _new_definitions(source)
        public: list[ast.Module | ast.stmt] = [tree] if starts_new and tree.body else []
        public += [node for node in _public(tree.body) if node.lineno in source.added and not _is_overload(node)]
        documented = sum(_has_docstring(node) for node in public)
        functions = [each for each in source.functions if each in added and not _is_overload(each)]
        slots = [slot for function in functions for slot in _slots(function)]
    except (CannotParse, RecursionError):  # a rule that reads the same tree names the file as unreviewed
        return counted
    return counted._replace(
        documented=documented,
        definitions=len(public),
        annotated=sum(slots),
        slots=len(slots),
    )


def _new_definitions(source: SourceFile) -> set[ast.stmt]:
    """Return the functions and classes on added lines that the base did not have under the same name and header."""
    found = [(name, node) for name, node in _named(source.tree) if node.lineno in source.added]
    old = source.known_old_tree if found and source.change.status != "added" else None
    names = {name for name, _ in found}
    before = set() if old is None else {(name, _header(node)) for name, node in _named(old) if name in names}
    return {node for name, node in found if (name, _header(node)) not in before}


def _may_define(text: str) -> bool:
    return "def " in text or "class " in text


def _named(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield each function and class with its name behind those around it."""
    import ast

    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        around, node = waiting.pop()
        for each in ast.iter_child_nodes(node):
            name = around
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{around}.{each.name}"
                yield name, each
            if not isinstance(each, ast.expr):  # which holds no definition
                waiting.append((name, each))


def _header(node: ast.stmt) -> str:
    """Return what the ``def`` or ``class`` of a definition says, without its name and layout."""
    import ast

    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return f"{ast.dump(node.args)} {ast.dump(node.returns) if node.returns is not None else ''}"
    return " ".join(map(ast.dump, node.bases)) if isinstance(node, ast.ClassDef) else ""


def _public(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the public classes and functions of a body, and those of its public classes; local ones are left out."""
    import ast

    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not statement.name.startswith("_"):
                yield statement
                if isinstance(statement, ast.ClassDef):
                    yield from _public(statement.body)
        else:
            for name in ("body", "orelse", "finalbody"):
                yield from _public(getattr(statement, name, ()))
            for handler in getattr(statement, "handlers", ()):
                yield from _public(handler.body)


def _is_overload(node: ast.stmt) -> bool:
    """Return whether a definition only declares one more signature of the function below it."""
    import ast

    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    names = (each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in decorators)
    return "overload" in names


def _has_docstring(node: ast.AST) -> bool:
    import ast

    assert isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))  # noqa: S101  # see _public
    return ast.get_docstring(node, clean=False) is not None


def _slots(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[bool]:
    """Yield, for each parameter and for the return value, whether it has a type hint; ``self`` needs none."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    if plain and plain[0].arg in {"self", "cls"}:
        plain = plain[1:]
    for each in [*plain, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]:
        if each is not None:
            yield each.annotation is not None
    if function.name != "__init__":
        yield function.returns is not None
