"""Names of well-known modules that stand for something else where they are used.

::

    requests = spec.get("requests")      def answer(self, requests):
    requests.get("cpu")                      return requests.get(self.key)

A rule that looks for the text ``requests.get`` means the library. No import is asked for, since a name may come from a
star import or an earlier cell: what counts is that the code around the use binds the name itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from review_bot.changes.codebase import query
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
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

_FILE = 0
_ROOT = LazyRegex(r"(?<![\w.])([a-z0-9]+)\s*\.")
_WORD = LazyRegex(r"[a-z0-9]+")
_LOADS = LazyRegex(r"(?i)import|lazy|load|optional|module")
"""What calls are named that return a module."""


def names_rebound(source: SourceFile, text: str, line: int, pattern: str) -> bool:
    """Return whether code on a line takes attributes of a module that a pattern names, by a name that is rebound."""
    roots = {each[1] for each in _ROOT.finditer(text)} & MODULES & {*_WORD.findall(pattern)}
    return any(_is_rebound(source, name, line) for name in sorted(roots))


@query
def _is_rebound(source: SourceFile, name: str, line: int) -> bool:
    """Return whether the innermost scope around a line that binds a name binds it to nothing but other things."""
    try:
        around = source.functions_around(line)
        bindings = _bindings(source)
    except CannotRead:
        return False
    for scope in (*(each.lineno for each in reversed(around)), _FILE):
        holds_module = bindings.get((scope, name))
        if holds_module:
            return True not in holds_module
    return False


@query
def _bindings(source: SourceFile) -> dict[tuple[int, str], set[bool]]:
    """Return whether what binds a module's name in a scope may bind it to that module. Raises CannotParse.

    A scope is the first line of a function, or ``_FILE``. The variable of a comprehension counts as its function's.
    """
    import ast  # a change without Python needs none

    declared: list[ast.Global | ast.Nonlocal] = [*source.nodes(ast.Global), *source.nodes(ast.Nonlocal)]
    shared = {(_scope(source, each), name) for each in declared for name in each.names}
    imports: list[ast.Import | ast.ImportFrom] = [*source.nodes(ast.Import), *source.nodes(ast.ImportFrom)]
    found: list[tuple[ast.stmt | ast.expr | ast.arg, str, bool]]
    found = [(each, alias.asname or alias.name.partition(".")[0], True) for each in imports for alias in each.names]
    loaded = {id(target) for each in source.nodes(ast.Assign) if _may_load(each.value) for target in each.targets}
    stored = (each for each in source.nodes(ast.Name) if not isinstance(each.ctx, ast.Load))
    found += [(each, each.id, id(each) in loaded) for each in stored if each.id in MODULES]
    passed_on = {
        default.id
        for each in source.nodes(ast.arguments)
        for default in (*each.defaults, *each.kw_defaults)
        if isinstance(default, ast.Name)
    }
    found += [(each, each.arg, each.arg in passed_on) for each in source.nodes(ast.arg) if each.arg in MODULES]
    bindings: dict[tuple[int, str], set[bool]] = {}
    for node, name, is_module in found:
        if name in MODULES:
            scope = _scope(source, node)
            scope = _FILE if (scope, name) in shared else scope
            bindings.setdefault((scope, name), set()).add(is_module)
    return bindings


def _scope(source: SourceFile, node: ast.stmt | ast.expr | ast.arg) -> int:
    around = source.functions_around(node.lineno)
    return around[-1].lineno if around else _FILE


def _may_load(value: ast.expr) -> bool:
    """Return whether a value may be a module: ``None`` until it is imported, another name, or what a loader returns."""
    import ast

    if isinstance(value, ast.Call):
        called = value.func
        return bool(_LOADS.search(called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")))
    return isinstance(value, (ast.Name, ast.Constant))
