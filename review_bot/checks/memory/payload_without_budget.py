"""Requests that begin to carry payloads, where nothing bounds how many of these are admitted at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import classes, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.text.globs import matches_any
from review_bot.text.lazy_regex import LazyRegex

LITERALS = (
    "bytes", "Payload", "Embeds", "waiting",
    *(part for word in ("max", "budget", "limit", "cap", "quota") for part in (word, word.title(), word.upper())),
)  # fmt: skip

_PAYLOAD = LazyRegex(r"Payload$|Embeds$")
_AMOUNT = r"embed|payload|memory|mem(?![a-z])|bytes"
_BOUND = r"max|budget|limit|cap|quota"
_FIRST_BOUND = "|".join(rf"{bound}(?<![^\W_]{bound})" for bound in _BOUND.split("|"))
_BUDGET = LazyRegex(rf"(?:{_FIRST_BOUND})\w{{0,80}}(?:{_AMOUNT})|(?:{_AMOUNT})\w{{0,80}}(?:{_BOUND})")
"""The name of a bound in lower case. Each alternative begins with a letter, which is looked for quickly."""


class Facts(NamedTuple):
    """``bounded``: a name of a bound is added. ``field``: see ``_field``. ``loop``: the line of an admission loop."""

    bounded: bool = False
    field: tuple[int, int, str] | None = None
    loop: int | None = None


def gather(source: SourceFile, options: Options) -> Facts | None:
    """Return the first added payload field, the line of an admission loop, and whether any added name is a bound.

    Raises CannotParse.
    """
    if _BUDGET.search("\n".join(source.added.values()).lower()):
        return Facts(bounded=True)
    field = _field(source) if matches_any(options["messages"], source.path) else None
    loop = _loop(source, options) if matches_any(options["schedulers"], source.path) else None
    return Facts(field=field, loop=loop) if field or loop else None


def relate(facts: Mapping[str, Facts], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit on the first admission loop, if a payload came and no bound did."""
    del codebase
    if any(fact.bounded for fact in facts.values()):
        return
    fields = sorted(
        (fact.field[0], path, fact.field[1], fact.field[2]) for path, fact in facts.items() if fact.field is not None
    )
    loops = [(path, fact.loop) for path, fact in sorted(facts.items()) if fact.loop is not None]
    if not fields or not loops:
        return
    _, path, line, name = fields[0]
    loop_path, loop = loops[0]
    yield Hit(
        loop,
        path=loop_path,
        values={"field": name, "place": f"{path}:{line}"},
        related=(Related(path, line, f"`{name}` carries the payload"),),
    )


def _field(source: SourceFile) -> tuple[int, int, str] | None:
    """Return (0 for bytes and 1 for a payload's class, line, name) of the first added field that holds either."""
    found: list[tuple[int, int, str]] = []
    for node in classes(source.tree):
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.lineno in source.added:
                parts = {last_name(part) for part in walk(each.annotation)}
                if "bytes" in parts or any(_PAYLOAD.search(part) for part in parts):
                    found.append((int("bytes" not in parts), each.lineno, f"{node.name}.{each.target.id}"))
    return min(found, default=None)


def _loop(source: SourceFile, options: Options) -> int | None:
    """Return the line of the first added loop over what waits, or else of the first added function that admits."""
    admitting = [each for each in source.functions if each.name in options["functions"]]
    touched = [each for each in admitting if source.any_added(*span_of(each))]
    for function in touched:
        for node in own_nodes(function.body):
            if isinstance(node, (ast.While, ast.For)) and node.lineno in source.added and _takes_waiting(node):
                return node.lineno
    return next((each.lineno for each in touched if each.lineno in source.added and _admits(each)), None)


def _takes_waiting(loop: ast.While | ast.For) -> bool:
    head = loop.test if isinstance(loop, ast.While) else loop.iter
    return any(isinstance(part, ast.Attribute) and part.attr == "waiting" for part in walk(head))


def _admits(function: Function) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "waiting" for part in walk(function))


CHECK = change_check(gather, relate, CheckTraits(literals=LITERALS))
