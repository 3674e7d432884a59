"""A function, method or class that a second one of the same name in the same block replaces before anything uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, is_definition, is_function
from review_bot.analysis.python.syntax import hit_on, names_in
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second definition; the first one if the change adds only that. Raises CannotParse."""
    owners = {id(owner.body): owner.name for owner in source.nodes(ast.ClassDef)}
    for block in blocks(source.tree.body):
        yield from _replaced(source, block, owners.get(id(block), ""))


def _replaced(source: SourceFile, body: list[ast.stmt], owner: str) -> Iterator[Hit]:
    first: dict[str, tuple[int, _Defined]] = {}
    for place, statement in enumerate(body):
        if not is_definition(statement):
            continue
        name = statement.name
        before = first.get(name)
        first[name] = (place, statement)
        if before is None or name == "_" or statement.decorator_list or before[1].decorator_list:
            continue  # an overload, the setter of a property, or one that a registry keeps
        if _is_stub(before[1]) or _is_used(name, body[before[0] + 1 : place], statement, inside=bool(owner)):
            continue
        earlier = before[1]
        where = statement if statement.lineno in source.added or earlier.lineno not in source.added else earlier
        other = earlier if where is statement else statement
        kind, of_other = _kind(where, owner), _kind(other, owner)
        one = "one" if kind == of_other else of_other
        values = {
            "name": name,
            "kind": kind,
            "line": str(other.lineno),
            "what": f"replaces the {one}" if where is statement else f"is replaced by the {one}",
            "lost": _lost(earlier),
        }
        yield hit_on(source, where, values=values, related=(Related(source.path, other.lineno, f"`{name}`"),))


def _kind(node: _Defined, owner: str) -> str:
    """Return the word for a definition in a class or outside of one."""
    return "class" if isinstance(node, ast.ClassDef) else "method" if owner else "function"


def _is_stub(node: _Defined) -> bool:
    """Return whether a definition is only there to be filled in: ``...`` or ``pass``."""
    last = node.body[-1]
    return isinstance(last, ast.Pass) or (
        isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is Ellipsis
    )


def _is_used(name: str, between: list[ast.stmt], again: _Defined, *, inside: bool) -> bool:
    """Return whether something between two definitions, or the head of the second one, uses the first."""
    head: list[ast.AST] = []
    if isinstance(again, ast.ClassDef):
        head += [*again.bases, *again.keywords]
    else:
        head += [*again.args.defaults, *(each for each in again.args.kw_defaults if each is not None)]
    for statement in between:
        if not (inside and is_function(statement)):  # a method runs later, and reaches the last definition
            head.append(statement)
    return any(name in names_in(each) for each in head)


def _lost(earlier: ast.stmt) -> str:
    """Return what comes of the first definition: the body of a class runs, that of a function only if it is called."""
    if isinstance(earlier, ast.ClassDef):
        return f"the name does not mean the class on line {earlier.lineno}"
    return f"the code on line {earlier.lineno} never runs"


CHECK = file_check(examine, CheckTraits(literals=("def", "class")))
