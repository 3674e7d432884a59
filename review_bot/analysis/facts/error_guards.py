"""Where the code of one file expects an error of a call or a read, so that it is no mistake if that fails.

::

    try: load()                             an error of ``load`` is caught by the first handler that fits,
    except TypeError: load(1)               unless that fails too
    with pytest.raises(TypeError): load()   it is expected
    with pytest.raises(expected): load()    it may be: what a variable holds is not known
    with suppress(KeyError): load()         it is not, and neither by a class of the project, even one below TypeError
    @pytest.mark.skipif(OLD, reason="")     the function may not run
    @pytest.mark.skipif(False, reason="")   it does
    @pytest.mark.skip() def load(): ...     it is no test, so the mark does nothing
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import cached_property

from review_bot.analysis.facts.passing_decorators import hands_on
from review_bot.analysis.project.import_guards import Guards, all_of
from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.project.skipped_imports import only_imported
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.completion import SWALLOWING
from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.statements import Function, functions_of, last_name, root_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import nodes_of, walk
from review_bot.text.lazy_regex import LazyRegex

_SKIPS = LazyRegex(r"(?i)(?:\A|[._])(?:skip|xfail|expectedFailure)")
_SAYS_SKIP = LazyRegex(r"(?i)skip|xfail|expectedFailure")
_OF_TESTS = frozenset({"contextlib", "unittest"})
"""The modules of the standard library with contexts for errors, and with decorators that skip."""
_CLASS = LazyRegex(r"_*[A-Z]+[a-z]\w*")
_MARKS = frozenset({"mark", "expectedFailure"})
"""What the names of decorators hold that do nothing by themselves: pytest's and one of unittest's."""

_DEEPEST = 4


class ErrorGuards:
    """The guards of one file. ``errors``: names of builtin errors, each with those above it."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree, self._guards = tree, Guards(tree)
        self._held: dict[tuple[str, frozenset[str]], bool] = {}

    def catches(self, statement: ast.Try | ast.TryStar, errors: frozenset[str]) -> bool:
        """Return whether a ``try`` goes on after one of some errors in its body."""
        return self._guards.catches(statement, errors)

    def may_expect(self, context: ast.expr, errors: frozenset[str]) -> bool:
        """Return whether a ``with`` is for one of some errors, or for one that may be any."""
        known = SWALLOWING.difference(self._guards.replaced, self._functions)
        if not isinstance(context, ast.Call) or last_name(context) not in known:
            return False
        if not self._may_be_of_library(context.func) or self._true_name(context.func) not in SWALLOWING:
            return False
        named = [each.value for each in context.keywords if each.arg in {None, "expected_exception"}]
        return any(self._may_be(each, errors) for each in all_of([*context.args, *named]))

    def may_be_skipped(self, function: Function, errors: frozenset[str]) -> bool:
        """Return whether a decorator may skip a function, or expects one of some errors of it.

        Marks are read on tests alone, whose names begin with ``test`` unless a project says otherwise.
        """
        is_test = "test" in function.name.lower()
        decorators = (each for each in function.decorator_list if is_test or not self._is_mark(each))
        return any(self._may_skip(each, errors) for each in decorators)

    def _is_mark(self, decorator: ast.expr) -> bool:
        """Return whether a decorator only marks a function for those who run tests, by whatever name it is held."""
        name = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        for _ in range(_DEEPEST):
            root, _, rest = name.partition(".")
            value = self._values.get(root)
            held = None if value is None else dotted(value.func if isinstance(value, ast.Call) else value)
            if held is None:
                break
            name = f"{held}.{rest}"
        root, _, rest = name.partition(".")
        return not _MARKS.isdisjoint(f"{self._imported.get(root, root)}.{rest}".split("."))

    def _may_skip(self, decorator: ast.expr, errors: frozenset[str], depth: int = 0) -> bool:
        """Return whether a decorator may skip a test, or expect one of some errors of it."""
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = dotted(function) or ""
        if name in self._values and depth < _DEEPEST:
            return _SKIPS.search(name) is not None and self._may_skip(self._values[name], errors, depth + 1)
        if not _SKIPS.search(name) or not self._may_be_of_library(function):
            return False
        return not isinstance(decorator, ast.Call) or self._may_skip_under(decorator, errors)

    def _may_skip_under(self, decorator: ast.Call, errors: frozenset[str]) -> bool:
        """Return whether the arguments of a decorator let it skip a test, or expect one of some errors."""
        name = last_name(decorator).lower()
        given = {each.arg: each.value for each in decorator.keywords}
        condition = given.get("condition", decorator.args[0] if decorator.args else None)
        known = None if condition is None else truth(condition, self._guards.constants)
        if name in {"skipif", "skipunless", "xfail"} and known is (name == "skipunless"):
            return False
        expected = given.get("raises") if name == "xfail" else None
        return expected is None or any(self._may_be(each, errors) for each in all_of([expected]))

    def _may_be(self, error: ast.expr, errors: frozenset[str], depth: int = 0) -> bool:
        """Return whether an expression may hold one of some errors: no class that is written as one catches them."""
        if isinstance(error, ast.Starred):
            written = error.value.elts if isinstance(error.value, (ast.Tuple, ast.List, ast.Set)) else [error.value]
            return any(self._may_be(each, errors, depth) for each in written)
        name, root = self._guards.error(error), root_name(error)
        if name in errors or depth == _DEEPEST:
            return True
        if isinstance(error, ast.Name) and root in self._values:
            if (root, errors) not in self._held:
                held = all_of([self._values[root]])
                self._held[root, errors] = any(self._may_be(each, errors, depth + 1) for each in held)
            return self._held[root, errors]
        is_class = _CLASS.fullmatch(last_name(error)) is not None and not isinstance(error, ast.Call)
        if root in self._classes or (root in self._imported and is_class) or self._is_standard(root):
            return False
        return not isinstance(error, ast.Constant) and not hasattr(builtins, name)

    def _is_standard(self, name: str) -> bool:
        return is_standard(self._imported.get(name, "").partition(".")[0])

    def _may_be_of_library(self, expression: ast.expr, depth: int = 0) -> bool:
        """Return whether an expression begins with what is neither defined here nor of a module that makes no guards.

        A function of the file that names what skips is taken for one of a library.
        """
        root = root_name(expression)
        if root in self._functions:
            return root in self._skipping
        if root in self._values and depth < _DEEPEST:
            return self._may_be_of_library(self._values[root], depth + 1)
        top = self._imported.get(root, "").partition(".")[0]
        return bool(root) and root not in self._classes and (top in _OF_TESTS or not is_standard(top))

    def _true_name(self, expression: ast.expr, depth: int = 0) -> str:
        """Return the last part of the name that what an expression names has where it is defined."""
        if isinstance(expression, ast.Name) and depth < _DEEPEST:
            if expression.id in self._values:
                return self._true_name(self._values[expression.id], depth + 1)
            return self._imported.get(expression.id, expression.id).rpartition(".")[2]
        return last_name(expression)

    @cached_property
    def _imported(self) -> dict[str, str]:
        return only_imported(self._tree)

    @cached_property
    def _values(self) -> dict[str, ast.expr]:
        """What each name stands for that one assignment binds, and nothing else in the file."""
        bound = binding_counts(self._tree)
        assigned = (
            (each.targets[0], each.value) for each in nodes_of(self._tree, ast.Assign) if len(each.targets) == 1
        )
        return {one.id: value for one, value in assigned if isinstance(one, ast.Name) and bound[one.id] == 1}

    @cached_property
    def _skipping(self) -> frozenset[str]:
        """The functions of the file whose name and text say that they may skip what they decorate."""
        named = [each for name, each in self._functions.items() if name.lower().startswith("skip")]
        return frozenset(
            each.name
            for each in named
            if (nodes_of(each, ast.ExceptHandler) or not (hands_on(each, made=False) or hands_on(each, made=True)))
            and any(_SAYS_SKIP.search(word) for inner in each.body for word in _words(inner))
        )

    @cached_property
    def _classes(self) -> dict[str, ast.ClassDef]:
        return {each.name: each for each in nodes_of(self._tree, ast.ClassDef)}

    @cached_property
    def _functions(self) -> dict[str, Function]:
        return {each.name: each for each in functions_of(self._tree)}


def _words(code: ast.AST) -> Iterator[str]:
    for node in walk(code):
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield node.id if isinstance(node, ast.Name) else node.attr
