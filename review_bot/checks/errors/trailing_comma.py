"""A comma after a value, which makes it a tuple of one: ``limit = config.limit,``.

Where the file uses the name as a sequence, or its annotation says that it is a tuple, the comma was meant. An
enumeration takes the tuple of a member apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import assignments_of, last_name, targets_of
from review_bot.analysis.python.syntax import dotted, hit_at, source_text
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SEQUENCES = ("tuple", "Tuple", "Sequence", "Iterable", "Any", "object")
_OF_SEQUENCES = frozenset(
    {"len", "list", "tuple", "set", "enumerate", "zip", "iter", "next", "sum", "map", "isinstance"}
)

_TUPLES = LazyRegex(r"(?i)(?:^|[._])(?:args|axes|dims|params|shape)$")
"""Names of what is a tuple, also where it has one element."""
_TAKE_SEQUENCES = frozenset({"args", "axes", "dims", "params", "parameters", "shape", "size"})
"""Keywords that take a tuple, as those of ``Thread(target=run, args=args)``."""
_TAKES_PARAMETERS = frozenset({"execute", "fetch_all", "fetch_one"})
"""Methods of databases that take the parameters of a query as a tuple."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment of such a tuple. Raises CannotParse."""
    members = {id(each) for owner in source.nodes(ast.ClassDef) if _is_enumeration(owner) for each in owner.body}
    for statement in assignments_of(source.tree):
        value = statement.value
        if not isinstance(value, ast.Tuple) or len(value.elts) != 1 or isinstance(value.elts[0], ast.Starred):
            continue
        if not source_text(source, value).rstrip().endswith(","):  # with parentheses it was meant
            continue
        name = dotted(targets_of(statement)[-1])
        if name is None or name.startswith("__") or id(statement) in members or _is_said(statement):
            continue
        if _TUPLES.search(name) or _is_sequence(source, name):
            continue
        yield hit_at(source, statement, values={"name": name})


def _is_enumeration(owner: ast.ClassDef) -> bool:
    return any(last_name(base).endswith(("Enum", "Flag")) for base in owner.bases)


def _is_said(statement: ast.Assign | ast.AnnAssign) -> bool:
    """Return whether an annotation allows a tuple."""
    return isinstance(statement, ast.AnnAssign) and any(
        word in ast.unparse(statement.annotation) for word in _SEQUENCES
    )


def _is_sequence(source: SourceFile, name: str) -> bool:
    """Return whether a file unpacks, iterates, joins, searches or indexes what a name holds."""
    return any(dotted(each) == name for node in walk(source.tree) for each in _used_as_sequences(node))


def _used_as_sequences(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Starred() | ast.Subscript() | ast.YieldFrom():
            found = [node.value]
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            found = [node.iter]
        case ast.BinOp(op=ast.Add() | ast.Mod()):
            found = [node.left, node.right]
        case ast.AugAssign(op=ast.Add()):
            found = [node.target, node.value]
        case ast.Compare():
            pairs = zip(node.ops, node.comparators, strict=True)
            found = [other for operator, other in pairs if isinstance(operator, (ast.In, ast.NotIn))]
        case ast.Assign():
            found = [node.value] if isinstance(node.targets[0], (ast.Tuple, ast.List)) else []
        case ast.Call(func=ast.Name(id=called)) if called in _OF_SEQUENCES:
            found = node.args[:1] if called == "isinstance" else node.args
        case ast.Call():
            found = [each.value for each in node.keywords if each.arg in _TAKE_SEQUENCES]
            found += node.args[1:2] if last_name(node.func) in _TAKES_PARAMETERS else []
        case _:
            found = []
    return found


CHECK = file_check(examine, CheckTraits(literals=(",",)))
