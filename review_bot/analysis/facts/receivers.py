"""Which name in a method is its object or its class, by the decorators and parameters of the method.

::

    def f(self): self.x          the object
    @classmethod
    def f(self): self.x          the class, whatever it is called
    def f(query): query.x        neither: the class serves as a name space
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.python.statements import Function, is_function, last_name, positional_parameters
from review_bot.analysis.python.syntax import dotted, is_name
from review_bot.changes.node_index import nodes_of

_RECEIVERS = frozenset({"self", "_self", "cls", "_cls", "klass", "mcs", "mcls", "metacls", "this"})


def owner_of(scopes: tuple[Scope, ...]) -> tuple[ast.ClassDef, Function] | None:
    """Return the top-level class and the method of it that surround a place."""
    if len(scopes) < 2 or not isinstance(scopes[0], ast.ClassDef) or not is_function(scopes[1]):
        return None
    inner = scopes[2:]
    first = receiver(scopes[1])
    if any(isinstance(each, ast.ClassDef) or first in {a.arg for a in each.args.args} for each in inner):
        return None
    return scopes[0], scopes[1]


def receiver(method: Function) -> str | None:
    """Return the name of the parameter that gets the object or class; None if none looks like it.

    A function of a class that serves as a name space has none, and calls name the class.
    """
    if any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in method.decorator_list):
        return None
    positional = positional_parameters(method)
    return positional[0].arg if positional and positional[0].arg in _RECEIVERS else None


def is_the_class(value: ast.expr, method: Function) -> bool:
    """Return whether a name is the first parameter of a class method, whatever it is called: the class itself."""
    decorated = any(isinstance(each, ast.Name) and each.id == "classmethod" for each in method.decorator_list)
    gets_class = decorated or method.name in {"__new__", "__init_subclass__", "__class_getitem__"}
    return gets_class and isinstance(value, ast.Name) and value.id == receiver(method)


def is_own_class(function: ast.expr, method: Function) -> bool:
    """Return whether a method calls the class of its object: ``cls``, ``type(self)`` or ``self.__class__``."""
    if isinstance(function, ast.Name):
        return is_the_class(function, method)
    value = function.value if isinstance(function, ast.Attribute) and function.attr == "__class__" else None
    if isinstance(function, ast.Call) and is_name(function.func, "type") and len(function.args) == 1:
        value = None if function.keywords else function.args[0]
    is_object = isinstance(value, ast.Name) and value.id == receiver(method) and not is_the_class(value, method)
    attributes = nodes_of(method, ast.Attribute) if is_object else []
    return is_object and not any(each.attr == "__class__" and isinstance(each.ctx, ast.Store) for each in attributes)


def is_super(value: ast.expr, owner: ast.ClassDef, method: Function) -> bool:
    """Return whether an expression is ``super()``, or the same with the class and the object written out."""
    if not isinstance(value, ast.Call) or last_name(value) != "super":
        return False
    return not value.args or [dotted(each) for each in value.args] == [owner.name, receiver(method)]
