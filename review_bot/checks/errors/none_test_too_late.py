"""A test for None of a place that a statement before it has used already in a way that fails for None.

It took an attribute or an element of it, iterated over it, calculated with it, or asked for its length.

::

    names = [name for name in args.names if name != "all"]
    if args.names is not None: ...                          too late: the line above fails for None

    args.names = [name for name in args.names if name]
    if args.names is not None: ...                          and so does this one, after which it is a list

    embeds = info.get("embeds").to(device)
    if embeds is None: ...                                  too late: the line above fails without the key
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterator

from review_bot.analysis.python.node_types import COMPREHENSIONS, EAGER_COMPREHENSIONS, ORDERS
from review_bot.analysis.python.statements import Function, blocks, defaults_of, last_name, named_parameters
from review_bot.analysis.python.syntax import dotted, hit_on, imported_names, is_literal, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.values import KEEPING_ARRAYS
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_NOT_ALWAYS = (ast.IfExp, ast.BoolOp, ast.Lambda, *COMPREHENSIONS, ast.NamedExpr)
"""Expressions that need not evaluate all of their parts, or that bind names of their own."""
_DISPLAYS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, *EAGER_COMPREHENSIONS)
"""Expressions that are never None."""
_OF_ANYTHING = frozenset({"Any", "None", "object"})
_CLASS = LazyRegex(r"_?[A-Z]\w*[a-z]")
_OF_OTHERS = frozenset({"bool", "double", "expand", "float", "half", "int", "long", "repeat", "type", "view"})
_MAKING = (KEEPING_ARRAYS - _OF_OTHERS) | {"items", "keys", "lower", "split", "strip", "tolist", "upper"}
"""Methods that never return None: of arrays, whose names other classes hardly use, of texts and of mappings."""
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
_OF_OBJECTS = frozenset({"abs", "enumerate", "float", "int", "iter", "len", "list", "next", "sorted", "sum", "tuple"})
"""Functions of Python that fail for None as their first argument."""
_FAR = 12
"""Statements of a block that are looked back over."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such test, at the first use if only that was added. Raises CannotParse."""
    for function in source.functions:
        shared = {name for each in nodes_of(function, ast.Global) for name in each.names}
        ensured = _ensured(function)
        for hit, name, line in _late(source, function.body, shared | _never_none(function), _made_by_call(function)):
            if line <= ensured.get(name, line):
                yield hit
    for hit, _, _ in _late(source, source.tree.body, set(), set()):
        yield hit


def _never_none(function: Function) -> set[str]:
    """Return the names that hold an object by their annotation or by the class that makes it: a test is redundant."""
    stored = Counter(each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Store))
    made = {
        last_name(each.targets[0])
        for each in nodes_of(function, ast.Assign)
        if isinstance(each.targets[0], ast.Name) and isinstance(each.value, ast.Call) and _is_class(each.value.func)
    }
    optional = {each.arg for each, default in defaults_of(function) if is_literal(default, None)}
    declared = {
        each.arg
        for each in named_parameters(function)
        if each.arg not in optional
        and isinstance(each.annotation, (ast.Name, ast.Attribute))
        and last_name(each.annotation) not in _OF_ANYTHING
    }
    return {each for each in made if stored[each] == 1} | {each for each in declared if not stored[each]}


def _ensured(function: Function) -> dict[str, int]:
    """Return the names that a statement of a function gives an object if they hold None, with its last line.

    ::

        if words is None:
            words = []
    """
    stored = Counter(each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Store))
    found: dict[str, int] = {}
    for each in function.body:
        match each:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                body=[*_, ast.Assign(targets=[ast.Name(id=given)], value=value)],
            ) if name == given and stored[name] == 1 and isinstance(value, _DISPLAYS):
                found[name] = last_line(each)
    return found


def _made_by_call(function: Function) -> set[str]:
    """Return the names that one call makes: an ``assert`` of one is for type checkers, even if it is late."""
    stored = Counter(each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Store))
    made = [each.targets[0] for each in nodes_of(function, ast.Assign) if isinstance(each.value, ast.Call)]
    return {each.id for target in made for each in nodes_of(target, ast.Name) if stored[each.id] == 1}


def _is_class(called: ast.expr) -> bool:
    return _CLASS.match(last_name(called)) is not None


def _late(
    source: SourceFile, body: list[ast.stmt], shared: set[str], made_by_call: set[str]
) -> Iterator[tuple[Hit, str, int]]:
    """Yield each late test, with the name and the line of the use before it."""
    imported = imported_names(source.tree)
    for block in blocks(body, into_definitions=False):
        for place, statement in enumerate(block):
            if not isinstance(statement, (ast.If, ast.Assert)):
                continue
            for name in _tested(statement.test):
                if name in shared:
                    continue  # other functions set it meanwhile
                before = block[max(0, place - _FAR) : place]
                use, made = _used_before(name, before), _made_before(name, before, imported)
                if made is not None:
                    yield _after_made(source, statement, name, made), name, made.lineno
                if use is None or (name in made_by_call and isinstance(statement, ast.Assert)):
                    continue
                where: ast.AST = statement if statement.lineno in source.added else use
                other = use.lineno if where is statement else statement.lineno
                note = "needs it to be an object" if where is statement else "tests it for None"
                text = ast.unparse(use)
                values = {
                    "name": name,
                    "use": f"the loop over `{text}`" if text == name else f"`{text}`",
                    "line": str(use.lineno),
                    "test": str(statement.lineno),
                }
                hit = hit_on(source, where, values=values, related=(Related(source.path, other, note),))
                yield hit, name, use.lineno


def _after_made(source: SourceFile, test: ast.stmt, name: str, made: ast.expr) -> Hit:
    where, other = (test, made) if test.lineno in source.added else (made, test)
    note = "fails for None" if where is test else "tests the result for None"
    text = f"`{name}` is tested for None on line {test.lineno}, but line {made.lineno} "
    if _is_of(name, made):
        sliced = isinstance(made, ast.Subscript) and any(isinstance(each, ast.Slice) for each in ast.walk(made.slice))
        failed = made.value if isinstance(made, ast.Subscript) and sliced else made  # a part of a tensor is no None
        text += "has set it to a value that is never None, and has already failed if `"
        text += f"{ast.unparse(failed)}` was None before."
    else:
        text += f"has already failed if `{ast.unparse(made)}` is None."
    return hit_on(source, where, message=text, related=(Related(source.path, other.lineno, note),))


def _is_of(name: str, made: ast.expr) -> bool:
    """Return whether an expression takes its value from a place: ``x``, ``x[0]`` and ``x.get("key")`` from ``x``."""
    while dotted(made) != name:
        if isinstance(made, ast.Call):
            made = made.func
        elif isinstance(made, (ast.Attribute, ast.Subscript)):
            made = made.value
        else:
            return False
    return True


def _made_before(name: str, before: list[ast.stmt], imported: Container[str]) -> ast.expr | None:
    """Return what may have been None where a name was set to the result of its method, which never is."""
    for statement in reversed(before):
        if _may_change(statement, name):
            value = statement.value if isinstance(statement, ast.Assign) else None
            plain = isinstance(statement, ast.Assign) and dotted(statement.targets[0]) == name
            return _receiver(value, imported) if plain and isinstance(value, ast.Call) else None
    return None


def _receiver(call: ast.Call, imported: Container[str]) -> ast.expr | None:
    """Return what a chain of methods that never return None starts from, if it is a lookup or a place."""
    made: ast.expr = call
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _MAKING:
        made = made.func.value
    if made is call or not isinstance(made, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)):
        return None
    if isinstance(made, ast.Name) and (made.id in imported or made.id in {"self", "cls"}):
        return None
    looks_up = (
        isinstance(made, ast.Call) and last_name(made.func) == "get" and len(made.args) == 1 and not made.keywords
    )
    return made if looks_up or not isinstance(made, ast.Call) else None


def _tested(test: ast.expr) -> Iterator[str]:
    """Yield the places that a condition compares with None, before it looks into them."""
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    for part in parts:
        if (
            isinstance(part, ast.Compare)
            and len(part.ops) == 1
            and isinstance(part.ops[0], (ast.Is, ast.IsNot))
            and is_literal(part.comparators[0], None)
        ):
            place = dotted(part.left)
            if place is not None:
                yield place


def _used_before(place: str, before: list[ast.stmt]) -> ast.expr | None:
    """Return the nearest expression that needs a place to be an object; None if it is bound again after it."""
    for statement in reversed(before):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, EAGER_COMPREHENSIONS):
            iterated = statement.value.generators[0].iter
            if dotted(iterated) == place and not _may_change(statement, place, but=statement.targets):
                return iterated
        if isinstance(statement, (ast.For, ast.AsyncFor)) and dotted(statement.iter) == place:
            return None if _may_change(statement, place) else statement.iter
        if _may_change(statement, place):
            return None
        nodes = list(own_nodes(_evaluated(statement)))
        if any(isinstance(node, _NOT_ALWAYS) for node in nodes):
            continue
        for node in nodes:
            if isinstance(node, ast.expr) and any(dotted(each) == place for each in _needed(node)):
                return node
    return None


def _evaluated(statement: ast.stmt) -> list[ast.AST]:
    """Return the parts of a statement that are always evaluated, as far as they are of use here.

    Python does not evaluate the annotation of a local name.
    """
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)):
        return [statement]
    if isinstance(statement, ast.AnnAssign):
        return [statement.value] if statement.value else []
    if isinstance(statement, ast.If):
        test = statement.test
        return [test.values[0] if isinstance(test, ast.BoolOp) else test]
    return []


def _needed(node: ast.expr) -> list[ast.expr]:
    """Return the parts of an expression that must not be None for it to have a value."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return [node.value]
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERS):
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        return [node.left, node.right]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OF_OBJECTS:
        return node.args[:1]
    return []


def _may_change(statement: ast.stmt, place: str, but: list[ast.expr] | None = None) -> bool:
    """Return whether a statement binds a place, or may run code of others that does; ``but``: aside from targets."""
    name, _, attribute = place.partition(".")
    if not attribute:
        return but is None and _binds(statement, name)
    if any(isinstance(node, (ast.Call, ast.Await)) for node in ast.walk(statement)):
        return True
    targets = [node for node in ast.walk(statement) if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))]
    bound = {dotted(node) for node in targets if isinstance(node, (ast.Name, ast.Attribute))}
    return any(place == each or place.startswith(f"{each}.") for each in bound if but is None or each != place)


def _binds(statement: ast.stmt, name: str) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return True
        if isinstance(node, (ast.alias, ast.ExceptHandler)) and name in {node.name, getattr(node, "asname", None)}:
            return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("None is",)))
