"""A launched Triton kernel that takes the length of a ``tl.arange`` as an ordinary argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import named_parameters
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.analysis.python.triton_kernels import assignments, is_constexpr, kernels, language_call
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such parameter, where ``tl.arange`` uses it. Raises CannotParse.

    A kernel that another one calls may take a constant without saying so; only one that this file launches,
    ``kernel[grid](...)``, must say it.
    """
    launched = {each.value.id for each in source.nodes(ast.Subscript) if isinstance(each.value, ast.Name)}
    for kernel, imported in kernels(source):
        if kernel.name not in launched or _is_specialised(kernel):
            continue
        own = assignments(kernel)
        plain = {each.arg for each in named_parameters(kernel) if not is_constexpr(each) and each.arg not in own}
        reported: set[str] = set()
        for node in own_nodes(kernel.body):
            if not isinstance(node, ast.Call) or language_call(node, imported) != "arange":
                continue
            for argument in node.args:
                if isinstance(argument, ast.Name) and argument.id in plain - reported:
                    reported.add(argument.id)
                    yield hit_at(source, node, values={"name": argument.id})


def _is_specialised(kernel: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether another decorator of the kernel may fix parameters; ``autotune`` only fixes its own."""
    text = " ".join(ast.unparse(each) for each in kernel.decorator_list)
    return "heuristics" in text or "constexpr" in text


CHECK = file_check(examine, CheckTraits(literals=("arange",)))
