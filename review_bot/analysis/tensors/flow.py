"""What a name holds at a place in a function, as far as the text and the contracts of libraries say.

::

    h = x.half()                    # h: float16
    if fast:
        h = h.float()
    y = h.exp()                     # h: nothing is known of its dtype, for the branches differ

Only what every path agrees on is kept. Names that a loop assigns are unknown in it until it assigns them, and so are
names that a nested function binds. Attributes are not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.node_types import COMPREHENSIONS, LOOPS
from review_bot.analysis.python.statements import Function, is_definition, named_parameters, targets_of
from review_bot.analysis.python.syntax import full_name, is_literal
from review_bot.analysis.tensors.calls import call_name
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.values import ANY, FLOATING, UNKNOWN, Names, Value, joined
from review_bot.changes.node_index import below, kept_on_node, nodes_of

_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_CLOSED = (*_BLOCKS, ast.Lambda, *COMPREHENSIONS)
_RESHAPING = frozenset({"resize_", "resize_as_", "set_", "squeeze_", "swapaxes_", "t_", "transpose_", "unsqueeze_"})
"""Methods that change the sizes or the memory of their tensor, and so of every name that it has."""


def flow(function: Function, imported: Mapping[str, str]) -> Iterator[tuple[ast.stmt, Names]]:
    """Yield each statement of a function, in order, with what its names hold right before it; look, don't keep.

    Statements of nested functions and classes are left out. A compound statement comes before its blocks: look at its
    ``test``, ``iter`` or ``items`` alone (see ``expressions``).
    """
    elsewhere = {name for node in nodes_of(function, ast.Nonlocal) for name in node.names}
    elsewhere |= {name for node in nodes_of(function, ast.Global) for name in node.names}
    names = Names({name: value for name, value in _parameters(function, imported).items() if name not in elsewhere})
    for statement, held in _run(function.body, names, imported):
        for name in elsewhere:
            held.pop(name, None)
        held.memo.clear()
        yield statement, held
        held.memo.clear()


def expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement's own expressions; its blocks, lambdas and comprehensions are left out."""
    yield from _own_nodes(statement)


@kept_on_node
def _own_nodes(statement: ast.stmt) -> list[ast.AST]:
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if node is not statement:
            found.append(node)
        if isinstance(node, ast.stmt) and is_definition(node):
            continue
        waiting += [child for child in below(node) if not isinstance(child, _CLOSED)]
    return found


def _parameters(function: Function, imported: Mapping[str, str]) -> dict[str, Value]:
    """Return the parameters that are tensors; each is on a device of its own, and contiguous."""
    used = frozenset[str]() if _NUMPY in imported.values() else _used_as_tensors(function)
    found: dict[str, Value] = {}
    for each in named_parameters(function):
        own = f"@{each.arg}"
        annotated = each.annotation is not None and is_tensor_annotation(each.annotation, imported)
        if annotated or (each.annotation is None and each.arg in used):
            found[each.arg] = Value("tensor", dtype=own, device=own, dense=True, line=each.lineno)
    return found


_NUMPY = "numpy"


@kept_on_node
def _used_as_tensors(function: Function) -> frozenset[str]:
    """Return the names that are asked both for a device and for a shape: a module has no shape, an array no device.

    From version 2 on an array of NumPy has a device as well, so this holds where the file does not use NumPy.
    """
    asked: dict[str, set[str]] = {"device": set(), "shape": set()}
    for node in nodes_of(function, ast.Attribute):
        if node.attr in asked and isinstance(node.value, ast.Name):
            asked[node.attr].add(node.value.id)
    return frozenset(asked["device"] & asked["shape"])


def is_tensor_annotation(node: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether an annotation is ``torch.Tensor``, maybe as text, or that or None."""
    if isinstance(node, ast.BinOp) and is_literal(node.right, None):
        node = node.left
    if isinstance(node, ast.Subscript) and full_name(node.value, imported) == "typing.Optional":
        node = node.slice
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value in {"torch.Tensor", "Tensor"} and any(
            each.partition(".")[0] == "torch" for each in imported.values()
        )
    return full_name(node, imported) in {"torch.Tensor", "torch.FloatTensor", "torch.LongTensor"}


def _run(body: list[ast.stmt], names: Names, imported: Mapping[str, str]) -> Iterator[tuple[ast.stmt, Names]]:
    """Walk a block, and leave in ``names`` what holds after it."""
    for statement in body:
        if isinstance(statement, LOOPS):
            _forget_bound(statement, names)
            _forget_in_place(statement, names)
            yield statement, names
            for block in (statement.body, statement.orelse):
                yield from _run(block, Names(names), imported)
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            yield statement, names
            before = Names(names)
            yield from _run(statement.body, names, imported)
            for name in [*names]:  # an exception may come before any statement
                names[name] = joined((names[name], before.get(name, UNKNOWN)))
            _forget_bound(statement, names)
            _forget_in_place(statement, names)
            for block in (*(handler.body for handler in statement.handlers), statement.orelse, statement.finalbody):
                yield from _run(block, Names(names), imported)
        elif isinstance(statement, (ast.If, ast.Match)):
            yield statement, names
            yield from _branches(statement, names, imported)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            yield statement, names
            _forget(names, _stored(statement))
            yield from _run(statement.body, names, imported)
        else:
            yield statement, names
            _bind(statement, names, imported)


def _branches(
    statement: ast.If | ast.Match, names: Names, imported: Mapping[str, str]
) -> Iterator[tuple[ast.stmt, Names]]:
    if isinstance(statement, ast.If):
        _forget(names, _stored(statement))
        blocks = [statement.body, statement.orelse]
    else:
        _forget(names, bound_names([statement]))
        blocks = [[], *(case.body for case in statement.cases)]
    ends = []
    for block in blocks:
        end = Names(names)
        yield from _run(block, end, imported)
        if not (block and isinstance(block[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))):
            ends.append(end)
    agreed = Names()
    for name in ends[0] if ends else ():
        if all(name in end for end in ends):
            agreed[name] = joined(end[name] for end in ends)
    names.clear()
    names.update(agreed)
    if _reverses(statement):
        names.update(dict.fromkeys(bound_names([statement]) - agreed.keys(), Value(backward=None)))


def _bind(statement: ast.stmt, names: Names, imported: Mapping[str, str]) -> None:
    _forget_grads(statement, names)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
        _assign(statement, names, imported)
    elif isinstance(statement, ast.AugAssign):
        # in place: a tensor keeps its dtype and its memory, a mask and a number may become anything
        target = statement.target
        held = names.get(target.id, UNKNOWN) if isinstance(target, ast.Name) else UNKNOWN
        if isinstance(target, ast.Name) and target.id in names:
            known = held.kind == "tensor" or held.dtype in FLOATING
            # `tensor *= array` binds what the array makes of both
            known = known and value_of(statement.value, names, imported).kind in {held.kind, "size", "object"}
            names[target.id] = held._replace(selects=False, sizes=None, axes=()) if known else UNKNOWN
    elif is_definition(statement):
        names.pop(statement.name, None)
    else:
        _forget(names, _stored(statement))
    if _reshapes(statement):
        _forget_shapes(names)


def _assign(statement: ast.Assign | ast.AnnAssign, names: Names, imported: Mapping[str, str]) -> None:
    assert statement.value is not None  # noqa: S101  # the caller has looked
    targets = targets_of(statement)
    value = value_of(statement.value, names, imported)
    sizes = _unpacked_shape(targets[0], statement.value, names)
    _forget(names, _stored(statement))
    for target in targets:
        if isinstance(target, ast.Name) and value != UNKNOWN:
            names[target.id] = value if value.line else value._replace(line=statement.lineno)
        elif isinstance(target, ast.Attribute) and target.attr in {"data", "shape"}:
            _forget_shapes(names)
            _forget(names, {target.value.id} if isinstance(target.value, ast.Name) else set())
    names.update(sizes)


def _unpacked_shape(target: ast.expr, value: ast.expr, names: Names) -> dict[str, Value]:
    """After ``b, n, d = x.shape`` it is known that ``x`` has three axes, and what the names are the sizes of."""
    if not isinstance(target, ast.Tuple) or any(isinstance(each, ast.Starred) for each in target.elts):
        return {}
    shape = value.func if isinstance(value, ast.Call) and not value.args and not value.keywords else value
    if not isinstance(shape, ast.Attribute) or shape.attr not in {"shape", "size"}:
        return {}
    if not isinstance(shape.value, ast.Name):
        return {}
    tensor = shape.value.id
    held = names.get(tensor, UNKNOWN)
    known = held.sizes if held.sizes is not None and len(held.sizes) == len(target.elts) else None
    sizes = [
        known[axis] if known is not None and known[axis] != ANY else f"{tensor}.{axis}:{target.lineno}"
        for axis in range(len(target.elts))
    ]
    bound = {
        each.id: Value("size", sizes=(size,))
        for each, size in zip(target.elts, sizes, strict=True)
        if isinstance(each, ast.Name) and each.id != "_"
    }
    if tensor not in bound:
        bound[tensor] = held._replace(sizes=tuple(sizes))
    return bound


def _forget_in_place(statement: ast.stmt, names: Names) -> None:
    """Forget what the blocks of a statement may change in place."""
    _forget_grads(statement, names)
    if _reshapes(statement):
        _forget_shapes(names)


def _forget_grads(statement: ast.stmt, names: Names) -> None:
    """Forget which tensors have gradients if a statement sets that in place: the tensor may have other names."""
    if any(call_name(each) == "requires_grad_" for each in nodes_of(statement, ast.Call)):
        for name, held in names.items():
            names[name] = held._replace(grad=None)


@kept_on_node
def _reshapes(statement: ast.stmt) -> bool:
    return any(
        isinstance(node.func, ast.Attribute) and node.func.attr in _RESHAPING for node in nodes_of(statement, ast.Call)
    )


def _forget_bound(statement: ast.stmt, names: Names) -> None:
    """Forget what a compound statement binds, except that it may be reversed: once more, and it has its old order."""
    for name in bound_names([statement]):
        if names.pop(name, UNKNOWN).backward is not False or _reverses(statement):
            names[name] = Value(backward=None)


@kept_on_node
def _reverses(statement: ast.stmt) -> bool:
    calls = any(call_name(each).startswith(("flip", "rot90")) for each in nodes_of(statement, ast.Call))
    return calls or any(isinstance(each.step, ast.UnaryOp) for each in nodes_of(statement, ast.Slice))


def _forget_shapes(names: Names) -> None:
    for name, held in names.items():
        names[name] = held._replace(sizes=None if held.kind != "size" else held.sizes, axes=(), dense=None)


def _forget(names: Names, forgotten: AbstractSet[str]) -> None:
    for name in forgotten:
        names.pop(name, None)


def _stored(statement: ast.stmt) -> frozenset[str]:
    """Return the names that a statement itself binds or deletes; what its blocks do is left out."""
    return bound_names(each for each in below(statement) if not isinstance(each, _BLOCKS))
