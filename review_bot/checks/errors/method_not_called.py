"""A method named as a statement of its own, without the parentheses that would call it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import is_function
from review_bot.analysis.python.syntax import classes, hit_at, names_in, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such statement about a method that the same class defines. Raises CannotParse."""
    for owner in classes(source.tree):
        methods = {each.name for each in owner.body if is_function(each) and not each.decorator_list}
        methods -= {name for each in owner.body if not is_function(each) for name in names_in(each, ast.Store)}
        for function in owner.body:
            if not is_function(function) or not function.args.args:
                continue
            this = function.args.args[0].arg
            for node in own_nodes(function.body):
                if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute)):
                    continue
                named = node.value
                if isinstance(named.value, ast.Name) and named.value.id == this and named.attr in methods:
                    yield hit_at(source, node, values={"name": f"{this}.{named.attr}"})


CHECK = file_check(examine, CheckTraits(literals=("class self",)))
