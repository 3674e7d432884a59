"""A local name that is read before anything can have given it a value, or below a ``del`` of it.

::

    count = 0
    def bump():
        count += 1                       the assignment makes it local to the function
    def check(items):
        assert items, f"no {item}"       the loop below makes it local, and comes later
        for item in items: ...
    def build(kind):
        if isinstance(kind, str):
            function = find(kind)
        else:
            raise TypeError(function)    only the other branch assigns it
    def shift(self, by):
        boxes = [each + by for each in boxes]    what it goes through is evaluated in the function
    try: ...
    except OSError as error: log(error)
    return error                         the handler deletes it at its end

What is read in a loop that also assigns the name is left out, unless the assignment itself reads it. It is an error
where the read surely raises UnboundLocalError once Python reaches it, see ``certain_errors``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.project.certain_uses import certain_errors
from review_bot.analysis.python.cython_files import is_cython
from review_bot.analysis.python.node_types import COMPREHENSIONS, LOOPS
from review_bot.analysis.python.statements import Function, all_parameters, blocks, is_definition
from review_bot.analysis.python.syntax import bound_name, hit_at, names_in, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import absent_values
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import first_of

_MAY_NOT_RUN = (ast.Lambda, ast.BoolOp, ast.IfExp, ast.NamedExpr)
_NAMING = frozenset({
    ast.alias, ast.Assign, ast.AsyncFunctionDef, ast.AugAssign, ast.ClassDef, ast.ExceptHandler, ast.FunctionDef,
    ast.Global, ast.MatchAs, ast.MatchMapping, ast.MatchStar, ast.Name, ast.NamedExpr, ast.Nonlocal,
})  # fmt: skip
"""Nodes that read or bind a name; others need no look."""


class _Names(NamedTuple):
    """What a function does with names itself: reads, bindings by assignment, and how often each is bound at all.

    ``others`` are names that ``global``, an inner function or a comprehension may bind.
    """

    reads: list[ast.Name]
    bound: dict[str, list[ast.AST]]
    of_itself: dict[str, list[ast.Name]]
    parameters: frozenset[str]
    others: set[str]


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such read of each name in a function. Raises CannotParse."""
    for function in () if is_cython(source.tree) else source.functions:
        names = _names(function)
        seen: set[str] = set()
        found = [*_of_themselves(names), *_too_early(function, names)]
        for read, first in sorted(found, key=lambda each: (each[0].lineno, each[0].col_offset)):
            if read.id not in seen | names.parameters | names.others:
                seen.add(read.id)
                yield _hit(source, function, read, f"assigns it first on line {first}")
        for read in _without_value(source, function, names):
            if read.id not in seen | names.parameters | names.others:
                seen.add(read.id)
                yield _hit(source, function, read, _only_elsewhere(names.bound.get(read.id, [])))
        for read, line in _outside_handlers(names):
            if read.id not in seen | names.parameters | names.others and certain_errors(source, [read]):
                seen.add(read.id)
                message = f"`{read.id}` has no value here: its handler on line {line} deletes it at its end."
                instead = "Give another name its value in the handler, and read that."
                yield _hit(source, function, read, "")._replace(message=message, instead=instead)
        for read, line in _deleted(function, names):
            if read.id not in seen | names.others and certain_errors(source, [read]):
                seen.add(read.id)
                message = f"`{read.id}` has no value here: line {line} deletes it, and nothing assigns it again."
                instead = "Move the `del` below the last use."
                yield _hit(source, function, read, "")._replace(message=message, instead=instead)


def reads_itself(source: SourceFile, name: str, statement: ast.stmt) -> bool:
    """Return whether a statement that sets a name fails because it reads the name, which has no value yet."""
    if name not in names_in(statement, ast.Load):
        return False
    lines = range(statement.lineno, last_line(statement) + 1)
    return any(hit.line in lines and hit.values["name"] == name for hit in examine(source))


def _without_value(source: SourceFile, function: Function, names: _Names) -> Iterator[ast.Name]:
    """Yield the names that no path to them has bound (see ``flow``, which does not see the order of ``:=``)."""
    if any(each.id in {"locals", "vars"} for each in names.reads):
        return  # which may ask whether there is a value
    named = {each.target.id for each in nodes_of(function, ast.NamedExpr)}
    reads = {id(each): each for each in names.reads if each.id not in named}
    for each in absent_values(source):
        if each.function is function and each.presence == "unbound" and not each.steps and id(each.node) in reads:
            yield reads[id(each.node)]


def _only_elsewhere(bindings: list[ast.AST]) -> str:
    lines = sorted({each.lineno for each in bindings if hasattr(each, "lineno")})
    shown = f"line{'s' * (len(lines) > 1)} {first_of(map(str, lines), 3)}"
    return f"assigns it only where no path to this line passes ({shown})"


def _hit(source: SourceFile, function: Function, read: ast.Name, where: str) -> Hit:
    values = {"name": read.id, "function": function.name, "where": where, "hint": _hint(source, read.id)}
    return hit_at(source, read, values=values, severity=None if certain_errors(source, [read]) else "warning")


def _of_themselves(names: _Names) -> Iterator[tuple[ast.Name, int]]:
    """Yield the names whose every assignment reads the name first."""
    for name, reads in names.of_itself.items():
        bound = names.bound.get(name, [])
        if len(bound) == len(reads):
            yield reads[0], min((each.lineno for each in bound if hasattr(each, "lineno")), default=reads[0].lineno)


def _too_early(function: Function, names: _Names) -> Iterator[tuple[ast.Name, int]]:
    """Yield the reads in front of every binding, outside loops that hold one."""
    loops = [each for each in own_nodes(function.body) if isinstance(each, LOOPS)]
    for read in names.reads:
        bindings = [each for each in names.bound.get(read.id, []) if hasattr(each, "lineno")]
        if not bindings:
            continue
        first = min(each.lineno for each in bindings)
        if read.lineno >= first:
            continue
        around = [each for each in loops if each.lineno <= read.lineno <= last_line(each)]
        if not any(first <= last_line(each) for each in around):
            yield read, first


def _outside_handlers(names: _Names) -> Iterator[tuple[ast.Name, int]]:
    """Yield the reads, outside of handlers, of names that handlers alone bind, and the line of one."""
    handled = {
        name: [each for each in bound if isinstance(each, ast.ExceptHandler)] for name, bound in names.bound.items()
    }
    alone = {name: found for name, found in handled.items() if found and len(found) == len(names.bound[name])}
    inside = {id(one) for found in alone.values() for each in found for part in each.body for one in walk(part)}
    for read in names.reads if alone else ():
        if read.id in alone and id(read) not in inside:
            yield read, alone[read.id][0].lineno


def deleted_in_module(source: SourceFile) -> Iterator[tuple[ast.Name, int]]:
    """Yield the reads at the top level of a file below a ``del`` of the name, and its line. Raises CannotParse."""
    if any(source.nodes(ast.Delete)):
        names = _names(source.tree)
        shared = names.others | {name for each in source.nodes(ast.Global) for name in each.names}
        yield from (each for each in _deleted(source.tree, names) if each[0].id not in shared)


def _deleted(function: Function | ast.Module, names: _Names) -> Iterator[tuple[ast.Name, int]]:
    """Yield the reads below a ``del`` of a name in one block, up to what may bind it, and the line of the ``del``."""
    if not nodes_of(function, ast.Delete):
        return
    reads = {id(each) for each in names.reads}
    for block in blocks(function.body, into_definitions=False):
        for number, statement in enumerate(block):
            if isinstance(statement, ast.Delete):
                gone = {each.id for each in statement.targets if isinstance(each, ast.Name)}
                yield from ((read, statement.lineno) for read in _read_without(gone, block[number + 1 :], names, reads))


def _read_without(gone: set[str], following: list[ast.stmt], names: _Names, reads: set[int]) -> Iterator[ast.Name]:
    """Yield the reads of some names in the statements that follow, up to what binds them."""
    binders = {name: {id(each) for each in names.bound.get(name, [])} for name in gone}
    for statement in following:
        inside = list(own_nodes([statement]))
        bound = {name for name in gone if any(id(each) in binders[name] for each in inside)}
        yield from (
            each for each in inside if id(each) in reads and isinstance(each, ast.Name) and each.id in gone - bound
        )
        if isinstance(statement, (ast.Assign, ast.AugAssign)):
            yield from (read for name, read in _read_first(statement) if name in bound)
        gone = gone - bound


def _names(function: Function | ast.Module) -> _Names:
    parameters = () if isinstance(function, ast.Module) else all_parameters(function)
    found = _Names([], {}, {}, frozenset(each.arg for each in parameters), set())
    inside = list(own_nodes(function.body))
    hidden = _not_of_function(inside)
    for node in inside:
        if isinstance(node, ast.AnnAssign):  # in a function nothing evaluates it: PEP 526
            hidden |= {id(each) for each in walk(node.annotation)}
        if isinstance(node, ast.IfExp):  # its condition runs first, and may bind
            bound = {each.target.id for each in walk(node.test) if isinstance(each, ast.NamedExpr)}
            hidden |= {id(each) for each in walk(node.body) if isinstance(each, ast.Name) and each.id in bound}
    for node in inside:
        if node.__class__ not in _NAMING:
            continue
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            for name, read in _read_first(node):
                found.of_itself.setdefault(name, []).append(read)
        if isinstance(node, ast.Name):
            if id(node) not in hidden and isinstance(node.ctx, ast.Load):
                found.reads.append(node)
            elif id(node) not in hidden:
                found.bound.setdefault(node.id, []).append(node)
            continue
        if isinstance(node, ast.NamedExpr) and id(node) in hidden:
            found.others.add(node.target.id)
        for name in _bound_otherwise(node):
            found.bound.setdefault(name, []).append(node)
        found.others.update(_of_outside(node))
    return found


def _not_of_function(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the ``id`` of what has names of its own or runs later.

    Python evaluates the first iterable of a comprehension in the function around it.
    """
    hidden: set[int] = set()
    for node in nodes:
        if isinstance(node, COMPREHENSIONS):
            here = {id(each) for each in walk(node.generators[0].iter)}
            hidden |= {id(each) for each in walk(node)} - here
        elif isinstance(node, ast.Lambda):
            hidden |= {id(each) for each in walk(node)}
    return hidden


def _read_first(node: ast.Assign | ast.AugAssign) -> Iterator[tuple[str, ast.Name]]:
    """Yield the plain names that a statement binds and reads before it does."""
    if isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            yield node.target.id, node.target
        return
    inside = list(own_nodes([node.value]))
    hidden = _not_of_function(inside)
    parts = [part for part in inside if id(part) not in hidden]
    if any(isinstance(part, _MAY_NOT_RUN) for part in parts):
        return
    read = {part.id: part for part in parts if isinstance(part, ast.Name)}
    for target in node.targets:
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(part, ast.Name) and part.id in read:
                yield part.id, read[part.id]


def _bound_otherwise(node: ast.AST) -> Iterable[str]:
    """Return the names that a statement binds by another way than a plain name: an import, a definition, a handler."""
    if isinstance(node, ast.alias):
        return [bound_name(node)]
    if is_definition(node):
        return [node.name]
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    return [node.rest] if isinstance(node, ast.MatchMapping) and node.rest else []


def _of_outside(node: ast.AST) -> Iterable[str]:
    """Return the names that belong to another scope, or that an inner function binds in this one."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if is_definition(node):
        return [name for each in walk(node) if isinstance(each, ast.Nonlocal) for name in each.names]
    return []


def _hint(source: SourceFile, name: str) -> str:
    for statement in source.tree.body:
        for node in walk(statement) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else ():
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                return f"Declare `global {name}`, or take it as a parameter"
    return f"Give `{name}` a value first, or fix the name"


CHECK = file_check(examine, CheckTraits(literals=("def",)))
