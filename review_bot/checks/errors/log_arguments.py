"""Log calls whose arguments do not fit the places in their message."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.format_fields import conversions
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, text_of, unpacks
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.flow.effects import LOG_LEVELS
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import counted

_OTHER_STYLES = frozenset({"loguru", "structlog"})
"""Packages whose loggers format in another way: by ``str.format``, or as fields."""

_ERROR = "an error with a traceback to stderr in place of the log entry"
_OF_ANY_TYPE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
"""Arguments that may be a dictionary: as the only one of a message it names the places, and none needs to be named."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each log call with too many or too few arguments. Raises CannotParse."""
    imported = imported_names(source.tree)
    if not _OTHER_STYLES.isdisjoint(name.partition(".")[0] for name in imported.values()):
        return
    brought = {name for name, full in imported.items() if full.partition(".")[0] != "logging"}
    brought |= {
        alias.asname or alias.name
        for statement in source.nodes(ast.ImportFrom)
        for alias in statement.names
        if statement.module != "logging"
    }
    makers = brought | {each.name for each in source.nodes(ast.ClassDef)}
    made = brought | {
        target.id
        for assignment in source.nodes(ast.Assign)
        if any(each.id in makers for each in nodes_of(assignment.value, ast.Name))
        for target in assignment.targets
        if isinstance(target, ast.Name)
    }
    for call in source.nodes(ast.Call):
        if len(call.args) < 2:
            continue
        called = full_name(call.func, imported) or ""
        logger, _, level = called.rpartition(".")
        if level not in LOG_LEVELS or called.startswith("loguru."):
            continue  # loguru fills in ``{}`` and leaves other arguments alone
        logger = logger.rpartition(".")[2].lstrip("_").lower()
        if logger not in {"log", "logger", "logging"} or unpacks(call):
            continue
        places = _places(call.args[0])
        given = len(call.args) - 1
        if places is None or places == given:
            continue
        if not places and (dotted(call.func) or "").partition(".")[0] in brought:
            continue  # an object of another module, which may format in another way
        if not places and (dotted(call.func) or "").partition(".")[0] in made and _braces(call.args[0]) == given:
            continue
        if given == 1 and isinstance(call.args[1], (ast.Dict, ast.DictComp)):
            continue
        may_be_mapping = given == 1 and not places and isinstance(call.args[1], _OF_ANY_TYPE)
        values = {
            "places": counted(places, "placeholder"),
            "given": counted(given, "argument"),
            "printed": f"{_ERROR}, or the message alone if it is a dictionary" if may_be_mapping else _ERROR,
        }
        yield hit_at(source, call, values=values)


def _places(message: ast.expr) -> int | None:
    """Return how many values a message takes; None if its text is not all there, or names them."""
    written = text_of(message)
    found = [] if written is None else [each for each in conversions(written) if each.valid]
    return None if written is None or any(each.named for each in found) else sum(each.values for each in found)


def _braces(message: ast.expr) -> int:
    """Return how many places for ``str.format`` a message has."""
    return (text_of(message) or "").count("{}")


CHECK = file_check(examine, CheckTraits(literals=("log", "LOG")))
