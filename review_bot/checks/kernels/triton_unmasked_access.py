"""A load or store of a Triton kernel without the mask that the kernel itself puts on the same offsets elsewhere.

That offsets are masked in one place says that they may run past the end; in the other place they do so too. Offsets
that wrap around (``%``), block pointers, accesses in a branch (``if EVEN_N:``), and memory whose size is rounded up by
its name (``rows * length_rounded + offsets``) are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, inner_blocks
from review_bot.analysis.python.syntax import hit_at, keyword, names_in, own_nodes, unpacks
from review_bot.analysis.python.triton_kernels import assignments, kernels, language_call
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ROUNDED = LazyRegex(r"(?i)round|padded|aligned|pow2|ceil")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such access. Raises CannotParse."""
    for kernel, imported in kernels(source):
        values = assignments(kernel)
        offsets = _offsets(values, imported)
        accesses = [
            node
            for node in own_nodes(kernel.body)
            if isinstance(node, ast.Call) and language_call(node, imported) in {"load", "store"} and not unpacks(node)
        ]
        masked: dict[str, int] = {}
        for access in accesses:
            mask = _mask(access, language_call(access, imported))
            for name in _guarded(mask, values, offsets) if mask is not None else ():
                masked.setdefault(name, access.lineno)
        if not masked:
            continue
        branched = _in_branches(kernel)
        for access in accesses:
            function = language_call(access, imported)
            if _mask(access, function) is not None or keyword(access, "boundary_check") or access.lineno in branched:
                continue
            for name in sorted(_direct(access.args[0], values, offsets) & masked.keys()) if access.args else ():
                named = {"function": f"tl.{function}", "offsets": name, "line": str(masked[name])}
                yield hit_at(source, access, values=named)
                break


def _offsets(values: Mapping[str, list[ast.expr]], imported: Mapping[str, str]) -> set[str]:
    """Return the names that are made once, from ``tl.arange`` plus the place of the program, and do not wrap around."""
    return {
        name
        for name, made in values.items()
        if len(made) == 1
        and any(language_call(node, imported) == "arange" for node in ast.walk(made[0]))
        and len(names_in(made[0])) > 1
        and not any(isinstance(node, ast.Mod) or language_call(node, imported) == "where" for node in ast.walk(made[0]))
    }


def _mask(access: ast.Call, function: str) -> ast.expr | None:
    place = 1 if function == "load" else 2
    return keyword(access, "mask") or (access.args[place] if len(access.args) > place else None)


def _guarded(mask: ast.expr, values: Mapping[str, list[ast.expr]], offsets: set[str]) -> set[str]:
    """Return the offsets that a mask compares with something that is not a constant."""
    made = values.get(mask.id, []) if isinstance(mask, ast.Name) else []
    found: set[str] = set()
    for expression in [mask, *made]:
        for node in ast.walk(expression):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Lt, ast.LtE)):
                left = names_in(node.left) & offsets
                if len(left) == 1 and names_in(node.comparators[0]) - offsets:
                    found |= left
    return found


def _direct(pointer: ast.expr, values: Mapping[str, list[ast.expr]], offsets: set[str]) -> set[str]:
    """Return the offsets in a pointer, or in the one expression that made it; none of memory that is rounded up."""
    expressions = [pointer]
    if isinstance(pointer, ast.Name):
        expressions += values.get(pointer.id, []) if len(values.get(pointer.id, [])) == 1 else []
    names = set[str]().union(*map(names_in, expressions))
    return set() if any(_ROUNDED.search(name) for name in names) else names & offsets


def _in_branches(kernel: Function) -> set[int]:
    """Return the lines below an ``if``: its condition may say that no mask is needed."""
    found: set[int] = set()
    for node in ast.walk(kernel):
        if isinstance(node, ast.If):
            for block in inner_blocks(node):
                found.update(range(block[0].lineno, last_line(block[-1]) + 1))
    return found


CHECK = file_check(examine, CheckTraits(literals=("load", "store")))
