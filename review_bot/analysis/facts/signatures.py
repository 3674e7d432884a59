"""The functions and methods of a module by their parameters, and whether a call still fits them.

::

    def f(a, b=1, *, c): ...
    f(1, c=2)           fits
    f(1, 2, 3, c=4)     passes 3 positional arguments, but only 2 are accepted
    f(1)                does not pass `c`
    f(*rest, d=1)       passes the unknown keyword `d`; what `*rest` holds is not judged
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal

from review_bot.analysis.facts.interface import Parameter, parameters_of
from review_bot.analysis.python.conditions import constants_of, live_blocks, truth
from review_bot.analysis.python.statements import Function, inner_blocks, is_definition, is_function, is_stub, last_name
from review_bot.analysis.python.syntax import dotted, text_of
from review_bot.changes.node_index import below, kept_on_node, nodes_of
from review_bot.records import NamedTuple

Binding = Literal["function", "method", "static", "class"]


class Signature(NamedTuple):
    """A function or method that is called by its own parameters. Lines are 1-based; ``last`` ends its header.

    ``name`` is qualified (``Class.method``), ``parameters`` are without ``self`` and ``cls``. ``hollow``: its body does
    nothing, or only raises ``NotImplementedError``, so that another one may stand for it; an ``__init__`` is none.
    ``receiver``: the parameter for the object, which a call of the method by its class has to pass, or for the class.
    """

    name: str
    line: int
    last: int
    parameters: tuple[Parameter, ...]
    binding: Binding
    hollow: bool
    receiver: tuple[Parameter, ...] = ()

    @property
    def by_class(self) -> tuple[Parameter, ...]:
        """The parameters of a call by the class: ``Cache.get(cache, key)``."""
        return self.parameters if self.binding == "class" else self.receiver + self.parameters

    @property
    def takes_no_object(self) -> bool:
        """Whether it is a method without a place for the object, so that only a call by its class can succeed.

        A class method without a place for the class cannot be called at all.
        """
        is_method = self.binding in {"method", "class"}
        return is_method and not self.receiver and all(each.kind != "*" for each in self.parameters)


class CallForm(NamedTuple):
    """How a call hands over its arguments. ``starred`` and ``unpacked``: it has ``*args`` and ``**kwargs``."""

    positional: int
    keywords: tuple[str, ...]
    starred: bool
    unpacked: bool

    def without_first(self) -> CallForm:
        """Return the form without its first argument by position: the object of a method that a class is asked for."""
        return self._replace(positional=max(0, self.positional - 1))


_TRANSPARENT = frozenset({
    "staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod", "override", "typing.override",
    "typing_extensions.override", "final", "typing.final", "torch.compile", "lru_cache", "cache",
    "functools.lru_cache", "functools.cache", "contextmanager", "asynccontextmanager", "contextlib.contextmanager",
    "contextlib.asynccontextmanager",
})  # fmt: skip
"""Decorators that leave the parameters as they are."""

_OF_GRADIENTS = frozenset({"enable_grad", "inference_mode", "no_grad"})
"""So do those of torch, whatever the module is called."""


_OF_CLASSES = frozenset({"__class_getitem__", "__init_subclass__"})
"""Methods that are class methods without a decorator."""

_NEVER = {"TYPE_CHECKING": False, "typing.TYPE_CHECKING": False}

SELF = Parameter("self", "positional", required=True)

Keeps = Callable[[ast.expr], bool]
"""Returns whether a decorator leaves the parameters of a function as they are."""


def _keeps_none(_decorator: ast.expr) -> bool:
    return False


def signatures(body: list[ast.stmt], keeps: Keeps = _keeps_none) -> dict[str, Signature]:
    """Return the functions of a module and the methods of its classes by qualified name, private ones too.

    A name that is bound more than once is left out, and so is what a decorator may change.
    ``keeps``: whether a decorator besides the well-known ones does not.
    """
    found: dict[str, Signature] = {}
    for statement in bound_once(body):
        if isinstance(statement, ast.ClassDef):
            for inner in bound_once(statement.body, surely=bool(statement.bases)):
                if is_function(inner) and (signature := _signature(inner, f"{statement.name}.", keeps)) is not None:
                    found[signature.name] = signature
        elif is_function(statement) and (signature := _signature(statement, "", keeps)) is not None:
            found[signature.name] = signature
    return found


def alternatives(tree: ast.Module) -> dict[str, tuple[Signature, ...]]:
    """Return the functions that a module defines only under conditions or in ``try``, in each form that may run."""
    if not any(isinstance(each, (ast.If, ast.Try, ast.TryStar)) for each in tree.body):
        return {}
    constants = constants_of(tree)
    bound: dict[str, int] = {}
    found: dict[str, list[Signature | None]] = {}

    def collect(body: list[ast.stmt], *, inner: bool) -> None:
        for statement in body:
            if isinstance(statement, ast.If):
                for block in live_blocks(statement, constants):
                    collect(block, inner=True)
            elif isinstance(statement, (ast.Try, ast.TryStar)):
                parts = [statement.body, statement.orelse, statement.finalbody]
                for block in (*parts, *(handler.body for handler in statement.handlers)):
                    collect(block, inner=True)
            else:
                for name in binders(statement):
                    bound[name] = bound.get(name, 0) + 1
                if inner and is_function(statement):
                    found.setdefault(statement.name, []).append(_signature(statement, "", _keeps_none))

    collect(tree.body, inner=False)
    shared = {name for node in nodes_of(tree, ast.Global) for name in node.names}
    known = {name: tuple(each for each in forms if each is not None) for name, forms in found.items()}
    return {name: forms for name, forms in known.items() if len(forms) == bound[name] and name not in shared}


def signature_of_lambda(name: str, function: ast.Lambda) -> Signature:
    """Return the signature of a lambda that a name stands for."""
    parameters = parameters_of(function, skip_first=False)
    return Signature(name, function.lineno, function.lineno, parameters, "function", hollow=False)


def form_of(call: ast.Call) -> CallForm:
    """Return how a call hands over its arguments; ``*(1, *[2])`` is ``1, 2``, and ``**{"a": 1}`` is ``a=1``."""
    arguments = [one for each in call.args for one in _written_out(each)]
    starred = [each for each in arguments if isinstance(each, ast.Starred)]
    keywords: list[str] = []
    unpacked = False
    for each in call.keywords:
        written = [each.arg] if each.arg is not None else _written_keys(each.value)
        unpacked = unpacked or written is None
        keywords += written or []
    return CallForm(len(arguments) - len(starred), tuple(keywords), bool(starred), unpacked)


def _written_out(argument: ast.expr) -> list[ast.expr]:
    """Return the values that ``*(1, *[2])``, ``*{3}`` or ``*"45"`` hands over, or an argument as it is."""
    found: list[ast.expr] = []
    waiting = [argument]
    while waiting:
        each = waiting.pop()
        values = each.value if isinstance(each, ast.Starred) else None
        if isinstance(values, (ast.Tuple, ast.List)):
            waiting += reversed(values.elts)
        elif (text := text_of(values)) is not None:
            found += map(ast.Constant, text)
        elif isinstance(values, ast.Constant) and isinstance(values.value, bytes):
            found += map(ast.Constant, values.value)
        elif (distinct := _distinct(values)) is not None:
            found += distinct
        else:
            found.append(each)
    return found


def _distinct(node: ast.expr | None) -> list[ast.expr] | None:
    """Return what a set or a dictionary of constants iterates over, or None."""
    members = node.elts if isinstance(node, ast.Set) else node.keys if isinstance(node, ast.Dict) else [None]
    found = [each.value for each in members if isinstance(each, ast.Constant)]
    return [ast.Constant(each) for each in set(found)] if len(found) == len(members) else None


def _written_keys(node: ast.expr) -> list[str] | None:
    """Return the keys of a dictionary that is written out, or None; ``**`` in it may add those of another one."""
    found: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Call) and dotted(each.func) == "dict" and not each.args:
            names = [keyword.arg for keyword in each.keywords]
            inner = [keyword.value for keyword in each.keywords if keyword.arg is None]
        elif isinstance(each, ast.Dict):
            names = [text_of(key) for key in each.keys if key is not None]
            inner = [value for key, value in zip(each.keys, each.values, strict=True) if key is None]
            if None in names:
                return None
        else:
            return None
        found += [name for name in names if name is not None]
        waiting += inner
    return found


def misfit(form: CallForm, parameters: tuple[Parameter, ...]) -> str | None:
    """Return in words why a call of this form surely fails, or None."""
    by_place = [each for each in parameters if each.kind in {"positional", "either"}]
    kinds = {each.kind for each in parameters}
    if "**" not in kinds:
        known = {each.name for each in parameters if each.kind in {"either", "keyword"}}
        if unknown := [name for name in form.keywords if name not in known]:
            lacking = _lacking(form, parameters, by_place)
            instead = f" and does not pass {_listed(lacking)}" if lacking else ""
            return f"passes the unknown keyword argument{'s' if len(unknown) > 1 else ''} {_listed(unknown)}{instead}"
    if "*" not in kinds and form.positional > len(by_place):
        many = "1 positional argument" if form.positional == 1 else f"{form.positional} positional arguments"
        taken = {0: "none is", 1: "only 1 is"}.get(len(by_place), f"only {len(by_place)} are")
        return f"passes {many}, but {taken} accepted"
    filled = {each.name for each in by_place[: form.positional] if each.kind == "either"}
    if twice := [name for name in form.keywords if name in filled]:
        return f"passes {_listed(twice)} twice"
    lacking = _lacking(form, parameters, by_place)
    return f"does not pass {_listed(lacking)}" if lacking else None


def _lacking(form: CallForm, parameters: tuple[Parameter, ...], by_place: list[Parameter]) -> list[str]:
    """Return the required parameters that a call surely does not pass. ``by_place``: those it may pass by position."""
    if form.unpacked:
        return []
    rest = [] if form.starred else by_place[form.positional :]
    wanted = [*rest, *(each for each in parameters if each.kind == "keyword")]
    return [each.name for each in wanted if each.required and each.name not in form.keywords]


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def bound_once(body: list[ast.stmt], *, surely: bool = False) -> Iterator[Function | ast.ClassDef]:
    """Yield the definitions of a block, and of blocks in it that may run, whose name nothing else in it binds.

    ``surely``: only of blocks that run whatever happens, as where something outside may give the name as well; a star
    import may.
    """
    count = Counter(name for statement in body for name in binders(statement))
    definitions = list(_definitions(body, surely=surely or bool(count["*"])))
    hollow = {each for each in definitions if _is_overload(each)}
    count.subtract(each.name for each in hollow)
    yield from (each for each in definitions if count[each.name] == 1 and each not in hollow)


def _definitions(body: list[ast.stmt], *, surely: bool) -> Iterator[Function | ast.ClassDef]:
    """Yield the definitions in a block and below it, except where the text shows that it never runs."""
    for statement in body:
        if is_definition(statement):
            yield statement
            continue
        if isinstance(statement, ast.Assign):
            if (made := tuple_class(statement)) is not None:
                yield made
            continue
        blocks = list(inner_blocks(statement))
        if isinstance(statement, ast.If):
            blocks = live_blocks(statement, _NEVER)
            blocks = blocks if len(blocks) == 1 or not surely else []
        elif surely:
            blocks = [statement.body] if isinstance(statement, (ast.With, ast.AsyncWith, ast.Try, ast.TryStar)) else []
        for block in blocks:
            yield from _definitions(block, surely=surely)


def tuple_class(statement: ast.Assign) -> ast.ClassDef | None:
    """Return the class that ``Point = namedtuple("Point", "x y")`` makes, as one that inherits from the call."""
    is_made = isinstance(statement.value, ast.Call) and last_name(statement.value) in {"namedtuple", "NamedTuple"}
    made = _tuple_class(statement) if is_made and isinstance(statement.targets[0], ast.Name) else None
    return made if isinstance(made, ast.ClassDef) else None


@kept_on_node
def _tuple_class(statement: ast.Assign) -> ast.stmt:
    header = f"class {last_name(statement.targets[0])}({ast.unparse(statement.value)}):"
    made = ast.increment_lineno(ast.parse(f"{header}\n    __slots__ = ()").body[0], statement.lineno - 1)
    for each in (made, *getattr(made, "bases", ())):
        each.end_lineno = statement.end_lineno
    return made


def binders(statement: ast.stmt, *, imports: bool = True) -> Iterator[str]:
    """Yield the names that a statement, with what is below it, may bind; those of inner scopes aside.

    What never runs binds nothing, and neither does an annotation alone.
    """
    if is_definition(statement):
        yield statement.name
        return
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        if imports:
            for alias in statement.names:
                yield alias.asname or alias.name.partition(".")[0]
        return
    if isinstance(statement, ast.AnnAssign) and statement.value is None and isinstance(statement.target, ast.Name):
        return
    dead: set[ast.AST] = set()
    if isinstance(statement, ast.If) and (known := truth(statement.test, _NEVER)) is not None:
        dead.update(statement.orelse if known else statement.body)
    for node in ast.iter_child_nodes(statement):
        if node in dead:
            continue
        if isinstance(node, ast.stmt):
            yield from binders(node, imports=imports)
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            if isinstance(node, ast.ExceptHandler) and node.name:
                yield node.name
            if isinstance(node, ast.match_case):
                yield from _stored_by(node.pattern)
                yield from _stored_by(node.guard) if node.guard is not None else ()
            for inner in node.body:
                yield from binders(inner, imports=imports)
        else:
            yield from _stored_by(node)


def _stored_by(expression: ast.AST) -> Iterator[str]:
    """Yield the names that an expression or a pattern binds outside the scopes of its comprehensions and lambdas."""
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
            captured = each.rest if isinstance(each, ast.MatchMapping) else each.name
            yield from filter(None, (captured,))
        if isinstance(each, ast.comprehension):
            waiting += [each.iter, *each.ifs]
        else:
            waiting += below(each.args if isinstance(each, ast.Lambda) else each)


def _is_overload(definition: Function | ast.ClassDef) -> bool:
    """Return whether a definition only describes a form for type checkers; other decorators of the name need a body."""
    return (
        is_function(definition)
        and any(_decorator(each).rpartition(".")[2] == "overload" for each in definition.decorator_list)
        and is_stub(definition)
    )


def _is_transparent(decorator: ast.expr) -> bool:
    return _decorator(decorator) in _TRANSPARENT or last_name(decorator) in _OF_GRADIENTS


def _signature(function: Function, prefix: str, keeps: Keeps) -> Signature | None:
    decorators = [_decorator(each) for each in function.decorator_list]
    if not all(_is_transparent(each) or keeps(each) for each in function.decorator_list):
        return None
    binding: Binding = "method" if prefix else "function"
    if "staticmethod" in decorators or (prefix and function.name == "__new__"):
        binding = "static"
    elif "classmethod" in decorators or (prefix and function.name in _OF_CLASSES):
        binding = "class"
    parameters = parameters_of(function, skip_first=binding in {"method", "class"})
    last = max(function.lineno, function.body[0].lineno - 1)
    hollow = function.name != "__init__" and is_stub(function)
    taken = parameters_of(function, skip_first=False) if binding in {"method", "class"} else ()
    receiver = taken[: len(taken) - len(parameters)]
    return Signature(prefix + function.name, function.lineno, last, parameters, binding, hollow, receiver)


def _decorator(decorator: ast.expr) -> str:
    return dotted(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""


@kept_on_node
def given_parameters(tree: ast.Module) -> frozenset[str]:
    """Return the functions of a module whose parameters or defaults its statements replace later, by qualified name.

    ::

        Point.__new__.__defaults__ = (None,) * 2        Point.__init__
        start.__kwdefaults__ = {"wait": True}           start
    """
    found: set[str] = set()
    for each in nodes_of(tree, ast.Attribute):
        owner = dotted(each.value) if isinstance(each.ctx, ast.Store) else None
        if owner is None:
            continue
        if each.attr in {"__init__", "__new__"}:
            found.add(f"{owner}.__init__")
        elif each.attr in {"__code__", "__defaults__", "__kwdefaults__"}:
            found.add(f"{owner.removesuffix('.__new__')}.__init__" if owner.endswith(".__new__") else owner)
    return frozenset(found)
