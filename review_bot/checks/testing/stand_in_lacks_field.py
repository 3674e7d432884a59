"""An attribute that a function newly reads and that the stand-in of a test, which reads the others from it, lacks.

::

    def forward(self, batch, args):
        is_edit = args.pipeline_config.edit_task             # added; ti2v_task is read of it too

    args = SimpleNamespace(pipeline_config=SimpleNamespace(ti2v_task=False))        # in a test that names the class

Reads that a condition guards do not count: a test may never get there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import Function, definitions, is_function, last_name, named_parameters
from review_bot.analysis.python.syntax import dotted, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_STAND_IN = "SimpleNamespace"


class Read(NamedTuple):
    """An attribute of ``holder`` that a function newly reads. ``named``: its class, or the function itself."""

    named: str
    function: str
    holder: str
    name: str
    line: int
    others: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Read, ...] | None:
    """Return the attributes that functions of both sides newly read whenever they run. Raises CannotParse."""
    if is_test(source.path) or not source.added or (old := source.known_old_tree) is None:
        return None
    before = {each.name: each.node for each in definitions(old.body) if is_function(each.node)}
    found: list[Read] = []
    for each in definitions(source.tree.body):
        if is_function(each.node) and each.name in before and source.any_added(*span_of(each.node)):
            named = each.owner.name if each.owner is not None else each.node.name
            found += _new_reads(each.node, before[each.name], named, source)
    return tuple(found) or None


def _new_reads(function: Function, old: ast.AST, named: str, source: SourceFile) -> Iterator[Read]:
    roots = {each.arg for each in named_parameters(function)}
    known = {(dotted(each.value), each.attr) for each in nodes_of(old, ast.Attribute)}
    asked = {text_of(each) for each in nodes_of(function, ast.Constant)}
    every = nodes_of(function, ast.Attribute)
    for part in _always(function.body):
        for each in nodes_of(part, ast.Attribute):
            holder = dotted(each.value)
            if holder is None or holder.partition(".")[0] not in roots or holder == "self" or each.attr in asked:
                continue
            if isinstance(each.ctx, ast.Load) and each.lineno in source.added and (holder, each.attr) not in known:
                others = {one.attr for one in every if dotted(one.value) == holder} - {each.attr}
                held = holder.rpartition(".")[2]
                yield Read(named, function.name, held, each.attr, each.lineno, tuple(sorted(others)))
                known.add((holder, each.attr))


def _always(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield what runs whenever a block does, up to what a condition, a loop or a handler guards."""
    for statement in body:
        match statement:
            case ast.If(test=test) | ast.While(test=test):
                yield test.values[0] if isinstance(test, ast.BoolOp) else test
            case ast.For(iter=iterated) | ast.AsyncFor(iter=iterated):
                yield iterated
            case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
                yield from (each.context_expr for each in items)
                yield from _always(inner)
            case ast.Assign(value=value) | ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                if not nodes_of(value, ast.IfExp) and not nodes_of(value, ast.BoolOp):
                    yield value


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such read; the stand-ins are its related places."""
    side = codebase.head
    holders = set(files_with(side, [_STAND_IN])) if facts else set[str]()
    for path, found in sorted(facts.items()):
        for read in found:
            named = [each for each in files_with(side, [read.named]) if each in holders and is_test(each)]
            places: list[Related] = []
            for other in named:
                tree = None if read.name in (side.text(other) or "") else side.tree(other)
                lines = [] if tree is None else [each.lineno for each in _stand_ins(tree, read)]
                places += [Related(other, line, "the stand-in") for line in lines]
            if places:
                where, alone = places_in_words(places)
                values = {
                    "function": read.function, "holder": read.holder, "name": read.name, "where": where,
                    "has": "makes" if alone else "make",
                }  # fmt: skip
                yield Hit(read.line, path=path, values=values, related=tuple(places[:MOST_RELATED]))


def _stand_ins(tree: ast.Module, read: Read) -> Iterator[ast.Call]:
    """Yield the calls that make a stand-in for the holder, with some of what the function reads and not this."""
    for name, value in (
        *((each.arg, each.value) for each in nodes_of(tree, ast.keyword)),
        *((last_name(each.targets[0]), each.value) for each in nodes_of(tree, ast.Assign) if len(each.targets) == 1),
    ):
        if name != read.holder or not isinstance(value, ast.Call) or last_name(value.func) != _STAND_IN:
            continue
        given = {each.arg for each in value.keywords}
        if not value.args and None not in given and not given.isdisjoint(read.others):
            yield value


CHECK = change_check(gather, relate, CheckTraits(literals=("def",), reads_old=True))
