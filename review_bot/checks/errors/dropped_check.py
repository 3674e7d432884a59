"""A check of a value that a change removes while the code behind it stays: ``assert``, ``if ...: raise``.

Silent where the change touches what was checked: it may be checked elsewhere, have a default, or be able to be no
longer wrong. Silent too on limits of features ("not supported yet") and on asserts that are meant for a type checker.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, own_statements, plain
from review_bot.analysis.python.statements import Function, blocks, last_name
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex

_FEATURE = LazyRegex(
    r"(?i)support|implement|experiment|not (?:yet|currently|allowed)|available|deprecat|requires?\b|install|for now"
    r"|version"
)
"""Words of a check that limits what a feature can do: when it goes, the feature has come."""
_MOST = 2
"""A check that goes from more functions of a file than these was taken out on purpose."""
_SHAPE = LazyRegex(r"\.(?:shape\b|ndim\b|size\(|dim\()")
"""What a check of a tensor's shape asks."""


_ASIDE = frozenset({"self", "cls", "shape", "ndim", "dtype", "device"})
"""Names that are no value of their own: the tensor before the dot is the one that was checked."""


class _Guard(NamedTuple):
    """A check in a function: its first line, what it asks as written, and the statement that follows it."""

    line: int
    text: str
    asked: ast.expr
    next: ast.stmt | None


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield a hit, on the old side, on each check that is gone from before code that stays.

    ``shapes``: look at checks of a tensor's shape alone; else at all others.
    """
    if not source.removed:
        return
    added = "\n".join(source.added.values())
    lost = [
        (pair, guard)
        for pair in function_pairs(source)
        for guard in _lost(pair, source, shapes=bool(options["shapes"]))
    ]
    often = Counter(guard.text for _, guard in lost)
    for pair, guard in lost:
        if often[guard.text] <= _MOST:
            subjects = _subjects(guard.asked)
            if not subjects or any(re.search(rf"\b{name}\b", added) for name in map(re.escape, subjects)):
                continue
            if subjects <= _read(pair.new):
                values = {"guard": guard.text, "name": pair.new.name}
                yield Hit(guard.line, side="LEFT", values=values, statement=f"{pair.name} {guard.text}")


def _lost(pair: FunctionPair, source: SourceFile, *, shapes: bool) -> Iterator[_Guard]:
    """Yield the checks that went alone: the statement behind each is still there."""
    gone = [
        guard
        for guard in _guards(pair.old)
        if guard.line in source.removed and bool(_SHAPE.search(plain(guard.asked))) == shapes
    ]
    left = {plain(statement) for statement in own_statements(pair.new)} if gone else set()
    for guard in gone:
        if guard.next is not None and plain(guard.next) in left:
            yield guard


def _guards(function: Function) -> Iterator[_Guard]:
    for block in blocks(function.body, into_definitions=False):
        for statement, following in zip(block, [*block[1:], None], strict=True):
            guard = _guard(statement, following)
            if guard is not None:
                yield guard


def _guard(statement: ast.stmt, following: ast.stmt | None) -> _Guard | None:
    if isinstance(statement, ast.Assert):
        asked, said = statement.test, statement.msg
        if _speaks_to_types(asked) or _allows_one(asked):
            return None
        text = f"assert {plain(asked)}"
    elif isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Raise):
        asked, said = statement.test, statement.body[-1].exc
        text = f"if {plain(asked)}: raise {last_name(said)}".rstrip()
    else:
        return None
    if _FEATURE.search(text + plain(said) if said is not None else text):
        return None
    return _Guard(statement.lineno, text, asked, following)


def _speaks_to_types(asked: ast.expr) -> bool:
    """Return whether an assert narrows a type: ``x is not None``, ``isinstance(x, T)``, ``False``."""
    if isinstance(asked, ast.BoolOp):
        return all(_speaks_to_types(each) for each in asked.values)
    if isinstance(asked, ast.Compare):
        return isinstance(asked.ops[0], (ast.Is, ast.IsNot))
    if isinstance(asked, ast.Call):
        return last_name(asked) in {"isinstance", "issubclass", "hasattr", "callable"}
    return isinstance(asked, (ast.Constant, ast.Name, ast.Attribute))


def _allows_one(asked: ast.expr) -> bool:
    """Return whether an assert holds a setting at one value, ``not x.enabled``, ``x == 1``: a limit of a feature.

    So does a shape with a length of one: ``x.shape[0] == 1`` goes when batches come.
    """
    if isinstance(asked, ast.UnaryOp):
        return isinstance(asked.op, ast.Not)
    if not isinstance(asked, ast.Compare) or not isinstance(asked.ops[0], ast.Eq):
        return False
    value = asked.comparators[0]
    if _SHAPE.search(plain(asked)):
        return isinstance(value, ast.Constant) and value.value == 1
    return isinstance(asked.left, (ast.Name, ast.Attribute)) and isinstance(value, ast.Constant)


def _subjects(asked: ast.expr) -> set[str]:
    """Return the names of the values that a check looks at; called functions, ``self`` and constants aside."""
    nodes = list(ast.walk(asked))
    passed = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    passed |= {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr.isupper()}
    found = set()
    for node in nodes:
        if id(node) in passed or not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        name = last_name(node)
        if name not in _ASIDE and not name.isupper() and not name[:1].isupper():
            found.add(name)
    return found


def _read(function: Function) -> set[str]:
    """Return the names and attributes that a function reads."""
    return {last_name(node) for node in ast.walk(function) if isinstance(node, (ast.Name, ast.Attribute))}


CHECK = file_check(examine, CheckTraits(literals=("assert", "raise"), reads_old=True, on_lines=False))
