"""The imports that a change adds to a file or makes run, without those that are caught when they fail or never run.

::

    from pkg.outputs import Output          counts
    try: import fast                        does not: an ImportError is caught
    except ImportError: fast = None
    if TYPE_CHECKING: import pkg.big        does not: it never runs
    if find_spec("fast"): import fast       counts, with its condition: ``asked`` holds "find_spec" and "fast"

An import on a line that the change left alone counts if it is not what it was at the base: it was in a docstring,
under ``if False``, below a handler that is gone, or in another folder.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

from review_bot.analysis.project.dynamic_imports import Importing, dynamic_imports
from review_bot.analysis.project.import_guards import Caught, Guards
from review_bot.analysis.python.statements import first_line, imports_of, is_function, statements
from review_bot.analysis.python.syntax import span_at
from review_bot.changes.codebase import query
from review_bot.changes.line_map import LineMap, has_old_lines
from review_bot.changes.node_lines import last_line, lines_of
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.python_parsing import CannotParse, parsed
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.rule import Span
from review_bot.text.lazy_regex import LazyRegex


class ImportedName(NamedTuple):
    """One name of a ``from`` import that is on an added line."""

    name: str
    span: Span

    @property
    def line(self) -> int:
        """The line of the name."""
        return self.span.line


class Tried(NamedTuple):
    """An import in the body of a ``try``: what it imports, with the dots of a relative import and the names."""

    module: str
    level: int
    names: tuple[str, ...] = ()


class AddedImport(NamedTuple):
    """One import of one module.

    ``module`` is as written, without the dots of a relative import, which ``level`` counts. ``names`` holds the names
    of a ``from`` import that are on added lines. ``new``: the module's own name is on an added line.
    ``from_import``: ``from m import n``, not ``import m``; ``always``: it runs whenever the file is
    imported, for it is in no function and under no condition.

    ``dynamic``: it is a call with a constant, or an entry of a lazy import table, see ``dynamic_imports``.

    ``asked`` holds the names and strings of conditions around it that ask whether something is available, ``instead``
    the imports whose failure lets it run: it is in a handler of ImportError.
    """

    span: Span
    module: str
    level: int
    names: tuple[ImportedName, ...]
    new: bool
    from_import: bool
    always: bool
    asked: tuple[str, ...] = ()
    instead: tuple[Tried, ...] = ()
    dynamic: bool = False

    @property
    def line(self) -> int:
        """The line where it begins."""
        return self.span.line

    @property
    def late(self) -> bool:
        """Whether it is an entry of a lazy import table, which imports a module when one of its names is accessed."""
        return self.dynamic and self.from_import

    @property
    def conditional(self) -> bool:
        """Whether code around the import prepares for the absence of some module."""
        return bool(self.asked or self.instead)


class _Around(NamedTuple):
    """What is around a statement; see ``AddedImport``."""

    always: bool = True
    asked: tuple[str, ...] = ()
    instead: tuple[Tried, ...] = ()
    caught: Caught = Caught()

    def within(self, caught: Caught) -> _Around:
        """Return what is around the body of a statement that catches some failures."""
        both = Caught(self.caught.module or caught.module, self.caught.name or caught.name)
        return self._replace(caught=both)


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_WITHIN_A_STATEMENT = LazyRegex(
    r"(?:\n[ \t\f\r]+|[:;\\][ \t\f\r\n]*)(?:from|import)\b"
    r"((?:[^\n\\(#]|\\\r?\n?)*(?:\((?:[^)#]|#[^\n]*)*)?)"
)
"""An import that is not the first thing on its line, as each one is that a statement catches the failure of."""
_WORD = LazyRegex(r"\w+")
_KNOWN = "_file_imports"
"""The attribute of a syntax tree that holds the imports of the files with its text, by path, for all that ask."""
_QUOTES = ('"""', "'''")


def added_imports(source: SourceFile) -> tuple[AddedImport, ...]:
    """Return the import statements that the change adds or makes run, in order. Raises CannotParse."""
    return tuple(each for each in all_added_imports(source) if not each.dynamic)


@query
def all_added_imports(source: SourceFile) -> tuple[AddedImport, ...]:
    """Return what ``added_imports`` returns, with the imports that calls and tables make. Raises CannotParse."""
    return tuple(_imports(source))


def caught_imports(source: SourceFile) -> Iterator[AddedImport]:
    """Yield the import statements on added lines whose failure is caught. Raises CannotParse."""
    lines = {line for each in imports_of(source.tree) for line in lines_of(each)}
    yield from _Walk(source, lines.intersection(source.added), caught=True).imports()


def file_imports(path: str, text: str) -> tuple[AddedImport, ...]:
    """Return every import of a file, whether the change touched it or not; none if it cannot be parsed."""
    tree = parsed(text) if "import" in text else None
    if tree is None:
        return ()
    known: dict[str, tuple[AddedImport, ...]] = tree.__dict__.setdefault(_KNOWN, {})
    if path not in known:
        known[path] = _of_whole_file(path, text, all_added_imports)
    return known[path]


def may_guard_an_import_of(text: str, words: AbstractSet[str]) -> bool:
    """Return whether an import that may be within another statement holds one of some words. Parses nothing."""
    return any(not words.isdisjoint(_WORD.findall(found[1])) for found in _WITHIN_A_STATEMENT.finditer(text))


def guarded_imports(path: str, text: str) -> tuple[AddedImport, ...]:
    """Return the import statements of a file whose failure is caught; none if it cannot be parsed."""
    return _of_whole_file(path, text, caught_imports)


def _of_whole_file(
    path: str, text: str, find: Callable[[SourceFile], Iterable[AddedImport]]
) -> tuple[AddedImport, ...]:
    file = SourceFile(ChangedFile(path, None, "added", "text"), text, None)
    try:
        return tuple(find(file.all_added()))
    except CannotParse:
        return ()


def _imports(source: SourceFile) -> Iterator[AddedImport]:
    if not source.text or "import" not in source.text:
        return
    tables = dynamic_imports(source.tree, source.path)
    statements: list[Importing] = [*imports_of(source.tree), *tables]
    lines = {line for each in statements for line in lines_of(each)}
    lines.update(name.lineno for each in tables.values() for name in each.names)
    added = lines.intersection(source.added)
    counted = added | _changed(source, statements, added)
    if counted:
        yield from _Walk(source, counted).imports()


def _changed(source: SourceFile, imports: list[Importing], added: set[int]) -> AbstractSet[int]:
    """Return the lines of imports that the change left alone and that are not what they were at the base."""
    change = source.change
    is_moved = change.base_path.rpartition("/")[0] != change.path.rpartition("/")[0]
    if not has_old_lines(change) or not (is_moved or _may_have_changed(source, imports, added)):
        return frozenset()
    old = source.at_base()
    if old is None:
        return frozenset()
    all_lines = {line for each in imports for line in lines_of(each)}
    now = _by_line(_Walk(source, all_lines).imports(), change.path)
    try:
        before = _by_line(all_added_imports(old), change.base_path)
    except CannotParse:
        before = {}
    lines = LineMap(change)
    return {
        line
        for line, found in now.items()
        if line not in added and not found <= before.get(lines.old_line(line) or 0, frozenset())
    }


def _may_have_changed(source: SourceFile, imports: list[Importing], added: set[int]) -> bool:
    """Return whether an import on a line that the change left alone may have been something else at the base.

    One that begins its line at the margin was one at the base too, unless a string or a joined line ends elsewhere.
    """
    kept = [each for each in imports if not added.issuperset(lines_of(each))]
    touched = [*source.added.values(), *source.removed.values()]
    if any(each.col_offset or not added.isdisjoint(lines_of(each)) for each in kept):
        return bool(touched)
    return bool(kept) and any(
        line.rstrip("\r").endswith("\\") or any(quote in line for quote in _QUOTES) for line in touched
    )


_Key = tuple[str, int, str, bool, tuple[str, ...], tuple[Tried, ...], str]


def _by_line(imports: Iterable[AddedImport], path: str) -> dict[int, AbstractSet[_Key]]:
    """Return what is imported on each line: the module, how it is guarded, and the name."""
    folder = path.rpartition("/")[0]
    found: dict[int, set[_Key]] = {}
    for each in imports:
        where = folder if each.level else ""
        for line, name in ((each.line, ""), *((name.line, name.name) for name in each.names)):
            key = (each.module, each.level, where, each.new, each.asked, each.instead, name)
            found.setdefault(line, set()).add(key)
    return {line: frozenset(keys) for line, keys in found.items()}


class _Walk:
    """Collects the imports of one file on some lines: those that nothing catches, or, if ``caught``, the others."""

    def __init__(self, source: SourceFile, counted: AbstractSet[int], *, caught: bool = False) -> None:
        self._source, self._counted, self._wanted = source, counted, sorted(counted)
        self._caught = caught
        self._guards = Guards(source.tree)
        self._dynamic = dynamic_imports(source.tree, source.path)

    def imports(self) -> Iterator[AddedImport]:
        """Yield the imports on these lines, in order."""
        yield from self._block(self._source.tree.body, _Around())

    def _block(self, body: list[ast.stmt], around: _Around) -> Iterator[AddedImport]:
        for statement in body:
            position = bisect_left(self._wanted, first_line(statement))
            last = last_line(statement)
            if position < len(self._wanted) and self._wanted[position] <= last:
                yield from self._statement(statement, around)

    def _statement(self, statement: ast.stmt, around: _Around) -> Iterator[AddedImport]:
        if self._dynamic and not around.caught.module and not self._caught:
            for child in ast.iter_child_nodes(statement):
                if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                    yield from self._of_expression(child, around)
        if isinstance(statement, ast.Import):
            yield from self._plain(statement, around)
        elif isinstance(statement, ast.ImportFrom):
            yield from self._from(statement, around)
        elif is_function(statement):
            # A function runs later: what encloses its definition catches nothing of it.
            yield from self._block(statement.body, around._replace(always=False, caught=Caught()))
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            yield from self._try(statement, around)
        elif isinstance(statement, ast.If):
            yield from self._if(statement, around)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from self._block(statement.body, around.within(self._guards.entered(statement)))
        else:
            inner = around._replace(always=around.always and not isinstance(statement, ast.Match))
            for block in _blocks(statement):
                yield from self._block(block, inner)

    def _try(self, statement: ast.Try | ast.TryStar, around: _Around) -> Iterator[AddedImport]:
        """Yield what is not caught: a handler runs where an import in the body fails, ``else`` where all work."""
        caught = self._guards.tried(statement)
        yield from self._block(statement.body, around.within(caught))
        handled = other = around
        if any(caught):
            tried = tuple(_tried(statement.body))
            handled = around._replace(always=False, instead=(*around.instead, *tried))
            other = around._replace(always=False)
        for handler in statement.handlers:
            yield from self._block(handler.body, handled)
        yield from self._block(statement.orelse, other)
        yield from self._block(statement.finalbody, around)

    def _if(self, statement: ast.If, around: _Around) -> Iterator[AddedImport]:
        certain = len(self._guards.live(statement)) == 1
        for block, holds in ((statement.body, True), (statement.orelse, False)):
            asked = self._guards.asked(statement.test, holds=holds)
            if asked is not None:
                inner = around._replace(always=around.always and certain, asked=(*around.asked, *asked))
                yield from self._block(block, inner)

    def _of_expression(self, expression: ast.AST, around: _Around) -> Iterator[AddedImport]:
        """Yield what the calls and tables in an expression import."""
        waiting = [(expression, around)]
        while waiting:
            node, around = waiting.pop()
            inner = around._replace(always=False) if isinstance(node, ast.Lambda) else around
            waiting += [(child, inner) for child in ast.iter_child_nodes(node)]
            each = self._dynamic.get(node) if isinstance(node, (ast.Call, ast.Constant)) else None
            if each is None or not isinstance(node, (ast.Call, ast.Constant)):
                continue
            names = tuple(
                ImportedName(str(name.value), span_at(self._source, name))
                for name in each.names
                if name.lineno in self._counted
            )
            new = node.lineno in self._counted
            if names or new:
                yield AddedImport(
                    span_at(self._source, node),
                    each.module,
                    each.level,
                    names,
                    new,
                    from_import=isinstance(node, ast.Constant),
                    always=around.always,
                    asked=around.asked,
                    instead=around.instead,
                    dynamic=True,
                )

    def _plain(self, statement: ast.Import, around: _Around) -> Iterator[AddedImport]:
        for alias in statement.names:
            if alias.lineno in self._counted and around.caught.module is self._caught:
                yield AddedImport(
                    span_at(self._source, alias),
                    alias.name,
                    0,
                    (),
                    new=True,
                    from_import=False,
                    always=around.always,
                    asked=around.asked,
                    instead=around.instead,
                )

    def _from(self, statement: ast.ImportFrom, around: _Around) -> Iterator[AddedImport]:
        names = tuple(
            ImportedName(alias.name, span_at(self._source, alias))
            for alias in statement.names
            if alias.lineno in self._counted and around.caught.name is self._caught
        )
        new = statement.lineno in self._counted and around.caught.module is self._caught
        if not names and not new:
            return
        yield AddedImport(
            span_at(self._source, statement),
            statement.module or "",
            statement.level,
            names,
            new,
            from_import=True,
            always=around.always,
            asked=around.asked,
            instead=around.instead,
        )


def _tried(body: list[ast.stmt]) -> Iterator[Tried]:
    for statement in statements(body, into_definitions=False):
        if isinstance(statement, ast.Import):
            yield from (Tried(alias.name, 0) for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            names = tuple(alias.name for alias in statement.names if alias.name != "*")
            yield Tried(statement.module or "", statement.level, names)


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
