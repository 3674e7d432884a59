"""Where a file reads a name of its module, and fails for sure if the module does not bind it.

::

    from pkg.core import *          no longer brings `load`
    load()                          NameError
    with suppress(NameError):
        load()                      expected

Source: https://docs.python.org/3/reference/executionmodel.html#resolution-of-names
"""

from __future__ import annotations

import ast
import builtins

from review_bot.analysis.facts.class_bodies import binds
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.python.annotations import not_evaluated
from review_bot.analysis.python.module_body import top_level_names
from review_bot.analysis.python.statements import (
    Function,
    caught_lines,
    is_function,
    last_name,
)
from review_bot.analysis.python.syntax import bound_name, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line

_EXPECT_NAMES = frozenset({"BaseException", "Exception", "NameError"})


def global_reads(file: CodeFile, name: str) -> list[ast.Name]:
    """Return the reads of a name of the module; none where code outside of functions binds it."""
    handled = (each.name for each in nodes_of(file.tree, ast.ExceptHandler))
    if name in top_level_names(file.tree) or hasattr(builtins, name) or name in handled:
        return []
    expected = caught_lines(nodes_of(file.tree, ast.Try), _EXPECT_NAMES) | _suppressed(file.tree)
    unread = not_evaluated(file.tree, file.path)
    return [
        node
        for node, scopes in file.names(frozenset({name}))
        if not file.is_local(name, scopes)
        and not any(_imports(each, name) for each in scopes if is_function(each))
        and not any(binds(each, name) for each in scopes if isinstance(each, ast.ClassDef))
        and node.lineno not in expected
        and id(node) not in unread
    ]


def _suppressed(tree: ast.Module) -> set[int]:
    """Return the lines on which a missing name is expected, or that only type checkers read."""
    blocks = [
        each.body for each in nodes_of(tree, ast.With) if any(_suppresses(one.context_expr) for one in each.items)
    ]
    blocks += [each.body for each in nodes_of(tree, ast.If) if last_name(each.test) == "TYPE_CHECKING"]
    return {line for body in blocks for line in range(body[0].lineno, last_line(body[-1]) + 1)}


def _suppresses(context: ast.expr) -> bool:
    return (
        isinstance(context, ast.Call)
        and last_name(context.func) == "suppress"
        and not _EXPECT_NAMES.isdisjoint(map(last_name, context.args))
    )


def _imports(function: Function, name: str) -> bool:
    """Return whether a function itself imports something under a name."""
    imports = (each for each in own_nodes(function.body) if isinstance(each, (ast.Import, ast.ImportFrom)))
    return any(bound_name(alias) == name for each in imports for alias in each.names)
