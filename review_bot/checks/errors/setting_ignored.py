"""A setting from the environment that does not convert, and a handler that replaces it without any message.

::

    try:
        slots = int(os.environ.get("HALCYON_SLOTS", "8"))
    except ValueError:
        slots = 8                       ``HALCYON_SLOTS=16k`` means 8, and no log shows it
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from review_bot.analysis.python.statements import caught_names, last_name
from review_bot.analysis.python.syntax import full_name, hit_on, imported_names, names_in, own_nodes, text_of
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_READERS = frozenset({"os.getenv", "os.environ.get", "getenv", "environ.get"})
_MAPPINGS = frozenset({"os.environ", "environ"})
_CONVERTS = frozenset({"float", "int", "literal_eval", "loads"})
_CATCHES = frozenset({"ValueError", "JSONDecodeError", "Exception", "BaseException"})
_PLAIN = frozenset({"bool", "dict", "float", "int", "list", "max", "min", "set", "str", "tuple"})
"""Calls that say nothing to anyone."""
_SET_BY_PROGRAMS = LazyRegex(
    r"^`(COLUMNS|LINES|RANK|WORLD_SIZE|MASTER_PORT|.*(LOCAL|NODE|GROUP)_(RANK|WORLD_SIZE)|(SLURM|OMPI|PMI|MPI)_.*)`$"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such handler. Raises CannotParse."""
    imported = imported_names(source.tree)
    for body in (source.tree.body, *(function.body for function in source.functions)):
        nodes = list(own_nodes(body))
        tries = [node for node in nodes if isinstance(node, (ast.Try, ast.TryStar))]
        settings = dict(_held(nodes, imported)) if tries else {}
        reads = _last_reads(nodes, settings)
        for statement in tries:
            found = _conversion(statement, settings, imported)
            tried = names_in(statement) & settings.keys()
            if found is None or any(reads[name] > last_line(statement) for name in tried):
                continue  # the text is good as it is
            call, setting = found
            for handler in statement.handlers:
                if not _CATCHES.isdisjoint(caught_names(handler)):
                    if _is_silent(handler, settings) and not _is_explained(source, handler):
                        yield hit_on(source, handler, values={"setting": setting, "call": call})
                    break  # the handlers below catch no such error


def _held(nodes: Iterable[ast.AST], imported: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the names that are given the text of a setting as it is, each with the setting."""
    plain = (node for node in nodes if isinstance(node, ast.Assign) and len(node.targets) == 1)
    for node in plain:
        target = node.targets[0]
        if isinstance(target, ast.Name) and _CONVERTS.isdisjoint(map(_called, walk(node.value))):
            yield from ((target.id, setting) for setting in _settings(node.value, imported))


def _settings(node: ast.AST, imported: Mapping[str, str]) -> Iterator[str]:
    """Yield the environment variables that an expression reads, in words."""
    for each in walk(node):
        if isinstance(each, ast.Call) and each.args and full_name(each.func, imported) in _READERS:
            yield _named(each.args[0])
        elif isinstance(each, ast.Subscript) and full_name(each.value, imported) in _MAPPINGS:
            yield _named(each.slice)


def _named(variable: ast.expr) -> str:
    name = text_of(variable)
    return f"the variable that `{ast.unparse(variable)}` names" if name is None else f"`{name}`"


def _conversion(
    statement: ast.Try | ast.TryStar, settings: Mapping[str, str], imported: Mapping[str, str]
) -> tuple[str, str] | None:
    """Return what converts the text of a setting in the body of a ``try``, and the setting."""
    for inner in statement.body:
        if isinstance(inner, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)) and inner.value is not None:
            call = next((name for name in map(_called, walk(inner.value)) if name in _CONVERTS), None)
            named = (settings[name] for name in sorted(names_in(inner.value)) if name in settings)
            setting = next(chain(_settings(inner.value, imported), named), None)
            if call is not None and setting is not None and not _SET_BY_PROGRAMS.search(setting):
                return call, setting
    return None


def _called(node: ast.AST) -> str:
    return last_name(node.func) if isinstance(node, ast.Call) and node.args else ""


def _last_reads(nodes: Iterable[ast.AST], settings: Mapping[str, str]) -> dict[str, int]:
    """Return the line of the last mention of each name that holds the text of a setting."""
    mentions = (each for each in nodes if isinstance(each, ast.Name) and each.id in settings)
    return {each.id: each.lineno for each in sorted(mentions, key=lambda each: each.lineno)}


def _is_silent(handler: ast.ExceptHandler, settings: Mapping[str, str]) -> bool:
    """Return whether a handler calls nothing, raises nothing, and uses neither the error nor the text."""
    used = {handler.name, *settings}
    for node in chain.from_iterable(map(walk, handler.body)):
        if isinstance(node, (ast.Raise, ast.Try, ast.TryStar)) or (isinstance(node, ast.Name) and node.id in used):
            return False
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _PLAIN):
            return False
    return True


def _is_explained(source: SourceFile, handler: ast.ExceptHandler) -> bool:
    lines = source.lines_of_authors[handler.lineno - 1 : last_line(handler.body[-1])]
    return any("#" in line for line in lines)


CHECK = file_check(examine, CheckTraits(literals=("environ except", "getenv except")))
