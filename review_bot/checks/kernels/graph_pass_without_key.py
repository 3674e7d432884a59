"""A plain function as a custom pass of TorchInductor, which then stores no compiled graph in its cache.

Source: ``FxGraphCache._check_can_cache`` in ``torch/_inductor/codecache.py``. It caches no graph whose pass is not a
``CustomGraphPass``, or returns None from ``uuid()``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import functions_of, last_name
from review_bot.analysis.python.syntax import hit_at, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_PASSES = ("post_grad_custom_post_pass", "post_grad_custom_pre_pass")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each place that installs a function of the file as such a pass. Raises CannotParse."""
    functions = {each.name for each in functions_of(source.tree)}
    for place, name, value in _installed(source):
        is_function = isinstance(value, ast.Lambda) or (isinstance(value, ast.Name) and value.id in functions)
        if name in _PASSES and is_function:
            shown = "A lambda" if isinstance(value, ast.Lambda) else f"The function `{ast.unparse(value)}`"
            yield hit_at(source, place, values={"pass": shown, "setting": name})


def _installed(source: SourceFile) -> Iterator[tuple[ast.AST, str, ast.expr]]:
    """Yield what sets an attribute, a key or a keyword argument: the place, the name and the value."""
    for statement in source.nodes(ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Attribute):
                yield statement, last_name(target), statement.value
            elif isinstance(target, ast.Subscript):
                yield statement, text_of(target.slice) or "", statement.value
    for table in source.nodes(ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if key is not None:
                yield value, text_of(key) or "", value


CHECK = file_check(examine, CheckTraits(literals=_PASSES))
