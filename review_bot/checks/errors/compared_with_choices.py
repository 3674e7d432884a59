"""One value compared with a list of the values that it may have, where ``in`` was meant.

::

    if norm in ["layernorm", "te_layernorm"]: ...
    elif norm == ["rmsnorm", "te_rmsnorm"]: ...       never true: line 1 shows that it is one text

What else the file asks of the same expression shows that it is not a list itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.wording import in_one_line
from review_bot.analysis.python.syntax import dotted, hit_at, source_text, structure
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_EQUAL = {
    ast.Eq: ("never", "in"),
    ast.Is: ("never", "in"),
    ast.NotEq: ("always", "not in"),
    ast.IsNot: ("always", "not in"),
}
_LONGEST = 60
_OF_TEXT = frozenset({"lower", "upper", "startswith", "endswith", "strip", "casefold", "removeprefix", "removesuffix"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such comparison. Raises CannotParse."""
    tests = [each for each in source.nodes(ast.Compare) if len(each.ops) == 1 and dotted(each.left) is not None]
    for test in tests:
        outcome = _EQUAL.get(type(test.ops[0]))
        choices = test.comparators[0]
        if outcome is None or not isinstance(choices, (ast.List, ast.Tuple, ast.Set)) or len(choices.elts) < 2:
            continue
        kinds = {_kind(each) for each in choices.elts}
        if len(kinds) > 1 or None in kinds:
            continue
        kind = _kind(choices.elts[0])
        line = None if kind is None else _shown(source, test, choices.elts, kind)
        if line is not None:
            name = dotted(test.left)
            values = {
                "name": str(name),
                "outcome": outcome[0],
                "meant": f"{name} {outcome[1]} {in_one_line(source_text(source, choices), _LONGEST)}",
                "line": str(line),
            }
            yield hit_at(source, test, values=values, related=(Related(source.path, line, f"`{name}` is one value"),))


def _kind(value: ast.expr) -> str | None:
    """Return what a choice is: a text, or a member of the class that is named; None for anything else."""
    if isinstance(value, ast.Constant):
        return "str" if isinstance(value.value, str) else None
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
        return value.value.id if value.value.id[:1].isupper() else None
    return None


def _shown(source: SourceFile, test: ast.Compare, choices: list[ast.expr], kind: str) -> int | None:
    """Return a line that shows that what a test compares is one value of a kind, or None."""
    name = dotted(test.left) or ""
    written = {structure(each) for each in choices}
    is_list = isinstance(test.comparators[0], ast.List)
    for each in _around(source, test, name):
        if isinstance(each, ast.Compare):
            if each is test or len(each.ops) > 1 or dotted(each.left) != name:
                continue
            other = each.comparators[0]
            several = other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else []
            if isinstance(each.ops[0], (ast.In, ast.NotIn)) and several and all(_kind(one) == kind for one in several):
                return each.lineno
            is_one = kind != "str" and _kind(other) == kind  # a text may have been a list before
            if type(each.ops[0]) in _EQUAL and (is_one or structure(other) in written):
                return each.lineno
        elif kind == "str" and (_is_of_text(each, name) or (is_list and _is_key(each, name))):
            return each.lineno
    return None


def _is_of_text(call: ast.Call, name: str) -> bool:
    method = call.func
    return isinstance(method, ast.Attribute) and method.attr in _OF_TEXT and dotted(method.value) == name


def _is_key(call: ast.Call, name: str) -> bool:
    """Return whether a call looks a name up in a dictionary, which takes no list."""
    looks_up = isinstance(call.func, ast.Attribute) and call.func.attr in {"get", "setdefault"} and call.args
    return bool(looks_up) and dotted(call.args[0]) == name


def _around(source: SourceFile, test: ast.Compare, name: str) -> list[ast.Compare | ast.Call]:
    """Return the comparisons and calls in which a name means the same; none where the code asks for its class."""
    found: list[ast.Compare | ast.Call] = [*source.nodes(ast.Compare), *source.nodes(ast.Call)]
    if "." not in name:
        functions = source.functions_around(test.lineno)
        first, last = span_of(functions[-1]) if functions else (1, len(source.lines))
        found = [each for each in found if first <= each.lineno <= last]
    asked = (each for each in found if isinstance(each, ast.Call) and dotted(each.func) == "isinstance" and each.args)
    return [] if any(dotted(each.args[0]) == name for each in asked) else found


CHECK = file_check(examine, CheckTraits(literals=("= , [", "= , (", "= , {", "is ,")))
