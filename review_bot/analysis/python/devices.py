"""Devices that Python code names by a literal: ``device="cuda"``, ``x.cuda()``, ``torch.cuda.set_device(0)``.

::

    torch.zeros(2, device="cuda")      Literal(call, "cuda", None)
    torch.device("cuda:1")             Literal(call, "cuda:1", 1)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_definition, is_function, is_script, last_name
from review_bot.analysis.python.syntax import full_name, imported_names, own_nodes, text_of
from review_bot.changes.codebase import query
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_CUDA = LazyRegex(r"cuda(?::(\d+))?")

_WORDS = LazyRegex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CUDA_WORDS = frozenset({
    "amd", "bench", "benchmark", "cublas", "cuda", "cudagraph", "cudnn", "cupy", "cutlass", "diagnostics", "flash",
    "flashattn", "flashinfer", "gpu", "gpus", "hip", "kernel", "kernels", "nccl", "nvidia", "nvfp", "nvshmem",
    "profile", "profiler", "profiling", "pynccl", "rocm", "sageattn", "tensorrt", "triton", "trt",
})  # fmt: skip
"""Words in a path or a name that say: this is for CUDA alone, or measures it."""

_CUDA_PACKAGES = frozenset({
    "cupy", "cutlass", "flash_attn", "flashinfer", "pycuda", "pynvml", "sageattention", "tensorrt", "triton",
})  # fmt: skip

_ASKS = LazyRegex(
    r"_?(?:is_)?(?:cuda|rocm|npu|xpu|hpu|mps|musa|hip|out_of_tree)(?:_\w+)?|is_available|\w*platform|device_type|is_cpu"
)
"""Names by which code finds out where it runs."""

_CUDA_ONLY_API = frozenset({
    "CUDAGraph", "CUDAPluggableAllocator", "ExternalStream", "Stream", "MemPool", "current_stream", "graph", "stream",
})  # fmt: skip
"""What ``torch.cuda`` has for code that is written for CUDA."""


class Literal(NamedTuple):
    """A place that names a CUDA device. ``written`` is its text, on one line; ``number`` is None for plain ``cuda``."""

    node: ast.expr | ast.stmt
    written: str
    number: int | None
    functions: tuple[Function, ...]
    owner: ast.ClassDef | None


@query
def cuda_literals(source: SourceFile) -> list[Literal]:
    """Return the places that fix a CUDA device in code that may run elsewhere, in the order of the text.

    Left out are files, classes and functions that are for CUDA alone by their name, their imports or what they call;
    functions that ask where they run; and scripts. Raises CannotParse.
    """
    if _for_cuda(source.path):
        return []
    names = imported_names(source.tree)
    if any(name.partition(".")[0] in _CUDA_PACKAGES for name in names.values()) or is_script(source.tree):
        return []
    found: list[Literal] = []
    asks: dict[ast.stmt, bool] = {}
    for node in source.tree.body:
        for literal in _below(node, names, (), None):
            root = literal.functions[0] if literal.functions else node
            if root not in asks:
                asks[root] = _asks_where(root)
            if not asks[root]:
                found.append(literal)
    return sorted(found, key=lambda literal: (literal.node.lineno, literal.node.col_offset))


def _below(
    node: ast.stmt, names: dict[str, str], functions: tuple[Function, ...], owner: ast.ClassDef | None
) -> Iterator[Literal]:
    """Yield the literals in a statement and in the functions and classes below it."""
    inner = [node]
    if is_function(node):
        if _for_cuda(node.name) or node.name == "main":
            return
        functions, inner = (*functions, node), node.body
    elif isinstance(node, ast.ClassDef):
        if _for_cuda(node.name):
            return
        owner, inner = node, node.body
    elif isinstance(node, ast.Assign) and any(_for_cuda(last_name(target)) for target in node.targets):
        return
    found: list[Literal] = []
    for part in own_nodes(inner):
        if is_definition(part):
            yield from _below(part, names, functions, owner)
            continue
        fixed = _fixed_device(part, names)
        if fixed is not None and isinstance(part, (ast.expr, ast.stmt)):
            found.append(Literal(part, *fixed, functions, owner))
    if found:
        defaults = set(_defaults(inner))
        yield from (literal for literal in found if literal.node not in defaults)


def _defaults(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield what is only a default: what is below ``if device is None:``, or is assigned again further down."""
    assigned: dict[str, ast.Assign] = {}
    for node in own_nodes(body):
        if isinstance(node, ast.Assign):
            earlier = assigned.get(ast.unparse(node.targets[0]))
            if earlier is not None:
                yield from own_nodes([earlier])
            assigned[ast.unparse(node.targets[0])] = node
        if not isinstance(node, ast.If):
            continue
        absent = isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Is)
        negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        if absent or negated:
            yield from own_nodes(node.body)


def _fixed_device(node: ast.AST, names: dict[str, str]) -> tuple[str, int | None] | None:
    """Return (text, number) if a node fixes a CUDA device."""
    if isinstance(node, ast.Assign):
        return _assigned(node, names)
    if not isinstance(node, ast.Call):
        return None
    return _by_keyword(node) or _by_cuda_method(node) or _by_first_argument(node, full_name(node.func, names))


def _by_keyword(call: ast.Call) -> tuple[str, int | None] | None:
    """Read ``device="cuda"`` and its kin."""
    for keyword in call.keywords:
        if keyword.arg is not None and (keyword.arg == "map_location" or keyword.arg.endswith("device")):
            match = _device(keyword.value)
            if match:
                return f'{keyword.arg}="{match[0]}"', _number_in(match)
    return None


def _by_cuda_method(call: ast.Call) -> tuple[str, int | None] | None:
    """Read ``x.cuda()`` and ``x.cuda(0)``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "cuda" or call.keywords:
        return None
    if not call.args:
        return ".cuda()", None
    number = _number(call.args[0])
    return None if number is None else (f".cuda({number})", number)


def _by_first_argument(call: ast.Call, called: str | None) -> tuple[str, int | None] | None:
    """Read ``torch.device("cuda")``, ``x.to("cuda")`` and ``torch.cuda.set_device(0)``."""
    match = _device(call.args[0]) if call.args else None
    if called == "torch.cuda.set_device" and call.args:
        number = _number_in(match) if match else _number(call.args[0])
        return None if number is None else (f"torch.cuda.set_device({ast.unparse(call.args[0])})", number)
    if match and called == "torch.device" and len(call.args) > 1:
        number = _number(call.args[1])
        return None if number is None else (f'torch.device("cuda", {number})', number)
    if match and called == "torch.device":
        return f'torch.device("{match[0]}")', _number_in(match)
    if match and isinstance(call.func, ast.Attribute) and call.func.attr == "to":
        return f'.to("{match[0]}")', _number_in(match)
    return None


def _assigned(node: ast.Assign, names: dict[str, str]) -> tuple[str, int | None] | None:
    """Read ``device = "cuda"`` and ``os.environ["CUDA_VISIBLE_DEVICES"] = "0"``."""
    target = node.targets[0]
    if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, str):
        return None
    if isinstance(target, ast.Subscript):
        one = full_name(target.value, names) == "os.environ" and node.value.value.isdecimal()
        if one and isinstance(target.slice, ast.Constant) and target.slice.value == "CUDA_VISIBLE_DEVICES":
            return f'CUDA_VISIBLE_DEVICES = "{node.value.value}"', int(node.value.value)
        return None
    match = _device(node.value)
    if match and last_name(target).endswith("device"):
        return f'{ast.unparse(target)} = "{match[0]}"', _number_in(match)
    return None


def _device(node: ast.expr) -> re.Match[str] | None:
    return _CUDA.fullmatch(text_of(node) or "")


def _number_in(match: re.Match[str]) -> int | None:
    return None if match[1] is None else int(match[1])


def _number(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _for_cuda(name: str) -> bool:
    """Return whether a path or an identifier says that what it names is for CUDA alone."""
    return not _CUDA_WORDS.isdisjoint(word.lower() for word in _WORDS.findall(name))


def _asks_where(node: ast.stmt) -> bool:
    """Return whether a statement finds out where it runs, or uses what only CUDA has."""
    for part in walk(node):
        if isinstance(part, ast.Name) and _ASKS.fullmatch(part.id) and part.id != "cuda":
            return True
        if isinstance(part, ast.Attribute):
            if part.attr in _CUDA_ONLY_API and last_name(part.value) == "cuda":
                return True
            if _ASKS.fullmatch(part.attr) and part.attr != "cuda":
                return True
            if part.attr == "type" and last_name(part.value).endswith("device"):
                return True
    return False
