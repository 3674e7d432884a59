"""The uses of names in a module that nothing binds: neither a scope around them, nor the module, nor Python.

Silent in a module whose names its text does not show: ``globals()``, ``exec``, and, unless all are asked for, a star
import. Silent too on annotations that nothing evaluates, and where NameError is expected.
"""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from review_bot.analysis.project.module_names import is_open
from review_bot.analysis.python.annotations import not_evaluated
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.conditions import constants_of, truth
from review_bot.analysis.python.cython_files import is_cython
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import Function, blocks, choices_of, last_name
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.codebase import query
from review_bot.changes.node_index import below, nodes_of, walk
from review_bot.changes.node_lines import last_line, lines_of, span_of, start_of
from review_bot.changes.python_parsing import CannotParse, python_text, raise_if_cut_short
from review_bot.changes.source_file import SourceFile

_OF_MODULES = {"__file__", "__name__", "__doc__", "__path__", "__spec__", "__package__", "__loader__", "__builtins__"}
_OF_CLASSES = {"__class__", "__module__", "__qualname__", "__annotations__", "__dict__"}
_NEW = {"aiter", "anext", "EncodingWarning", "BaseExceptionGroup", "ExceptionGroup", "PythonFinalizationError"}
_KNOWN = frozenset(
    {*dir(builtins), *_OF_MODULES, *_OF_CLASSES, *_NEW, "WindowsError", "reveal_type", "get_ipython", "_"}
)
_BINDING_FIELDS = ("name", "arg", "rest")
"""Where nodes hold a name that they bind: definitions, handlers, parameters, patterns."""
_A_TRIAL = 2
"""A ``try`` with a broad handler that holds no more statements than these, inner ones too, may be there for names."""


def unbound_uses(source: SourceFile) -> tuple[ast.Name, ...]:
    """Return each use of such a name in the new text, in the order of the text; none with a star import.

    Raises CannotParse.
    """
    return () if has_star(source) else all_unbound_uses(source)


def has_star(source: SourceFile) -> bool:
    """Return whether a file has a star import. Raises CannotParse."""
    return any(alias.name == "*" for node in source.nodes(ast.ImportFrom) for alias in node.names)


@query
def all_unbound_uses(source: SourceFile) -> tuple[ast.Name, ...]:
    """Return what ``unbound_uses`` does, with the names that only a star import may bring. Raises CannotParse."""
    if is_open(source.tree, source.path) or is_cython(source.tree):
        return ()
    unbound = _unbound(source.text or "", source.path) | _hidden_by_classes(source)
    uses = _uses(source, unbound - _submodules(source), on_trial(source))
    increments = _increments(source)
    return tuple(sorted((*uses, *increments), key=lambda use: (use.lineno, use.col_offset))) if increments else uses


def _increments(source: SourceFile) -> tuple[ast.Name, ...]:
    """Return what ``counter += 1`` changes of the names of a module that nothing binds in another way.

    ::

        def count():
            global counter
            counter += 1
    """
    found: dict[str, list[ast.Name]] = {}
    shared = {name for node in source.nodes(ast.Global) for name in node.names}
    outside = {id(each) for each in own_nodes(source.tree.body)} if source.nodes(ast.AugAssign) else set[int]()
    for each in source.nodes(ast.AugAssign):
        if isinstance(each.target, ast.Name) and (each.target.id in shared or id(each) in outside):
            found.setdefault(each.target.id, []).append(each.target)
    found = {name: uses for name, uses in found.items() if not is_given(name, source)}
    counts = binding_counts(source.tree) if found else Counter[str]()
    found = {name: uses for name, uses in found.items() if counts[name] == len(uses)}
    quiet = quiet_nodes(source) | on_trial(source) if found else frozenset[int]()
    return tuple(use for uses in found.values() for use in uses if id(use) not in quiet and _is_global(use, source))


def _is_global(use: ast.Name, source: SourceFile) -> bool:
    """Return whether a name that a statement changes is that of the module there."""
    around = [each for each in source.functions_around(use.lineno) if each.body[0].lineno <= use.lineno]
    declared = nodes_of(around[-1], ast.Global) if around else ()
    in_class = any(use in walk(each) for each in source.nodes(ast.ClassDef)) and not around
    return not in_class and (not around or any(use.id in each.names for each in declared))


def _submodules(source: SourceFile) -> set[str]:
    """Return the names that a package gets from imports of its own modules: ``from .layers import norm`` binds both."""
    folder = source.path.rpartition("/")[0].rpartition("/")[2]
    if not source.path.endswith("/__init__.py"):
        return set()
    found = {(node.module or "").partition(".")[0] for node in source.nodes(ast.ImportFrom) if node.level == 1}
    for node in source.nodes(ast.ImportFrom):
        before, _, inner = (node.module or "").partition(f"{folder}.")
        if not node.level and (not before or before.endswith(".")):
            found.add(inner.partition(".")[0])
    return found - {""}


@query
def uses_bound_for_types_alone(source: SourceFile) -> tuple[ast.Name, ...]:
    """Return each use that runs of a name that only ``if TYPE_CHECKING:`` binds. Raises CannotParse."""
    never = [*_for_types(source)]
    if not never or has_star(source) or is_open(source.tree, source.path):
        return ()
    lines = (source.text or "").split("\n")
    for block in never:
        first, last = block[0].lineno, last_line(block[-1])
        before = lines[first - 1].encode()[: block[0].col_offset].decode()  # also ``if TYPE_CHECKING:`` itself
        lines[first - 1 : last] = [f"{before}pass", *[""] * (last - first)]
    wanted = _unbound("\n".join(lines), source.path) - _unbound(source.text or "", source.path)
    return _uses(source, wanted, {id(node) for block in never for inner in block for node in walk(inner)})


@query
def names_for_types_alone(source: SourceFile) -> frozenset[str]:
    """Return the names that ``if TYPE_CHECKING:`` binds and nothing else in the file. Raises CannotParse."""
    never = [*_for_types(source)]
    if not never or has_star(source) or is_open(source.tree, source.path):
        return frozenset()
    inside = Counter(name for block in never for one in block for node in walk(one) for name in _bound_by(node))
    counts = binding_counts(source.tree)
    return frozenset(name for name, count in inside.items() if counts[name] == count) - _KNOWN


def _for_types(source: SourceFile) -> Iterator[list[ast.stmt]]:
    """Yield the blocks that never run since their condition asks for ``TYPE_CHECKING``, in whatever form."""
    for each in source.nodes(ast.If):
        if not any(last_name(one) == "TYPE_CHECKING" for one in walk(each.test)):
            continue
        known = truth(each.test, constants_of(source.tree))
        block = each.body if known is False else each.orelse if known is True else []
        if block and block[0].col_offset > each.col_offset:  # else it is an ``elif``
            yield block


def _uses(source: SourceFile, wanted: Collection[str], aside: set[int]) -> tuple[ast.Name, ...]:
    """Return the uses of some names that run and that no scope around them binds."""
    uses = [node for node in source.nodes(ast.Name) if node.id in wanted and isinstance(node.ctx, ast.Load)]
    if not uses:
        return ()
    quiet = aside | quiet_nodes(source)
    scopes = _Scopes(source, {node.id for node in uses})
    found = [node for node in uses if id(node) not in quiet and not scopes.bind(node)]
    return tuple(sorted(found, key=start_of))


@query
def quiet_nodes(source: SourceFile) -> frozenset[int]:
    """Return the ids of the nodes that never run, or where NameError is expected. Raises CannotParse."""
    quiet = not_evaluated(source.tree, source.path) | _where_expected(source) | _short_circuited(source)
    return frozenset(quiet | _behind_an_exit(source) | _never_run(source))


def is_given(name: str, source: SourceFile) -> bool:
    """Return whether Python gives a module a name, or the import of a module of its package does."""
    return name in _KNOWN or name in _submodules(source)


def _unbound(text: str, path: str) -> set[str]:
    """Return the names that some scope reads and that no scope around it binds."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the code under review, as in python_parsing
            module = symtable.symtable(python_text(text), path, "exec")
    except SyntaxError as error:
        raise CannotParse(error.msg, error.lineno) from error
    except (ValueError, MemoryError) as error:
        raise_if_cut_short(error, text)
        raise CannotParse(str(error) or type(error).__name__) from error
    tables = [module]
    for table in tables:
        tables += table.get_children()
    doubtful = {name for table in tables for name in _of_module(table) if name not in _KNOWN}
    doubtful -= {name for name in doubtful.intersection(module.get_identifiers()) if _binds(module.lookup(name))}
    if not doubtful:
        return set()
    return doubtful - {
        name for table in tables for name in doubtful.intersection(table.get_identifiers()) if _is_set(table, name)
    }


_Lines = dict[str, set[tuple[int, int]]]
"""Name → first and last line of each scope that binds it."""


class _Scopes:
    """The scopes of a file that bind some names.

    A name that one function lacks may be a parameter of the next, or the variable of a comprehension.
    """

    def __init__(self, source: SourceFile, names: Collection[str]) -> None:
        self._binding: _Lines = {}
        self._of_classes: _Lines = {}
        self._function_at = _innermost_functions(source)
        self._closed = _closed_to_classes(source)
        for function in source.functions:
            self._add(self._binding, function, [*walk(function.args), *_own(function.body)], names)
        for short in source.nodes(ast.Lambda):
            self._add(self._binding, short, [*walk(short.args), *_own([short.body])], names)
        for kind in COMPREHENSIONS:
            for found in source.nodes(kind):
                self._add(self._binding, found, walk(found), names)
        for one in source.nodes(ast.ClassDef):
            self._add(self._of_classes, one, _own(one.body), names)

    @staticmethod
    def _add(
        to: _Lines, scope: Function | ast.ClassDef | ast.expr, inside: Iterable[ast.AST], names: Collection[str]
    ) -> None:
        for name in {each for node in inside for each in _bound_by(node)}.intersection(names):
            to.setdefault(name, set()).add(span_of(scope))

    def bind(self, use: ast.Name) -> bool:
        """Return whether a scope around a use binds its name: then another scope of the file lacks it."""
        if any(first <= use.lineno <= last for first, last in self._binding.get(use.id, ())):
            return True
        inner = self._function_at.get(use.lineno, 0)
        return id(use) not in self._closed and any(
            inner < first <= use.lineno <= last  # a method does not see its class
            for first, last in self._of_classes.get(use.id, ())
        )


def _own(body: Iterable[ast.AST]) -> list[ast.AST]:
    """Return the nodes of a scope itself; what its comprehensions go through is bound in these alone."""
    found = list(own_nodes(body))
    inner = {id(name) for each in found if isinstance(each, ast.comprehension) for name in walk(each.target)}
    return [each for each in found if id(each) not in inner]


def _closed_to_classes(source: SourceFile) -> set[int]:
    """Return the nodes of comprehensions and lambdas: they do not see what a class around them binds.

    What the first ``for`` of a comprehension goes through is evaluated outside of it.
    """
    found = {id(each) for short in source.nodes(ast.Lambda) for each in walk(short.body)}
    for made in (made for kind in COMPREHENSIONS for made in source.nodes(kind)):
        first = next(each for each in below(made) if isinstance(each, ast.comprehension))
        outside = {id(each) for each in walk(first.iter)}
        found.update(id(each) for each in walk(made) if id(each) not in outside)
    return found


def _hidden_by_classes(source: SourceFile) -> set[str]:
    """Return the names that comprehensions and lambdas read, and that the bodies of classes alone bind.

    Since Python 3.12 the symbol table of a class holds those of its comprehensions too (PEP 709), as if they saw it.
    """
    closed = _closed_to_classes(source) if source.nodes(ast.ClassDef) else set[int]()
    read = {each.id for each in source.nodes(ast.Name) if id(each) in closed and isinstance(each.ctx, ast.Load)}
    if not read:
        return set()
    held = {name for one in source.nodes(ast.ClassDef) for node in _own(one.body) for name in _bound_by(node)}
    others = {name for node in _own(source.tree.body) for name in _bound_by(node)} | _KNOWN
    return (read & held) - others - {name for each in source.nodes(ast.Global) for name in each.names}


def _innermost_functions(source: SourceFile) -> dict[int, int]:
    """Return the first line of the innermost function around each line that has one."""
    return {line: function.lineno for function in source.functions for line in lines_of(function)}


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that one node binds itself."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif not isinstance(node, ast.keyword):
        for field in _BINDING_FIELDS:
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name


def _of_module(table: symtable.SymbolTable) -> Iterable[str]:
    """Return the names that a scope takes from the module, as far as the compiler shows."""
    if isinstance(table, symtable.Function):
        return table.get_globals()
    symbols = (each for each in table.get_symbols() if not (each.is_local() or each.is_free()))
    return [each.get_name() for each in symbols if each.is_referenced()]


def _is_set(table: symtable.SymbolTable, name: str) -> bool:
    """Return whether a scope says ``global`` of a name, so that it may bind it in the module."""
    return table.lookup(name).is_declared_global()


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace() or symbol.is_annotated()


def _where_expected(source: SourceFile) -> set[int]:
    """Return the nodes below a ``try`` that expects NameError."""
    tried = (node for node in source.nodes(ast.Try) if "NameError" in _caught(node))
    return {id(each) for node in tried for statement in node.body for each in walk(statement)}


def on_trial(source: SourceFile) -> set[int]:
    """Return the nodes below a ``try`` with a broad handler around little else, which may be there for a name.

    It is not for one that the file itself imports for type checkers alone.
    """
    found: set[int] = set()
    for node in source.nodes(ast.Try):
        inside = [each for statement in node.body for each in walk(statement)]
        if "Exception" in _caught(node) and _statements(inside) <= _A_TRIAL:
            found.update(map(id, inside))
    return found


def _caught(node: ast.Try) -> str:
    return " ".join(ast.unparse(handler.type) if handler.type else "BaseException" for handler in node.handlers)


def _behind_an_exit(source: SourceFile) -> set[int]:
    """Return the nodes of statements that follow a ``return``, ``raise``, ``break`` or ``continue`` in its block."""
    exits = (ast.Return, ast.Raise, ast.Break, ast.Continue)
    found: set[int] = set()
    for block in blocks(source.tree.body):
        end = next((number for number, each in enumerate(block) if isinstance(each, exits)), len(block))
        found.update(id(each) for statement in block[end + 1 :] for each in walk(statement))
    return found


def _never_run(source: SourceFile) -> set[int]:
    """Return the nodes of branches whose condition is never true, as a test for Python 2 is."""
    constants = constants_of(source.tree)
    found: set[int] = set()
    for node in choices_of(source.tree):
        known = truth(node.test, constants)
        if known is not None:
            dead = node.orelse if known else node.body
            found.update(id(each) for part in (dead if isinstance(dead, list) else [dead]) for each in walk(part))
    return found


def _statements(nodes: list[ast.AST]) -> int:
    return sum(isinstance(each, ast.stmt) for each in nodes)


def _short_circuited(source: SourceFile) -> set[int]:
    """Return the nodes that ``and`` and ``or`` never evaluate: those behind an operand that decides each time."""
    found: set[int] = set()
    constants: Mapping[str, object] | None = None
    for node in source.nodes(ast.BoolOp):
        constants = constants_of(source.tree) if constants is None else constants
        decides = isinstance(node.op, ast.Or)
        number = next((n for n, each in enumerate(node.values) if truth(each, constants) is decides), None)
        if number is not None:
            found.update(id(each) for value in node.values[number + 1 :] for each in walk(value))
    return found
