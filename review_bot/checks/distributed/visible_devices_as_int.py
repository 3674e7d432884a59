"""Entries of ``CUDA_VISIBLE_DEVICES`` that are converted to numbers, although they may be UUIDs.

::

    devices = os.environ["CUDA_VISIBLE_DEVICES"]
    physical = [int(each) for each in devices.split(",")]        # "GPU-8932f937-...", "MIG-..." raise ValueError

Source: https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import functions_of
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, text_of
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_VARIABLE = "CUDA_VISIBLE_DEVICES"
_READS = frozenset({"os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop"})
_FORESEEN = LazyRegex(r"ValueError|isdigit|isdecimal|isnumeric|GPU-|MIG|UUID|uuid")
"""Words of a function that expects other entries than numbers."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each conversion. Raises CannotParse."""
    names = imported_names(source.tree)
    for scope in (source.tree, *functions_of(source.tree)):
        nodes = list(own_nodes(scope.body))
        known = _variables(nodes, names)
        for each in nodes:
            if not isinstance(each, ast.expr) or not _converts(each):
                continue
            if any(_is_value(one, known, names) for one in walk(each)) and not _FORESEEN.search(ast.unparse(scope)):
                yield hit_at(source, each)


def _variables(nodes: list[ast.AST], names: dict[str, str]) -> frozenset[str]:
    """Return the variables that hold the value, and nothing else."""
    held: set[str] = set()
    other: set[str] = set()
    for statement in nodes:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Name) and isinstance(statement, ast.Assign):
                (held if _is_value(statement.value, frozenset(), names) else other).add(target.id)
    return frozenset(held - other)


def _converts(value: ast.expr) -> bool:
    """Return whether an expression converts parts of a text: ``map(int, x.split(","))``, ``[int(y) for y in ...]``."""
    match value:
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="int"), parts]):
            return _splits(parts)
        case ast.Call(func=ast.Name(id="int"), args=[ast.Subscript(value=parts)]):
            return _splits(parts)
        case (
            ast.ListComp(elt=ast.Call(func=ast.Name(id="int"), args=[_]), generators=[loop])
            | ast.SetComp(elt=ast.Call(func=ast.Name(id="int"), args=[_]), generators=[loop])
            | ast.GeneratorExp(elt=ast.Call(func=ast.Name(id="int"), args=[_]), generators=[loop])
        ):
            return not loop.ifs and _splits(loop.iter)
    return False


def _splits(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "split"


def _is_value(value: ast.AST, known: frozenset[str], names: dict[str, str]) -> bool:
    """Return whether an expression is the value of the variable: read of the environment, or ``envs`` of vLLM."""
    if isinstance(value, ast.Attribute):
        return value.attr == _VARIABLE
    if isinstance(value, ast.Name):
        return value.id in known
    if isinstance(value, ast.Subscript):
        return text_of(value.slice) == _VARIABLE and full_name(value.value, names) == "os.environ"
    if isinstance(value, ast.Call) and value.args:
        return text_of(value.args[0]) == _VARIABLE and full_name(value.func, names) in _READS
    return False


CHECK = file_check(examine, CheckTraits(literals=(_VARIABLE,)))
