"""What the code of a module needs that only a newer Python has: syntax, names of the standard library, annotations.

``from __future__ import annotations`` keeps annotations from being evaluated, other than those that pydantic and
msgspec evaluate to build a class. A name of the library may be asked for: by version, or by an import that may fail.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from review_bot.analysis.project.import_guards import Guards
from review_bot.analysis.python.annotations import postpones
from review_bot.analysis.python.newer_library import NEWER, NEWER_ARGUMENTS
from review_bot.analysis.python.statements import all_parameters, defaults_of, is_definition, is_function
from review_bot.analysis.python.syntax import dotted, full_name, imported_names
from review_bot.analysis.python.union_types import UnionTypes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_GENERIC = frozenset({"list", "dict", "set", "frozenset", "tuple", "type"})
_GENERIC_MODULES = frozenset({"collections", "collections.abc"})
_Sign = tuple[str, LazyRegex | None]
"""A word or character, and what follows it."""

_SUBSCRIPT = LazyRegex(r"(?<=\w)[\s\\)]*\[")
_ARGUMENT = LazyRegex(r"(?<=\w)[\s\\]*=")
_WORD_END = LazyRegex(r"\b")
_PARENTHESIS = LazyRegex(r"(?<=\w)[\s\\]*\(")
_STAR = LazyRegex(r"(?<=\w)[\s\\]*\*")
_TYPE_PARAMETERS = LazyRegex(r"(?<=\w)[\s\\]+\w+[\s\\]*[\[=]")


def _of_library(minor: int) -> tuple[_Sign, ...]:
    """Return the names and arguments that Python 3.``minor`` brought."""
    names = {name.rpartition(".")[2] for name, since in NEWER.items() if since == minor}
    arguments = {name for each in NEWER_ARGUMENTS.values() for name, since in each.items() if since == minor}
    return (*((name, None) for name in names), *((argument, _ARGUMENT) for argument in arguments - names))


_SIGNS: Mapping[int, tuple[_Sign, ...]] = {
    9: (*((name, _SUBSCRIPT) for name in _GENERIC), ("with", _PARENTHESIS), *_of_library(9)),
    10: (("|", None), ("match", _WORD_END), *_of_library(10)),
    11: (("except", _STAR), *_of_library(11)),
    12: (*((word, _TYPE_PARAMETERS) for word in ("def", "class", "type")), *_of_library(12)),
    13: _of_library(13),
}
"""What all code has, on one of its lines, that needs Python 3.x, apart from types of ``collections`` and f-strings."""

OLDEST = min(_SIGNS)
"""The first Python 3.x of which something is known."""

_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"})
"""What a name that the library lacks may raise."""
_OF_IMPORTS = LazyRegex(r"(?i)import|lazy|defer")
"""Names of contexts in which an import may not load its module, or may fail."""
_CAUGHT_TYPE = frozenset({"TypeError", "Exception", "BaseException"})
_LONGEST_UNION = 60
_EVALUATING_BASES = frozenset({"BaseModel", "Struct", "BaseSettings", "RootModel", "SQLModel"})


class Newer(NamedTuple):
    """Something on a line that needs Python 3.``minor``."""

    line: int
    minor: int
    what: str


def lines_with_signs(text: str, oldest: int) -> frozenset[int]:
    """Return the lines that hold what code that needs Python 3.``oldest`` or newer has on one of its lines."""
    signs = [sign for minor, signs in _SIGNS.items() if minor >= oldest for sign in signs if sign[0] in text]
    places = [place for word, behind in signs for place in _places(text, word, behind)]
    if oldest == OLDEST and "collections" in text:
        places += [each.start() for each in _SUBSCRIPT.finditer(text)]
    return frozenset(_lines_of(text, sorted(places)))


def _places(text: str, word: str, behind: LazyRegex | None) -> Iterator[int]:
    """Yield where a whole word, or ``|``, begins. Finding many in turn takes less than one expression for all."""
    place = text.find(word)
    while place >= 0:
        before = text[place - 1 : place]
        whole = word == "|" or not (before.isalnum() or before == "_")
        if whole and (behind is None or behind.match(text, place + len(word))):
            yield place
        place = text.find(word, place + 1)


def _lines_of(text: str, places: Iterable[int]) -> Iterator[int]:
    """Yield the lines of ascending places."""
    number, position = 1, 0
    for place in places:
        number += text.count("\n", position, place)
        position = place
        yield number


def needs_of(tree: ast.Module, text: str, lines: frozenset[int]) -> Iterator[Newer]:
    """Yield what the statements on some lines of a module need."""
    reader = _Reader(tree, text, lines)
    yield from reader.read(tree.body, in_function=False, evaluated=not reader.postponed)
    yield from _nested_quotes(text)


class _Reader:
    """Walks the statements of one module and keeps apart what is evaluated from what is not."""

    def __init__(self, tree: ast.Module, text: str, lines: frozenset[int]) -> None:
        self._tree, self._text = tree, text
        self._lines = sorted(lines)
        self._tried = False
        self._catches_type = False
        imports = [statement for statement in tree.body if isinstance(statement, ast.ImportFrom)]
        names = {alias.asname or alias.name: each.module for each in imports for alias in each.names}
        self.postponed = postpones(tree)
        self._generic = (_GENERIC - names.keys()) | {
            name for name, module in names.items() if module in _GENERIC_MODULES
        }

    @cached_property
    def _variables(self) -> frozenset[str]:
        """The names of built-in types that the module gives to values of its own, such as a parameter ``list``."""
        stored = {node.id for node in nodes_of(self._tree, ast.Name) if isinstance(node.ctx, ast.Store)}
        return _GENERIC & (stored | {node.arg for node in nodes_of(self._tree, ast.arg)})

    @cached_property
    def _imported(self) -> dict[str, str]:
        return imported_names(self._tree)

    @cached_property
    def _unions(self) -> UnionTypes:
        return UnionTypes(self._tree, frozenset(self._generic - self._variables))

    @cached_property
    def _guards(self) -> Guards:
        return Guards(self._tree)

    def read(self, body: list[ast.stmt], *, in_function: bool, evaluated: bool) -> Iterator[Newer]:
        for statement in body:
            if not self._is_asked_for(statement):
                continue
            if is_function(statement):
                yield from self._function(statement)
            elif isinstance(statement, ast.ClassDef):
                yield from self._class(statement)
            elif isinstance(statement, ast.AnnAssign):
                if evaluated and not in_function:
                    yield from self._annotation(statement.annotation)
                if statement.value is not None:
                    yield from self._expression(statement.value)
            elif not _for_other_versions(statement):
                yield from self._statement(statement, in_function=in_function, evaluated=evaluated)

    def _is_asked_for(self, statement: ast.stmt) -> bool:
        position = bisect_left(self._lines, statement.lineno)
        decorated = is_definition(statement) and statement.decorator_list
        last = last_line(statement)
        return bool(decorated) or (position < len(self._lines) and self._lines[position] <= last)

    def _statement(self, statement: ast.stmt, *, in_function: bool, evaluated: bool) -> Iterator[Newer]:
        if isinstance(statement, ast.Match):
            yield _newer(statement, 10, "`match`")
        elif isinstance(statement, ast.TryStar):
            for handler in statement.handlers:
                yield _newer(handler, 11, "`except*`")
        elif type(statement).__name__ == "TypeAlias":
            yield _newer(statement, 12, "a `type` statement")
            return
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from self._import(statement)
        elif isinstance(statement, (ast.With, ast.AsyncWith)) and self._in_parentheses(statement):
            yield _newer(statement, 9, "parentheses around several context managers")
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                yield from self._expression(child)
            elif isinstance(child, ast.withitem):
                yield from self._expression(child.context_expr)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                yield from self.read(child.body, in_function=in_function, evaluated=evaluated)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(statement, field, None)
            if isinstance(block, list):
                before = self._tried, self._catches_type
                if field == "body":
                    self._tried = self._tried or self._may_fail(statement)
                    self._catches_type = self._catches_type or _catches_type(statement)
                yield from self.read(block, in_function=in_function, evaluated=evaluated)
                self._tried, self._catches_type = before

    def _may_fail(self, statement: ast.stmt) -> bool:
        """Return whether code goes on where the body of a statement asks the library for a name that it lacks."""
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            return self._guards.entered(statement).module or _replaces_imports(statement)
        return isinstance(statement, (ast.Try, ast.TryStar)) and any(
            each.type is None or not _CAUGHT.isdisjoint(_names(each.type)) for each in statement.handlers
        )

    def _import(self, statement: ast.Import | ast.ImportFrom) -> Iterator[Newer]:
        if self._tried or (isinstance(statement, ast.ImportFrom) and statement.level):
            return
        module = statement.module if isinstance(statement, ast.ImportFrom) else None
        for alias in statement.names:
            for name in (module, f"{module}.{alias.name}") if module else (alias.name,):
                if name in NEWER:
                    yield _newer(statement, NEWER[name], f"`{name}`")

    def _in_parentheses(self, statement: ast.With | ast.AsyncWith) -> bool:
        """Return whether a parenthesis is open around the context managers, not around the first alone."""
        first = statement.items[0]
        others = [first.optional_vars, *(item.context_expr for item in statement.items[1:])]
        behind = next((each for each in others if each is not None), None)
        if behind is None:
            return False
        opening = self._before(first.context_expr, statement.lineno, statement.col_offset)
        end = (last_line(first.context_expr), first.context_expr.end_col_offset or 0)
        return "(" in opening and ")" not in self._before(behind, *end)

    def _before(self, node: ast.expr, line: int, column: int) -> str:
        """Return the text from a place to a node."""
        lines = [each.encode() for each in self._text.split("\n")[line - 1 : node.lineno]]
        lines[-1] = lines[-1][: node.col_offset]
        return b"\n".join([lines[0][column:], *lines[1:]]).decode()

    def _function(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Newer]:
        yield from _type_parameters(function)
        for default in [*(default for _, default in defaults_of(function)), *function.decorator_list]:
            yield from self._expression(default)
        if not self.postponed:
            for annotation in [*(each.annotation for each in all_parameters(function)), function.returns]:
                if annotation is not None:
                    yield from self._annotation(annotation)
        yield from self.read(function.body, in_function=True, evaluated=False)

    def _class(self, definition: ast.ClassDef) -> Iterator[Newer]:
        yield from _type_parameters(definition)
        for expression in [*definition.bases, *definition.decorator_list]:
            yield from self._expression(expression)
        bases = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in definition.bases}
        evaluated = not self.postponed or not bases.isdisjoint(_EVALUATING_BASES)
        yield from self.read(definition.body, in_function=False, evaluated=evaluated)

    def _annotation(self, annotation: ast.expr) -> Iterator[Newer]:
        for node in walk(annotation):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
                yield _newer(node, 10, "`X | Y` in an annotation")
        yield from self._expression(annotation)

    def _expression(self, expression: ast.expr) -> Iterator[Newer]:
        for node in walk(expression):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self._generic:
                if node.value.id in self._variables:
                    continue
                yield _newer(node, 9, f"`{node.value.id}[...]`")
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"isinstance", "issubclass"}
                and len(node.args) == 2
                and isinstance(node.args[1], ast.BinOp)
            ):
                yield _newer(node.args[1], 10, f"`X | Y` in `{node.func.id}`")
            elif isinstance(node, ast.BinOp) and not self._catches_type and self._unions.is_union(node):
                written = ast.unparse(node)
                yield _newer(node, 10, f"the union `{written if len(written) <= _LONGEST_UNION else 'X | Y'}`")
            elif isinstance(node, ast.Attribute) and not self._tried:
                name = full_name(node, self._imported) or ""
                if name in NEWER and (dotted(node) or "").partition(".")[0] in self._imported:
                    yield _newer(node, NEWER[name], f"`{name}`")
            elif isinstance(node, ast.Call) and node.keywords and not self._tried:
                name = full_name(node.func, self._imported) or ""
                for each in node.keywords:
                    if minor := NEWER_ARGUMENTS.get(name, {}).get(each.arg or ""):
                        yield _newer(node, minor, f"`{each.arg}` of `{name}`")


def _catches_type(statement: ast.stmt) -> bool:
    """Return whether code goes on where the body of a statement raises TypeError."""
    return isinstance(statement, (ast.Try, ast.TryStar)) and any(
        each.type is None or not _CAUGHT_TYPE.isdisjoint(_names(each.type)) for each in statement.handlers
    )


def _newer(node: ast.stmt | ast.expr | ast.ExceptHandler, minor: int, what: str) -> Newer:
    return Newer(node.lineno, minor, what)


def _type_parameters(definition: ast.stmt) -> Iterator[Newer]:
    if getattr(definition, "type_params", None):
        yield _newer(definition, 12, "type parameter syntax")


def _replaces_imports(statement: ast.With | ast.AsyncWith) -> bool:
    """Return whether imports alone are below a context that is about them, as ``with lazy_imports():``."""
    entered = (each.context_expr for each in statement.items)
    about = any(_OF_IMPORTS.search(dotted(each.func) or "") for each in entered if isinstance(each, ast.Call))
    return about and all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in statement.body)


def _for_other_versions(statement: ast.stmt) -> bool:
    names = _names(statement.test) if isinstance(statement, ast.If) else set[str | None]()
    return not names.isdisjoint({"TYPE_CHECKING", "hasattr"}) or any("version_info" in (each or "") for each in names)


def _names(expression: ast.expr) -> set[str | None]:
    return {getattr(node, "attr", None) or getattr(node, "id", None) for node in walk(expression)}


def may_nest_quotes(text: str) -> bool:
    """Return whether there is an f-string, which Python 3.11 takes for one token: it cannot parse what we look for."""
    return hasattr(ast, "TypeAlias") and ("f'" in text or 'f"' in text)


def _nested_quotes(text: str) -> Iterator[Newer]:
    """Yield strings inside an f-string that reuse its quote, which Python knows from 3.12 on."""
    if not may_nest_quotes(text):
        return
    import io
    import tokenize

    quotes: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name == "FSTRING_START":
            quote = token.string.lstrip("fFrR")
            if quote in quotes:
                yield Newer(token.start[0], 12, "the same quote character inside an f-string")
            quotes.append(quote)
        elif name == "FSTRING_END":
            quotes.pop()
        elif name == "STRING" and quotes and token.string.lstrip("rRbBuU").startswith(quotes[-1]):
            yield Newer(token.start[0], 12, "the same quote character inside an f-string")
