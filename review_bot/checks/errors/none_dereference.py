"""A place that is None on a path, used as an object there (see ``flow``).

Silent behind a use of a name of the module that is never anything but None, which fails first::

    client = None                       stands in for what is not published

    def run(path):
        table = None
        client.store(table.rows)        ``client`` fails before ``table`` is looked at

and where a test alone suggests None, behind a use of the place before that test::

    rows, width = table.shape           fails first
    device = table.device if table is not None else "cpu"
    return table.to(device)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import blocks, inner_blocks
from review_bot.analysis.python.syntax import dotted, hit_on, is_literal, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import AbsentValue, absent_values
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use for each reason. Raises CannotParse."""
    found = [each for each in absent_values(source) if each.presence == "none"]
    missing = {name for name, value in constants_of(source.tree).items() if value is None} if found else set[str]()
    for each in found:
        names = missing if _tested(each) != "None" or _may_become_none(each) else {*missing, each.place}
        if not (names and _fails_before(each.function.body, each.node, names)):
            values = {"place": each.place, "how": each.how, "because": each.because}
            yield hit_on(
                source, each.node, values=values, message=_other_message(each), related=each.places(source.path)
            )


def _tested(found: AbsentValue) -> str:
    """Return what a place is tested for, if that test is all that suggests that it is None."""
    return found.steps[0].note.rpartition(" is tested for ")[2] if found.steps else ""


def _may_become_none(found: AbsentValue) -> bool:
    """Return whether a place is more than a name, or a statement of the function sets it to None."""
    stores = [each for each in nodes_of(found.function, ast.Assign) if found.place in map(dotted, each.targets)]
    return not found.place.isidentifier() or any(is_literal(each.value, None) for each in stores)


def _fails_before(body: list[ast.stmt], node: ast.expr, missing: Collection[str]) -> bool:
    """Return whether a statement that always runs before a use, or its own, needs one of some names that are None."""
    for block in blocks(body, into_definitions=False):
        around = next((each for each in block if node in nodes_of(each, type(node))), None)
        for statement in block if around is not None else ():
            is_whole = not any(inner_blocks(statement))
            choices = [*nodes_of(statement, ast.BoolOp), *nodes_of(statement, ast.IfExp)] if is_whole else []
            doubtful = {use for choice in choices for use in walk(choice)}  # ``client and client.open()``
            for use in own_nodes([statement]) if is_whole else ():
                if use not in doubtful and _needs(use, missing) and (statement is not around or _is_earlier(use, node)):
                    return True
            if statement is around:
                break
    return False


def _needs(use: ast.AST, missing: Collection[str]) -> bool:
    """Return whether code takes an attribute or an item of one of some names, or calls it."""
    owner = use.func if isinstance(use, ast.Call) else getattr(use, "value", None)
    is_use = isinstance(use, (ast.Attribute, ast.Subscript, ast.Call))
    return is_use and isinstance(owner, ast.Name) and owner.id in missing


def _is_earlier(use: ast.AST, node: ast.expr) -> bool:
    """Return whether Python evaluates one part of a statement first: of an assignment, the value."""
    if node in nodes_of(use, type(node)):
        return False  # the use itself, in brackets
    place = getattr(use, "lineno", 0), getattr(use, "col_offset", 0)
    return isinstance(getattr(use, "ctx", ast.Load()), ast.Load) and place < (node.lineno, node.col_offset)


def _other_message(found: AbsentValue) -> str | None:
    """Return what is said instead of the rule's message where a test alone suggests None, or a handler logs the error.

    The test may be needless: then the place never holds None, but the two places still disagree about it.
    """
    steps = found.steps
    if _tested(found) == "None":
        tested = steps[0].note.rpartition(" is tested for ")[0]
        rest = "".join(f" and {step.note} (line {step.line})" for step in steps[1:])
        said = f"Line {steps[0].line} tests {tested} for None. Where it is None{rest},"
        also = "" if tested == f"`{found.place}`" else f" so is `{found.place}`, and"
        return f"{said}{also} {found.how} here all the same.{found.after}"
    said = f"`{found.place}` can be None here, where {found.how}: {found.because}."
    return f"{said}{found.after}" if found.logged else None


CHECK = file_check(examine, CheckTraits(literals=("None",)))
