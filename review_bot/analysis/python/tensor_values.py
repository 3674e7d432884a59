"""What a name holds at a place in a function, as far as the text says: a tensor's dtype, its axes, whose memory it is.

::

    h = x.half()                    # h: float16
    if fast:
        h = h.float()
    y = h.exp()                     # h: nothing is known, for the branches differ

Only what every path agrees on is kept. Names that a loop assigns are unknown in it until it assigns them. Attributes
and what a call might change behind a name are not followed: a tensor's dtype and axes do not change in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, is_function, statements
from review_bot.analysis.python.syntax import full_name, keyword, unpacks
from review_bot.changes.node_index import below
from review_bot.records import NamedTuple


class Value(NamedTuple):
    """What is known of a tensor. An empty field: nothing.

    ``axes`` are the axes of an earlier tensor in their present order, after ``transpose`` or ``permute``. ``selects``:
    indexing with it copies (a mask, a list of positions). ``expanded``: several elements may share one place in memory.
    ``pending``: a copy to the host that the device may not have finished; the number of its line.
    """

    dtype: str = ""
    axes: tuple[int, ...] = ()
    selects: bool = False
    expanded: bool = False
    pending: int = 0


UNKNOWN = Value()

Names = dict[str, Value]

HALF = frozenset({"float16", "bfloat16"})

_DTYPES = {
    **{name: name for name in ("float16", "bfloat16", "float32", "float64", "bool", "int8", "uint8")},
    "half": "float16",
    "float": "float32",
    "double": "float64",
    **{name: name for name in ("int16", "int32", "int64", "float8_e4m3fn", "float8_e5m2")},
}
"""``torch.NAME`` → dtype (https://docs.pytorch.org/docs/stable/tensor_attributes.html)."""

_CASTS = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64", "bool": "bool"}

_SAME_DTYPE = frozenset({
    "abs", "chunk", "clamp", "clip", "clone", "contiguous", "cpu", "cuda", "detach", "expand", "expand_as", "flatten",
    "flip", "masked_fill", "movedim", "neg", "permute", "repeat", "repeat_interleave", "reshape", "roll", "squeeze",
    "swapaxes", "t", "transpose", "unflatten", "unsqueeze", "view", "view_as",
})  # fmt: skip
"""Methods whose result has the dtype of their tensor."""

_SAME_MEMORY = frozenset({
    "detach", "permute", "squeeze", "swapaxes", "t", "transpose", "unsqueeze", "view", "view_as", "chunk",
})  # fmt: skip
"""Methods whose result is always a view: of expanded memory, or of a copy that is still under way."""

_FACTORIES = frozenset({
    f"torch.{name}" for name in ("arange", "empty", "eye", "full", "ones", "rand", "randn", "tensor", "zeros")
})  # fmt: skip

_SELECTORS = frozenset({
    "argsort", "bool", "eq", "ge", "gt", "isfinite", "isinf", "isnan", "le", "logical_and", "logical_not", "logical_or",
    "lt", "masked_select", "ne", "nonzero",
})  # fmt: skip
"""Functions and methods whose result is a mask or a list of positions: indexing with it copies."""


def flow(function: Function, imported: Mapping[str, str]) -> Iterator[tuple[ast.stmt, Names]]:
    """Yield each statement of a function, in order, with what its names hold right before it; look, don't keep.

    Statements of nested functions and classes are left out. A compound statement comes before its blocks: look at its
    ``test``, ``iter`` or ``items`` alone (see ``expressions``).
    """
    yield from _run(function.body, {}, imported)


def expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement's own expressions; its blocks, lambdas and comprehensions are left out."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if node is not statement:
            yield node
        if isinstance(node, ast.stmt) and (is_function(node) or isinstance(node, ast.ClassDef)):
            continue
        waiting += [child for child in below(node) if not isinstance(child, _CLOSED)]


_CLOSED = (
    *(ast.stmt, ast.ExceptHandler, ast.match_case, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def value_of(node: ast.expr, names: Mapping[str, Value], imported: Mapping[str, str]) -> Value:
    """Return what is known of an expression."""
    if isinstance(node, ast.Name):
        return names.get(node.id, UNKNOWN)
    if isinstance(node, ast.Call):
        return _of_call(node, names, imported)
    if isinstance(node, ast.BinOp):
        return _of_operation(node, names, imported)
    if isinstance(node, ast.Compare):
        return _of_comparison(node, names, imported)
    if isinstance(node, (ast.UnaryOp, ast.Attribute, ast.Subscript)):
        return _of_part(node, names, imported)
    return UNKNOWN


def _of_operation(node: ast.BinOp, names: Mapping[str, Value], imported: Mapping[str, str]) -> Value:
    """Follow the left spine of ``a + b + c`` in a loop: generated code makes it thousands long."""
    operands: list[ast.expr] = []
    of_bits = True
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        operands.append(left.right)
        of_bits = of_bits and isinstance(left.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
        left = left.left
    operands.append(left)
    held = [value_of(each, names, imported) for each in operands if not isinstance(each, ast.Constant)]
    if of_bits:
        return Value(selects=any(each.selects for each in held))
    dtypes = {each.dtype for each in held}
    return Value(dtype=dtypes.pop()) if len(dtypes) == 1 else UNKNOWN


def _of_comparison(node: ast.Compare, names: Mapping[str, Value], imported: Mapping[str, str]) -> Value:
    if len(node.ops) != 1 or not isinstance(node.ops[0], _ELEMENTWISE):
        return UNKNOWN
    return Value(selects=any(_is_tensor(each, names, imported) for each in (node.left, *node.comparators)))


def _of_part(
    node: ast.UnaryOp | ast.Attribute | ast.Subscript, names: Mapping[str, Value], imported: Mapping[str, str]
) -> Value:
    if isinstance(node, ast.UnaryOp):
        held = value_of(node.operand, names, imported)
        return Value(dtype=held.dtype, selects=held.selects and isinstance(node.op, ast.Invert))
    held = value_of(node.value, names, imported)
    if isinstance(node, ast.Attribute):
        return Value(dtype=held.dtype if node.attr in {"T", "mT"} else "")
    return Value(dtype=held.dtype, expanded=held.expanded and isinstance(node.slice, ast.Slice))


_ELEMENTWISE = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def dtype_named(node: ast.expr | None, imported: Mapping[str, str]) -> str:
    """Return the dtype that an expression such as ``torch.float16`` names; else nothing."""
    name = full_name(node, imported) if node is not None else None
    return _DTYPES.get(name.removeprefix("torch."), "") if name and name.startswith("torch.") else ""


def integer(node: ast.expr | None) -> int | None:
    """Return the value of an integer literal, also of a negative one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = integer(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def assigned_names(body: list[ast.stmt]) -> set[str]:
    """Return every name that some statements bind, nested functions aside."""
    found: set[str] = set()
    for statement in statements(body, into_definitions=False):
        if is_function(statement) or isinstance(statement, ast.ClassDef):
            found.add(statement.name)
            continue
        found |= _stored(statement)
    return found


def _run(body: list[ast.stmt], names: Names, imported: Mapping[str, str]) -> Iterator[tuple[ast.stmt, Names]]:
    """Walk a block, and leave in ``names`` what holds after it."""
    for statement in body:
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            _forget(names, assigned_names([statement]))
            yield statement, names
            for block in (statement.body, statement.orelse):
                yield from _run(block, dict(names), imported)
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            yield statement, names
            changed = assigned_names([statement])
            yield from _run(statement.body, names, imported)
            _forget(names, changed)
            for block in (*(handler.body for handler in statement.handlers), statement.orelse, statement.finalbody):
                yield from _run(block, dict(names), imported)
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
        _forget(names, assigned_names([statement]))
        blocks = [[], *(case.body for case in statement.cases)]
    ends = []
    for block in blocks:
        end = dict(names)
        yield from _run(block, end, imported)
        if not (block and isinstance(block[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))):
            ends.append(end)
    agreed = (
        {name: value for name, value in ends[0].items() if all(end.get(name) == value for end in ends)} if ends else {}
    )
    names.clear()
    names.update(agreed)


def _bind(statement: ast.stmt, names: Names, imported: Mapping[str, str]) -> None:
    if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = value_of(statement.value, names, imported)
        _learn_rank(targets[0], statement.value, names)
        _forget(names, _stored(statement))
        for target in targets:
            if isinstance(target, ast.Name) and value != UNKNOWN:
                names[target.id] = value
    elif isinstance(statement, ast.AugAssign):
        # in place: a tensor keeps its dtype and its memory, a mask may become anything
        if isinstance(statement.target, ast.Name) and statement.target.id in names:
            names[statement.target.id] = names[statement.target.id]._replace(selects=False)
    elif is_function(statement) or isinstance(statement, ast.ClassDef):
        names.pop(statement.name, None)
    else:
        _forget(names, _stored(statement))


def _learn_rank(target: ast.expr, value: ast.expr, names: Names) -> None:
    """After ``b, n, d = x.shape`` it is known that ``x`` has three axes."""
    if not isinstance(target, ast.Tuple) or any(isinstance(each, ast.Starred) for each in target.elts):
        return
    shape = value.func if isinstance(value, ast.Call) and not value.args else value
    if isinstance(shape, ast.Attribute) and shape.attr in {"shape", "size"} and isinstance(shape.value, ast.Name):
        held = names.get(shape.value.id, UNKNOWN)
        names[shape.value.id] = held._replace(axes=held.axes or tuple(range(len(target.elts))))


def _stored(statement: ast.stmt) -> set[str]:
    """Return the names that a statement itself binds or deletes."""
    return {
        each.id for each in expressions(statement) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }


def _forget(names: Names, gone: set[str]) -> None:
    for name in gone:
        names.pop(name, None)


def _of_call(call: ast.Call, names: Mapping[str, Value], imported: Mapping[str, str]) -> Value:
    name = full_name(call.func, imported) or ""
    if name.startswith("torch."):
        return _of_function(call, name, names, imported)
    if not isinstance(call.func, ast.Attribute):
        return UNKNOWN
    method, held = call.func.attr, value_of(call.func.value, names, imported)
    if method in _SELECTORS:
        return Value(dtype="bool" if method == "bool" else "", selects=True)
    dtype = _cast(call, method, held, names, imported)
    if method in {"to", "cpu"} and _goes_to_host(call) and _is_true(keyword(call, "non_blocking")):
        return Value(dtype=dtype, pending=call.lineno)
    same_memory = method in _SAME_MEMORY
    return Value(
        dtype=dtype,
        axes=_axes(call, method, held.axes),
        selects=held.selects and method in _SAME_DTYPE,
        expanded=method in {"expand", "expand_as"} or (held.expanded and same_memory),
        pending=held.pending if same_memory else 0,
    )


def _of_function(call: ast.Call, name: str, names: Mapping[str, Value], imported: Mapping[str, str]) -> Value:
    function = name.rpartition(".")[2]
    if function in _SELECTORS:
        return Value(selects=True)
    named = dtype_named(keyword(call, "dtype"), imported)
    if named or name in _FACTORIES:
        return Value(dtype=named)
    if not call.args:
        return UNKNOWN
    held = value_of(call.args[0], names, imported)
    if function == "broadcast_to":
        return Value(dtype=held.dtype, expanded=True)
    if function in _SAME_DTYPE or function.endswith("_like"):
        return Value(dtype=held.dtype if keyword(call, "dtype") is None else "")
    return UNKNOWN


def _cast(call: ast.Call, method: str, held: Value, names: Mapping[str, Value], imported: Mapping[str, str]) -> str:
    """Return the dtype of a method's result."""
    if method in _CASTS:
        return _CASTS[method]
    if method in _SAME_DTYPE:
        return held.dtype
    if method == "type_as" and len(call.args) == 1:
        return value_of(call.args[0], names, imported).dtype
    return _converted(call, held, imported) if method in {"to", "type"} else ""


def _converted(call: ast.Call, held: Value, imported: Mapping[str, str]) -> str:
    """Return the dtype of ``x.to(...)`` or ``x.type(...)``."""
    given = keyword(call, "dtype")
    if given is not None:
        return dtype_named(given, imported)
    named = [dtype_named(argument, imported) for argument in call.args]
    if any(named):
        return "".join(named)
    return held.dtype if all(names_a_device(each) for each in call.args) and not unpacks(call) else ""


def names_a_device(node: ast.expr) -> bool:
    """Return whether an expression is a device by its look: ``"cuda:0"``, ``self.device``, ``x.device``."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.endswith("device")


def _goes_to_host(call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)  # noqa: S101  # the caller has looked
    if call.func.attr == "cpu":
        return True
    target = call.args[0] if call.args else keyword(call, "device")
    if isinstance(target, ast.Call) and target.args:  # torch.device("cpu")
        target = target.args[0]
    return isinstance(target, ast.Constant) and target.value == "cpu"


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _axes(call: ast.Call, method: str, before: tuple[int, ...]) -> tuple[int, ...]:
    """Return the order of the axes after a method, if the text shows how many there are."""
    given = call.args
    if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
        given = given[0].elts
    if unpacks(call) or any(isinstance(each, ast.Starred) for each in given):
        return ()
    if method in {"view", "reshape"}:
        # one argument may be a whole shape by name
        return tuple(range(len(given))) if len(given) > 1 else ()
    if method == "contiguous":
        return tuple(range(len(before)))
    if method in {"permute", "transpose", "swapaxes"}:
        order = [each for each in map(integer, given) if each is not None]
        return _permuted(order, before, swap=method != "permute") if len(order) == len(given) else ()
    return before if method in {"clone", "cuda", "detach"} else ()


def _permuted(order: list[int], before: tuple[int, ...], *, swap: bool) -> tuple[int, ...]:
    rank = len(before) if swap else len(order)
    if not rank or (before and len(before) != rank) or any(not -rank <= axis < rank for axis in order):
        return ()
    order = [axis % rank for axis in order]
    if swap:
        if len(order) != 2:
            return ()
        first, second = order
        order = list(range(rank))
        order[first], order[second] = second, first
    if sorted(order) != list(range(rank)):
        return ()
    return tuple(before[axis] if before else axis for axis in order)


def _is_tensor(node: ast.expr, names: Mapping[str, Value], imported: Mapping[str, str]) -> bool:
    """Return whether the text shows that an expression is a tensor."""
    held = value_of(node, names, imported)
    if held != UNKNOWN:
        return True
    return isinstance(node, ast.Call) and (full_name(node.func, imported) or "").startswith("torch.")
