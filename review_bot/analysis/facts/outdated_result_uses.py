"""How a call uses its result in the form that the function returned before, which surely fails with the new one.

::

    item = read(path)[0]       takes an item of what is a generator now
    with opened(path): ...     enters what is no context manager any more
    save(path).name            reads an attribute of what is None now

So it is with the one name that gets the result, where the function surely reaches its use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.operations import METHODS, Operation, operations
from review_bot.analysis.python.bindings import name_bound_by, shared_names
from review_bot.analysis.python.function_pairs import own_statements
from review_bot.analysis.python.return_shapes import Shape
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.sure_evaluation import surely_evaluated
from review_bot.analysis.python.syntax import full_name, imported_names, is_name, own_nodes
from review_bot.changes.node_index import kept_on_node, nodes_of

_OF_TUPLES = frozenset(dir(tuple))
_OF_COROUTINES = frozenset(dir(CoroutineType))
_OF_GENERATORS = frozenset(dir(GeneratorType))
_LACKING = {
    "tuple": _OF_TUPLES,
    "none": frozenset(dir(None)),
    "coroutine": _OF_COROUTINES,
    "generator": _OF_GENERATORS,
    "async generator": frozenset(dir(AsyncGeneratorType)),
}
"""The attributes of what lacks all others."""

_STARTERS = frozenset(
    f"asyncio.{name}" for name in ("create_task", "ensure_future", "gather", "run", "shield", "wait_for")
)
"""What raises an error where it gets anything but a coroutine, a task or a future."""
_NO_CONTEXTS = {
    "context": frozenset({"generator", "none", "tuple", "coroutine", "async context"}),
    "async context": frozenset({"generator", "none", "tuple", "coroutine", "context"}),
}
"""What fails where a context manager of a kind is entered."""


def must_fail(file: CodeFile, call: Call, parent: ast.AST | None, before: Shape, after: Shape) -> bool:
    """Return whether a call fails, or does nothing, whatever its result holds.

    It takes apart what a tuple, None, coroutine or generator lacks, enters what is no context manager, or runs nothing.
    """
    if before.kind in _NO_CONTEXTS or after.kind in _NO_CONTEXTS:
        return True
    if _use_of_stream(call, parent, before, after):
        return True
    if isinstance(parent, ast.Await) or _starter(file, call, parent):
        return _is_never_awaited(after)
    return bool(_failing(file, call, parent, after)) or _fails_at_once(file, call, parent, after)


def _fails_at_once(file: CodeFile, call: Call, parent: ast.AST | None, after: Shape) -> bool:
    """Return whether the code right around a call fails, or does nothing."""
    if after.kind == "generator" and not isinstance(parent, ast.Attribute):
        return isinstance(parent, (ast.Expr, ast.Subscript, ast.Call))
    if after.kind not in _LACKING:
        return False
    if isinstance(parent, ast.Attribute):
        is_lacking = parent.attr not in _LACKING[after.kind]
        return is_lacking and any(each.node is parent for each in file.attributes(frozenset({parent.attr})))
    is_taken_apart = _is_iterated(call, parent) or (isinstance(parent, ast.Subscript) and parent.value is call.node)
    return bool(_unpacked(parent)) or (after.kind != "tuple" and is_taken_apart)


def use_of_old_form(file: CodeFile, call: Call, before: Shape, after: Shape, around: Mapping[ast.AST, ast.AST]) -> str:
    """Return in words how a call surely uses the old form, or nothing."""
    parent = around.get(call.node)
    if before.kind in _NO_CONTEXTS or after.kind in _NO_CONTEXTS:
        return _use_of_context(call, before, after, around)
    found = _use_of_stream(call, parent, before, after) or _use_by_parent(call, parent, before, after)
    if before.kind == "coroutine" and not found and _is_never_awaited(after) and (name := _starter(file, call, parent)):
        return f"passes it to `{name}()`"
    if before.kind == "coroutine" or found not in {"", "assigns the result"}:
        return found
    done = _failing(file, call, parent, after)
    return "does not await it" if done and after.kind == "coroutine" else done or found


def _use_by_parent(call: Call, parent: ast.AST | None, before: Shape, after: Shape) -> str:
    """Return in words what the code around a call surely takes its result for."""
    if "coroutine" in {before.kind, after.kind}:
        return _use_of_coroutine(call, parent, before, after)
    if after.kind == "generator":
        return _use_of_generator(call, parent)
    size = _unpacked(parent)
    if before.kind == "tuple" and size and size == before.size:
        return f"unpacks {size} values"
    if after.kind == "none":
        return _use_of_none(call, parent)
    return _use_of_one(call, parent) if after.kind == "tuple" and before.kind == "value" else ""


def _failing(file: CodeFile, call: Call, parent: ast.AST | None, after: Shape) -> str:
    """Return in words what surely fails with the result, or with the one name that gets it; nothing if unsure."""
    if after.kind not in _LACKING:
        return ""
    reads = {id(call.node), *(id(each) for each in _sure_reads(call, parent))}
    lacks = METHODS - _LACKING[after.kind]
    for each in _operations(file.tree):
        if id(each.value) in reads and each.needs <= lacks:
            return f"{each.words} the result"
    used = [
        each
        for each in nodes_of(file.tree, ast.Attribute)
        if id(each.value) in reads and isinstance(each.ctx, ast.Load) and each.attr not in _LACKING[after.kind]
    ]
    running = {id(each.node) for each in file.attributes(frozenset(each.attr for each in used))} if used else set[int]()
    return next((f"reads `{each.attr}` of the result" for each in used if id(each) in running), "")


@kept_on_node
def _operations(tree: ast.Module) -> tuple[Operation, ...]:
    return tuple(operations(tree))


def _sure_reads(call: Call, parent: ast.AST | None) -> Iterator[ast.Name]:
    """Yield the reads, which surely run, of a name of a function that nothing but the result of a call is bound to."""
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    function = next((each for each in reversed(call.scopes) if is_function(each)), None)
    if not isinstance(target, ast.Name) or function is None or function is not call.scopes[-1]:
        return
    name = target.id
    names = [each for each in nodes_of(function, ast.Name) if each.id == name and not isinstance(each.ctx, ast.Load)]
    bound = sum(name_bound_by(each) == name for each in own_nodes(function.body))
    parameters = {each.arg for each in nodes_of(function, ast.arg)}
    if len(names) != 1 or bound != 1 or name in parameters or name in shared_names(function):
        return
    if any(each is parent for each in own_statements(function)):
        for each in surely_evaluated(function.body):
            if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load):
                yield each


def _use_of_coroutine(call: Call, parent: ast.AST | None, before: Shape, after: Shape) -> str:
    """Return how a call treats as a coroutine what is none any more, or the reverse."""
    if before.kind == "coroutine":
        return "awaits it" if isinstance(parent, ast.Await) and _is_never_awaited(after) else ""
    computes = (isinstance(parent, ast.BinOp) and not isinstance(parent.op, ast.Mod)) or (
        isinstance(parent, ast.Subscript) and parent.value is call.node
    )
    if isinstance(parent, ast.Expr) or computes or _unpacked(parent) or _attribute(parent):
        return "does not await it"
    return "does not await it" if _read_of_name(call, parent, _OF_COROUTINES) else ""


def _use_of_stream(call: Call, parent: ast.AST | None, before: Shape, after: Shape) -> str:
    """Return how a call iterates over an async generator that is none any more, or without `async` over a new one."""
    if not isinstance(parent, (ast.For, ast.AsyncFor, ast.comprehension)) or parent.iter is not call.node:
        return ""
    is_async = isinstance(parent, ast.AsyncFor) or (isinstance(parent, ast.comprehension) and bool(parent.is_async))
    if before.kind == "async generator" and is_async and after.kind in {"generator", "coroutine", "none", "tuple"}:
        return "iterates over it with `async for`"
    return "iterates over it without `async`" if after.kind == "async generator" and not is_async else ""


def _starter(file: CodeFile, call: Call, parent: ast.AST | None) -> str:
    """Return the function of asyncio that runs a coroutine, if a call passes its result to one."""
    if not isinstance(parent, ast.Call) or call.node not in parent.args:
        return ""
    name = full_name(parent.func, imported_names(file.tree)) or ""
    return name if name in _STARTERS else ""


def _is_never_awaited(shape: Shape) -> bool:
    return shape.kind in {"none", "tuple", "generator", "async generator"} or shape.is_plain


def _use_of_generator(call: Call, parent: ast.AST | None) -> str:
    """Return how a call treats as something else what only gives one item after the other."""
    if isinstance(parent, ast.Expr):
        return "does not iterate over it, so that its body never runs"
    if isinstance(parent, ast.Subscript) and parent.value is call.node:
        return "takes an item of the result"
    if isinstance(parent, ast.Call) and is_name(parent.func, "len") and parent.args == [call.node]:
        return "asks for the length of the result"
    if (name := _attribute(parent)) and name not in _OF_GENERATORS:
        return f"reads `{name}` of the result"
    name = _read_of_name(call, parent, _OF_GENERATORS)
    return f"reads `{name}` of the result" if name else ""


def _use_of_context(call: Call, before: Shape, after: Shape, around: Mapping[ast.AST, ast.AST]) -> str:
    """Return how a call enters what is no context manager of its kind any more, or iterates over what is one now."""
    parent = around.get(call.node)
    if before.kind == "generator":
        return "iterates over the result" if _is_iterated(call, parent) else ""
    if after.kind not in _NO_CONTEXTS.get(before.kind, frozenset()):
        return ""
    is_async = before.kind == "async context"
    if isinstance(parent, ast.withitem) and parent.context_expr is call.node:
        statement = around.get(parent)
        is_entered = isinstance(statement, ast.AsyncWith if is_async else ast.With)
    else:
        enters = "enter_async_context" if is_async else "enter_context"
        is_entered = isinstance(parent, ast.Call) and last_name(parent.func) == enters and parent.args == [call.node]
    return f"enters the result by {'`async with`' if is_async else '`with`'}" if is_entered else ""


def _unpacked(parent: ast.AST | None) -> int:
    """Return how many names the result of a call is unpacked into, or 0."""
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], (ast.Tuple, ast.List)):
        return 0
    items = parent.targets[0].elts
    return 0 if any(isinstance(each, ast.Starred) for each in items) else len(items)


def _attribute(parent: ast.AST | None) -> str:
    return parent.attr if isinstance(parent, ast.Attribute) else ""


def _is_iterated(call: Call, parent: ast.AST | None) -> bool:
    return isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is call.node


def _use_of_none(call: Call, parent: ast.AST | None) -> str:
    if name := _attribute(parent):
        return f"reads `{name}` of the result"
    if isinstance(parent, (ast.Subscript, ast.BinOp)):
        return "computes with the result"
    if _is_iterated(call, parent):
        return "iterates over the result"
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        return "assigns the result"
    return ""  # who hands it on may hand on nothing


def _use_of_one(call: Call, parent: ast.AST | None) -> str:
    """Return how a call uses its result as what is no tuple."""
    if (name := _attribute(parent)) and name not in _OF_TUPLES:
        return f"reads `{name}` of the result"
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)):
        return "computes with the result"
    name = _read_of_name(call, parent, _OF_TUPLES)
    return f"reads `{name}` of the result" if name else ""


def _read_of_name(call: Call, parent: ast.AST | None, known: frozenset[str]) -> str:
    """Return an attribute besides some known ones that is read of the one name which holds the result, or nothing."""
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    function = next((each for each in reversed(call.scopes) if is_function(each)), None)
    if not isinstance(target, ast.Name) or function is None:
        return ""
    stores = [each for each in nodes_of(function, ast.Name) if each.id == target.id and isinstance(each.ctx, ast.Store)]
    if len(stores) != 1 or not any(each is parent for each in own_statements(function)):
        return ""
    for attribute in nodes_of(function, ast.Attribute):
        value = attribute.value
        if isinstance(value, ast.Name) and value.id == target.id and attribute.attr not in known:
            return attribute.attr
    return ""
