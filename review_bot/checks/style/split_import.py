"""Names of one module that are imported from it twice: ``from pkg.parts import a, b`` and, below, ``... import c``.

A file in which each import holds one name (isort's ``force_single_line``) imports from a module once for each name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_on, stands_alone
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LONGEST_LINE = 88
"""Characters of a suggested line, as many as ruff and Black allow by default."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second import from a module, or the first if only that was added. Raises CannotParse.

    One that repeats a name is the matter of ``style/duplicate-import``.
    """
    body = source.tree.body
    if not _has_long_imports(body):
        return
    known: set[tuple[str, str]] = set()
    modules: dict[str, ast.ImportFrom] = {}
    for position, statement in enumerate(body):
        if not isinstance(statement, ast.ImportFrom):
            if not isinstance(statement, (ast.Import, ast.Expr, ast.Try, ast.If)):
                return  # other code has begun, and may need the imports to be where they are
            continue
        module = _module(statement)
        names = {(module, each.name) for each in statement.names}
        if module != "__future__" and _could_merge(source, statement):
            earlier = modules.setdefault(module, statement)
            run = _run_of(module, body[:position])
            is_kept_apart = earlier in run and _renames(*run, statement)
            if earlier is not statement and known.isdisjoint(names) and not is_kept_apart:
                suggestion = _merged(source, earlier, statement) if run == [earlier] else None
                yield _hit(source, earlier, statement, suggestion)
        known |= names


def _module(statement: ast.ImportFrom) -> str:
    return "." * statement.level + (statement.module or "")


def _hit(source: SourceFile, first: ast.ImportFrom, second: ast.ImportFrom, suggestion: Suggestion | None) -> Hit:
    here, there = (second, first) if second.lineno in source.added else (first, second)
    values = {"module": _module(second), "line": str(there.lineno)}
    related = (Related(source.path, there.lineno, "the other import"),)
    return hit_on(source, here, values=values, suggestion=suggestion, related=related)


def _has_long_imports(body: list[ast.stmt]) -> bool:
    """Return whether a file imports two names at once anywhere at its top level."""
    return any(isinstance(each, ast.ImportFrom) and len(each.names) > 1 for each in body)


def _run_of(module: str, before: list[ast.stmt]) -> list[ast.ImportFrom]:
    """Return the imports from one module that are directly before."""
    run: list[ast.ImportFrom] = []
    for statement in reversed(before):
        if not isinstance(statement, ast.ImportFrom) or _module(statement) != module:
            break
        run.append(statement)
    return run


def _renames(*imports: ast.ImportFrom) -> bool:
    """Return whether one of some neighbours has an ``as``: import sorters keep such a one apart."""
    return any(each.asname for statement in imports for each in statement.names)


def _could_merge(source: SourceFile, statement: ast.ImportFrom) -> bool:
    """Return whether an import could hold another's names too; a comment on it is a reason to keep it apart."""
    lines = source.lines_of_authors[statement.lineno - 1 : last_line(statement)]
    return not any(each.name == "*" for each in statement.names) and not any("#" in line for line in lines)


def _merged(source: SourceFile, first: ast.ImportFrom, second: ast.ImportFrom) -> Suggestion | None:
    """Return one import for two neighbours on a line each, if it is short enough for one line."""
    if first.lineno != first.end_lineno or second.lineno != first.lineno + 1 or second.end_lineno != second.lineno:
        return None
    if not (stands_alone(source, first) and stands_alone(source, second)):
        return None
    names = dict.fromkeys(each.name for each in [*first.names, *second.names])
    text = f"from {_module(first)} import {', '.join(names)}"
    return Suggestion(first.lineno, second.lineno, text) if len(text) <= _LONGEST_LINE else None


CHECK = file_check(examine, CheckTraits(literals=("import",)))
