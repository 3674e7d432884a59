"""The result of a function that returns None when it finds nothing, used as a value at once.

::

    int(os.getenv("WORKERS"))          None if the variable is not set
    image = cv2.imread(path)           None if the image cannot be read
    height = image.shape[0]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.contract_names import contract_names
from review_bot.analysis.python.statements import caught_lines, last_name
from review_bot.analysis.python.syntax import full_name, hit_at, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.contracts.contract_store import contract_of
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_CONVERSIONS = frozenset({"float", "int", "len"})
_LAUNCHED = frozenset({
    "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE",
})  # fmt: skip
"""Variables that a launcher such as torchrun always sets."""
_CAUGHT = frozenset({"AttributeError", "BaseException", "Exception", "TypeError"})
_LITERALS = ("getenv", "environ get", "imread", "imdecode", "which")


_OF_ENVIRONMENT = frozenset({"get", "getenv"})
_ADVICE = "Test the result for None and raise an error that names what is missing"


class _Use(NamedTuple):
    """A place that needs a value, and the expression that has to be one. ``how`` is a clause in Markdown."""

    node: ast.expr
    value: ast.expr
    how: str


def _is_conversion(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in _CONVERSIONS


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such use that nothing guards. Raises CannotParse."""
    imported = contract_names(source.tree, source.path)
    for body in (source.tree.body, *(function.body for function in source.functions)):
        nodes = [*own_nodes(body)]
        uses = [use for use in map(_use, nodes) if use is not None]
        if not uses:
            continue
        made = _made(nodes, imported)
        caught = caught_lines(nodes, _CAUGHT)
        tested: set[str] | None = None
        for use in uses:
            call = made.get(use.value.id) if isinstance(use.value, ast.Name) else use.value
            reason = _reason(call, imported) if isinstance(call, ast.Call) else ""
            if not reason or not isinstance(call, ast.Call) or use.node.lineno in caught:
                continue
            if body is source.tree.body and last_name(call.func) in _OF_ENVIRONMENT and _is_conversion(use.node):
                continue  # a script that does not start without it ends at once
            known = {ast.unparse(each) for each in (call, *call.args[:1])}
            known |= {use.value.id} if isinstance(use.value, ast.Name) else set()
            tested = _tested(nodes) if tested is None else tested
            if known.isdisjoint(tested):
                has_default = last_name(call.func) in _OF_ENVIRONMENT
                yield hit_at(
                    source,
                    use.node,
                    values={"call": ast.unparse(call), "when": reason, "how": use.how},
                    instead=f"{_ADVICE}, or pass a default." if has_default else None,
                )
                made.pop(last_name(use.value), None)


def _use(node: ast.AST) -> _Use | None:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return _Use(node, node.value, f"its attribute `{node.attr}` is taken")
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return _Use(node, node.value, "it is indexed")
    if isinstance(node, ast.Call) and len(node.args) == 1 and last_name(node.func) in _CONVERSIONS:
        return _Use(node, node.args[0], f"`{ast.unparse(node.func)}` needs a value") if not node.keywords else None
    return None


def _reason(call: ast.Call, imported: Mapping[str, str]) -> str:
    """Return when a call returns None, as a clause; nothing if it does not."""
    contract = contract_of(full_name(call.func, imported) or "")
    if contract is None or not contract.none_if:
        return ""
    if contract.none_up_to and len(call.args) + len(call.keywords) > contract.none_up_to:
        return ""
    first = call.args[0] if call.args else None
    return "" if isinstance(first, ast.Constant) and first.value in _LAUNCHED else contract.none_if


def _made(nodes: list[ast.AST], imported: Mapping[str, str]) -> dict[str, ast.Call]:
    """Return the calls whose results names hold that nothing else binds."""
    stored = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    found: dict[str, ast.Call] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if stored.count(name) == 1 and isinstance(node.value, ast.Call) and _reason(node.value, imported):
                found[name] = node.value
    return found


def _tested(nodes: list[ast.AST]) -> set[str]:
    """Return the names, constants and calls, as text, of which something depends on a test."""
    tests: list[ast.AST] = []
    for node in nodes:
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            tests.append(node.test)
        elif isinstance(node, (ast.BoolOp, ast.Compare)) or (
            isinstance(node, ast.UnaryOp) and type(node.op) is ast.Not
        ):
            tests.append(node)
        elif isinstance(node, ast.Call) and last_name(node.func) in {"isinstance", "all", "any"}:
            tests += node.args
        elif isinstance(node, ast.comprehension):
            tests += node.ifs
    inside = (each for test in tests for each in walk(test))
    return {ast.unparse(each) for each in inside if isinstance(each, (ast.Name, ast.Constant, ast.Call))}


CHECK = file_check(examine, CheckTraits(literals=_LITERALS))
