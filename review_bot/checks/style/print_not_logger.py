"""Calls of ``print`` in a module that otherwise writes its messages to a logger of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_script, last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.effects import LOG_LEVELS
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LOGGER = frozenset({"log", "logger"})
_FOR_A_TERMINAL = frozenset({"file", "end", "flush"})
_QUESTIONS = frozenset({"input", "getpass", "confirm", "prompt"})
_SHOWS = LazyRegex(
    r"main|cli|run_cli|usage|__(?:str|repr)__|test_\w+|(?:\w+_)?(?:print|show|dump|display|report|summary|visuali[sz]e)(?:_\w+)?"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added ``print`` of a file, with the others, if its logger has more calls than ``print`` has.

    Raises CannotParse.
    """
    calls = source.nodes(ast.Call)
    prints = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]
    if not prints or is_script(source.tree):
        return
    loggers = _loggers(source.tree)
    logged = [name for call in calls if (name := _logger_of(call)) in loggers]
    if len(logged) <= len(prints):
        return
    showing = [each for each in source.functions if _SHOWS.fullmatch(each.name) or _asks(each)]
    added = [
        call
        for call in prints
        if call.lineno in source.added
        and not any(keyword.arg in _FOR_A_TERMINAL for keyword in call.keywords)
        and not any(each.lineno <= call.lineno <= last_line(each) for each in showing)
    ]
    if added:
        first, *others = sorted(added, key=lambda call: call.lineno)
        related = tuple(Related(source.path, call.lineno, "also prints") for call in others)
        yield Hit(first.lineno, first.end_lineno, values={"logger": logged[0]}, related=related)


def _asks(function: Function) -> bool:
    """Return whether a function talks to a person at a terminal: it waits for an answer."""
    return any(last_name(call.func) in _QUESTIONS for call in nodes_of(function, ast.Call))


def _loggers(tree: ast.Module) -> frozenset[str]:
    """Return the names like ``logger`` to which the top level of a module assigns the result of a call."""
    return frozenset(
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.lower().strip("_").rpartition("_")[2] in _LOGGER
    )


def _logger_of(call: ast.Call) -> str:
    """Return ``logger`` of a call of ``logger.info``, else an empty text."""
    owner, _, level = (dotted(call.func) or "").rpartition(".")
    return owner if level in LOG_LEVELS else ""


CHECK = file_check(examine, CheckTraits(literals=("print log", "print LOG")))
