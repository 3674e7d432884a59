"""An expression as a statement that computes a value and drops it: ``total ++ rows``, ``a == b``, ``f"..."``."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.statements import blocks, last_name, withs_of
from review_bot.analysis.python.syntax import hit_at, imported_names, source_text
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_ACTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_MEANT = (ast.RShift, ast.LShift, ast.BitOr, ast.MatMult)
"""``extract >> load``: where these are a statement, a library has given them a meaning; a product may be timed."""
_OPERATORS: dict[str, tuple[type[ast.AST], ...]] = {"cocotb": (ast.LtE,), "diagrams": (ast.Sub,)}
"""Libraries that give an operator an effect: a signal is driven, two nodes are connected."""
_FITTING = (*ORDERS, ast.In, ast.NotIn)
"""Comparisons that raise for some operands."""
_METHODS: dict[type[ast.AST], str] = {
    ast.Eq: "__eq__", ast.NotEq: "__ne__", ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__", ast.GtE: "__ge__",
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__",
}  # fmt: skip
"""Methods that a test may define, to see whether an operator calls them."""
_SHOWING = frozenset({"marimo", "streamlit"})
"""Libraries that show the value of an expression that is a statement."""
_CELL = LazyRegex(r"#[ ]?(?:%%|In\[|COMMAND[ ]-)")
"""The line that begins a cell in a notebook that is written as a script."""
_EXCEPTIONS = frozenset(
    name for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)
)
_EXPECTING = ("assert", "catch", "deprecated", "error", "expect", "profile", "raises", "suppress", "timer", "warns")
"""Words in the names of contexts in which evaluating an expression is what is wanted."""
_MEASURING = frozenset({"bench", "benchmark", "measure", "ncu", "nsys", "profile", "time", "timeit", "trace"})
"""Words in the names of functions that run another one to see what it costs."""
_LONGEST = 60
_WITH_CALLS = "Assign it, assert it or raise it, as it was meant; otherwise keep only what it calls."


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such statement. Raises CannotParse."""
    imported = {each.partition(".")[0] for each in imported_names(source.tree).values()}
    if source.path.endswith(".ipynb") or "bench" in source.path or imported & _SHOWING:
        return  # the last expression of a cell is shown; what is timed need not be kept
    if all(isinstance(each, ast.Expr) for each in source.tree.body):
        return  # no code, but a list, such as one of requirements
    tried = _tried(source) | _measured(source)
    shown = set(map(id, source.tree.body)) if any(map(_CELL.match, source.lines)) else set()
    operators = {operator for library in imported for operator in _OPERATORS.get(library, ())}
    if is_test(source.path):
        operators |= {operator for operator, name in _METHODS.items() if name in (source.text or "")}
    owners = [*source.functions, *source.nodes(ast.ClassDef), source.tree]
    documenting = {id(each.body[0]) for each in owners if each.body}
    for block in blocks(source.tree.body):
        for statement in block:
            if not isinstance(statement, ast.Expr) or statement.lineno in tried or id(statement) in shown:
                continue
            if id(statement) in documenting and isinstance(statement.value, ast.JoinedStr):
                continue  # a docstring with a slip in its prefix
            if _drops(statement.value) and _operator(statement.value) not in operators:
                what = " ".join(source_text(source, statement).split())
                if len(what) > _LONGEST:
                    what = f"{what[:_LONGEST]}…"
                what = what.replace("`", "'")
                yield hit_at(
                    source,
                    statement,
                    values={"what": what},
                    message=_message(what, statement.value),
                    instead=_WITH_CALLS if _acts(statement.value) else None,
                )


def _drops(value: ast.expr) -> bool:
    """Return whether a statement of this expression does nothing, as far as operators do what they usually do."""
    if isinstance(value, ast.Compare):
        return not _names_an_operation(value)
    if isinstance(value, ast.BinOp):
        raises = isinstance(value.op, (ast.Div, ast.FloorDiv, ast.Mod)) and _is_zero(value.right)
        return not raises and not isinstance(value.op, _MEANT)
    if isinstance(value, ast.UnaryOp):
        return not any(isinstance(each, _ACTS) for each in ast.walk(value))
    if isinstance(value, (ast.BoolOp, ast.Tuple)):
        return not any(isinstance(each, _ACTS) for each in ast.walk(value)) and not _is_of_names(value)
    if isinstance(value, ast.Name):
        return value.id in _EXCEPTIONS
    return isinstance(value, ast.JoinedStr)


def _message(what: str, value: ast.expr) -> str | None:
    """Return what is said of arithmetic and of orders: what the operands are decides whether they raise."""
    if not any(map(_may_not_fit, ast.walk(value))):
        return None
    does = "does nothing with it" if _acts(value) else "does nothing"
    return f"The value of `{what}` is dropped: the line {does}, or raises an error if the operands do not fit."


def _acts(value: ast.expr) -> bool:
    """Return whether evaluating an expression calls something, which may have an effect."""
    return any(isinstance(each, _ACTS) for each in ast.walk(value))


def _may_not_fit(node: ast.AST) -> bool:
    """Return whether an operator raises for some operands, unless they are numbers in the text."""
    if isinstance(node, ast.BinOp):
        return not (_is_number(node.left) and _is_number(node.right))
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and not _is_number(node.operand)
    return isinstance(node, ast.Compare) and any(isinstance(each, _FITTING) for each in node.ops)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))


def _is_zero(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value == 0


def _operator(value: ast.expr) -> type[ast.AST] | None:
    if isinstance(value, ast.Compare):
        return type(value.ops[0])
    return type(value.op) if isinstance(value, ast.BinOp) else None


def _names_an_operation(value: ast.Compare) -> bool:
    """Return whether a comparison is there for its effect, as in ``key in lazy_mapping`` of a test."""
    return isinstance(value.ops[0], (ast.In, ast.NotIn))


def _is_of_names(value: ast.BoolOp | ast.Tuple) -> bool:
    """Return whether it only mentions names, as code does to keep a linter from calling them unused."""
    parts = value.values if isinstance(value, ast.BoolOp) else value.elts
    return all(isinstance(each, (ast.Name, ast.Attribute)) for each in parts)


def _tried(source: SourceFile) -> set[int]:
    """Return the lines where an expression is evaluated to see whether it raises."""
    found: set[int] = set()
    for attempt in source.nodes(ast.Try):
        if attempt.handlers:
            found.update(line for each in attempt.body for line in lines_of(each))
    for block in withs_of(source.tree):
        called = {last_name(item.context_expr) for item in block.items}
        records = is_test(source.path) and any(item.optional_vars is not None for item in block.items)
        if records or any(word in name.lower() for name in called for word in _EXPECTING):
            found.update(lines_of(block))
    return found


def _measured(source: SourceFile) -> set[int]:
    """Return the lines of functions that are passed to a profiler or a timer: what they compute need not be kept."""
    names = {
        each.id
        for call in source.nodes(ast.Call)
        if not _MEASURING.isdisjoint(words_in(last_name(call.func)))
        for each in call.args
        if isinstance(each, ast.Name)
    }
    measured = (each for each in source.functions if each.name in names)
    return {line for each in measured for line in lines_of(each)}


CHECK = file_check(examine, CheckTraits(literals=None))
