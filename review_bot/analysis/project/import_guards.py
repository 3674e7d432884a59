"""What code around an import does about its failure: which errors it catches, and what it asks first.

::

    try: import fast                        caught: the module and its names
    except ImportError: fast = None
    except ModuleNotFoundError: ...         caught: the module; a name that it lacks is not
    except ImportError: raise               nothing is caught
    if find_spec("fast"): import fast       asked: "find_spec", "fast"
    if not find_spec("fast"): import fast   nothing is asked
    if sys.version_info < (3, 7): ...       asked: it is certainly false on a current Python
    if sys.version_info >= LEAST: ...       nothing is asked: Python's version says nothing of a module
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.completion import SWALLOWING, failing_functions, fails
from review_bot.analysis.python.conditions import (
    constant_functions,
    constants_of,
    links,
    live_blocks,
    on_newest_python,
    truth,
)
from review_bot.analysis.python.statements import first_line, last_name
from review_bot.analysis.python.syntax import bound_name, full_name, imported_names, structure
from review_bot.changes.node_index import below, nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex


class Caught(NamedTuple):
    """Which failures of an import are caught, so that code goes on."""

    module: bool = False
    name: bool = False


_ALL = frozenset({"ImportError", "Exception", "BaseException"})
_OF_MODULE = _ALL | {"ModuleNotFoundError"}
_OWNERS = frozenset({"contextlib", "pytest", "builtins", "unittest", "self", "cls"})
_OF_PYTHON = frozenset({"sys", "platform"})
"""The modules that say which Python runs."""
_ASKS_FIRST = LazyRegex(r"(?i)find_spec|avail|has_|have_|support|install|exists|importlib|internal")


class Guards:
    """The guards of one file. A name is the builtin, or what it was imported as, only if nothing else binds it."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @cached_property
    def constants(self) -> Mapping[str, object]:
        """The names that hold one constant, and the calls of functions that return one, or never return."""
        return {**constants_of(self._tree), **constant_functions(self._tree), **failing_functions(self._tree)}

    @cached_property
    def _bound(self) -> Mapping[str, int]:
        return binding_counts(self._tree)

    @cached_property
    def _imported(self) -> frozenset[str]:
        """Names that imports of the modules with context managers for errors bind, and nothing else."""
        found = {
            alias.name
            for node in nodes_of(self._tree, ast.ImportFrom)
            if not node.level and (node.module or "").partition(".")[0] in _OWNERS
            for alias in node.names
        } | {
            bound_name(alias)
            for node in nodes_of(self._tree, ast.Import)
            for alias in node.names
            if alias.name.partition(".")[0] in _OWNERS
        }
        other = {alias.asname for alias in nodes_of(self._tree, ast.alias) if alias.asname in SWALLOWING - {alias.name}}
        return frozenset(name for name in found - other if self.is_only_imported(name))

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The context managers for errors that the file gives to a module itself."""
        stored = (node for node in nodes_of(self._tree, ast.Attribute) if not isinstance(node.ctx, ast.Load))
        return frozenset(node.attr for node in stored if node.attr in SWALLOWING)

    @cached_property
    def _python(self) -> frozenset[str]:
        """The names that imports of the modules which say what Python runs bind, and of what they hold."""
        plain = (alias for node in nodes_of(self._tree, ast.Import) for alias in node.names)
        held = (a for node in nodes_of(self._tree, ast.ImportFrom) if node.module in _OF_PYTHON for a in node.names)
        return frozenset({alias.asname or alias.name for alias in (*(a for a in plain if a.name in _OF_PYTHON), *held)})

    @cached_property
    def _parameters(self) -> frozenset[str]:
        """The names that parameters alone bind: callers decide what they hold."""
        counts = Counter(each.arg for each in nodes_of(self._tree, ast.arg))
        return frozenset(name for name, count in counts.items() if self._bound[name] == count)

    def is_only_imported(self, name: str) -> bool:
        """Return whether imports alone bind a name."""
        return self._bound[name] == self._aliases[name]

    @cached_property
    def _aliases(self) -> Counter[str]:
        return Counter(map(bound_name, nodes_of(self._tree, ast.alias)))

    def tried(self, statement: ast.Try | ast.TryStar) -> Caught:
        """Return which failures of the body are caught by a handler that goes on; the first that fits decides."""
        return Caught(self.catches(statement, _OF_MODULE), self.catches(statement, _ALL))

    def catches(self, statement: ast.Try | ast.TryStar, errors: Collection[str]) -> bool:
        """Return whether the first handler for one of some errors goes on; ``errors``: each with those above it."""
        if fails(statement.finalbody, self.constants):
            return False
        for handler in statement.handlers:
            if any(self.error(each) in errors for each in self._types(handler)):
                return not fails(handler.body, self.constants)
        return False

    def _types(self, handler: ast.ExceptHandler) -> list[ast.expr | None]:
        """Return what a handler catches: also by a name to which the module gives one or several errors, once."""
        caught = handler.type
        if isinstance(caught, ast.Name) and self._bound[caught.id] == 1:
            caught = next((value for name, value in self._assigned if name == caught.id), caught)
        return [*caught.elts] if isinstance(caught, ast.Tuple) else [caught]

    @cached_property
    def _assigned(self) -> tuple[tuple[str, ast.expr], ...]:
        """The names that statements at the top level give a value, each with that."""
        pairs = ((each.targets, each.value) for each in self._tree.body if isinstance(each, ast.Assign))
        return tuple((to.id, value) for targets, value in pairs for to in targets if isinstance(to, ast.Name))

    def entered(self, statement: ast.With | ast.AsyncWith) -> Caught:
        """Return which failures of the body a ``with`` statement expects."""
        module = name = False
        for item in statement.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and self._is_swallowing(call.func):
                names = {self.error(each) for each in all_of(call.args)}
                module = module or not names.isdisjoint(_OF_MODULE)
                name = name or not names.isdisjoint(_ALL)
        return Caught(module, name)

    def error(self, expression: ast.expr | None) -> str:
        """Return the name of the builtin error that an expression surely is, or nothing; for none that of all.

        The error of a frozen ``dataclass``, which is an ``AttributeError``, is taken for one.
        """
        if expression is None:
            return "BaseException"
        if full_name(expression, imported_names(self._tree)) == "dataclasses.FrozenInstanceError":
            return "FrozenInstanceError"
        if isinstance(expression, ast.Name) and not self._bound[expression.id]:
            return expression.id
        is_builtin = (
            isinstance(expression, ast.Attribute)
            and isinstance(expression.value, ast.Name)
            and expression.value.id == "builtins"
            and "builtins" in self._imported
        )
        return last_name(expression) if is_builtin else ""

    def _is_swallowing(self, function: ast.expr) -> bool:
        """Return whether a function makes a context for errors, after which code goes on."""
        if last_name(function) not in SWALLOWING - self.replaced:
            return False
        root = function
        while isinstance(root, ast.Attribute):
            root = root.value
        return isinstance(root, ast.Name) and (
            root.id in self._imported
            or (root is not function and root.id in {"self", "cls"} and last_name(function).startswith("assert"))
        )

    def asked(self, test: ast.expr, *, holds: bool) -> tuple[str, ...] | None:
        """Return the names and strings of a condition that asks whether something is available, or in which version.

        ``holds``: for code that runs where the condition is true. None: such code never runs.
        """
        known = truth(test, self.constants)
        if known is not None:
            return () if known is holds else None
        return tuple(_asked(test, _Known(self.constants, self._python, self._parameters), holds=holds))

    def around(self, wanted: Collection[ast.AST]) -> dict[ast.AST, tuple[str, ...]]:
        """Return what all conditions around some nodes ask for; nodes that never run are left out."""
        found: dict[ast.AST, tuple[str, ...]] = {}
        lines = sorted({getattr(each, "lineno", 0) for each in wanted})
        waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(self._tree, ())] if wanted else []
        while waiting:
            node, asked = waiting.pop()
            if node in wanted:
                found[node] = asked
            if isinstance(node, ast.stmt):
                position = bisect_left(lines, first_line(node))
                if position == len(lines) or lines[position] > last_line(node):
                    continue
            if isinstance(node, (ast.If, ast.IfExp)):
                waiting.append((node.test, asked))
                for branch, holds in ((node.body, True), (node.orelse, False)):
                    more = self.asked(node.test, holds=holds)
                    if more is not None:
                        inner = branch if isinstance(branch, list) else [branch]
                        waiting += [(each, (*asked, *more)) for each in inner]
            else:
                waiting += [(each, asked) for each in below(node)]
        return found

    def live(self, statement: ast.If) -> list[list[ast.stmt]]:
        """Return the branches of an ``if`` that can run."""
        return live_blocks(statement, self.constants)


class _Known(NamedTuple):
    """What a file says of the names in its conditions.

    ``python``: those that say which Python runs. ``parameters``: those that parameters alone bind.
    """

    constants: Mapping[str, object]
    python: frozenset[str]
    parameters: frozenset[str]


def all_of(arguments: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the values of arguments, and for a tuple what it holds."""
    for each in arguments:
        yield from each.elts if isinstance(each, ast.Tuple) else (each,)


def _asked(test: ast.expr, known: _Known, *, holds: bool) -> Iterator[str]:
    """Yield what a condition asks for, if it asks on every way to where it ``holds`` (or does not).

    A string alone asks nothing, and neither does a name that holds a constant. Of Python's own version only what is
    certain counts: that the condition does not hold on a current Python. The version of what a parameter holds, such as
    a request or a model, says nothing of a module.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _asked(test.operand, known, holds=not holds)
        return
    if isinstance(test, ast.Compare) and len(test.ops) > 1:
        test = ast.BoolOp(ast.And(), links(test))
    if isinstance(test, ast.BoolOp):
        parts = [tuple(_asked(each, known, holds=holds)) for each in test.values]
        if isinstance(test.op, ast.And) is holds or all(parts):
            for part in parts:
                yield from part
        return
    on_newest = on_newest_python(test, known.constants)
    if truth(test, known.constants) is not None or on_newest is holds or _asks_nothing(test):
        return
    names = [each for each in _names(test) if each not in known.constants]
    compares = isinstance(test, ast.Compare) and any(_versions(test, known))
    if compares and on_newest is None and not known.python.isdisjoint(names) and "modules" not in names:
        compares = False
    left, says_yes = _compared_with(test)
    if not compares and isinstance(left, (ast.UnaryOp, ast.BoolOp, ast.Compare)) and left is not test:
        yield from _asked(left, known, holds=holds is says_yes)
    elif compares or (says_yes is holds and any(_ASKS_FIRST.search(each) for each in names)):
        yield from names
        yield from _strings(test)


def _versions(test: ast.expr, known: _Known) -> Iterator[str]:
    """Yield the names of versions in a condition, those aside that a parameter holds: ``self.version``."""
    of_parameters = {
        each
        for name in nodes_of(test, ast.Name)
        if name.id in known.parameters
        for each in (name, *_attributes_of(name, test))
    }
    for node in walk(test):
        word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if "version" in word.lower() and node not in of_parameters and word not in known.constants:
            yield word


def _attributes_of(name: ast.expr, test: ast.expr) -> Iterator[ast.expr]:
    """Yield the attributes that a condition reads of a name, and of those."""
    for each in nodes_of(test, ast.Attribute):
        if each.value is name:
            yield each
            yield from _attributes_of(each, test)


def _asks_nothing(test: ast.expr) -> bool:
    """Return whether what a condition asks for does not matter, or must be missing.

    ::

        f"-{find_spec(name)}"    lambda: find_spec(name)    has_fast == has_fast    find_spec(name) in (None,)
    """
    if isinstance(test, ast.Compare):
        last = test.comparators[-1]
        empty = isinstance(last, (ast.Tuple, ast.List, ast.Set)) and all(
            isinstance(each, ast.Constant) and not each.value for each in last.elts
        )
        return structure(test.left) == structure(last) or (empty and isinstance(test.ops[-1], ast.In))
    return isinstance(test, (ast.JoinedStr, ast.Lambda, ast.GeneratorExp))


def _compared_with(test: ast.expr) -> tuple[ast.expr, bool]:
    """Return what a condition compares with a constant, or itself, and whether it is true where that is.

    ::

        find_spec("fast") is not None      find_spec("fast"), True
        None is find_spec("fast")          find_spec("fast"), False
        (not has_fast) == True             not has_fast, True
        has_fast is False                  has_fast, False
    """
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return test, True
    operation, right = test.ops[0], test.comparators[0]
    if isinstance(test.left, ast.Constant) and isinstance(operation, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        return _compared_with(ast.Compare(right, [operation], [test.left]))
    is_false = isinstance(right, ast.Constant) and not right.value
    if isinstance(operation, (ast.Is, ast.Eq)):
        return test.left, not is_false
    if isinstance(operation, (ast.IsNot, ast.NotEq)):
        return test.left, is_false
    return test, not isinstance(operation, ast.NotIn)


def _strings(test: ast.expr) -> Iterator[str]:
    for node in walk(test):
        if isinstance(node, (ast.Call, ast.Compare)):
            yield from (
                each.value for each in walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )


def _names(expression: ast.expr) -> Iterator[str]:
    for node in walk(expression):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
