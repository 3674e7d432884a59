"""The imports that a change adds to a file, without those that are caught when they fail or that never run.

::

    from pkg.outputs import Output          counts
    try: import fast                        does not: an ImportError is caught
    except ImportError: fast = None
    if TYPE_CHECKING: import pkg.big        does not: it never runs
    if find_spec("fast"): import fast       counts, with its condition: ``asked`` holds "find_spec" and "fast"
"""

import ast
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from review_bot.changes.source_file import SourceFile
from review_bot.checks.python.conditions import always_raises, constants_of, live_blocks, truth
from review_bot.checks.python.statements import statements
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

    ``asked`` holds the names and strings of conditions around it that ask whether something is available, ``instead``
    the modules, as (name, level), whose failure lets it run: it is in a handler of ImportError.
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
    asked: tuple[str, ...] = ()
    instead: tuple[tuple[str, int], ...] = ()

    @property
    def conditional(self) -> bool:
        """Whether code around the import prepares for the absence of some module."""
        return bool(self.asked or self.instead)


class _Around(NamedTuple):
    """What is around a statement; see ``AddedImport``."""

    always: bool = True
    asked: tuple[str, ...] = ()
    instead: tuple[tuple[str, int], ...] = ()


_EXPECTED = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_EXPECTING_CALLS = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
_ASKS_FIRST = LatePattern(r"(?i)find_spec|avail|has_|have_|support|install|exists|importlib")
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")

_collected: WeakKeyDictionary[SourceFile, tuple[AddedImport, ...]] = WeakKeyDictionary()


def added_imports(source: SourceFile) -> tuple[AddedImport, ...]:
    """Return the imports that the change adds, in order. Raises CannotParse."""
    known = _collected.get(source)
    if known is None:
        wanted = _lines_of_imports(source)
        known = tuple(_Walk(source, wanted).imports()) if wanted else ()
        _collected[source] = known
    return known


def _lines_of_imports(source: SourceFile) -> list[int]:
    """Return the added lines that belong to an import, in order. Raises CannotParse."""
    if not source.added or not source.text or "import" not in source.text:
        return []
    statements: list[ast.Import | ast.ImportFrom] = [*source.nodes(ast.Import), *source.nodes(ast.ImportFrom)]
    lines = (range(each.lineno, (each.end_lineno or each.lineno) + 1) for each in statements)
    return sorted({line for span in lines for line in span if line in source.added})


class _Walk:
    """Collects the imports of one file."""

    def __init__(self, source: SourceFile, wanted: list[int]) -> None:
        self._source, self._wanted = source, wanted

    @cached_property
    def _constants(self) -> dict[str, object]:
        return constants_of(self._source.tree)

    def imports(self) -> Iterator[AddedImport]:
        """Yield the imports on added lines, in order."""
        yield from self._block(self._source.tree.body, _Around())

    def _block(self, body: list[ast.stmt], around: _Around) -> Iterator[AddedImport]:
        for statement in body:
            position = bisect_left(self._wanted, statement.lineno)
            last = statement.end_lineno or statement.lineno
            if position < len(self._wanted) and self._wanted[position] <= last:
                yield from self._statement(statement, around)

    def _statement(self, statement: ast.stmt, around: _Around) -> Iterator[AddedImport]:
        if isinstance(statement, ast.Import):
            yield from _plain(statement, self._source, around)
        elif isinstance(statement, ast.ImportFrom):
            yield from _from(statement, self._source, around)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from self._block(statement.body, around._replace(always=False))
        elif isinstance(statement, (ast.Try, ast.TryStar)) and _expects_failure(statement):
            yield from self._expecting(statement, around)
        elif isinstance(statement, ast.If):
            yield from self._if(statement, around)
        elif not _expects(statement):
            inner = around._replace(always=around.always and not isinstance(statement, ast.Match))
            for block in _blocks(statement):
                yield from self._block(block, inner)

    def _expecting(self, statement: ast.Try | ast.TryStar, around: _Around) -> Iterator[AddedImport]:
        """Yield what is not caught: a handler runs where an import in the body fails, ``else`` where all work."""
        tried = tuple(_modules(statement.body))
        handled = around._replace(always=False, instead=(*around.instead, *tried))
        for handler in statement.handlers:
            yield from self._block(handler.body, handled)
        yield from self._block(statement.orelse, around._replace(always=False))
        yield from self._block(statement.finalbody, around)

    def _if(self, statement: ast.If, around: _Around) -> Iterator[AddedImport]:
        known = truth(statement.test, self._constants)
        asked = () if known is not None else tuple(_asked(statement.test, self._constants))
        inner = around._replace(always=around.always and known is not None, asked=(*around.asked, *asked))
        for block in live_blocks(statement.test, statement.body, statement.orelse, self._constants):
            yield from self._block(block, inner)


def _modules(body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    for statement in statements(body, into_definitions=False):
        if isinstance(statement, ast.Import):
            yield from ((alias.name, 0) for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield statement.module or "", statement.level


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


def _plain(statement: ast.Import, source: SourceFile, around: _Around) -> Iterator[AddedImport]:
    for alias in statement.names:
        if alias.lineno in source.added:
            column, end = _columns(alias, source)
            yield AddedImport(
                alias.lineno,
                alias.lineno,
                column,
                end,
                alias.name,
                0,
                (),
                new=True,
                from_import=False,
                **around._asdict(),
            )


def _from(statement: ast.ImportFrom, source: SourceFile, around: _Around) -> Iterator[AddedImport]:
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
        **around._asdict(),
    )


def _columns(alias: ast.alias, source: SourceFile) -> tuple[int, int]:
    return (
        source.column(alias.lineno, alias.col_offset),
        source.column(alias.lineno, alias.end_col_offset or alias.col_offset),
    )


def _expects_failure(statement: ast.Try | ast.TryStar) -> bool:
    """Return whether a handler catches an ImportError and goes on."""
    return any(_catches_import_error(each) and not always_raises(each.body) for each in statement.handlers)


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(_last_name(each) in _EXPECTED for each in types)


def _expects(statement: ast.stmt) -> bool:
    """Return whether a ``with`` statement expects an ImportError."""
    return isinstance(statement, (ast.With, ast.AsyncWith)) and any(
        isinstance(item.context_expr, ast.Call)
        and _last_name(item.context_expr.func) in _EXPECTING_CALLS
        and any(_last_name(each) in _EXPECTED for each in _all_of(item.context_expr.args))
        for item in statement.items
    )


def _all_of(arguments: list[ast.expr]) -> Iterator[ast.expr]:
    for each in arguments:
        yield from each.elts if isinstance(each, ast.Tuple) else (each,)


def _asked(test: ast.expr, constants: Mapping[str, object]) -> Iterator[str]:
    """Yield the names and strings of a condition that asks whether something is available, or in which version.

    A string alone asks nothing, and neither does a name that holds a constant.
    """
    names = [each for each in _names(test) if each not in constants]
    compares = any(isinstance(node, ast.Compare) for node in ast.walk(test))
    if any(_ASKS_FIRST.search(each) or (compares and "version" in each.lower()) for each in names):
        yield from names
        for node in ast.walk(test):
            if isinstance(node, (ast.Call, ast.Compare)):
                yield from (
                    each.value
                    for each in ast.walk(node)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                )


def _names(expression: ast.expr) -> Iterator[str]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _last_name(expression: ast.expr) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""
