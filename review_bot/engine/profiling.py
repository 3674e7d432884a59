"""Counts what a change adds to one file: lines of code, docstrings, type hints, and where triggers of cards match.

It shares the syntax tree with the rules, and asks for none unless a definition was added. It fetches no text either: of
a file that no rule reads whole, definitions are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from review_bot.assessment.review_areas import FocusMap, Trigger
from review_bot.changes.profile import FileProfile, TriggerMatch
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.changes.vocabulary import Vocabulary
from review_bot.engine.plan import NEW_NAMES
from review_bot.rules import text_pattern
from review_bot.rules.scope import in_part, is_library, is_python, is_test
from review_bot.text.globs import matches_any

if TYPE_CHECKING:
    import ast


def profile(index: int, source: SourceFile, focus: FocusMap) -> FileProfile:
    """Return the counts of a changed file with its index in the pull request."""
    path = source.path
    python = is_python(path)
    code = {number: text for number, text in source.added.items() if _is_code(text, python=python)}
    counted = FileProfile(index, matches=tuple(_matches(source, code, focus, python=python)))
    if python and is_test(path):
        return counted._replace(test_lines=len(code))
    if not is_library(path):
        return counted
    return _of_definitions(counted._replace(code_lines=len(code)), source)


def _is_code(text: str, *, python: bool) -> bool:
    stripped = text.lstrip()
    return stripped != "" and not (python and stripped[0] == "#")


def _is_import(text: str) -> bool:
    """Tell whether a line imports: it counts as any other, but it is not where a reader should look."""
    return text.lstrip().startswith(("import ", "from ", "#include", "using "))


def _matches(source: SourceFile, code: Mapping[int, str], focus: FocusMap, *, python: bool) -> Iterator[TriggerMatch]:
    removed: dict[int, str] | None = None
    added: Vocabulary | None = None
    gone = Vocabulary("")
    is_new = source.change.status in NEW_NAMES
    for number in _triggers_for(focus.triggers, source.path):
        trigger = focus.triggers[number]
        if trigger.new_files and not is_new:
            continue
        if trigger.removed is not None:
            if removed is None:
                removed = _deleted(source, python=python)
                gone = Vocabulary("\n".join(removed.values()))
            if removed and gone.hold(trigger.literals):
                count = len(_lines_with(trigger.removed, removed, gone.text))
                if count:
                    yield TriggerMatch(number, count, None)
            continue
        if not code:
            continue
        if trigger.lines is None:
            yield TriggerMatch(number, len(code), None)
            continue
        if added is None:
            added = Vocabulary("\n".join(code.values()))
        if added.hold(trigger.literals):
            found = _lines_with(trigger.lines, code, added.text)
            if found:
                told = next((line for line in found if not _is_import(code[line])), found[0])
                yield TriggerMatch(number, len(found), told)


def _lines_with(regex: str, lines: Mapping[int, str], joined: str) -> list[int]:
    found = text_pattern.matching_lines(regex, joined)
    if not found:
        return []
    numbers = [*lines]
    return [numbers[index] for index in found]


def _deleted(source: SourceFile, *, python: bool) -> dict[int, str]:
    """Return the lines of code that are deleted and not added again elsewhere in the file."""
    again = Counter(text.strip() for text in source.added.values())
    gone: dict[int, str] = {}
    for number, text in source.removed.items():
        if not _is_code(text, python=python):
            continue
        if again[text.strip()] > 0:
            again[text.strip()] -= 1
        else:
            gone[number] = text
    return gone


@lru_cache(maxsize=4096)
def _triggers_for(triggers: tuple[Trigger, ...], path: str) -> tuple[int, ...]:
    """Return the triggers, by index, that look at a file of this path."""
    return tuple(
        number
        for number, trigger in enumerate(triggers)
        if in_part(trigger.scope, path)
        and (not trigger.paths or matches_any(trigger.paths, path))
        and not (trigger.ignores and matches_any(trigger.ignores, path))
    )


def _of_definitions(counted: FileProfile, source: SourceFile) -> FileProfile:
    """Add what was counted of docstrings and type hints, if any definition was added."""
    starts_new = 1 in source.added
    if source.text is None or not (starts_new or any(_may_define(text) for text in source.added.values())):
        return counted
    try:
        tree = source.tree
        public: list[ast.Module | ast.stmt] = [tree] if starts_new and tree.body else []
        public += [node for node in _public(tree.body) if node.lineno in source.added]
        documented = sum(_has_docstring(node) for node in public)
        slots = [slot for function in source.functions if function.lineno in source.added for slot in _slots(function)]
    except (CannotParse, RecursionError):  # a rule that reads the same tree names the file as unreviewed
        return counted
    return counted._replace(
        documented=documented,
        definitions=len(public),
        annotated=sum(slots),
        slots=len(slots),
    )


def _may_define(text: str) -> bool:
    return "def " in text or "class " in text


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
