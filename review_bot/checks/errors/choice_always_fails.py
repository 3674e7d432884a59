"""A choice of an option that the script offers, and for which the only code that tests for it raises.

::

    parser.add_argument("--cache-backend", choices=["cache_dit", "tea_cache"])
    if args.cache_backend == "cache_dit":
        config = DEFAULTS
    elif args.cache_backend == "tea_cache":
        raise ValueError("not supported yet")
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.statements import inner_blocks, is_for_scripts, last_name
from review_bot.analysis.python.syntax import hit_at, keyword, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ENDS = frozenset({"error", "exit", "_exit", "quit"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such choice where it is offered. Raises CannotParse."""
    calls = [each for each in source.nodes(ast.Call) if last_name(each.func) == "add_argument" and each.args]
    declared = [destination(each) for each in calls]
    for call, name in zip(calls, declared, strict=True):
        choices, default = keyword(call, "choices"), keyword(call, "default")
        if not isinstance(choices, (ast.List, ast.Tuple, ast.Set)) or name is None or declared.count(name) > 1:
            continue
        offered = [each for each in choices.elts if text_of(each) is not None]
        for choice in offered if len(offered) == len(choices.elts) > 1 else ():
            failing = None if text_of(default) == text_of(choice) else _failing(source.tree, name, text_of(choice))
            if failing is not None:
                option = text_of(call.args[-1]) or name
                values = {"choice": str(text_of(choice)), "option": option, "line": str(failing.test.lineno)}
                related = (Related(source.path, failing.test.lineno, "fails for it"),)
                yield hit_at(source, choice, values=values, related=related)


def _failing(tree: ast.Module, name: str, choice: str | None) -> ast.If | None:
    """Return the ``if`` that fails for a choice, if no other code names both the option and the choice."""
    compared = [
        each
        for each in nodes_of(tree, ast.Compare)
        if any(isinstance(part, ast.Attribute) and part.attr == name for part in (each.left, *each.comparators))
    ]
    of_choice = [each for each in compared if any(each.value == choice for each in nodes_of(each, ast.Constant))]
    found = [each for each in _unconditional(tree.body) if each.test in of_choice and _is_equal(each.test)]
    mentions = [each for each in nodes_of(tree, ast.Constant) if each.value == choice]
    if len(of_choice) != 1 or len(found) != 1 or len(mentions) != 2 or not _fails(found[0].body):
        return None
    return found[0]


def _unconditional(body: list[ast.stmt]) -> Iterator[ast.If]:
    """Yield each ``if`` and ``elif`` that no other condition and no loop surrounds."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield statement
            if len(statement.orelse) == 1:
                yield from _unconditional(statement.orelse)
            if is_for_scripts(statement) or truth(statement.test, {}) is True:
                yield from _unconditional(statement.body)
        elif not isinstance(statement, (*LOOPS, ast.Match)):
            for block in inner_blocks(statement):
                yield from _unconditional(block)


def _is_equal(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)


def _fails(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and last_name(last.value.func) in _ENDS:
        return not _is_success(last.value)
    return fails(body)


def _is_success(call: ast.Call) -> bool:
    """Return whether a call ends the program without an error, as ``exit()`` does, and never ``parser.error()``."""
    if last_name(call.func) == "error":
        return False
    return not call.args or (isinstance(call.args[0], ast.Constant) and not call.args[0].value)


CHECK = file_check(
    examine,
    CheckTraits(literals=("add_argument choices raise", "add_argument choices error", "add_argument choices exit")),
)
