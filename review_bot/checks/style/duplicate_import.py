"""The same module imported from twice, or a name that the file has imported already.

A file in which each import holds one name (isort's ``force_single_line``) imports from a module once for each name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, last_line
from review_bot.analysis.python.syntax import hit_on, source_text
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Suggestion
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

Import = ast.Import | ast.ImportFrom


class _Target(NamedTuple):
    """What an import binds: the name, and what it stands for."""

    name: str
    origin: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second import, or the first if only that was added. Raises CannotParse."""
    body = source.tree.body
    top: dict[_Target, Import] = {}
    modules: dict[str, ast.ImportFrom] = {}
    unbroken = _has_long_imports(body)
    for position, statement in enumerate(body):
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            unbroken = unbroken and isinstance(statement, (ast.Expr, ast.Try, ast.If))
            continue
        repeated = [target for target in _targets(statement) if target in top]
        if repeated:
            first = top[repeated[0]]
            yield _hit(source, first, statement, _again(source, first, statement, repeated, body))
        for target in _targets(statement):
            top.setdefault(target, statement)
        if isinstance(statement, ast.ImportFrom) and unbroken and _could_merge(source, statement):
            module = "." * statement.level + (statement.module or "")
            earlier = modules.setdefault(module, statement)
            run = _run_of(module, body[:position])
            if earlier is not statement and not repeated and not (earlier in run and _renames(*run, statement)):
                merged = _merged(source, earlier, statement) if run == [earlier] else None
                message = f"`{module}` is imported from twice: here and on line {earlier.lineno}."
                yield _hit(source, earlier, statement, (message, merged))
    yield from _in_functions(source, top)


def _has_long_imports(body: list[ast.stmt]) -> bool:
    """Return whether a file imports two names at once anywhere at its top level."""
    return any(isinstance(each, ast.ImportFrom) and len(each.names) > 1 for each in body)


def _in_functions(source: SourceFile, top: dict[_Target, Import]) -> Iterator[Hit]:
    for function in source.functions:
        for block in blocks(function.body, into_definitions=False):
            for statement in block:
                if not isinstance(statement, (ast.Import, ast.ImportFrom)) or statement.lineno not in source.added:
                    continue
                repeated = [target for target in _targets(statement) if target in top]
                if (
                    repeated
                    and (first := top[repeated[0]]).lineno < statement.lineno
                    and not _reloads(source, function)
                ):
                    yield _hit(source, first, statement, _again(source, first, statement, repeated, block))


def _reloads(source: SourceFile, function: ast.AST) -> bool:
    """Return whether a function takes modules out of ``sys.modules``, so that its imports load them again."""
    return "sys.modules" in source_text(source, function)


def _hit(source: SourceFile, first: Import, second: Import, told: tuple[str, Suggestion | None]) -> Hit:
    here, there = (second, first) if second.lineno in source.added else (first, second)
    message, suggestion = told
    return hit_on(
        source,
        here,
        message=message if here is second else message.replace(f"line {first.lineno}", f"line {second.lineno}"),
        suggestion=suggestion,
        related=(Related(source.path, there.lineno, "the other import"),),
    )


def _targets(statement: Import) -> list[_Target]:
    """Return what an import binds; a star, a future feature and a bare submodule are left out."""
    if isinstance(statement, ast.Import):
        return [_Target(each.asname or each.name, each.name) for each in statement.names]
    module = "." * statement.level + (statement.module or "")
    if module == "__future__":
        return []
    return [_Target(each.asname or each.name, f"{module}:{each.name}") for each in statement.names if each.name != "*"]


def _run_of(module: str, before: list[ast.stmt]) -> list[ast.ImportFrom]:
    """Return the imports from one module that are directly before."""
    run: list[ast.ImportFrom] = []
    for statement in reversed(before):
        if not isinstance(statement, ast.ImportFrom) or "." * statement.level + (statement.module or "") != module:
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


def _again(
    source: SourceFile, first: Import, statement: Import, repeated: list[_Target], block: list[ast.stmt]
) -> tuple[str, Suggestion | None]:
    names = ", ".join(f"`{target.name}`" for target in repeated)
    verb = "is" if len(repeated) == 1 else "are"
    suggestion = None
    if (
        len(repeated) == len(statement.names)
        and len(block) > 1
        and statement.lineno == statement.end_lineno
        and _stands_alone(source, statement)
    ):
        suggestion = Suggestion(statement.lineno, statement.lineno, "")
    return f"{names} {verb} already imported on line {first.lineno}.", suggestion


def _merged(source: SourceFile, first: ast.ImportFrom, second: ast.ImportFrom) -> Suggestion | None:
    """Return one import for two neighbours on a line each, if it is short enough for one line."""
    if first.lineno != first.end_lineno or second.lineno != first.lineno + 1 or second.end_lineno != second.lineno:
        return None
    if not (_stands_alone(source, first) and _stands_alone(source, second)):
        return None
    names = dict.fromkeys(each.name for each in [*first.names, *second.names])
    text = f"from {'.' * first.level}{first.module or ''} import {', '.join(names)}"
    return Suggestion(first.lineno, second.lineno, text) if len(text) <= 88 else None


def _stands_alone(source: SourceFile, statement: ast.stmt) -> bool:
    line = source.lines[statement.lineno - 1]
    return ";" not in line and "#" not in line and not line.rstrip().endswith("\\")


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("import",)))
