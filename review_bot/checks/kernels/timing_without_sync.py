"""A time around a model call, taken on the host alone: the device has only been asked to start by then."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_CLOCKS = {"time.time", "time.perf_counter", "time.monotonic"}

_MODELS = frozenset(
    {"model", "transformer", "unet", "vae", "text_encoder", "net", "module", "forward", "decoder", "encoder"}
)

_ACCELERATOR = LazyRegex(r"cuda|npu|xpu|hip\b", re.IGNORECASE)
_WAITS = LazyRegex(
    r"\bfloat\(|\.to\([\"']cpu|synchronize|Event\(|elapsed_time|\.item\(|\.cpu\(|\.tolist\(|\.numpy\(|do_bench|mark_step|\.wait\("
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the end of each such measurement. Raises CannotParse."""
    imported = imported_names(source.tree)
    if not any(name.partition(".")[0] == "torch" for name in imported.values()):
        return
    if not _ACCELERATOR.search(source.text or ""):
        return  # the model may run elsewhere, or on the CPU
    for function in source.functions:
        if _WAITS.search("\n".join(source.lines_of_authors[function.lineno - 1 : function.end_lineno])):
            continue
        started: dict[str, int] = {}
        calls: list[ast.Call] = []
        for node in sorted(own_nodes(function.body), key=lambda each: getattr(each, "lineno", 0)):
            if isinstance(node, ast.Assign) and _is_clock(node.value, imported):
                if isinstance(node.targets[0], ast.Name):
                    started[node.targets[0].id] = node.lineno
            elif isinstance(node, ast.Call) and last_name(node.func) in _MODELS:
                calls.append(node)
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.right, ast.Name):
                begin = started.get(node.right.id)
                if begin is None or not (_is_clock(node.left, imported) or last_name(node.left) in started):
                    continue
                timed = [call for call in calls if begin < call.lineno < node.lineno]
                if timed:
                    yield hit_at(source, node, values={"call": ast.unparse(timed[-1].func)})


def _is_clock(node: ast.expr, imported: dict[str, str]) -> bool:
    return isinstance(node, ast.Call) and full_name(node.func, imported) in _CLOCKS


CHECK = file_check(examine, CheckTraits(literals=("time", "perf_counter", "monotonic")))
