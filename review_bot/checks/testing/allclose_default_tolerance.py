"""``torch.allclose`` without a tolerance in a test of half precision."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, source_text, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_HALF = LazyRegex(r"\b(?:bfloat16|float16|bf16|fp16|float8_\w+)\b|\.half\(\)")
_COMPARES = {"torch.allclose": "torch.testing.assert_close", "numpy.allclose": "np.testing.assert_allclose"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call that is asserted in a function which names a dtype of half precision. Raises CannotParse."""
    if not _HALF.search(source.text or ""):
        return
    names = imported_names(source.tree)
    seen: set[ast.Call] = set()  # an inner function is part of the outer one too
    for function in source.functions:
        half = _HALF.search(source_text(source, function))
        if half is None:
            continue
        for call in _asserted(function):
            name = full_name(call.func, names)
            if name in _COMPARES and len(call.args) == 2 and not _has_tolerance(call) and call not in seen:
                seen.add(call)
                values = {"name": ast.unparse(call.func), "dtype": half[0].strip(".()"), "better": _COMPARES[name]}
                yield hit_at(source, call, values=values)


def _asserted(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Call]:
    """Yield the calls that a function of its own asserts to be true."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            conditions = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "assertTrue":
            conditions = node.args[:1]
        else:
            continue
        yield from (each for each in conditions if isinstance(each, ast.Call))


def _has_tolerance(call: ast.Call) -> bool:
    return unpacks(call) or any(each.arg in {"rtol", "atol"} for each in call.keywords)


CHECK = file_check(examine, CheckTraits(literals=("allclose",)))
