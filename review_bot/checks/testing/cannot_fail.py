"""A test's assertion that nothing can make fail: it is never evaluated, or its value is always true."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import last_name, withs_of
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, names_in, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ON_MOCKS = frozenset(
    f"assert_{rest}"
    for rest in (
        *("any_await", "any_call", "awaited", "awaited_once", "awaited_once_with", "awaited_with", "called"),
        *("called_once", "called_once_with", "called_with", "has_awaits", "has_calls", "not_awaited", "not_called"),
    )
)
_WITHOUT_ASSERT = frozenset(name.removeprefix("assert_") for name in _ON_MOCKS) - {"called", "awaited"}
"""What a mock does not have, so that it makes a new mock, which is true. ``called`` is a real attribute."""
_ANSWERS = frozenset(
    f"{home}.{name}"
    for home, names in (
        ("torch", "allclose equal is_tensor"),
        ("numpy", "allclose array_equal isclose"),
        ("math", "isclose isnan isfinite"),
    )
    for name in names.split()
) | {"isinstance", "issubclass"}
_EXPECTS = LazyRegex(r"(?i)raises|warns|deprecated|suppress|asserts?(?:Raises|Warns|Logs)")
"""Contexts in which evaluating an expression is the test."""
_CATCHES_ASSERTIONS = frozenset({"AssertionError", "Exception", "BaseException"})
_COMPARES = (ast.Compare, ast.BoolOp, ast.Not)
_EXPECTED = LazyRegex(
    r"(?i)(?:^|_)(?:exp|expected|expects|reference|target|truth)(?:_|$)|^(?:torch|np|numpy|jnp)\.\w+$"
)
"""A name that says that a test expects the value, or a type of a tensor's elements."""
_LOOKED_UP: Mapping[str, type[ast.AST]] = {
    "AttributeError": ast.Attribute, "IndexError": ast.Subscript, "KeyError": ast.Subscript, "TypeError": ast.Subscript,
}  # fmt: skip
"""Errors that a look-up raises."""
_NEVER_RAISE = frozenset({"isinstance", "len", "str", "repr", "type"})
_SWITCHED_OFF = LazyRegex(r"(?i)\b(?:fixme|todo|xfail|flaky|disabled?|known (?:issue|failure))\b")
_LONGEST = 80
_CALLS_A_MOCK = "calls a new mock, whose result is true"


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assertion. Raises CannotParse."""
    of_mocks = _WITHOUT_ASSERT - {each.name for each in source.functions}
    for test in source.nodes(ast.Assert):
        if reason := _always_true(test.test, of_mocks):
            yield _hit(source, test, reason)
        elif isinstance(test.test, ast.BoolOp) and isinstance(test.test.op, ast.And):
            parts = ((part, _always_true(part, of_mocks)) for part in test.test.values)
            yield from (_hit(source, part, reason) for part, reason in parts if reason)
    names = imported_names(source.tree)
    tried = {
        id(each)
        for block in withs_of(source.tree)
        if any(_EXPECTS.search(last_name(item.context_expr)) for item in block.items)
        for each in ast.walk(block)
    }
    repeated = {
        id(each) for loop in _loops(source) for each in (*nodes_of(loop, ast.Try), *nodes_of(loop, ast.TryStar))
    }
    attempts: list[ast.Try | ast.TryStar] = [*source.nodes(ast.Try), *source.nodes(ast.TryStar)]
    for attempt in attempts:
        caught = None if id(attempt) in repeated else _caught(attempt)
        if caught is not None and not _is_switched_off(source, attempt):
            yield _hit(source, caught, "the handler below catches its AssertionError, and the test goes on")
    for statement in source.nodes(ast.Expr):
        if id(statement) not in tried and (reason := _without_effect(statement.value, names)):
            yield _hit(source, statement, reason)
        elif reason := _compares_nothing(statement.value, names):
            hit = _hit(source, statement, reason)
            yield hit._replace(message=f"`{hit.values['test']}` compares nothing: {reason}.")
    for block in withs_of(source.tree):
        for late in _behind_the_error(block):
            yield _hit(source, late, "it is behind the statement that raises the expected error, so it never runs")


def _hit(source: SourceFile, node: ast.stmt | ast.expr, reason: str) -> Hit:
    text = plain(node)
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    hit = hit_at(source, node, values={"test": shown, "reason": reason})
    if reason.endswith(_CALLS_A_MOCK):
        later = "From Python 3.12 on, it raises AttributeError."
        return hit._replace(message=f"Before Python 3.12, `{shown}` cannot fail: {reason}. {later}")
    return hit


def _always_true(test: ast.expr, of_mocks: AbstractSet[str]) -> str:
    """Return why an asserted expression is always true; an empty text if it may be false.

    ``of_mocks``: what is taken for the name of an assertion of mocks, as no function of the file has it.
    """
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and any(map(_is_true, test.values)):
        return "one side of `or` is always true"
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        bound = test.comparators[0]
        zero = isinstance(bound, ast.Constant) and bound.value == 0 and isinstance(test.ops[0], ast.GtE)
        if zero and isinstance(test.left, ast.Call) and last_name(test.left.func) == "len":
            return "a length is never negative"
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr in of_mocks:
        return f"a mock has no method `{test.func.attr}`, so this {_CALLS_A_MOCK}"
    return ""


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and bool(value.value) and value.value is not Ellipsis


def _without_effect(value: ast.expr, names: dict[str, str]) -> str:
    """Return why an expression statement checks nothing; an empty text if it may."""
    if isinstance(value, ast.Attribute) and value.attr in _ON_MOCKS:
        return f"`{value.attr}` is named but not called"
    if not isinstance(value, ast.Call):
        return ""
    return f"the result of `{last_name(value.func)}` is not used" if full_name(value.func, names) in _ANSWERS else ""


def _compares_nothing(value: ast.expr, names: dict[str, str]) -> str:
    """Return why an expression statement only tests whether its first argument is true; an empty text if it may not."""
    if not isinstance(value, ast.Call):
        return ""
    if last_name(value.func) in {"assertTrue", "assertFalse"} and len(value.args) == 2:
        tested, message = value.args
        if _is_a_value(message, names) and not any(isinstance(part, _COMPARES) for part in ast.walk(tested)):
            return f"the second argument of `{last_name(value.func)}` is only a message"
    return ""


def _is_a_value(message: ast.expr, names: dict[str, str]) -> bool:
    """Return whether the second argument of ``assertTrue`` is meant as the value expected, not as a message."""
    if isinstance(message, ast.List | ast.Tuple | ast.Dict | ast.Constant):
        return text_of(message) is None
    if isinstance(message, ast.BinOp):
        return not any(isinstance(part, ast.JoinedStr) or text_of(part) is not None for part in ast.walk(message))
    name = full_name(message, names) if isinstance(message, ast.Name | ast.Attribute) else None
    return name is not None and _EXPECTED.search(name) is not None


def _is_switched_off(source: SourceFile, block: ast.Try | ast.TryStar) -> bool:
    """Return whether a comment of the handlers says that the assertion is not to count for now: its author knows."""
    first, last = block.handlers[0].lineno, last_line(block)
    return any(_SWITCHED_OFF.search(line.partition("#")[2]) for line in source.lines_of_authors[first - 1 : last])


def _loops(source: SourceFile) -> Iterator[ast.stmt]:
    """Yield the loops of a file: what one of them tries, it may try again until it holds."""
    yield from source.nodes(ast.For)
    yield from source.nodes(ast.AsyncFor)
    yield from source.nodes(ast.While)


def _caught(block: ast.Try | ast.TryStar) -> ast.stmt | None:
    """Return the assertion that ends what is tried, if its error is caught and nothing comes of it."""
    last = block.body[-1]
    if not _is_assertion(last) or block.orelse or block.finalbody:
        return None
    for handler in block.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(kind is None or last_name(kind) in _CATCHES_ASSERTIONS for kind in kinds):
            return last if all(map(_only_prints, handler.body)) else None
    return None


def _only_prints(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr):
        return isinstance(statement, ast.Pass)
    value = statement.value
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and last_name(value.func) == "print")


def _behind_the_error(block: ast.With | ast.AsyncWith) -> Iterator[ast.stmt]:
    """Yield assertions in a ``pytest.raises`` block that are behind the call whose error the block waits for."""
    for item in block.items:
        name = last_name(item.context_expr)
        if name not in {"raises", "assertRaises", "assertRaisesRegex"} or not isinstance(item.context_expr, ast.Call):
            continue
        held = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else None
        kinds = {last_name(part) for each in item.context_expr.args[:1] for part in ast.walk(each)}
        for number, statement in enumerate(block.body[1:], start=1):
            if not _is_assertion(statement):
                continue
            calls = any(isinstance(part, ast.Call) for each in block.body[:number] for part in ast.walk(each))
            about_error = held is not None and held in names_in(statement)
            if about_error or (calls and not kinds & _CATCHES_ASSERTIONS and not _may_raise(statement, kinds)):
                yield statement


def _is_assertion(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assert) or (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and last_name(statement.value).startswith("assert")
    )


def _may_raise(statement: ast.stmt, kinds: AbstractSet[str]) -> bool:
    """Return whether evaluating an assertion may raise the expected error itself, by a call or a look-up.

    ``assert x is not None`` is counted too: written there, it is for a linter that finds ``x`` unused.
    """
    test = statement.test if isinstance(statement, ast.Assert) else None
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot):
        return True
    looked_up = tuple(node for kind, node in _LOOKED_UP.items() if kind in kinds)
    if any(isinstance(part, looked_up) for part in ast.walk(statement)):
        return True
    calls = [part for part in ast.walk(statement) if isinstance(part, ast.Call)]
    return any(last_name(call) not in _NEVER_RAISE and not last_name(call).startswith("assert") for call in calls)


CHECK = file_check(examine, CheckTraits(literals=None))
