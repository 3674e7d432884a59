"""A value that a local variable gets and that no path reads, although the function reads other values of it.

::

    pad = tokenizer.pad_token_id
    if pad is None:
        pad = tokenizer.eos_token_id[0]          reported
    filled = torch.full(size, tokenizer.eos_token_id)

The value must be what the line is for: a call that may do something counts only inside an expression. Silent about
initial values, about defaults for parameters, and about what a ``try`` tests. Where the next line that names the
variable replaces the value, ``overwritten_unread`` decides; what a call makes of the old value, ``new_value_unread``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.wording import in_one_line
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.pure_calls import is_in_own_language, is_pure
from review_bot.analysis.python.statements import (
    Function,
    block_with,
    is_definition,
    last_name,
    parameter_names,
)
from review_bot.analysis.python.syntax import hit_at, imported_names, names_in, source_text
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors import new_value_unread, overwritten_unread
from review_bot.checks.errors.read_before_assignment import reads_itself
from review_bot.findings import Related
from review_bot.flow.unread_values import unread_values
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import first_of

_LONGEST = 60
_MOST_LINES = 3


class _Around(NamedTuple):
    """What is around a statement of a function: the conditions, and whether code may wait for it to raise.

    ``replaced``: the next statement that names the variable replaces it.
    """

    tests: tuple[ast.expr, ...] = ()
    is_tried: bool = False
    replaced: bool = False


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment on an added line. Raises CannotParse."""
    imported = imported_names(source.tree)
    if is_in_own_language(imported):
        return
    taken: frozenset[str] | None = None
    for function in source.touched_functions:
        if not any(_is_candidate(each, source, imported) for each in _assignments(function)):
            continue
        parameters = parameter_names(function)
        for name, node, reads in unread_values(function):
            value = node.value
            if value is None or name.startswith("_") or not _is_candidate(node, source, imported):
                continue
            around = _around(function.body, node, name)
            if around.is_tried or around.replaced or _may_be_made_of_itself(name, value):
                continue
            if isinstance(value, ast.Name) and node.lineno == _first_set(function, name):
                continue  # what the name begins with
            if name in parameters and any(name in names_in(each) for each in around.tests):
                continue  # a default that the function does not use yet
            taken = _reported_already(source) if taken is None else taken
            if str(node.lineno) in taken or reads_itself(source, name, node):
                continue
            values = {
                "name": name,
                "value": in_one_line(source_text(source, value), _LONGEST),
                "reads": ("line " if len(reads) == 1 else "lines ") + first_of(map(str, reads), _MOST_LINES),
            }
            related = tuple(Related(source.path, line, "reads another value of it") for line in reads[:_MOST_LINES])
            yield hit_at(source, node, values=values, related=related)


def _assignments(function: Function) -> Iterator[ast.Assign | ast.AnnAssign]:
    yield from nodes_of(function, ast.Assign)
    yield from nodes_of(function, ast.AnnAssign)


def _is_candidate(node: ast.Assign | ast.AnnAssign, source: SourceFile, imported: Mapping[str, str]) -> bool:
    return node.lineno in source.added and node.value is not None and _is_for_its_value(node.value, imported)


def _is_for_its_value(value: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether code computes a value to use it: not an initial one, and by nothing that may have an effect."""
    nodes = list(walk(value))
    if not any(isinstance(each, ast.Name) for each in nodes) or _is_constant(value):
        return False
    if any(isinstance(each, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)) for each in nodes):
        return False
    if isinstance(value, ast.IfExp):
        return _is_for_its_value(value.body, imported) or _is_for_its_value(value.orelse, imported)
    if isinstance(value, (ast.Call, ast.BoolOp, *COMPREHENSIONS)):
        return all(is_pure(each, imported) for each in nodes if isinstance(each, ast.Call))
    return True


def _first_set(function: Function, name: str) -> int:
    """Return the line that sets a name first, if a later one does too; else 0."""
    stores = (each for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Store))
    lines = sorted({each.lineno for each in stores if each.id == name})
    return lines[0] if len(lines) > 1 and name not in parameter_names(function) else 0


def _may_be_made_of_itself(name: str, value: ast.expr) -> bool:
    """Return whether a value is a default for the name, or what a call makes of it, which may be in place."""
    return name in names_in(value) and isinstance(value, (ast.Name, ast.IfExp, ast.BoolOp, ast.Call))


def _is_constant(value: ast.expr) -> bool:
    """Return whether a value is made of constants alone: ``float("inf")``, ``torch.tensor(0)``, ``Color.RED``."""
    if isinstance(value, ast.Call):
        return all(map(_is_constant, [*value.args, *(each.value for each in value.keywords)]))
    if isinstance(value, ast.Attribute):
        return last_name(value.value)[:1].isupper() or value.attr.isupper()
    if isinstance(value, ast.Name):
        return value.id.isupper()
    return not any(isinstance(each, ast.Name) for each in walk(value))


def _around(body: list[ast.stmt], node: ast.stmt, name: str) -> _Around:
    """Return what is around a statement somewhere in a block."""
    number = max(index for index, each in enumerate(body) if start_of(each) <= start_of(node))
    statement = body[number]
    around = _Around()
    if statement is not node and not is_definition(statement):
        block = block_with(statement, node)
        around = _around(block, node, name)
        if isinstance(statement, (ast.If, ast.While)):
            around = around._replace(tests=(*around.tests, statement.test))
        if _waits_for_error(statement, block):
            around = around._replace(is_tried=True)
        if not isinstance(statement, ast.If):
            return around
    following = next((each for each in body[number + 1 :] if name in names_in(each)), None)
    match following:
        case ast.Assign(targets=[ast.Name()], value=value) if name not in names_in(value):
            return around._replace(replaced=True)
    return around


def _waits_for_error(statement: ast.stmt, block: list[ast.stmt]) -> bool:
    """Return whether a statement goes on where a block of it raises: ``try``, ``with pytest.raises(...)``."""
    if isinstance(statement, (ast.Try, ast.TryStar)):
        return bool(statement.handlers) and block is statement.body
    calls = (each.context_expr for each in getattr(statement, "items", ()))
    names = [last_name(each.func).lower() for each in calls if isinstance(each, ast.Call)]
    return any("raises" in each or "warns" in each or each == "suppress" for each in names)


def _reported_already(source: SourceFile) -> frozenset[str]:
    """Return the lines of the values that another check reports, as texts."""
    overwritten = [each.values.get("line", str(each.line)) for each in overwritten_unread.examine(source)]
    return frozenset([*overwritten, *(str(each.line) for each in new_value_unread.examine(source))])


CHECK = file_check(examine, CheckTraits(literals=("def =",)))
