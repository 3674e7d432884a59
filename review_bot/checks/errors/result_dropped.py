"""A call that changes nothing and whose result is dropped: ``x.permute(0, 2, 1)`` as a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from review_bot.analysis.python.native_libraries import native_libraries
from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import bound_name, dotted, full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_PURE = (
    *("argmax", "argsort", "astype", "casefold", "clamp_max", "clamp_min", "contiguous", "cumsum", "expand_as"),
    *("index_select", "log_softmax", "lstrip", "masked_fill", "permute", "removeprefix", "removesuffix"),
    *("repeat_interleave", "rstrip", "splitlines", "type_as", "unsqueeze", "view_as", "with_suffix"),
)
"""Methods that no library gives an effect: those of tensors, arrays, strings and paths that return something new."""
_OF_TENSORS = frozenset({
    "bfloat16", "clamp", "cuda", "detach", "double", "expand", "flatten", "float", "half", "reshape", "squeeze", "to",
    "transpose", "unflatten", "view",
})  # fmt: skip
"""Methods that return something new for a tensor; a module, or a batch of another library, changes in place."""
_OF_TABLES = frozenset({"drop_duplicates", "dropna", "fillna", "reset_index", "set_index", "sort_index", "sort_values"})
"""Methods that return a new table of pandas, unless ``inplace`` is passed."""
_TABLES = frozenset({"cudf", "dask_cudf", "pandas"})
_OF_PICTURES = frozenset({"convert", "crop", "filter", "quantize", "resize", "rotate", "transpose"})
"""Methods that return a new image of PIL."""
_PICTURES = frozenset({"PIL.Image.fromarray", "PIL.Image.new", "PIL.Image.open"})
_OF_ARRAYS = frozenset({
    "append", "broadcast_to", "cat", "chunk", "concat", "delete", "expand_dims", "flip", "fliplr", "flipud", "hstack",
    "insert", "masked_select", "moveaxis", "pad", "permute", "repeat", "reshape", "roll", "rot90", "squeeze",
    "swapaxes", "tile", "transpose", "unsqueeze", "vstack",
})  # fmt: skip
"""Functions of numpy and torch that return something new; none takes the array to write to by its place."""
_SHOWING = frozenset({"ndim", "shape"})
"""Attributes that tensors have and modules have not."""
_CLOCKS = frozenset({"elapsed_time", "monotonic", "perf_counter", "perf_counter_ns", "time", "time_ns"})
_PURE_MODULES = frozenset({"jax", "numpy", "torch"})
_PURE_FUNCTIONS = ("sorted", "reversed")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such statement. Raises CannotParse."""
    guarding: list[ast.With | ast.Try] = [*source.nodes(ast.With), *source.nodes(ast.Try)]
    expected = {id(each) for block in guarding for each in block.body}
    defined = {each.name for each in source.functions}
    imported = imported_names(source.tree)
    foreign = {*native_libraries(source.tree), *map(bound_name, source.nodes(ast.alias))}
    timed = {id(each) for function in source.functions if _measures(function) for each in own_nodes(function.body)}
    for statement in source.nodes(ast.Expr):
        call = statement.value
        if not isinstance(call, ast.Call) or id(statement) in expected or id(statement) in timed:
            continue  # in a ``with`` or a ``try`` it may be there to fail
        function = call.func
        if keyword(call, "out") is not None:
            continue
        if len(call.args) > 1 and _is_foreign(function, foreign, imported):
            continue  # it may write to one of its arguments
        if isinstance(function, ast.Attribute) and function.attr not in defined:
            if (
                function.attr in _PURE
                or (function.attr in _OF_TENSORS and _is_tensor(source, function.value))
                or _is_of_arrays(function, imported)
                or (function.attr in _OF_TABLES and _is_of_table(source, call, imported))
                or (function.attr in _OF_PICTURES and _is_picture(source, function.value, imported))
            ):
                yield hit_at(source, statement, values={"name": function.attr})
        elif isinstance(function, ast.Name) and function.id in _PURE_FUNCTIONS:
            yield hit_at(source, statement, values={"name": function.id})


def _is_tensor(source: SourceFile, value: ast.expr) -> bool:
    """Return whether the innermost function around a name treats it as a tensor, or is given it as one."""
    name = dotted(value)
    around = source.functions_around(value.lineno)
    if name in {None, "self"} or not around:
        return False
    of_graph = [each.arg for each in around[-1].args.args]
    if around[-1].name == "backward" and of_graph[:1] == ["ctx"] and name in of_graph[1:]:
        return True  # the gradients that ``torch.autograd.Function`` passes
    annotated = (each.annotation for each in around[-1].args.args if each.arg == name and each.annotation is not None)
    return any(last_name(each) == "Tensor" for each in annotated) or any(
        isinstance(each, ast.Attribute) and each.attr in _SHOWING and dotted(each.value) == name
        for each in own_nodes(around[-1].body)
    )


def _is_of_arrays(function: ast.Attribute, imported: Mapping[str, str]) -> bool:
    """Return whether a function is one of numpy or torch that returns something new: ``np.reshape``."""
    package, _, name = (full_name(function, imported) or "").rpartition(".")
    return package in {"numpy", "torch"} and name in _OF_ARRAYS


def _is_of_table(source: SourceFile, call: ast.Call, imported: Mapping[str, str]) -> bool:
    """Return whether a call in a function returns a new table; at the top level a notebook may show it."""
    is_imported = any(each.partition(".")[0] in _TABLES for each in imported.values())
    return is_imported and keyword(call, "inplace") is None and bool(source.functions_around(call.lineno))


def _is_picture(source: SourceFile, value: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether all that the innermost function gives a name are images of PIL."""
    around = source.functions_around(value.lineno)
    if not isinstance(value, ast.Name) or not around:
        return False
    stored = [
        each
        for each in own_nodes(around[-1].body)
        if isinstance(each, ast.Name) and each.id == value.id and not isinstance(each.ctx, ast.Load)
    ]
    made = [
        each.value
        for each in own_nodes(around[-1].body)
        if isinstance(each, ast.Assign) and any(target in stored for target in each.targets)
    ]
    return bool(made) and len(made) == len(stored) and all(_makes_picture(each, imported) for each in made)


def _makes_picture(value: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether a value is ``Image.open(path)``, or ``Image.open(path).convert("RGB")``."""
    while isinstance(value, ast.Call):
        if full_name(value.func, imported) in _PICTURES:
            return True
        if not isinstance(value.func, ast.Attribute) or value.func.attr not in _OF_PICTURES:
            return False
        value = value.func.value
    return False


def _is_foreign(function: ast.expr, foreign: AbstractSet[str], imported: Mapping[str, str]) -> bool:
    """Return whether a function is of a native library or a module, except those that change no argument."""
    written, name = dotted(function) or "", full_name(function, imported) or ""
    parts = name.split(".")
    if foreign.isdisjoint((written.partition(".")[0], written.rpartition(".")[0])):
        return False
    return parts[0] not in _PURE_MODULES or parts[:2] == ["torch", "ops"]


def _measures(function: Function) -> bool:
    """Return whether a function measures how long something takes."""
    return any(last_name(each.func) in _CLOCKS for each in own_nodes(function.body) if isinstance(each, ast.Call))


CHECK = file_check(
    examine,
    CheckTraits(
        literals=(
            *_PURE,
            *_PURE_FUNCTIONS,
            *sorted(_SHOWING),
            "Tensor",
            "backward",
            *(f"{package} {each}" for package in ("numpy", "torch") for each in sorted(_OF_ARRAYS)),
            *(f"{package} {each}" for package in sorted(_TABLES) for each in sorted(_OF_TABLES)),
            *(f"Image {each}" for each in sorted(_OF_PICTURES)),
        )
    ),
)
