"""A function or method that a condition names and does not call, where the file alone does not show it.

::

    if not is_torch_available: ...        a function of the tree, or of a library by its name
    while self.is_running: ...            an inherited method, no property

``uncalled_function`` reports what the file shows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors.uncalled_function import uncalled
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_OF_LIBRARIES = LazyRegex(r"^is_\w+_available$")
_LIBRARIES = frozenset(
    {"accelerate", "datasets", "diffusers", "huggingface_hub", "optimum", "peft", "transformers", "trl"}
)
"""Packages whose names of this form are functions."""


def gather(source: SourceFile) -> tuple[tuple[str, int, int], ...] | None:
    """Return the names that conditions on added lines test as they are, with line and column. Raises CannotParse."""
    if not source.added:
        return None
    reported = {id(each) for each in uncalled(source)}  # by the rule that needs no other file
    found = {
        (each.id if isinstance(each, ast.Name) else each.attr, each.lineno, each.col_offset)
        for each in _tested(source)
        if each.lineno in source.added and id(each) not in reported
    }
    return tuple(sorted(found)) or None


def _tested(source: SourceFile) -> Iterator[ast.Name | ast.Attribute]:
    """Yield what decides a condition by its own truth."""
    deciding: list[ast.If | ast.While | ast.IfExp | ast.Assert] = [*source.nodes(ast.If), *source.nodes(ast.While)]
    deciding += [*source.nodes(ast.IfExp), *source.nodes(ast.Assert)]
    tests = [each.test for each in deciding]
    tests += [test for each in source.nodes(ast.comprehension) for test in each.ifs]
    tests += [each.operand for each in source.nodes(ast.UnaryOp) if isinstance(each.op, ast.Not)]
    while tests:
        test = tests.pop()
        if isinstance(test, ast.BoolOp):
            tests += test.values
        elif isinstance(test, (ast.Name, ast.Attribute)):
            yield test


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such name that means a function or method."""
    targets = call_targets(codebase.head)
    for path, found in sorted(facts.items()):
        wanted, file = set(found), targets.file(path)
        if file is None:
            continue
        names = frozenset(name for name, _, _ in found)
        stored = {each.id for each in nodes_of(file.tree, ast.Name) if not isinstance(each.ctx, ast.Load)}
        reads: list[tuple[ast.Name | ast.Attribute, tuple[Scope, ...]]] = [
            (node, scopes) for node, scopes in file.names(names) if node.id not in stored
        ]
        reads += [(use.node, use.scopes) for use in file.attributes(names)]
        for node, scopes in sorted(reads, key=lambda each: (each[0].lineno, each[0].col_offset)):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if (name, node.lineno, node.col_offset) not in wanted:
                continue
            symbol = _function(targets, file, node, scopes) or _method(targets, file, node, scopes, codebase)
            signature = None if symbol is None else targets.signature(symbol)
            values = {"name": ast.unparse(node)}
            if symbol is not None and signature is not None:
                related = (Related(symbol.path, signature.line, "the definition"),)
                values |= {"kind": "method" if "." in symbol.name else "function"}
                yield Hit(node.lineno, values=values, path=path, related=related)
            elif symbol is None and _is_of_library(file, node, scopes):
                yield Hit(node.lineno, values=values | {"kind": "function"}, path=path)


def _function(
    targets: CallTargets, file: CodeFile, node: ast.Name | ast.Attribute, scopes: tuple[Scope, ...]
) -> Symbol | None:
    """Return the function that a name or an attribute of a module means."""
    symbol = targets.named_by(file, node, scopes)
    return None if symbol is None or targets.class_of(symbol) is not None else symbol


def _method(
    targets: CallTargets,
    file: CodeFile,
    node: ast.Name | ast.Attribute,
    scopes: tuple[Scope, ...],
    codebase: Codebase,
) -> Symbol | None:
    """Return the method that an attribute of an object of a known class means; None if code sets the attribute."""
    owner = targets.type_of(file, node.value, scopes) if isinstance(node, ast.Attribute) else None
    symbol = None if owner is None or isinstance(node, ast.Name) else targets.method(owner, node.attr)
    if symbol is None or isinstance(node, ast.Name):
        return None
    return None if is_set(codebase.head, node.attr) else symbol


def _is_of_library(file: CodeFile, node: ast.Name | ast.Attribute, scopes: tuple[Scope, ...]) -> bool:
    if not isinstance(node, ast.Name) or not _OF_LIBRARIES.match(node.id) or file.is_local(node.id, scopes):
        return False
    modules = {
        (each.module or "").partition(".")[0] if not each.level else ""
        for each in nodes_of(file.tree, ast.ImportFrom)
        if any((alias.asname or alias.name) == node.id for alias in each.names)
    }
    return bool(modules) and modules <= _LIBRARIES


CHECK = change_check(gather, relate, CheckTraits(literals=("if", "while", "not", "assert")))
