"""Loops that release several things inside one ``try``, whose handler goes on: the first failure leaves the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import caught_names, last_name, tries_of
from review_bot.analysis.python.syntax import dotted, hit_on, names_in, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_RELEASES = LazyRegex(
    r"_?(?:a?close|shutdown|shut_down|release|free|terminate|kill|killpg|abort|stop|cleanup|clean_up|destroy"
    r"|unload|unregister|deregister|disconnect|teardown|dispose)(?:_\w+)?"
)
_BROAD = frozenset({"BaseException", "ConnectionError", "Exception", "OSError", "RuntimeError"})
_GUARDING = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Return, ast.Break)
"""What may catch the failure of one round, or ends the loop on purpose."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such loop. Raises CannotParse."""
    dying = {id(node) for each in source.functions if each.name == "__del__" for node in own_nodes(each.body)}
    for node in tries_of(source.tree):
        handler = next((each for each in node.handlers if caught_names(each) & _BROAD), None)
        if handler is None or id(node) in dying or any(isinstance(each, ast.Raise) for each in own_nodes(handler.body)):
            continue
        for loop in node.body:
            call = _released(loop) if isinstance(loop, (ast.For, ast.AsyncFor)) else None
            if call is not None:
                related = (Related(source.path, handler.lineno, "handles the failure of the whole loop"),)
                yield hit_on(source, loop, values={"call": ast.unparse(call.func)}, related=related)


def _released(loop: ast.For | ast.AsyncFor) -> ast.Call | None:
    """Return the first call in a loop that releases what the round is about; None: none, or rounds are guarded."""
    nodes = list(own_nodes(loop.body))
    if any(isinstance(each, _GUARDING) for each in nodes):
        return None
    names = names_in(loop.target)
    for statement in nodes:
        value = statement.value if isinstance(statement, ast.Expr) else None
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(call, ast.Call) and _RELEASES.fullmatch(last_name(call.func)):
            objects = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            if any((dotted(each) or "").partition(".")[0] in names for each in [*objects, *call.args]):
                return call
    return None


CHECK = file_check(examine, CheckTraits(literals=("try for except",)))
