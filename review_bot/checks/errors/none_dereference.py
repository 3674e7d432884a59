"""A place that is None on a path, used as an object there (see ``flow``).

Silent behind a use of a name of the module that is never anything but None, which fails first::

    client = None                       stands in for what is not published

    def run(path):
        table = None
        client.store(table.rows)        ``client`` fails before ``table`` is looked at
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import blocks, inner_blocks
from review_bot.analysis.python.syntax import hit_on, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import AbsentValue, absent_values
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use for each reason. Raises CannotParse."""
    found = [each for each in absent_values(source) if each.presence == "none"]
    missing = {name for name, value in constants_of(source.tree).items() if value is None} if found else set[str]()
    for each in found:
        if not (missing and _fails_before(each.function.body, each.node, missing)):
            values = {"place": each.place, "how": each.how, "because": each.because}
            yield hit_on(
                source, each.node, values=values, message=_other_message(each), related=each.places(source.path)
            )


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
    place = getattr(use, "lineno", 0), getattr(use, "col_offset", 0)
    return isinstance(getattr(use, "ctx", ast.Load()), ast.Load) and place < (node.lineno, node.col_offset)


def _other_message(found: AbsentValue) -> str | None:
    """Return what is said instead of the rule's message where a test alone suggests None, or a handler logs the error.

    The test may be needless: then the place never holds None, but the two places still disagree about it.
    """
    steps = found.steps
    tested, _, asked = steps[0].note.rpartition(" is tested for ") if steps else ("", "", "")
    if asked == "None":
        rest = "".join(f" and {step.note} (line {step.line})" for step in steps[1:])
        said = f"Line {steps[0].line} tests {tested} for None. Where it is None{rest},"
        also = "" if tested == f"`{found.place}`" else f" so is `{found.place}`, and"
        return f"{said}{also} {found.how} here all the same.{found.after}"
    said = f"`{found.place}` can be None here, where {found.how}: {found.because}."
    return f"{said}{found.after}" if found.logged else None


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("None",)))
