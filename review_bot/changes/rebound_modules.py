"""Names of well-known modules that stand for something else where they are used.

::

    requests = spec.get("requests")      def answer(self, requests):
    requests.get("cpu")                      return requests.get(self.key)

A rule that looks for the text ``requests.get`` means the library. No import is asked for, since a name may come from a
star import or an earlier cell: what counts is that the code around the use binds the name itself.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from review_bot.changes.codebase import query
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

if TYPE_CHECKING:
    import ast

MODULES = frozenset({
    "asyncio", "atexit", "datetime", "debugpy", "gc", "glob", "httpx", "inspect", "jax", "jinja2", "jnp", "json",
    "librosa", "logging", "np", "numpy", "os", "pathlib", "pd", "pdb", "pickle", "pytest", "random", "requests",
    "secrets", "shlex", "shutil", "sf", "soundfile", "ssl", "subprocess", "sys", "time", "torch", "torchaudio",
    "urllib", "uuid", "yaml",
})  # fmt: skip
"""Modules that the patterns of rules name by the first part of a dotted name, as people import them."""

Place = tuple[int, int]
"""A line and a column: from 1 in code points where a rule says it, from 0 in bytes where ``ast`` does."""

_Span = tuple[Place, Place]
_FILE = 0
_ROOT = LazyRegex(r"(?<![\w.])([a-z0-9]+)\s*\.")
_WORD = LazyRegex(r"[a-z0-9]+")
_LOADS = LazyRegex(r"(?i)import|lazy|load|optional|module")
"""What calls are named that return a module."""


class _Inner(NamedTuple):
    """The names that a comprehension or a lambda binds in itself alone. ``outside``: what is evaluated around it."""

    names: frozenset[str]
    inside: _Span
    outside: _Span | None


def names_rebound(source: SourceFile, text: str, place: Place, pattern: str) -> bool:
    """Return whether code at a place takes attributes of a module that a pattern names, by a name that is rebound."""
    roots = {each[1] for each in _ROOT.finditer(text)} & MODULES & {*_WORD.findall(pattern)}
    return any(_is_rebound(source, name, place) for name in sorted(roots))


@query
def _is_rebound(source: SourceFile, name: str, place: Place) -> bool:
    """Return whether the innermost scope around a place that binds a name binds it to nothing but other things."""
    line, column = place
    try:
        around = source.functions_around(line)
        bindings, inner = _bindings(source)
    except CannotRead:
        return False
    at = (line, len(source.lines[line - 1][: column - 1].encode()))
    for each in inner:
        if name in each.names and _holds(each.inside, at) and not (each.outside and _holds(each.outside, at)):
            return True
    for scope in (*(each.lineno for each in reversed(around)), _FILE):
        holds_module = bindings.get((scope, name))
        if holds_module:
            return True not in holds_module
    return False


def _holds(span: _Span, at: Place) -> bool:
    return span[0] <= at < span[1]


def _span(node: ast.expr) -> _Span:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


@query
def _bindings(source: SourceFile) -> tuple[dict[tuple[int, str], set[bool]], list[_Inner]]:
    """Return whether what binds a module's name in a scope may bind it to that module. Raises CannotParse.

    A scope is the first line of a function, or ``_FILE``. Those of comprehensions and lambdas are apart.
    """
    import ast  # a change without Python needs none

    declared: list[ast.Global | ast.Nonlocal] = [*source.nodes(ast.Global), *source.nodes(ast.Nonlocal)]
    shared = {(_scope(source, each), name) for each in declared for name in each.names}
    imports: list[ast.Import | ast.ImportFrom] = [*source.nodes(ast.Import), *source.nodes(ast.ImportFrom)]
    found: list[tuple[ast.stmt | ast.expr | ast.arg, str, bool]]
    found = [(each, alias.asname or alias.name.partition(".")[0], True) for each in imports for alias in each.names]
    imported = {name for _, name, _ in found}
    loaded = {id(target) for each in source.nodes(ast.Assign) if _may_load(each.value) for target in each.targets}
    inner, apart = _inner(source, imported)
    stored = (each for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load))
    found += [(each, each.id, id(each) in loaded) for each in stored if each.id in MODULES and id(each) not in apart]
    for arguments in source.nodes(ast.arguments):
        passed = _passed_modules(arguments, imported)
        found += [(each, each.arg, each.arg in passed) for each in _parameters(arguments) if id(each) not in apart]
    bindings: dict[tuple[int, str], set[bool]] = {}
    for node, name, is_module in found:
        if name in MODULES:
            scope = _scope(source, node)
            scope = _FILE if (scope, name) in shared else scope
            bindings.setdefault((scope, name), set()).add(is_module)
    return bindings, inner


def _inner(source: SourceFile, imported: Collection[str]) -> tuple[list[_Inner], set[int]]:
    """Return what comprehensions and lambdas bind to anything but modules, and all nodes (by id) that bind there."""
    import ast

    found: list[_Inner] = []
    apart: set[int] = set()
    for each in source.nodes(ast.Lambda):
        parameters = _parameters(each.args)
        apart |= {id(one) for one in parameters}
        names = {one.arg for one in parameters} - _passed_modules(each.args, imported)
        found.append(_Inner(frozenset(names & MODULES), _span(each), None))
    listed: list[ast.ListComp | ast.SetComp] = [*source.nodes(ast.ListComp), *source.nodes(ast.SetComp)]
    for comprehension in (*listed, *source.nodes(ast.DictComp), *source.nodes(ast.GeneratorExp)):
        targets = [
            one for part in comprehension.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)
        ]
        apart |= {id(one) for one in targets}
        names = {one.id for one in targets}
        outside = _span(comprehension.generators[0].iter)
        found.append(_Inner(frozenset(names & MODULES), _span(comprehension), outside))
    return [each for each in found if each.names], apart


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    alone = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *alone]


def _passed_modules(arguments: ast.arguments, imported: Collection[str]) -> set[str]:
    """Return the parameters whose default may be a module: an imported name, its own, or what a loader returns."""
    import ast

    listed = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(listed), reversed(arguments.defaults), strict=False)]
    pairs += [(one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    return {
        one.arg
        for one, value in pairs
        if (value.id in {one.arg, *imported} if isinstance(value, ast.Name) else _is_loader(value))
    }


def _scope(source: SourceFile, node: ast.stmt | ast.expr | ast.arg) -> int:
    around = source.functions_around(node.lineno)
    return around[-1].lineno if around else _FILE


def _may_load(value: ast.expr) -> bool:
    """Return whether a value may be a module: ``None`` until it is imported, another name, or what a loader returns."""
    import ast

    return isinstance(value, (ast.Name, ast.Constant)) or _is_loader(value)


def _is_loader(value: ast.expr) -> bool:
    import ast

    if not isinstance(value, ast.Call):
        return False
    called = value.func
    return bool(_LOADS.search(called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")))
