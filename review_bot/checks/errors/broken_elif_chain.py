"""An ``if`` where ``elif`` is meant, so that the ``else`` of the second chain runs for what the first one handled.

::

    if kind == "a":
        load = load_a
    if kind == "b":                 for "a", the else below runs as well
        load = load_b
    elif kind == "c": ...
    else:
        raise ValueError(kind)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from review_bot.analysis.python.statements import blocks, leaves
from review_bot.analysis.python.syntax import bound_name, hit_on, names_in
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


class _Chain(NamedTuple):
    """``if x == 1: ... elif x in (2, 3): ... else: ...``: what it compares, with which constants, and its bodies."""

    subject: str
    constants: frozenset[object]
    bodies: tuple[list[ast.stmt], ...]
    otherwise: list[ast.stmt]


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the second ``if`` of each such pair, or the first if only that was added. Raises CannotParse."""
    for block in blocks(source.tree.body):
        for one, two in pairwise(block):
            if not isinstance(one, ast.If) or not isinstance(two, ast.If):
                continue
            first, second = _chain(one), _chain(two)
            if first is None or second is None or first.subject != second.subject or first.otherwise:
                continue
            if first.constants & second.constants or len(second.bodies) < 2 or any(map(leaves, first.bodies)):
                continue
            what = _undoes(first, second)
            tested = first.subject.removesuffix(" with").partition(".")[0].partition("[")[0]
            bound = _bound(one)
            if what and tested not in bound and first.subject not in bound:
                where = two if two.lineno in source.added or one.lineno not in source.added else one
                held = first.subject.endswith(" with")
                listed = " or ".join(sorted(repr(each) for each in first.constants))
                subject = first.subject.removesuffix(" with")
                values = {
                    "case": f"`{subject}` {'holds only' if held else 'is'} {listed}",
                    "line": str(one.lineno),
                    "second": str(two.lineno),
                    "what": what,
                    "otherwise": str(second.otherwise[0].lineno),
                }
                other = one if where is two else two
                yield hit_on(
                    source, where, values=values, related=(Related(source.path, other.lineno, "the other `if`"),)
                )


def _undoes(first: _Chain, second: _Chain) -> str:
    """Return what the ``else`` of the second chain does to the cases of the first; nothing if that may be meant."""
    last = second.otherwise[-1] if second.otherwise else None
    if isinstance(last, ast.Raise):
        # A mapping may hold keys of both chains: only what both of them set is one question.
        sets = [set().union(*map(_bound, body)) for chain in (first, second) for body in chain.bodies]
        return "raises" if not first.subject.endswith(" with") or set[str].intersection(*sets) else ""
    names = [set().union(*map(_bound, body)) for body in first.bodies]
    plain = [each for each in second.otherwise if not isinstance(each, ast.AugAssign)]
    later: set[str] = set().union(*(_bound(each) - names_in(each, ast.Load) for each in plain))
    lost = set[str].intersection(*names) & later
    if lost:
        return f"replaces {' and '.join(f'`{name}`' for name in sorted(lost))}"
    if isinstance(last, ast.Return) and all(_only_binds(each) for body in first.bodies for each in body):
        read = set[str]().union(*map(names_in, second.otherwise))
        return "" if read & set[str]().union(*names) else "returns"
    return ""


def _only_binds(statement: ast.stmt) -> bool:
    """Return whether a statement does nothing but give a local name a value, which is lost when the function ends."""
    if isinstance(statement, ast.Assign):
        return all(isinstance(each, ast.Name) for each in statement.targets)
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def _chain(statement: ast.If) -> _Chain | None:
    subject: str | None = None
    constants: set[object] = set()
    bodies: list[list[ast.stmt]] = []
    current = statement
    while True:
        compared = _compared(current.test)
        if compared is None or (subject is not None and compared[0] != subject):
            return None
        subject = compared[0]
        constants |= compared[1]
        bodies.append(current.body)
        if len(current.orelse) == 1 and isinstance(current.orelse[0], ast.If):
            current = current.orelse[0]
            continue
        return _Chain(subject, frozenset(constants), tuple(bodies), current.orelse)


def _compared(test: ast.expr) -> tuple[str, set[object]] | None:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    other = test.comparators[0]
    if isinstance(test.left, ast.Constant) and isinstance(test.ops[0], ast.In):
        asked: set[object] = {test.left.value}
        return f"{ast.unparse(other)} with", asked
    if not isinstance(test.left, (ast.Name, ast.Attribute)):
        return None
    if isinstance(test.ops[0], ast.Eq) and isinstance(other, ast.Constant):
        constant: set[object] = {other.value}
        return ast.unparse(test.left), constant
    if isinstance(test.ops[0], ast.In) and isinstance(other, (ast.Tuple, ast.List, ast.Set)):
        values: set[object] = {each.value for each in other.elts if isinstance(each, ast.Constant)}
        return (ast.unparse(test.left), values) if len(values) == len(other.elts) else None
    return None


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names and attributes that a statement assigns or imports."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            found.add(ast.unparse(node))
        elif isinstance(node, ast.alias):
            found.add(bound_name(node))
    return found


CHECK = file_check(examine, CheckTraits(literals=("elif",)))
