"""The functions, methods and constructors of a changed file whose parameters are not what they were."""

from __future__ import annotations

import ast
from typing import Literal

from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.signatures import SELF, Signature, alternatives, bound_once, signatures
from review_bot.analysis.python.statements import Function, first_line, is_function, last_name
from review_bot.analysis.python.syntax import dotted, own_nodes, structure
from review_bot.changes.codebase import query
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple

_VALUES = (
    ast.Constant, ast.JoinedStr, ast.Compare, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp,
)  # fmt: skip
_MAKE_VALUES = frozenset(
    {"len", "int", "float", "str", "bool", "sum", "abs", "round", "sorted", "list", "tuple", "dict", "set"}
)


class ChangedSignature(NamedTuple):
    """One function or method on both sides. ``line``: of its header at the head, an added one if there is one.

    ``before`` and ``after`` hold the parameters of each definition that may run, where conditions choose one.
    ``plain``: it has only well-known decorators. ``receivers``: what a call by its class passes first on each side.
    ``became``: what it is now, if only one of the sides is a property; then its parameters say nothing.
    ``freed``: it lost decorators, of which some may have changed how it was called. ``refuses_object``: no parameter
    takes the object, or the class of a class method, any more.
    """

    name: str
    line: int
    before: tuple[tuple[Parameter, ...], ...]
    after: tuple[tuple[Parameter, ...], ...]
    hollow: bool
    plain: bool
    receivers: tuple[tuple[Parameter, ...], tuple[Parameter, ...]] = ((SELF,), (SELF,))
    became: Literal["", "property", "method"] = ""
    freed: bool = False
    refuses_object: bool = False

    def by_class(self) -> ChangedSignature:
        """Return the parameters of a call by the class."""
        before, after = (
            tuple(receiver + each for each in side)
            for receiver, side in zip(self.receivers, (self.before, self.after), strict=True)
        )
        return self._replace(before=before, after=after)


@query
def changed_signatures(source: SourceFile) -> tuple[ChangedSignature, ...]:
    """Return the functions and methods that both sides have, with other parameters or for another kind of call.

    Raises CannotParse.
    """
    if not source.path.endswith(".py") or not source.text or not source.old_text:
        return ()
    if source.text == source.old_text or not (source.removed or source.added):
        return ()
    plain, old_tree = signatures(source.tree.body), source.known_old_tree
    if old_tree is None:
        return ()
    (old, new), was_plain = _both_sides(source), signatures(old_tree.body)
    found: list[ChangedSignature] = []
    for name, after in new.items():
        before = old.get(name, ())
        were, are = (tuple(each.parameters for each in side) for side in (before, after))
        other_kind = {each.binding for each in (*before, *after)} != {after[0].binding}
        refuses = any(each.takes_no_object for each in after) and not any(each.takes_no_object for each in before)
        other_kind |= refuses
        # Of a decorator that the change adds or removes, those who look for calls find out what it does.
        if before and (were != are or other_kind):
            freed = name in plain and name not in was_plain
            line = next((n for n in (_line(each, source) for each in after) if n in source.added), after[0].line)
            hollow = all(each.hollow for each in after)
            was, now = (() if form.binding == "class" else form.receiver for form in (before[0], after[0]))
            receivers = was, now
            changed = ChangedSignature(name, line, were, are, hollow, name in plain, receivers, freed=freed)
            found.append(changed._replace(refuses_object=refuses))
    return tuple(found)


def one_sided_signatures(source: SourceFile) -> tuple[ChangedSignature, ...]:
    """Return the functions and methods that only one side of a file has, each with nothing on the other side.

    The line is that of the side which has it. Raises CannotParse.
    """
    if not source.path.endswith(".py") or source.text == source.old_text:
        return ()
    old, new = _both_sides(source)
    found: list[ChangedSignature] = []
    for name, forms in (*old.items(), *new.items()):
        if (name in old) != (name in new):
            parameters, hollow = tuple(each.parameters for each in forms), all(each.hollow for each in forms)
            before, after = (parameters, ()) if name in old else ((), parameters)
            line = forms[0].line if name in old else _line(forms[0], source)
            found.append(ChangedSignature(name, line, before, after, hollow, plain=True))
    return tuple(found)


def changed_properties(source: SourceFile) -> tuple[ChangedSignature, ...]:
    """Return the methods that are properties now and return no function, and those that were properties.

    What they returned before, which callers did not call, is none. Raises CannotParse.
    """
    if not source.path.endswith(".py") or not source.text or source.text == source.old_text:
        return ()
    old, found = {} if source.known_old_tree is None else _classes(source.known_old_tree), list[ChangedSignature]()
    for owner, node in _classes(source.tree).items() if old else ():
        before = {each.name: each for each in bound_once(old[owner].body) if is_function(each)} if owner in old else {}
        for each in bound_once(node.body):
            was = before.get(each.name)
            if not is_function(each) or was is None or not (gives := _returned(each)):
                continue
            called_before, called_now = not was.decorator_list, not each.decorator_list
            is_made = called_before and _is_property(each) and (gives <= _returned(was) or _gives_values(each))
            if is_made or (called_now and _is_property(was)):
                line = next((n for n in range(first_line(each), each.lineno + 1) if n in source.added), each.lineno)
                changed = ChangedSignature(f"{owner}.{each.name}", line, (), (), hollow=False, plain=True)
                found.append(changed._replace(became="property" if is_made else "method"))
    return tuple(found)


def _is_property(function: Function) -> bool:
    return [last_name(each) for each in function.decorator_list] in (["property"], ["cached_property"])


def _returned(function: Function) -> set[str]:
    """Return what a function returns, as text."""
    return set(map(structure, _returns(function)))


def _returns(function: Function) -> list[ast.expr]:
    returns = (each for each in own_nodes(function.body) if isinstance(each, ast.Return))
    return [each.value for each in returns if each.value is not None]


def _gives_values(function: Function) -> bool:
    """Return whether all that a function returns is surely no function."""
    return all(
        isinstance(each, _VALUES) or (isinstance(each, ast.Call) and dotted(each.func) in _MAKE_VALUES)
        for each in _returns(function)
    )


def changed_classes(source: SourceFile) -> tuple[tuple[str, int], ...]:
    """Return the classes that both sides have and whose objects may be made in another way, each with a line.

    That is an added line of it at the head if there is one, else its header. Raises CannotParse.
    """
    if not source.path.endswith(".py") or not source.text or not source.old_text or source.text == source.old_text:
        return ()
    old = {} if source.known_old_tree is None else _classes(source.known_old_tree)
    found: list[tuple[str, int]] = []
    for name, node in _classes(source.tree).items():
        if name in old and _making(node) != _making(old[name]):
            lines = lines_of(node)
            found.append((name, next((line for line in lines if line in source.added), node.lineno)))
    return tuple(found)


def _making(node: ast.ClassDef) -> list[str]:
    """Return what decides on how objects of a class are made: all but the bodies of its methods."""
    parts: list[ast.AST] = [*node.decorator_list, *node.bases, *node.keywords]
    for each in node.body:
        parts += [ast.Name(each.name), each.args] if is_function(each) else [each]
    return [structure(each) for each in parts]


def _classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    return {each.name: each for each in bound_once(tree.body) if isinstance(each, ast.ClassDef)}


@query
def _both_sides(source: SourceFile) -> tuple[dict[str, tuple[Signature, ...]], dict[str, tuple[Signature, ...]]]:
    """Return the signatures at the base, and those at the head."""
    old = source.known_old_tree
    return {} if old is None else _forms(old), _forms(source.tree) if source.text else {}


def _forms(tree: ast.Module) -> dict[str, tuple[Signature, ...]]:
    """Return the signatures of each function, whatever decorates it, and of each that conditions choose."""
    alone = signatures(tree.body, lambda _decorator: True)
    return {name: (each,) for name, each in alone.items()} | alternatives(tree)


def _line(signature: Signature, source: SourceFile) -> int:
    lines = range(signature.line, signature.last + 1)
    return next((line for line in lines if line in source.added), signature.line)
