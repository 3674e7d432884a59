"""Names that are read and that nothing binds: neither the module, nor the function, nor Python."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from review_bot.analysis.project.unbound_names import unbound_uses
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_DATABRICKS = "# Databricks notebook source"
"""The first line of a notebook that Databricks keeps as Python (https://docs.databricks.com/aws/en/notebooks/)."""
_OF_DATABRICKS = frozenset({"dbutils", "display", "displayHTML", "sc", "spark", "sqlContext", "table"})
"""The names that Databricks gives its notebooks."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added use, in each function, of a name that nothing binds. Raises CannotParse."""
    for node in first_added(source, unbound_uses(source)):
        yield hit_at(source, node, values={"name": node.id})


def first_added(source: SourceFile, uses: Iterable[ast.Name]) -> Iterator[ast.Name]:
    """Yield the first added use of each name in each function; none where code comes from elsewhere."""
    if "template" in PurePosixPath(source.path).stem or _bound_elsewhere(source):
        return  # a program writes the rest of it
    seen: set[tuple[str, int]] = set()
    given = _OF_DATABRICKS if source.lines[:1] == [_DATABRICKS] else frozenset[str]()
    for node in uses:
        if node.lineno not in source.added or node.id in given:
            continue
        around = [each.lineno for each in source.functions if each.lineno <= node.lineno <= (each.end_lineno or 0)]
        place = (node.id, max(around, default=0))
        if place not in seen:
            seen.add(place)
            yield node


def _bound_elsewhere(source: SourceFile) -> bool:
    """Return whether a file makes functions of the code of its own and the names of another module."""
    return any(
        last_name(call.func) == "FunctionType" and len(call.args) > 1 and last_name(call.args[0]) == "__code__"
        for call in source.nodes(ast.Call)
    )


CHECK = FileCheck(without_options(examine), CheckTraits(literals=None, doubted=True))
