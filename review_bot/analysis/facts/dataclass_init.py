"""The ``__init__`` that ``dataclasses.dataclass`` writes for a class.

::

    @dataclass
    class Base:
        size: int                              required
        name: str = ""                         has a default
        KIND: ClassVar[str] = "a"              no parameter
        _: KW_ONLY                             what follows is passed by keyword
        cache: dict = field(init=False)        no parameter

The default of a field is what its class has under its name in the end, which a base, a property or a later line may
have set, or ``del`` may have removed.

Source: https://docs.python.org/3/library/dataclasses.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.signatures import SELF, Signature
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.conditions import constants_of, live_blocks
from review_bot.analysis.python.statements import is_definition, statements
from review_bot.analysis.python.syntax import full_name, imported_names, keyword, text_of, unpacks
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_NEUTRAL = frozenset({
    "typing.final", "typing_extensions.final", "typing.runtime_checkable", "typing_extensions.runtime_checkable",
    "functools.total_ordering",
})  # fmt: skip
"""Decorators that return the class with the ``__init__`` that it has."""

_QUOTED = LazyRegex(r"[\w.]+")
"""What ``dataclasses`` reads of an annotation that is a string, without its blanks."""


def is_dataclass(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether the ``dataclass`` of the standard library alone decides on the ``__init__`` of a class."""
    return _decorator(node, tree) is not None and len(deciding(node, tree)) == 1


def deciding(node: ast.ClassDef, tree: ast.Module) -> list[ast.expr]:
    """Return the decorators of a class that may affect its ``__init__``."""
    return [each for each in node.decorator_list if _named(each, tree) not in _NEUTRAL]


def dataclass_switch(node: ast.ClassDef, tree: ast.Module, name: str) -> bool | None:
    """Return a truth value that the ``dataclass`` of a class is given, False if it is not; None: it is not written."""
    decorator = _decorator(node, tree)
    if not isinstance(decorator, ast.Call):
        return False
    return None if unpacks(decorator) else _switch(decorator, name, default=False)


def _decorator(node: ast.ClassDef, tree: ast.Module) -> ast.expr | None:
    return next((each for each in node.decorator_list if _named(each, tree) == "dataclasses.dataclass"), None)


def _named(expression: ast.expr, tree: ast.Module) -> str | None:
    """Return the full name of what an expression means, calls, and for an annotation its arguments, left out."""
    while isinstance(expression, (ast.Call, ast.Subscript)):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return full_name(expression, imported_names(tree))


class Fielded(NamedTuple):
    """A class and the file that it is in."""

    node: ast.ClassDef
    tree: ast.Module


def init_signature(chain: Iterable[Fielded]) -> Signature | None:
    """Return the signature of the ``__init__`` of a class; None: the text does not show all of it.

    ``chain``: its bases, the farthest first, and the class itself last. Those without ``dataclass`` make no fields.
    """
    fields, node = _Fields(), None
    for node, tree in chain:
        if not fields.add(node, tree):
            return None
    if node is None:
        return None
    ordered = sorted(fields.parameters.values(), key=lambda each: each.kind == "keyword")
    lines = [last_line(each) for each in node.body if isinstance(each, ast.AnnAssign)]
    last = max(lines, default=node.lineno)
    name = f"{node.name}.__init__"
    return Signature(name, node.lineno, last, tuple(ordered), "method", hollow=False, receiver=(SELF,))


class _Fields:
    """The parameters that the fields of some classes make, and what these classes have under a name."""

    def __init__(self) -> None:
        self.parameters: dict[str, Parameter] = {}
        self._attributes: set[str] = set()

    def add(self, node: ast.ClassDef, tree: ast.Module) -> bool:
        """Add the fields of one class; return whether all of them are certain."""
        body, doubtful = list(_running(node.body, tree)), set[str]()
        fields = [each for each in body if isinstance(each, ast.AnnAssign)]
        own: set[str] = set()
        for each in body:
            if isinstance(each, ast.AnnAssign):
                own |= bound_names([each]) if each.value is not None else set()
            elif isinstance(each, ast.Delete):
                own -= bound_names([each])
            elif is_definition(each) or isinstance(each, (ast.Assign, ast.Import, ast.ImportFrom)):
                own |= bound_names([each])
            else:
                doubtful |= bound_names([each])
                if any(isinstance(inner, ast.AnnAssign) for inner in statements([each], into_definitions=False)):
                    return False
        decorator = _decorator(node, tree)
        if decorator is None:
            self._attributes |= own
            return not doubtful
        if any(ast.unparse(each.target) in doubtful for each in fields):
            return False
        arguments = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
        by_keyword = _switch(arguments, "kw_only", default=False)
        if unpacks(arguments) or by_keyword is None or _switch(arguments, "init", default=True) is not True:
            return False
        for each in fields:
            if _annotates(each.annotation, "KW_ONLY", "dataclasses", tree):
                by_keyword = True
            elif not self._add_field(each, own, tree, by_keyword=by_keyword):
                return False
        self._attributes |= own
        return True

    def _add_field(self, statement: ast.AnnAssign, own: set[str], tree: ast.Module, *, by_keyword: bool) -> bool:
        name = ast.unparse(statement.target)
        value = statement.value if name in own else None
        takes: bool | None = True
        has_default = name in own or name in self._attributes
        if isinstance(value, ast.Call) and _named(value, tree) == "dataclasses.field":
            takes, keyword_only = _switch(value, "init", default=True), _switch(value, "kw_only", default=by_keyword)
            if unpacks(value) or takes is None or keyword_only is None:
                return False
            by_keyword = keyword_only
            default, factory = (_default(keyword(value, each), tree) for each in ("default", "default_factory"))
            has_default = default or factory
            self._attributes.discard(name)
            if not default:  # ``dataclass`` takes what is no default from the class
                own.discard(name)
        elif value is not None and not _default(value, tree):
            has_default = False
        if any(_annotates(statement.annotation, "ClassVar", each, tree) for each in ("typing", "typing_extensions")):
            return True
        if takes:
            self.parameters[name] = Parameter(name, "keyword" if by_keyword else "either", not has_default)
        else:
            self.parameters.pop(name, None)
        return True


def _running(body: list[ast.stmt], tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a class, with those below conditions that the text decides."""
    for each in body:
        live = live_blocks(each, constants_of(tree)) if isinstance(each, ast.If) else []
        if len(live) == 1:
            yield from _running(live[0], tree)
        else:
            yield each


def _default(value: ast.expr | None, tree: ast.Module) -> bool:
    """Return whether a value is a default: ``MISSING`` is none."""
    return value is not None and _named(value, tree) != "dataclasses.MISSING"


def _annotates(annotation: ast.expr, name: str, module: str, tree: ast.Module) -> bool:
    """Return whether an annotation is the one of a module that has a meaning for ``dataclass``."""
    quoted = _QUOTED.match("".join((text_of(annotation) or "").split()))
    if quoted is None:
        return _named(annotation, tree) == f"{module}.{name}"
    first, dot, rest = quoted[0].partition(".")
    return f"{imported_names(tree).get(first, first)}{dot}{rest}" == f"{module}.{name}"


def _switch(call: ast.Call, name: str, *, default: bool) -> bool | None:
    """Return a truth value that a call passes, or None if it is not written out."""
    value = keyword(call, name)
    if value is None:
        return default
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None
