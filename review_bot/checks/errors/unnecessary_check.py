"""A test of what a value is, where the line that makes the value decides it.

::

    url = [data.get("repository")]
    if url is None: ...                         a list is never None
    parts = path.split(".")
    if len(parts) == 0: raise ValueError        `split` with a separator gives at least one part

Source: https://docs.python.org/3/library/stdtypes.html#str.split
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts, reads_by_text, shared_names
from review_bot.analysis.python.statements import Function, all_parameters, assignments_of, last_name, targets_of
from review_bot.analysis.python.syntax import hit_at, is_literal, is_name, own_nodes, source_text, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_KINDS: dict[type[ast.expr], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set",
    ast.SetComp: "set", ast.Tuple: "tuple", ast.JoinedStr: "str",
}  # fmt: skip
_BUILT_IN = frozenset({"bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
_LONGEST = 60
"""Characters of a test that a message shows."""


class _Value(NamedTuple):
    """What a name always is: of a built-in type; ``filled``: it has at least one item."""

    kind: str
    filled: bool
    line: int


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such test of an ``if``, ``elif`` or conditional expression. Raises CannotParse."""
    for function in source.functions:
        if not source.any_added(*span_of(function)):
            continue
        values: dict[str, _Value] | None = None
        for node in own_nodes(function.body):
            if not isinstance(node, (ast.If, ast.IfExp)):
                continue
            values = _values(function) if values is None else values
            if (found := _decided(node.test, values)) is None:
                continue
            name, value, truth = found
            if value.line >= node.test.lineno or not (node.orelse if truth else node.body):
                continue
            if isinstance(node, ast.IfExp) and value.filled:
                continue  # `parts[0] if parts else ""` is written out of caution
            test = source_text(source, node.test)
            yield hit_at(
                source,
                node.test,
                values={
                    "name": name,
                    "what": _in_words(value),
                    "set": str(value.line),
                    "test": test if len(test) <= _LONGEST and "\n" not in test else "this test",
                    "truth": "true" if truth else "false",
                },
                related=(Related(source.path, value.line, f"`{name}` is {_in_words(value)}"),),
            )


def _in_words(value: _Value) -> str:
    article = "an" if value.kind == "int" else "a"
    return f"{article} {value.kind} with at least one item" if value.filled else f"{article} {value.kind}"


def _values(function: Function) -> dict[str, _Value]:
    """Return what the names are that a function binds once, to an expression whose type its form shows."""
    if any(map(reads_by_text, nodes_of(function, ast.Call))):
        return {}
    bound, shared = binding_counts(function), shared_names(function)
    parameters = {each.arg for each in all_parameters(function)}
    found: dict[str, _Value] = {}
    for each in assignments_of(function):
        targets = targets_of(each)
        if each.value is None or len(targets) != 1 or not isinstance(targets[0], ast.Name):
            continue
        name = targets[0].id
        if bound[name] != 1 or name in shared or name in parameters:
            continue
        value = each.value
        if isinstance(value, ast.Name) and value.id in found:  # an alias
            found[name] = found[value.id]._replace(line=each.lineno)
        elif (kind := _KINDS.get(value.__class__)) is not None:
            found[name] = _Value(kind, filled=False, line=each.lineno)
        elif _is_split(value):
            found[name] = _Value("list", filled=True, line=each.lineno)
    removed = {each.func.value.id for each in nodes_of(function, ast.Call)
               if isinstance(each.func, ast.Attribute) and isinstance(each.func.value, ast.Name)
               and each.func.attr in {"clear", "pop", "remove"}}  # fmt: skip
    removed |= {each.value.id for each in nodes_of(function, ast.Subscript)
                if isinstance(each.ctx, (ast.Del, ast.Store)) and isinstance(each.value, ast.Name)}  # fmt: skip
    return {name: value._replace(filled=value.filled and name not in removed) for name, value in found.items()}


def _is_split(value: ast.expr) -> bool:
    """Return whether a value is what a string gives that is split at a separator, which the text shows."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.attr != "split":
        return False
    if last_name(value.func.value) in {"str", "re", "np", "numpy", "torch", "jnp", "tf"}:
        return False  # of pandas, or of arrays
    return bool(value.args) and bool(text_of(value.args[0])) and not value.keywords


def _decided(test: ast.expr, values: dict[str, _Value]) -> tuple[str, _Value, bool] | None:
    """Return the name that a test asks about, what that is, and what the test gives each time."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _decided(test.operand, values)
        return None if inner is None else (inner[0], inner[1], not inner[2])
    match test:
        case ast.Name(id=name) if name in values and values[name].filled:
            return name, values[name], True
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as how], comparators=[other]):
            if name in values and is_literal(other, None):
                return name, values[name], isinstance(how, ast.IsNot)
        case ast.Compare(left=ast.Call(func=called, args=[ast.Name(id=name)]), ops=[how], comparators=[other]):
            if name in values and values[name].filled and is_name(called, "len") and isinstance(other, ast.Constant):
                truth = _of_length(how, other.value)
                return None if truth is None else (name, values[name], truth)
        case ast.Call(func=called, args=[ast.Name(id=name), kinds]) if name in values and is_name(called, "isinstance"):
            wanted = [last_name(each) for each in (kinds.elts if isinstance(kinds, ast.Tuple) else [kinds])]
            if _BUILT_IN.issuperset(wanted):
                return name, values[name], values[name].kind in wanted
    return None


def _of_length(how: ast.cmpop, number: object) -> bool | None:
    """Return what a comparison of a length of one or more with a number always gives; None: it depends."""
    if number == 0:
        return {ast.Eq: False, ast.NotEq: True, ast.Gt: True, ast.LtE: False}.get(how.__class__)
    if number == 1:
        return {ast.Lt: False, ast.GtE: True}.get(how.__class__)
    return None


CHECK = file_check(examine, CheckTraits(literals=("if",)))
