"""A default of an environment variable that is no text, as what is read is if the variable is set."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise

from review_bot.analysis.python.statements import assignments_of, blocks, last_name, targets_of
from review_bot.analysis.python.syntax import argument_values, dotted, full_name, hit_at, imported_names
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex

_READS = frozenset({"os.environ.get", "os.getenv"})
_OF_NUMBERS = LazyRegex(r"%[-+ #0-9.*]*[diouxXeEfFgG]")
_DECODES = LazyRegex(r"(?i)^(?:int|str|isinstance|loads|literal_eval)$|bool|truth|flag|enabled")
"""Functions that distinguish the texts of yes and no."""
_CONVERTING = LazyRegex(r"(?:Config|Args|Arguments|Params|Settings|Options)$")
"""Classes that may convert what they are given, as pydantic does."""


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each read with a default of one of the ``types``, unless what is read is compared or handed on at once.

    ``converted_next``: one that the next statement converts is left out. What the environment is to hold fails where
    the variable is not set, unlike all others, and a message says so of a number. Raises CannotParse.
    """
    types = options["types"]
    imported = imported_names(source.tree)
    found = [
        call for call in source.nodes(ast.Call) if len(call.args) == 2 and full_name(call.func, imported) in _READS
    ]
    reads = {id(call): call for call in found if type(_value(call.args[1])).__name__ in types and not call.keywords}
    if not reads:
        return
    used = {id(each) for each in _used_at_once(source.tree)}
    values = ((each, each.value) for each in assignments_of(source.tree))
    assigned = {id(call): each for each, value in values if value is not None for call in nodes_of(value, ast.Call)}
    converted = _converted_next(source.tree) if options["converted_next"] else set()
    handed = _handed_to_settings(source.tree)
    decoded = _decoded(source.tree) if "bool" in types else set()
    shown = _shown_alone(source.tree)
    for key, call in reads.items():
        statement = assigned.get(key)
        targets = [] if statement is None else targets_of(statement)
        if targets and all(map(shown.__contains__, map(dotted, targets))):
            continue
        if not decoded.isdisjoint(map(dotted, targets)):
            continue
        if key not in used and handed.isdisjoint(map(dotted, targets)) and id(statement) not in converted:
            default, message = ast.unparse(call.args[1]), None
            if any(_is_of_environment(each, imported) for each in targets):
                if isinstance(_value(call.args[1]), bool):
                    continue
                message = (
                    f"`os.environ` holds texts alone, and this stores the number `{default}` in it if nothing is set."
                )
            yield hit_at(source, call, values={"default": default}, message=message)


def _is_of_environment(target: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether a target is a variable of the environment, which takes no number."""
    return isinstance(target, ast.Subscript) and full_name(target.value, imported) == "os.environ"


def _value(default: ast.expr) -> object:
    """Return the constant that a default is, a minus before it left out."""
    inner = default.operand if isinstance(default, ast.UnaryOp) and isinstance(default.op, ast.USub) else default
    return inner.value if isinstance(inner, ast.Constant) else None


def _used_at_once(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield arguments, sides of comparisons and parts of formatted texts: something else decides what they become."""
    for call in nodes_of(tree, ast.Call):
        yield from argument_values(call)
    for compared in nodes_of(tree, ast.Compare):
        yield from (compared.left, *compared.comparators)
    yield from _formatted(tree)


def _formatted(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is put into texts: ``f"{port}"``, ``"%s" % port``; not for ``%d``, which needs a number."""
    for formatted in nodes_of(tree, ast.FormattedValue):
        yield formatted.value
    for joined in nodes_of(tree, ast.BinOp):
        text = joined.left.value if isinstance(joined.left, ast.Constant) else None
        if isinstance(joined.op, ast.Mod) and isinstance(text, str) and not _OF_NUMBERS.search(text):
            yield from joined.right.elts if isinstance(joined.right, ast.Tuple) else (joined.right,)


def _shown_alone(tree: ast.Module) -> set[str | None]:
    """Return the names that a module reads only to put them into texts, where a number is a text as well."""
    shown = [*_formatted(tree)]
    texts, within = set(map(dotted, shown)) - {None}, set(map(id, shown))
    kinds: list[ast.Name | ast.Attribute] = [*nodes_of(tree, ast.Name), *nodes_of(tree, ast.Attribute)]
    read = {dotted(each) for each in kinds if isinstance(each.ctx, ast.Load) and id(each) not in within}
    return texts - read


def _handed_to_settings(tree: ast.Module) -> set[str | None]:
    """Return what the keyword arguments of calls of configuration classes are."""
    calls = (call for call in nodes_of(tree, ast.Call) if _CONVERTING.search(last_name(call.func)))
    return {dotted(each.value) for call in calls for each in call.keywords} - {None}


def _decoded(tree: ast.Module) -> set[str | None]:
    """Return the names whose text is compared or converted somewhere, so that `0` and `False` are known there."""
    found: set[str | None] = set()
    for compare in nodes_of(tree, ast.Compare):
        if not any(isinstance(each, (ast.Is, ast.IsNot)) for each in compare.ops):
            found |= set(map(dotted, (compare.left, *compare.comparators)))
    for call in nodes_of(tree, ast.Call):
        if _DECODES.search(last_name(call.func)):
            found |= set(map(dotted, argument_values(call)))
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"lower", "strip", "upper", "casefold"}:
            found.add(dotted(call.func.value))
    return found - {None}


def _converted_next(tree: ast.Module) -> set[int]:
    """Return the statements, by identity, that one follows which converts something to a number."""
    found = set[int]()
    for block in blocks(tree.body):
        for statement, after in pairwise(block):
            value = after.value if isinstance(after, ast.Assign) else None
            if isinstance(value, ast.Call) and last_name(value.func) in {"int", "float"}:
                found.add(id(statement))
    return found


CHECK = FileCheck(examine, CheckTraits(literals=("environ", "getenv")))
