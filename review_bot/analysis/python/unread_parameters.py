"""The parameters that a function takes and does not read, as far as its own text shows.

::

    def f(a, b): return a              b
    def f(a, b): raise NotImplementedError       none: a stub
    def f(a, b): return g(**locals())  none: any may be read by name
    def f(a, b): b = b or 1; return a  b, which is read for itself alone
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from review_bot.analysis.python.bindings import reads_by_text
from review_bot.analysis.python.statements import (
    Function,
    decorator_names,
    named_parameters,
    parameter_names,
)
from review_bot.analysis.python.syntax import is_name
from review_bot.changes.node_index import nodes_of
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex

SAID = LazyRegex(r"(?i)unused|ignored?\b|deprecat|compat|not used|no longer|reserved|placeholder|noqa: ?ARG|W0613")
"""What code says of parameters that are not read on purpose."""

PLAIN_BASES = frozenset({"object", "nn.Module", "torch.nn.Module", "ABC", "abc.ABC"})
"""Bases that decide no parameters of the methods below them."""
_COPIED = LazyRegex(r"(?i)patch")

_LEAVES_PARAMETERS = frozenset({"classmethod", "inference_mode", "no_grad", "staticmethod"})
_LEAVES_METHODS = frozenset({
    "attrs", "dataclass", "define", "final", "frozen", "support_torch_compile", "total_ordering",
})  # fmt: skip
_LOOKING = frozenset({"abs", "bool", "float", "int", "isinstance", "len", "max", "min", "round", "str"})


def parameters(function: Function) -> set[str]:
    """Return the named parameters of a function that are not private."""
    each = named_parameters(function)
    return {one.arg for one in each if not one.arg.startswith("_") and one.arg not in {"self", "cls"}}


def read(function: Function) -> set[str]:
    """Return the names that the body of a function mentions; all of its parameters if it may read any by name."""
    if any(map(reads_by_text, nodes_of(function, ast.Call))):
        return set(parameter_names(function))
    return {each.id for each in nodes_of(function, ast.Name) if not isinstance(each.ctx, ast.Store)}


def read_for_itself(function: Function) -> set[str]:
    """Return the names that a function reads in nothing but assignments to them, and passes to nothing on the way."""
    reads = Counter(each.id for each in nodes_of(function, ast.Name) if not isinstance(each.ctx, ast.Store))
    own: Counter[str] = Counter()
    for statement in nodes_of(function, ast.Assign):
        target = statement.targets[0]
        if len(statement.targets) == 1 and isinstance(target, ast.Name) and target.id in reads:
            own[target.id] += sum(is_name(each, target.id) for each in _operands(statement.value))
    return {name for name, times in own.items() if times == reads[name]}


def _operands(value: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of an expression that reach no function but some builtins, which only look at them."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.BoolOp(values=parts):
                waiting += parts
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                waiting += [test, body, otherwise]
            case ast.BinOp(left=left, right=right):
                waiting += [left, right]
            case ast.Compare(left=left, comparators=others):
                waiting += [left, *others]
            case ast.UnaryOp(operand=operand):
                waiting.append(operand)
            case ast.Call(func=ast.Name(id=name), args=given) if name in _LOOKING:
                waiting += given


def is_on_purpose(function: Function, lines: Sequence[str]) -> bool:
    """Return whether a function says that it leaves parameters unread; ``lines``: those of its file."""
    return SAID.search("\n".join(lines[function.lineno - 1 : function.end_lineno])) is not None


def is_decorated(function: Function) -> bool:
    """Return whether a decorator may decide the parameters."""
    return not decorator_names(function) <= _LEAVES_PARAMETERS


def is_registered(owner: ast.ClassDef) -> bool:
    """Return whether a decorator of a class may give it to what makes its objects or calls its methods."""
    return not decorator_names(owner) <= _LEAVES_METHODS


def is_copied(path: str) -> bool:
    """Return whether the functions of a file copy or replace others, whose parameters they have, by its path."""
    return _COPIED.search(path) is not None or is_vendored(path)


def used_as_values(tree: ast.Module) -> frozenset[str]:
    """Return the names that a file uses for something else than a call: a function may be passed to what calls it."""
    called = {id(each.func) for each in nodes_of(tree, ast.Call)}
    names = {each.id for each in nodes_of(tree, ast.Name) if id(each) not in called and isinstance(each.ctx, ast.Load)}
    return frozenset(names | {each.attr for each in nodes_of(tree, ast.Attribute) if id(each) not in called})
