"""The imports that a change adds to a file, without those that the code itself expects to fail.

::

    from pkg.outputs import Output          counts
    try: import fast                        does not: an ImportError is caught
    except ImportError: fast = None
    if TYPE_CHECKING: import pkg.big        does not: it never runs
    if find_spec("fast"): import fast       does not: it is asked for first
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from review_bot.changes.source_file import SourceFile
from review_bot.late_pattern import LatePattern


class ImportedName(NamedTuple):
    """One name of a ``from`` import that stands on an added line. ``column`` and ``end_column`` are 1-based."""

    name: str
    line: int
    column: int
    end_column: int


class AddedImport(NamedTuple):
    """One import of one module.

    ``module`` is as written, without the dots of a relative import, which ``level`` counts. ``names`` holds the names
    of a ``from`` import that stand on added lines. ``new``: the module's own name stands on an added line.
    ``from_import`` tells ``from m import n`` from ``import m``; ``always``: it runs whenever the file is
    imported, for it stands in no function and under no condition.
    """

    line: int
    end_line: int
    column: int
    end_column: int
    module: str
    level: int
    names: tuple[ImportedName, ...]
    new: bool
    from_import: bool
    always: bool


_STATEMENT = LatePattern(
    # A form feed indents nothing; "from.a import b" and "from a . b \" over several lines are Python too.
    r"^[ \t\f]*(?:from\b(?:[^\n\\]|\\.?\n?){0,200}?\bimport\b[ \t\f]*(?:\([^)]{0,20000}\)|(?:[^\n\\]|\\.?\n?)*)"
    r"|import\b(?:[^\n\\]|\\.?\n?)*)"
    r"|[;:][ \t\f]*(?:from|import)\b",
    re.MULTILINE,
)
_EXPECTED = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_EXPECTING_CALLS = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex", "dict"})
_ASKS_FIRST = LatePattern(r"(?i)type_checking|find_spec|avail|has_|have_|support|install|exists|version|importlib")
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")

_collected: WeakKeyDictionary[SourceFile, tuple[AddedImport, ...]] = WeakKeyDictionary()


def added_imports(source: SourceFile) -> tuple[AddedImport, ...]:
    """Return the imports that the change adds, in order. Raises CannotParse."""
    known = _collected.get(source)
    if known is None:
        wanted = _import_lines(source)
        known = tuple(_walk(source.tree.body, source, wanted, always=True)) if wanted else ()
        _collected[source] = known
    return known


def _import_lines(source: SourceFile) -> list[int]:
    """Return the added lines that may belong to an import, found without parsing."""
    if not source.text or not source.added:
        return []
    added = sorted(source.added)
    lines: list[int] = []
    number, position = 1, 0
    for match in _STATEMENT.finditer(source.text):
        number += source.text.count("\n", position, match.start())
        position = match.start()
        last = number + match[0].count("\n")
        lines += [line for line in range(number, last + 1) if line in source.added]
        if number > added[-1]:
            break
    return lines


def _walk(body: list[ast.stmt], source: SourceFile, wanted: list[int], *, always: bool) -> Iterator[AddedImport]:
    for statement in body:
        last = statement.end_lineno or statement.lineno
        if not any(statement.lineno <= line <= last for line in wanted):
            continue
        if isinstance(statement, ast.Import):
            yield from _plain(statement, source, always=always)
        elif isinstance(statement, ast.ImportFrom):
            yield from _from(statement, source, always=always)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _walk(statement.body, source, wanted, always=False)
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            blocks = [statement.finalbody] if _expects_failure(statement) else _blocks(statement)
            for block in blocks:
                yield from _walk(block, source, wanted, always=always)
        elif not _guards(statement):
            conditional = isinstance(statement, (ast.If, ast.Match))
            for block in _blocks(statement):
                yield from _walk(block, source, wanted, always=always and not conditional)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in _BLOCKS:
        block = getattr(statement, field, None)
        if not isinstance(block, list):
            continue
        if field in {"handlers", "cases"}:
            for part in block:
                yield part.body
        else:
            yield block


def _plain(statement: ast.Import, source: SourceFile, *, always: bool) -> Iterator[AddedImport]:
    for alias in statement.names:
        if alias.lineno in source.added:
            column, end = _columns(alias, source)
            yield AddedImport(
                alias.lineno, alias.lineno, column, end, alias.name, 0, (), new=True, from_import=False, always=always
            )


def _from(statement: ast.ImportFrom, source: SourceFile, *, always: bool) -> Iterator[AddedImport]:
    names = tuple(
        ImportedName(alias.name, alias.lineno, *_columns(alias, source))
        for alias in statement.names
        if alias.lineno in source.added
    )
    new = statement.lineno in source.added
    if not names and not new:
        return
    last = statement.end_lineno or statement.lineno
    column = source.column(statement.lineno, statement.col_offset)
    end = source.column(last, statement.end_col_offset or 0)
    yield AddedImport(
        statement.lineno,
        last,
        column,
        end,
        statement.module or "",
        statement.level,
        names,
        new,
        from_import=True,
        always=always,
    )


def _columns(alias: ast.alias, source: SourceFile) -> tuple[int, int]:
    return (
        source.column(alias.lineno, alias.col_offset),
        source.column(alias.lineno, alias.end_col_offset or alias.col_offset),
    )


def _expects_failure(statement: ast.Try | ast.TryStar) -> bool:
    for handler in statement.handlers:
        if handler.type is None:
            return True
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(_last_name(each) in _EXPECTED for each in types):
            return True
    return False


def _guards(statement: ast.stmt) -> bool:
    """Tell whether a compound statement expects that its imports may fail, or never run."""
    if isinstance(statement, ast.If):
        test = statement.test
        if isinstance(test, ast.Constant) and not test.value:
            return True
        return any(_ASKS_FIRST.search(name) for name in _names(test))
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return any(
            isinstance(item.context_expr, ast.Call)
            and _last_name(item.context_expr.func) in _EXPECTING_CALLS
            and any(
                name in _EXPECTED or name in {"modules", "sys.modules"}
                for argument in item.context_expr.args
                for name in _names(argument)
            )
            for item in statement.items
        )
    return False


def _names(expression: ast.expr) -> Iterator[str]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _last_name(expression: ast.expr) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""
